"""The traits of a sentence that tell how it is meant: who speaks of whom, whether it asks, lasts, compares, refuses."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from prefmem_pg.domain.preferences import Kind, Polarity
from prefmem_pg.providers.offline.attribution import begins_with_others
from prefmem_pg.providers.offline.polarity import statement_polarity
from prefmem_pg.providers.offline.questions import asks
from prefmem_pg.providers.offline.reject import (
    is_passing,
    is_past,
    is_reported,
    refuses_sentence,
)
from prefmem_pg.providers.offline.sarcasm import likes_what_nobody_likes

_LETTERS: Final = re.compile(r"(?<!\\)[A-Z]+")  # but not those of \W and its like
_LENGTHS: Final = (12, 25, 45, 80, 140)
POLARITIES: Final[tuple[Polarity, ...]] = ("positive", "negative", "neutral")
_WIDTH_OF_HAN: Final = 2.2
"""Letters of English that a Chinese character stands for: the parallel sentences of the corpus differ by that."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the rules found in a sentence: how sure the strongest cue is (0 for none), and what they make of it."""

    confidence: float = 0.0
    is_positive: bool = False
    is_negative: bool = False
    is_fact: bool = False
    is_several: bool = False


NOTHING: Final = Told()


def as_told(found: Iterable[tuple[float, Polarity, Kind]]) -> Told:
    """Return what findings tell, each given by its confidence, polarity and kind."""
    rows = [*found]
    sides = {side for _, side, _ in rows}
    return Told(
        confidence=max((confidence for confidence, _, _ in rows), default=0.0),
        is_positive="positive" in sides,
        is_negative="negative" in sides,
        is_fact=any(kind == "fact" for _, _, kind in rows),
        is_several=len(rows) > 1,
    )


def traits(text: str, found: Told = NOTHING) -> Sequence[float]:
    """Return the traits of a masked sentence, each in 0..1, in the order of the weights.

    ``found`` is what the rules found in it.
    """
    return with_polarity(traits_but_polarity(text, found), statement_polarity(text))


def with_polarity(found: Sequence[float], polarity: Polarity) -> Sequence[float]:
    """Return traits with those two set that tell the polarity of the sentence."""
    return [*found[:-2], float(polarity == "positive"), float(polarity == "negative")]


def traits_but_polarity(text: str, found: Told = NOTHING) -> Sequence[float]:
    """Return the traits as of a sentence that takes no side: reading which side it takes costs most of all."""
    width = sum(_WIDTH_OF_HAN if "\u4e00" <= char <= "\u9fff" else 1 for char in text)
    lowered = text.lower()
    holds = [pattern.search(lowered) is not None for pattern in _patterns()]
    holds += [width <= limit for limit in _LENGTHS]
    holds += [
        asks(text),
        refuses_sentence(text),
        is_passing(text),
        is_reported(text),
        is_past(text),
        likes_what_nobody_likes(text),
        begins_with_others(text),
        False,
        False,
    ]
    rules = (found.confidence > 0, found.is_positive, found.is_negative, found.is_fact, found.is_several)
    return [found.confidence, *map(float, rules), *map(float, holds)]


def side_of_rules(found: Sequence[float]) -> float:
    """Return which side the rules' findings take, by the traits: 1 for, -1 against, 0 neither or both."""
    _, _, positive, negative, *_ = found
    return positive - negative


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Return the patterns for lowered text: half the time of patterns that look at both cases."""
    lines = (files("prefmem_pg.providers.offline") / "model" / "traits.txt").read_text(encoding="utf-8").splitlines()
    written = (line.split(" = ", 1)[1] for line in lines if not line.startswith("#"))
    return tuple(re.compile(_LETTERS.sub(lambda found: found.group().lower(), pattern)) for pattern in written)
