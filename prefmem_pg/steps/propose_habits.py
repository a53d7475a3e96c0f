"""Habits that were found -> candidates, of which those that tell something new are decided."""

from collections.abc import Sequence

from prefmem_pg.db.neighbours import Probe
from prefmem_pg.db.session import Repositories
from prefmem_pg.domain.preferences import Candidate
from prefmem_pg.domain.text import fold
from prefmem_pg.steps.decide import Decider


def propose_habits(decider: Decider, user_id: str, habits: Sequence[Candidate]) -> int:
    """Hand the habits that tell something new to deciding; return how many there were."""
    if not habits:
        return 0
    with decider.database.transaction(user_id=user_id) as repositories:
        fresh = _not_known(repositories, user_id, habits, model_id=decider.model_id)
    if fresh:
        decider.decide(user_id, fresh, actor="consolidate")
    return len(fresh)


def _not_known(
    repositories: Repositories, user_id: str, habits: Sequence[Candidate], *, model_id: int
) -> list[Candidate]:
    """Return the habits that tell something new: not stored yet, or with evidence that the stored one lacks."""
    probes = [Probe(statement=h.statement, kind=h.kind, topic=h.topic, entities=(), vector=None) for h in habits]
    near = repositories.preferences.find_neighbours(user_id, probes, model_id=model_id)
    fresh = []
    for habit, neighbours in zip(habits, near, strict=True):
        same = [
            n.preference
            for n in neighbours
            if n.is_exact and fold(n.preference.statement or "") == fold(habit.statement)
        ]
        if any(row.status == "rejected" for row in same):
            continue
        evidence = repositories.history.list_evidence(user_id, [row.preference_id for row in same])
        there = {(e.message_id, e.start) for spans in evidence.values() for e in spans}
        if not same or any((span.message_id, span.start) not in there for span in habit.evidence):
            fresh.append(habit)
    return fresh
