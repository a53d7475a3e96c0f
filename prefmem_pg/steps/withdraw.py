"""What the user takes back -> preferences that are archived, stored ones and those of the very same plan."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from prefmem_pg.db.neighbours import Probe
from prefmem_pg.db.session import Repositories
from prefmem_pg.domain.preferences import Candidate, Preference
from prefmem_pg.domain.withdrawals import Withdrawal
from prefmem_pg.providers.offline.judge_lexicon import kinds_of
from prefmem_pg.providers.offline.judge_reading import read
from prefmem_pg.providers.offline.topics import find_topic
from prefmem_pg.steps.plan import Plan

LOOKED_AT: Final = 200
"""How many of a user's preferences nearest to a subject are looked at: a person has rarely more about one thing."""

_FRUIT: Final = frozenset({"fruit"})
_MORE_KINDS: Final = dict.fromkeys(
    ("durian", "mango", "banana", "apple_fruit", "strawberry", "pineapple", "avocado"), _FRUIT
)
"""Kinds that the judge must not merge ("I like fruit" does not say that I like durian), and that a subject covers."""


@dataclass(frozen=True, slots=True)
class Support:
    """A stored preference and where in a message it was said."""

    preference: Preference
    message_id: UUID
    end: int


@dataclass(frozen=True, slots=True)
class Reach:
    """What the store holds that a withdrawal may mean."""

    supports: tuple[Support, ...] = ()
    replaced: tuple[Preference, ...] = ()
    near: tuple[Preference, ...] = ()


def find_reach(
    repositories: Repositories,
    user_id: str,
    withdrawal: Withdrawal,
    vector: NDArray[np.float32] | None,
    *,
    model_id: int,
) -> Reach:
    """Read what a withdrawal may mean: by the evidence of its places, or by what lies near its subject."""
    if withdrawal.subject is None:
        ids = [message_id for message_id, _ in withdrawal.places]
        rows = repositories.upkeep.list_supported(user_id, ids)
        replaced = repositories.upkeep.list_replaced(user_id, [row[0].preference_id for row in rows])
        return Reach(supports=tuple(Support(*row) for row in rows), replaced=tuple(replaced))
    probe = Probe(
        statement=withdrawal.subject,
        kind="explicit",
        topic=find_topic(withdrawal.subject),
        entities=(),
        vector=vector,
    )
    [near] = repositories.preferences.find_neighbours(user_id, [probe], model_id=model_id, nearest=LOOKED_AT)
    return Reach(near=tuple(n.preference for n in near if n.preference.status == "activated"))


def withdraw(plan: Plan, withdrawals: Sequence[Withdrawal], reaches: Sequence[Reach]) -> None:
    """Archive what is taken back; what the plan would have counted as said again there is not counted."""
    for withdrawal, reach in zip(withdrawals, reaches, strict=True):
        targets = _about(plan, withdrawal, reach) if withdrawal.subject else _said_there(plan, withdrawal, reach)
        for target in targets:
            current = plan.current(target)
            if current.status != "activated":
                continue
            ended = replace(current, status="archived", updated_at=plan.now, run_id=plan.run_id)
            details = {"message_id": str(withdrawal.message_id)}
            plan.change(current, ended, "archive", f"taken back by the user: {withdrawal.quote}", details)
            _uncount(plan, current.preference_id, withdrawal)
            if withdrawal.subject is None:
                _bring_back(plan, current.preference_id, reach)


def takes_back(withdrawal: Withdrawal, candidate: Candidate) -> bool:
    """Say whether a withdrawal means a candidate that could not be decided yet; in doubt about "that" it does."""
    if withdrawal.subject:
        is_meant = not candidate.is_safety and withdrawal.kind in (None, candidate.kind)
        is_meant = is_meant and is_about(withdrawal.subject, candidate.statement)
        return is_meant and withdrawal.follows_all(candidate)
    nearest = withdrawal.places[:1]
    return any(span.message_id == pid and span.end <= end for span in candidate.evidence for pid, end in nearest)


def is_about(subject: str, statement: str) -> bool:
    """Say whether a statement concerns a subject: it names the thing, a kind of it, or the subject's own topic."""
    wanted = {item.concept for item in read(subject).strong}
    named = {item.concept for item in read(statement).items}
    kinds = {kind for concept in named for kind in kinds_of().get(concept, ()) or _MORE_KINDS.get(concept, ())}
    if wanted & (named | kinds):
        return True
    topic = find_topic(statement)
    return topic not in (None, "other") and topic in wanted


def _said_there(plan: Plan, withdrawal: Withdrawal, reach: Reach) -> list[Preference]:
    """Return what was said at the nearest place at which anything was."""
    for message_id, end in withdrawal.places:
        stored = [s.preference for s in reach.supports if s.message_id == message_id and s.end <= end]
        ids = {pid for pid, span in plan.spans() if span.message_id == message_id and span.end <= end}
        known = [*plan.repeated.values(), *plan.inserts.values(), *plan.updates.values()]
        new = [row for row in known if row.preference_id in ids]
        found = {row.preference_id: row for row in [*stored, *new]}
        if found:
            return [found[pid] for pid in sorted(found)]
    return []


def _about(plan: Plan, withdrawal: Withdrawal, reach: Reach) -> list[Preference]:
    """Return what was said of the subject before; what keeps the user safe is not taken back in passing."""
    subject = withdrawal.subject or ""
    said_now = {pid for pid, span in plan.spans() if not withdrawal.follows(span.message_id, span.start)}
    rows = {row.preference_id: row for row in [*reach.near, *plan.inserts.values()]}
    return [
        row
        for pid, row in sorted(rows.items())
        if pid not in said_now
        and row.valid_from <= withdrawal.at
        and not row.is_safety
        and withdrawal.kind in (None, row.kind)
        and row.statement
        and is_about(subject, row.statement)
    ]


def _bring_back(plan: Plan, preference_id: UUID, reach: Reach) -> None:
    """Make current again what the row had replaced: a word that is taken back has changed nobody's mind.

    Rows that it took in because they said the same have no end of validity, and stay where they are.
    """
    rows = {row.preference_id: row for row in [*reach.replaced, *plan.inserts.values(), *plan.updates.values()]}
    for row in map(plan.current, rows.values()):
        if row.status == "superseded" and row.superseded_by == preference_id and row.valid_to is not None:
            back = replace(row, status="activated", superseded_by=None, valid_to=None, updated_at=plan.now)
            plan.change(row, back, "restore", "what had replaced it was taken back", {"withdrawn": str(preference_id)})


def _uncount(plan: Plan, preference_id: UUID, withdrawal: Withdrawal) -> None:
    plan.repeats = [
        (pid, spans)
        for pid, spans in plan.repeats
        if pid != preference_id or not all(withdrawal.follows(s.message_id, s.start) for s in spans)
    ]
