"""What a cue is: a pattern that shows a preference, a fact or a goal, with what follows from it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from prefmem_pg.domain.preferences import Kind, Polarity

STRONG = 0.9
CLEAR = 0.8
WEAK = 0.6
DOUBTFUL = 0.5

CONSTRAINT = 0.7
TASTE = 0.5
DANGER = 0.95


@dataclass(frozen=True, slots=True)
class Cue:
    """A pattern, why it counts, and the fields that a candidate takes from it."""

    reason: str
    pattern: re.Pattern[str]
    kind: Kind = "explicit"
    polarity: Polarity = "positive"
    confidence: float = CLEAR
    importance: float = TASTE
    is_safety: bool = False


@dataclass(frozen=True, slots=True)
class CueMatch:
    """A cue that was found, with the place of its match in the text that was searched."""

    cue: Cue
    start: int
    end: int


def find_cue(text: str, cues: Sequence[Cue]) -> CueMatch | None:
    """Return the first cue of the list that matches: the order of the list is its priority."""
    for cue in cues:
        if match := cue.pattern.search(text):
            return CueMatch(cue, match.start(), match.end())
    return None
