"""Whether stored preferences are found: searches by their own words, by the usual way and by comparing all vectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from prefmem_pg.db.consistency import sample_statements
from prefmem_pg.db.overview import list_users_with_most
from prefmem_pg.memory import PreferenceMemory

USERS: Final = 20
"""How many users are searched for: those with most preferences, who go through the indexes."""
EACH: Final = 5
"""How many of a user's preferences are looked for."""
LIMIT: Final = 10

# Nothing ages between two searches of the same sample.
_NOW: Final = datetime(2100, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Sample:
    """What two searches for a stored statement found: by the usual way and by comparing all vectors."""

    preference_id: str
    usual: tuple[str, ...]
    exact: tuple[str, ...]


def sample_searches(memory: PreferenceMemory, *, users: int = USERS, each: int = EACH) -> list[Sample]:
    """Search for some of the preferences of the users who have most; the same ones every time. Changes nothing."""
    with memory.database.transaction(user_id=None) as repositories:
        user_ids = [user_id for user_id, _ in list_users_with_most(repositories.session, limit=users)]
        chosen = sample_statements(repositories.session, user_ids=user_ids, each=each)

    def find(user_id: str, statement: str, *, exact: bool) -> tuple[str, ...]:
        hits = memory.search(user_id, statement, limit=LIMIT, min_score=0, exact=exact, now=_NOW, learn=False)
        return tuple(str(hit.preference.preference_id) for hit in hits)

    return [
        Sample(
            preference_id,
            usual=find(user_id, statement, exact=False),
            exact=find(user_id, statement, exact=True),
        )
        for user_id, preference_id, statement in chosen
    ]


def index_recall(samples: Sequence[Sample]) -> float:
    """Return what share of the exact answers the usual way found, over all samples; 1 when there is none."""
    right = sum(len(sample.exact) for sample in samples)
    found = sum(len(set(sample.exact) & set(sample.usual)) for sample in samples)
    return found / right if right else 1.0
