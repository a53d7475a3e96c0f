"""Query -> the users who hold such a preference."""

from typing import Final
from uuid import UUID

from sqlalchemy import RowMapping

from prefmem_pg.db.audience import list_holders, list_similar_users
from prefmem_pg.db.filters import CompiledFilter
from prefmem_pg.db.rows import as_vector_text
from prefmem_pg.db.session import Database
from prefmem_pg.domain.search import UserHit
from prefmem_pg.errors import InvalidInput
from prefmem_pg.providers.bank import Bank
from prefmem_pg.steps.centring import centred_question
from prefmem_pg.steps.retrieve import Question

LIKELY_SCORE: Final = 0.5
"""As near as the right answer to a question usually is; see MIDPOINT in db/ranking.py."""
MOST_PER_USER: Final = 100


def check_per_user(per_user: int) -> int:
    """Return the number; InvalidInput unless it is whole and from 1 to MOST_PER_USER."""
    if isinstance(per_user, bool) or not isinstance(per_user, int) or not 1 <= per_user <= MOST_PER_USER:
        raise InvalidInput(f"per_user must be a whole number from 1 to {MOST_PER_USER}, not {per_user!r}")
    return per_user


def find_holders(
    database: Database,
    question: Question,
    bank: Bank,
    *,
    model_id: int,
    condition: CompiledFilter,
    limit: int,
    per_user: int,
    min_score: float,
) -> list[UserHit]:
    """Return the users whose preferences are nearest to a question, best first."""
    languages = list(bank.statement_mean)
    with database.transaction(user_id=None) as repositories:
        rows = list_holders(
            repositories.session,
            question=as_vector_text(centred_question(question.raw, question.shipped_mean, question.smoothing)),
            languages=languages,
            means=[as_vector_text(bank.statement_mean[language]) for language in languages],
            model_id=model_id,
            condition=condition.condition,
            condition_values=condition.values,
            limit=limit,
            per_user=per_user,
            min_score=min_score,
        )
    return [_as_hit(row) for row in rows]


def find_similar_users(database: Database, user_id: str, preference_id: UUID, *, limit: int) -> list[UserHit]:
    """Return the users who hold a preference like the given one, nearest first, each once."""
    with database.transaction(user_id=None) as repositories:
        rows = list_similar_users(repositories.session, user_id, preference_id, limit=limit)
    return [_as_hit(row) for row in rows]


def _as_hit(row: RowMapping) -> UserHit:
    return UserHit(**{**row, "score": round(float(row["score"]), 6)})
