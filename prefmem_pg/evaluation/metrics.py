"""The measures: each as its textbook defines it, over plain numbers.

Sources: Manning, Raghavan, Schütze, "Introduction to Information Retrieval" (2008), chapter 8 (precision, recall, F1);
the SQuAD paper (Rajpurkar et al., 2016) for the overlap F1. Those of ranked answers are in ``rank_metrics``.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_TOKEN: Final = re.compile(r"[\u3400-\u9fff\U00020000-\U0002fa1f]|[^\W_]+")


@dataclass(frozen=True, slots=True)
class Counts:
    """What a yes-or-no finder got right: true positives, false positives, false negatives."""

    found: int = 0
    false: int = 0
    missed: int = 0

    def plus(self, other: "Counts") -> "Counts":
        """Return the sum of two counts."""
        return Counts(self.found + other.found, self.false + other.false, self.missed + other.missed)

    def scores(self) -> dict[str, float | int]:
        """Return precision, recall and F1 with the counts; a share of nothing is left out."""
        scores: dict[str, float | int] = {"found": self.found, "false": self.false, "missed": self.missed}
        if self.found + self.false:
            scores["precision"] = self.found / (self.found + self.false)
        if self.found + self.missed:
            scores["recall"] = self.found / (self.found + self.missed)
            scores["f1"] = 2 * self.found / (2 * self.found + self.false + self.missed)
        return scores


def count(*, expected: bool, found: bool) -> Counts:
    """Return the counts of one decision."""
    return Counts(int(expected and found), int(found and not expected), int(expected and not found))


def overlap_f1(one: str, other: str) -> float:
    """Return the F1 over the words that two texts share; a Han character counts as a word. 0..1, symmetric."""
    here, there = Counter(_TOKEN.findall(one.casefold())), Counter(_TOKEN.findall(other.casefold()))
    total = here.total() + there.total()
    return 2 * (here & there).total() / total if total else 0.0


def span_overlap(one: tuple[int, int], other: tuple[int, int]) -> float:
    """Return the Jaccard index of two half-open spans of characters, 0..1."""
    shared = max(0, min(one[1], other[1]) - max(one[0], other[0]))
    union = (one[1] - one[0]) + (other[1] - other[0]) - shared
    return shared / union if union else 0.0


def mean(values: Sequence[float]) -> float:
    """Return the mean; there must be a value."""
    return math.fsum(values) / len(values)
