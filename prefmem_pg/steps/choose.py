"""What to do with a candidate, given what is near it: pure functions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from prefmem_pg.domain.preferences import Action, Candidate, Preference, Verdict
from prefmem_pg.domain.text import fold

RULES_SIMILARITY: Final = 0.75
"""Cosine from which rules compare two statements: they cost nothing, and none was wrong below the other."""
PROPOSE_SIMILARITY: Final = 0.86
"""Cosine from which a model is asked (measured: duplicates .925, contradictions .934 on average).

Similarity only proposes: it cannot tell a duplicate from a contradiction, so a verdict decides.
"""
REVIEW_CONFIDENCE: Final = 0.5
"""Below it, and for implicit candidates, a person decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A preference as a candidate sees it: how near it lies, and what the judge says of the two."""

    preference: Preference
    similarity: float | None
    is_exact: bool
    verdict: Verdict
    is_heard: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What to do. ``target`` is the row that takes the candidate in; ``replaced`` are the rows that end with it."""

    action: Action
    reason: str
    target: Preference | None = None
    replaced: tuple[Preference, ...] = ()
    is_late: bool = False
    """The candidate is older than the target that contradicts it: it goes into history and changes nothing."""
    reactivates: bool = False
    """The target waits or is archived, and becomes current."""


def choose_action(candidate: Candidate, views: Sequence[View]) -> Choice:
    """Choose by the first of: said no before, read before, the same, richer, changed, needs review, new.

    ``views`` come in order of similarity; those that are archived or wait for review only count when their statement
    is the very same.
    """
    for view in views:
        if view.preference.status == "rejected" and _repeats(candidate, view):
            return Choice(action="rejected", reason="a person has rejected this statement", target=view.preference)
    exact = [view for view in views if view.is_exact and view.preference.status == "activated"]
    for view in views:
        if view.is_heard and not exact and view.preference.status in ("superseded", "archived"):
            return Choice(action="duplicate", reason="read before, and ended since", target=view.preference)
    same = exact or [view for view in views if view.verdict.relation == "same" and _is_current(view)]
    if same:
        why = "the same statement" if exact else same[0].verdict.reason
        return Choice(action="duplicate", reason=why, target=same[0].preference)
    current = [view for view in views if _is_current(view)]
    for status in ("resolving", "archived"):
        for view in views:
            if view.is_exact and view.preference.status == status:
                return _choose_return(candidate, view.preference, current)
    return _choose_change(candidate, current)


def _choose_return(candidate: Candidate, row: Preference, views: Sequence[View]) -> Choice:
    """Choose for a row of the very same statement that is not current: the user's own word makes it so.

    It then ends what it contradicts, as a new statement would. A guess changes nothing that waits, and brings back
    what is archived only where nothing stands against it.
    """
    if row.status == "resolving" and needs_review(candidate):
        return Choice(action="duplicate", reason="waits for review already", target=row)
    change = _choose_change(candidate, views)
    if change.is_late or (change.action == "review" and any(view.verdict.relation == "changed" for view in views)):
        return change
    if change.action == "superseded":
        return replace(change, target=row, reactivates=True)
    reason = "the user said it" if row.status == "resolving" else "said again"
    return Choice(action="duplicate", reason=reason, target=row, reactivates=True)


def _choose_change(candidate: Candidate, views: Sequence[View]) -> Choice:
    changed = [view for view in views if view.verdict.relation == "changed"]
    richer = [view for view in views if view.verdict.relation == "richer"]
    if needs_review(candidate):
        return Choice(action="review", reason="implicit or not sure enough: a person decides")
    if changed:
        newest = max(changed, key=lambda view: view.preference.valid_from)
        if candidate.valid_from is not None and candidate.valid_from < newest.preference.valid_from:
            why = f"an older statement than what stands: {newest.verdict.reason}"
            return Choice(action="superseded", reason=why, target=newest.preference, is_late=True)
        return Choice(
            action="superseded",
            reason=changed[0].verdict.reason,
            replaced=tuple(view.preference for view in changed + richer),
        )
    if richer:
        if richer[0].preference.language != candidate.language:
            return Choice(action="duplicate", reason=richer[0].verdict.reason, target=richer[0].preference)
        return Choice(action="updated", reason=richer[0].verdict.reason, target=richer[0].preference)
    return Choice(action="added", reason="nothing like it was known")


def _repeats(candidate: Candidate, view: View) -> bool:
    """Say whether a candidate is the rejected statement again: a guess in any words, the user's own word in the same.

    A no to a guess must not silence what the user says outright in other words.
    """
    if view.is_exact or _bare(candidate.statement) == _bare(view.preference.statement or ""):
        return True
    return needs_review(candidate) and view.verdict.relation == "same"


def _bare(statement: str) -> str:
    """Return the letters, digits and signs of names (C++) of a statement; all of it when it has none."""
    folded = fold(statement)
    return "".join(character for character in folded if character.isalnum() or character in "+#") or folded


def _is_current(view: View) -> bool:
    return view.preference.status == "activated"


def needs_review(candidate: Candidate) -> bool:
    """Say whether a person decides: it is a guess, or not sure enough."""
    return candidate.kind == "implicit" or candidate.confidence < REVIEW_CONFIDENCE
