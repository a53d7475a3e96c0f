"""The constants of the hybrid search: what each arm and factor weighs, and how far each arm reads."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The weights of the arms, and the constants of BM25 (flat around these in measurements; low b: short texts)."""

    keyword: float = 0.1
    fuzzy: float = 0.1
    hub: float = 0.5
    k1: float = 0.9
    b: float = 0.3
    fuzzy_threshold: float = 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Factors:
    """Bounded factors on the relevance: each weight w moves a score between 1 - w and 1 + w."""

    recency: float = 0.03
    importance: float = 0.03
    confidence: float = 0.02
    heat: float = 0.02
    half_life_days: float = 180.0

    @property
    def most(self) -> float:
        """What the factors can multiply to: scores are divided by it, so that they stay at most 1."""
        return (1 + self.recency) * (1 + self.importance) * (1 + self.confidence) * (1 + self.heat)

    @property
    def least(self) -> float:
        """What the factors can multiply to at least."""
        return (1 - self.recency) * (1 - self.importance) * (1 - self.confidence) * (1 - self.heat)


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a message gains from what stands around it; each flat around its value on development data.

    ``neighbours`` is the share of the best neighbour's score at distance 1, 2, 3 (.5 x .7 a step) in the same dialog,
    ``session`` that of the best message of the session. ``speaker`` multiplies the sum when the question names exactly
    one of the speakers and this is theirs. ``period`` is added when the question names a time and this was said in it.
    """

    neighbours: tuple[float, float, float] = (0.5, 0.35, 0.245)
    session: float = 0.3
    speaker: float = 1.1
    period: float = 0.3


PREFERENCE_WEIGHTS: Final = Weights()
MESSAGE_WEIGHTS: Final = Weights(keyword=1.0, hub=0.0)
SURROUNDINGS: Final = Surroundings()
FACTORS: Final = Factors()
STEEPNESS: Final = 8.0
MIDPOINT: Final = 0.25
"""The fixed map from the weighted sum of the arms to 0..1 is 1 / (1 + exp(-8 (s - 0.25))): .25 is where half of the
questions have their own preference above, so that a score of 0.5 means "as near as a right answer usually is"."""
POOL_FACTOR: Final = 5
MIN_POOL: Final = 100
"""How many rows each arm proposes: at least 100, or five times what is asked for (top 100 of each loses .002 R@10)."""
INDEX_ROWS: Final = 2_000
"""A language with fewer of a large user's rows is compared: that takes no longer than an index scan, and is exact."""
FEW_IDS: Final = 5_000
"""Up to so many rows that pass a filter are compared themselves; above, the index is asked with the filter inside. Of
40,000 rows, a filter that left 1,200 took the index about 120 ms and comparing about 23 ms on a busy machine."""
FREQUENT: Final = 2_000
KEYWORD_BUDGET: Final = 5_000
NEVER_CAPPED: Final = 1_000
"""Of a user with more than 1,000 rows, words in more than 2,000 rows are left out of the keyword arm, and the most
frequent ones until at most 5,000 postings are read; the rarest word stays always. Their weight still counts in the
norm. A budget of 3,000 was measured to keep .86 to .96 of the top 10's true BM25 for 40,000 rows; 5,000 keeps more."""
