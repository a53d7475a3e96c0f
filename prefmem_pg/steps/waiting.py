"""Candidates that could not be decided are decided when they can, and parked when they never can."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from prefmem_pg.db.session import Repositories
from prefmem_pg.domain.preferences import Candidate
from prefmem_pg.domain.reports import ExtractionReport
from prefmem_pg.steps.decide import Decider
from prefmem_pg.steps.plan import Outcome

MAX_ATTEMPTS: Final = 5
MOST_AT_ONCE: Final = 1_000
MOST_IN_VAIN: Final = 10
"""Candidates in a row that go on waiting before the rest is left for the next call: the judge is down."""


def decide_waiting(decider: Decider, *, user_id: str | None) -> ExtractionReport:
    """Decide the candidates that wait, one by one and oldest first; return what became of them.

    One that fails again waits on, and is parked at its fifth failure. Two processes at once decide each once.
    """
    with decider.database.transaction(user_id=user_id) as repositories:
        waiting = repositories.runs.list_waiting(user_id=user_id, limit=MOST_AT_ONCE)

    counts: Counter[str] = Counter()
    in_vain = 0
    for owner, candidate_id, _, candidate in waiting:
        outcome = _decide(decider, owner, candidate_id, candidate)
        counts[outcome] += 1
        in_vain = in_vain + 1 if outcome == "waiting" else 0
        if in_vain == MOST_IN_VAIN:
            break
    fields: dict[str, Any] = dict(counts)  # Any: the counts go to fields of the report by name
    return ExtractionReport(**fields)


def _decide(decider: Decider, user_id: str, candidate_id: UUID, candidate: Candidate) -> str:
    def claim(repositories: Repositories, outcomes: Sequence[Outcome]) -> bool:
        # Without outcomes the candidate is about to be kept once more.
        return not outcomes or repositories.runs.drop_candidates(user_id, [candidate_id]) == 1

    decisions = decider.decide(user_id, [candidate], actor="waiting", claim=claim)
    if decisions is None:
        return "skipped"
    if decisions[0].preference is not None:
        return decisions[0].action
    with decider.database.transaction(user_id=user_id) as repositories:
        is_parked = repositories.runs.park_candidate(user_id, candidate_id, attempts=MAX_ATTEMPTS)
    return "parked" if is_parked else "waiting"
