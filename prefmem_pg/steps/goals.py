"""Goals: a later one of a subject takes the place of the earlier one, a request goes into the goal that it names, and
what was reached ends."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from prefmem_pg.domain.preferences import Candidate, Preference, Verdict
from prefmem_pg.domain.withdrawals import Reached
from prefmem_pg.providers.offline.destinations import replaces
from prefmem_pg.providers.offline.follow_ups import FollowUp
from prefmem_pg.providers.offline.reached import reaches
from prefmem_pg.steps.plan import Plan


def judge_goals(candidate: Candidate, existing: Preference) -> Verdict | None:
    """Return how a goal stands to another by what the user wishes to reach; None when rules of goals cannot tell."""
    if candidate.kind != "goal" or existing.kind != "goal" or existing.statement is None:
        return None
    verdict = replaces(candidate.statement, existing.statement)
    if verdict is None:
        return None
    if verdict:
        return Verdict(relation="changed", reason="another destination takes the place of the one before")
    if set(candidate.entities) & set(existing.entities):
        return Verdict(relation="same", reason="the same destination")
    return Verdict(relation="different", reason="a further destination")


def attach(
    candidates: Sequence[Candidate], follow_ups: Sequence[FollowUp], order: Sequence[UUID]
) -> tuple[list[Candidate], list[FollowUp]]:
    """Put requests into the goals among the candidates that they name; return these and the requests that are left.

    ``order`` are the messages in order: a request belongs to the last goal before it, or in its own sentence.
    """
    places = {message_id: place for place, message_id in enumerate(order)}
    told = list(candidates)
    left = []
    for follow_up in follow_ups:
        asked = (places[follow_up.evidence.message_id], follow_up.evidence.end)
        owners = [
            index
            for index, candidate in enumerate(told)
            if candidate.kind == "goal"
            and any(follow_up.names(entity) for entity in candidate.entities)
            and (places[candidate.evidence[0].message_id], candidate.evidence[0].start) < asked
        ]
        if owners:
            told[owners[-1]] = _with_request(told[owners[-1]], follow_up)
        else:
            left.append(follow_up)
    return told, left


def enrich_goals(plan: Plan, goals: Sequence[Preference], follow_ups: Sequence[FollowUp]) -> None:
    """Put requests into the stored goals that they name, the latest one before the request each."""
    for follow_up in follow_ups:
        named = [
            goal
            for goal in goals
            if goal.valid_from <= follow_up.at and any(follow_up.names(entity) for entity in goal.entities)
        ]
        if not named:
            continue
        latest = max(named, key=lambda goal: (goal.valid_from, goal.preference_id))
        plan.tell(latest, follow_up.text, reason="a request about this goal")
        plan.evidence.append((latest.preference_id, follow_up.evidence))


def end_goals(plan: Plan, goals: Sequence[Preference], reached: Sequence[Reached]) -> None:
    """Archive what the user tells to have reached, stored or of this very plan, unless it is wished for again after."""
    for one in reached:
        said_after = {pid for pid, span in plan.spans() if not one.follows(span.message_id, span.start)}
        for row in [*goals, *plan.inserts.values()]:
            current = plan.current(row)
            is_open = current.kind == "goal" and current.status == "activated" and current.valid_from <= one.at
            if not is_open or current.preference_id in said_after or not reaches(one.quote, current.statement or ""):
                continue
            ended = replace(current, status="archived", valid_to=one.at, updated_at=plan.now, run_id=plan.run_id)
            plan.change(current, ended, "archive", f"reached: {one.quote}", {"message_id": str(one.message_id)})


def is_reached(candidate: Candidate, reached: Sequence[Reached]) -> bool:
    """Say whether a candidate that could not be decided yet is a goal that was reached after it was stated."""
    return candidate.kind == "goal" and any(
        one.follows_all(candidate) and reaches(one.quote, candidate.statement) for one in reached
    )


def _with_request(candidate: Candidate, follow_up: FollowUp) -> Candidate:
    if follow_up.text in candidate.context:
        return candidate
    return replace(
        candidate,
        context=f"{candidate.context} {follow_up.text}".strip(),
        evidence=(*candidate.evidence, follow_up.evidence),
    )
