"""Two embedding models on the same questions: how far do their answers agree?"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from prefmem_pg.db.consistency import sample_questions
from prefmem_pg.db.filters import compile_filter
from prefmem_pg.db.overview import list_users_with_most
from prefmem_pg.db.session import Database
from prefmem_pg.domain.reports import ModelComparison
from prefmem_pg.steps.embed import WorkingModel
from prefmem_pg.steps.retrieve import prepare_question, retrieve

USERS: Final = 20
EACH: Final = 5
LIMIT: Final = 10


def compare_models(database: Database, old: WorkingModel, new: WorkingModel) -> ModelComparison:
    """Ask both models what up to a hundred messages of users ask for; nothing is learnt from it."""
    questions = sample(database)
    now = datetime.now(UTC)
    kept = total = same_first = 0
    for user_id, question in questions:
        before = _answers(database, old, user_id, question, now)
        after = _answers(database, new, user_id, question, now)
        kept += len(set(before) & set(after))
        total += len(before)
        same_first += before[:1] == after[:1]
    asked = len(questions)
    return ModelComparison(
        questions=asked,
        overlap=kept / total if total else 1.0,
        same_first=same_first / asked if asked else 1.0,
    )


def sample(database: Database) -> list[tuple[str, str]]:
    """Return (user_id, text): messages of users with most preferences, or else their statements."""
    with database.transaction(user_id=None) as repositories:
        user_ids = [user_id for user_id, _ in list_users_with_most(repositories.session, limit=USERS)]
        return sample_questions(repositories.session, user_ids=user_ids, each=EACH)


def _answers(database: Database, model: WorkingModel, user_id: str, question: str, now: datetime) -> Sequence[object]:
    hits = retrieve(
        database,
        user_id,
        prepare_question(question, model.embedder, model.bank()),
        model_id=model.model_id,
        condition=compile_filter(None),
        limit=LIMIT,
        min_score=0,
        now=now,
    )
    return [hit.preference.preference_id for hit in hits]
