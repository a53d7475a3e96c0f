"""Which of two things comes first: "code first, then the explanation", "先给代码，再解释"."""

import re
from typing import Final, NamedTuple

from prefmem_pg.domain.preferences import Verdict
from prefmem_pg.providers.offline.judge_reading import read
from prefmem_pg.providers.offline.judge_text import normalise

# As patterns of normalised text: lower case, simplified, half-width.
_LEAD: Final = r"(?P<lead>[^,;.:!?]{1,60}?)"
_FOLLOW: Final = r"(?P<follow>[^,;.:!?]{1,60})"
_ORDERS: Final = (
    re.compile(rf"\bfirst,? {_LEAD},? (?:and |but )?then {_FOLLOW}"),
    re.compile(rf"(?:\A|[,;.:!?]) ?{_LEAD} (?:(?:come|go)(?:es)? )?first\b,? ?(?:(?:and|but|then) )*{_FOLLOW}"),
    re.compile(
        rf"\b(?:start|begin|lead)s? with {_LEAD},? (?:(?:and|but|then) )*(?:end|follow|finish)\w* with {_FOLLOW}"
    ),
    re.compile(rf"(?:\A|[,;.:!?]) ?{_LEAD},? (?:and )?then {_FOLLOW}"),
    re.compile(rf"先{_LEAD}[,、]? ?再{_FOLLOW}"),
)

_BESIDE: Final = (
    re.compile(r"\b(?P<side>before|after) (?P<anchor>[^,;.:!?]{1,40})"),
    re.compile(r"(?P<anchor>[^,;.:!?]{1,8}?)(?:之|以)?(?P<side>前|后)"),
)
_SIDES: Final = {"前": "before", "后": "after"}


class _Order(NamedTuple):
    """The concepts of what comes first and of what follows."""

    lead: frozenset[str]
    follow: frozenset[str]


def other_order(candidate: str, existing: str) -> Verdict | None:
    """Return a verdict when two statements that name the same things put them in another order, else None."""
    here, there = normalise(candidate), normalise(existing)
    if _are_reversed(_order(here), _order(there)):
        return Verdict(relation="changed", reason="the same things in the other order", certainty=0.8)
    if _are_on_other_sides(_side(here), _side(there)):
        return Verdict(relation="unsure", reason="the same, before one thing and after it", certainty=0.5)
    return None


def _are_reversed(here: _Order | None, there: _Order | None) -> bool:
    if here is None or there is None:
        return False
    crossed = here.lead & there.follow and here.follow & there.lead
    return bool(crossed) and here.lead.isdisjoint(there.lead) and here.follow.isdisjoint(there.follow)


def _are_on_other_sides(here: tuple[str, frozenset[str]] | None, there: tuple[str, frozenset[str]] | None) -> bool:
    return bool(here and there and here[0] != there[0] and here[1] & there[1])


def _order(text: str) -> _Order | None:
    for pattern in _ORDERS:
        if match := pattern.search(text):
            return _Order(_concepts(match["lead"]), _concepts(match["follow"]))
    return None


def _side(text: str) -> tuple[str, frozenset[str]] | None:
    """Return on which side of what a thing is done; refusals turn it around, and are left to other rules."""
    reading = read(text)
    if "only" in reading.roles or any(item.sign < 0 for item in reading.items):
        return None
    for pattern in _BESIDE:
        if match := pattern.search(text):
            return _SIDES.get(match["side"], match["side"]), _concepts(match["anchor"])
    return None


def _concepts(text: str) -> frozenset[str]:
    return frozenset(item.concept for item in read(text).items)
