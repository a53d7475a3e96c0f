"""The traits of a sentence that tell how it is meant: who speaks of whom, whether it asks, lasts, compares, refuses."""

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from prefmem_pg.domain.preferences import Polarity
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
_SIGNS_AT: Final = -4
POLARITIES: Final[tuple[Polarity, ...]] = ("positive", "negative", "neutral")
_WIDTH_OF_HAN: Final = 2.2
"""Letters of English that a Chinese character stands for: the parallel sentences of the corpus differ by that."""


def traits(text: str, *, cue_confidence: float) -> Sequence[float]:
    """Return the traits of a masked sentence, each in 0..1, in the order of the weights.

    ``cue_confidence`` is that of the strongest cue that the rules found in it, 0 for none.
    """
    return with_polarity(traits_but_polarity(text, cue_confidence=cue_confidence), statement_polarity(text))


def with_polarity(found: Sequence[float], polarity: Polarity) -> Sequence[float]:
    """Return traits with those two set that tell the polarity of the sentence."""
    return [*found[:_SIGNS_AT], float(polarity == "positive"), float(polarity == "negative"), *found[_SIGNS_AT + 2 :]]


def traits_but_polarity(text: str, *, cue_confidence: float) -> Sequence[float]:
    """Return the traits as of a sentence that takes no side: reading which side it takes costs most of all."""
    width = sum(_WIDTH_OF_HAN if "\u4e00" <= char <= "\u9fff" else 1 for char in text)
    lowered = text.lower()
    found = [pattern.search(lowered) is not None for pattern in _patterns()]
    found += [width <= limit for limit in _LENGTHS]
    found += [
        asks(text),
        refuses_sentence(text),
        is_passing(text),
        is_reported(text),
        is_past(text),
        likes_what_nobody_likes(text),
        begins_with_others(text),
        False,
        False,
        cue_confidence > 0,
    ]
    return [*map(float, found), cue_confidence]


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Return the patterns for lowered text: half the time of patterns that look at both cases."""
    lines = (files("prefmem_pg.providers.offline") / "model" / "traits.txt").read_text(encoding="utf-8").splitlines()
    written = (line.split(" = ", 1)[1] for line in lines if not line.startswith("#"))
    return tuple(re.compile(_LETTERS.sub(lambda found: found.group().lower(), pattern)) for pattern in written)
