"""Another value in the same frame: which statements hold one value at a time, so that a new one replaces it."""

from difflib import SequenceMatcher
from typing import Final

from prefmem_pg.domain.preferences import Verdict
from prefmem_pg.providers.offline.judge_pairing import Match, is_plain_liking
from prefmem_pg.providers.offline.judge_reading import Item, Reading
from prefmem_pg.providers.offline.judge_scope import DAYS

SINGLE: Final = frozenset({"live", "job_is"})
"""Markers of what has one value at a time: another home or another job replaces the one before."""


ONE_WORD: Final = 0.75
"""From this share of common letters on, two unknown words may be one; "orchid" and "orchard" stay unsure too."""


def replaced(match: Match, candidate: Reading, existing: Reading) -> Verdict | None:
    """Decide when each side names one thing that the other does not, in the place of one value."""
    if len(match.only_existing) != 1 or len(match.only_candidate) != 1 or match.opposed or match.rivals:
        return None
    old, new = match.only_existing[0], match.only_candidate[0]
    if old.sign <= 0 or new.sign <= 0 or _is_spelling(old, new):
        return None
    reason = f"another value of the same thing: {old.concept.replace('_', ' ')} → {new.concept.replace('_', ' ')}"
    if candidate.markers & existing.markers & SINGLE and not match.shared:
        return Verdict(relation="changed", reason=reason, certainty=0.75)
    if not _same_frame(candidate, existing, old, new):
        return None
    if {old.concept, new.concept} <= DAYS or _names_best(candidate, existing, old, new):
        return Verdict(relation="changed", reason=reason, certainty=0.7)
    if "now" in candidate.roles and not is_plain_liking(existing):
        return Verdict(relation="changed", reason=reason, certainty=0.6)
    return None


def indifferent(match: Match, candidate: Reading, existing: Reading) -> Verdict | None:
    """Decide when one side takes a stance on what the other says not to mind either way."""
    if ("indifferent" in candidate.roles) == ("indifferent" in existing.roles) or not match.shared:
        return None
    if match.only_existing and match.only_candidate:
        return None
    about = ", ".join(dict.fromkeys(i.concept.replace("_", " ") for i in match.shared))
    return Verdict(relation="changed", reason=f"one takes a stance on {about}, the other does not mind", certainty=0.65)


def is_over(match: Match, candidate: Reading, existing: Reading) -> bool:
    """Say whether a plan, a course or a home is given up: "不想学游泳了", "I gave up the guitar"."""
    if match.only_candidate or candidate.stance >= 0 or not existing.markers & {"plan", "learn", "live"}:
        return False
    takes_side = candidate.roles & {"like", "dislike"} and not candidate.markers & existing.markers
    return not takes_side and candidate.markers <= existing.markers and existing.stance >= 0


def _is_spelling(old: Item, new: Item) -> bool:
    """Say whether two unknown words may be one word in two spellings ("liquorice" and "licorice")."""
    return not (old.known or new.known) and SequenceMatcher(None, old.concept, new.concept).ratio() >= ONE_WORD


def _same_frame(candidate: Reading, existing: Reading, old: Item, new: Item) -> bool:
    """Say whether all but the two values is alike: doings, respects, background, and no numbers beside."""
    same = candidate.verbs == existing.verbs and candidate.markers == existing.markers
    here = {i.concept for i in candidate.items if i is not new and i.concept != new.concept}
    there = {i.concept for i in existing.items if i is not old and i.concept != old.concept}
    has_frame = bool(here or candidate.verbs)
    return same and has_frame and here == there and not (candidate.numbers or existing.numbers)


def _names_best(candidate: Reading, existing: Reading, old: Item, new: Item) -> bool:
    """Say whether both name the favourite of one kind, or what to be called: the value stands last."""
    is_called = all(any(i.concept == "call_name" for i in r.items) for r in (candidate, existing))
    if "best" not in candidate.roles & existing.roles and not is_called:
        return False
    return all(
        len(reading.items) > 1 and reading.items[-1].concept == value.concept
        for reading, value in ((candidate, new), (existing, old))
    )
