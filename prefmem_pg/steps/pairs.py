"""Two stored preferences -> which of them stays: the rules of deciding, applied to pairs. Pure but for the judge."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from prefmem_pg.db.neighbours import Neighbour
from prefmem_pg.domain.preferences import Candidate, Evidence, EvidenceSpan, Preference, Verdict
from prefmem_pg.steps.context import join_texts, journey
from prefmem_pg.steps.goals import judge_goals
from prefmem_pg.steps.plan import Plan
from prefmem_pg.steps.think import Verdicts, may_be_about_one_thing


@dataclass(frozen=True, slots=True)
class Pair:
    """``loser`` ends and ``winner`` takes it in: as the same thing (merge), or as what counts now (supersede)."""

    event: Literal["merge", "supersede"]
    winner: Preference
    loser: Preference
    reason: str
    details: dict[str, Any]


def choose_pair(row: Preference, neighbour: Neighbour, verdicts: Verdicts) -> Pair | None:
    """Say which of two current preferences stays; None: both. Asks the model behind ``verdicts`` in the grey zone.

    The later one is to the earlier one as a candidate is to what is stored. What a person has pinned never ends.
    """
    other = neighbour.preference
    if not may_be_about_one_thing(neighbour, as_candidate(row)) and not _are_goals(row, other):
        return None
    earlier, later = sorted((row, other), key=lambda p: (p.valid_from, p.preference_id))
    verdict = _verdict(later, earlier, neighbour.similarity, verdicts)
    if verdict.relation == "changed":
        return None if earlier.is_pinned else _pair("supersede", later, earlier, verdict, neighbour)
    if verdict.relation == "richer":
        return _merge(later, earlier, verdict, neighbour)
    turned = _verdict(earlier, later, neighbour.similarity, verdicts)
    if turned.relation == "richer" or (turned.relation == "same" and verdict.relation != "same"):
        return _merge(earlier, later, turned, neighbour)
    if verdict.relation == "same":
        return _merge(*_richer_first(later, earlier), verdict, neighbour)
    return None


def as_candidate(row: Preference) -> Candidate:
    """Return a stored preference in the shape of a candidate, for comparing."""
    return Candidate(
        statement=row.statement or "",
        kind=row.kind,
        polarity=row.polarity,
        language=row.language,
        topic=row.topic,
        entities=row.entities,
    )


def write_pair(plan: Plan, pair: Pair, evidence: Sequence[Evidence], known: Sequence[Evidence]) -> None:
    """Put a pair into the plan: the loser is superseded, the winner takes over its evidence (``known`` is its own)."""
    winner, loser = plan.current(pair.winner), plan.current(pair.loser)
    ended = replace(loser, status="superseded", superseded_by=winner.preference_id, updated_at=plan.now, run_id=None)
    there = {(span.message_id, span.start) for span in known}
    spans = [e for e in evidence if (e.message_id, e.start) not in there] if pair.event == "merge" else []
    if pair.event == "merge":
        richer = _merged(winner, loser, plan)
    else:
        ended = replace(ended, valid_to=max(winner.valid_from, loser.valid_from))
        context = join_texts([winner.context, journey(loser, winner.language)])
        richer = replace(winner, context=context, updated_at=plan.now, run_id=None)
    plan.change(loser, ended, pair.event, pair.reason, pair.details)
    added = [[str(e.message_id), e.start] for e in spans]
    plan.change(winner, richer, "merge", pair.reason, {**pair.details, "evidence_added": added})
    plan.evidence += [
        (winner.preference_id, EvidenceSpan(message_id=e.message_id, start=e.start, end=e.end, quote=e.quote))
        for e in spans
    ]


def _merged(winner: Preference, loser: Preference, plan: Plan) -> Preference:
    return replace(
        winner,
        context=join_texts([winner.context, loser.context]),
        topic=winner.topic or loser.topic,
        entities=tuple(dict.fromkeys(winner.entities + loser.entities)),
        tags=tuple(dict.fromkeys(winner.tags + loser.tags)),
        confidence=max(winner.confidence, loser.confidence),
        importance=max(winner.importance, loser.importance),
        sensitivity=winner.sensitivity if winner.sensitivity != "none" else loser.sensitivity,
        is_safety=winner.is_safety or loser.is_safety,
        mention_count=winner.mention_count + loser.mention_count,
        valid_from=min(winner.valid_from, loser.valid_from),
        updated_at=plan.now,
        run_id=None,
    )


def _verdict(later: Preference, earlier: Preference, similarity: float | None, verdicts: Verdicts) -> Verdict:
    candidate = as_candidate(later)
    by_goal = judge_goals(candidate, earlier)
    if by_goal is not None:
        return by_goal
    place = later.preference_id.int  # a key of its own for each candidate
    return verdicts.of(place, candidate, [(earlier, similarity)], may_ask=True)[0]


def _merge(winner: Preference, loser: Preference, verdict: Verdict, neighbour: Neighbour) -> Pair | None:
    if loser.is_pinned and winner.is_pinned:
        return None
    if loser.is_pinned:
        winner, loser = loser, winner
    return _pair("merge", winner, loser, verdict, neighbour)


def _pair(
    event: Literal["merge", "supersede"],
    winner: Preference,
    loser: Preference,
    verdict: Verdict,
    neighbour: Neighbour,
) -> Pair:
    similarity = None if neighbour.similarity is None else round(neighbour.similarity, 4)
    details = {
        "compared": [str(winner.preference_id), str(loser.preference_id)],
        "similarity": similarity,
        "relation": verdict.relation,
        "certainty": verdict.certainty,
    }
    return Pair(event, winner, loser, verdict.reason, details)


def _richer_first(one: Preference, other: Preference) -> tuple[Preference, Preference]:
    """Order two that say the same: said over inferred, then the one said more often, then the longer one."""

    def rank(row: Preference) -> tuple[bool, bool, int, int, int]:
        length = len(row.statement or "")
        return row.is_safety, row.kind != "implicit", row.mention_count, length, -row.preference_id.int

    return (one, other) if rank(one) > rank(other) else (other, one)


def _are_goals(row: Preference, other: Preference) -> bool:
    return row.kind == other.kind == "goal"
