"""The judge that needs no model: rules over normalised words, in English and Chinese and between them."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from prefmem_pg.domain.preferences import Verdict
from prefmem_pg.domain.text import fold
from prefmem_pg.providers.offline.judge_order import other_order
from prefmem_pg.providers.offline.judge_reading import Reading, read
from prefmem_pg.providers.offline.judge_rules import decide
from prefmem_pg.providers.protocols import Comparison, Statement

_cached_read: Final = lru_cache(maxsize=4096)(read)


class OfflineJudge:
    """Compares statements by what they name, with which sign, and by which values exclude each other.

    Says ``unsure`` whenever its tables do not cover the words that make the difference.
    """

    name: str = "offline"
    version: str = "6"

    def compare(self, comparisons: Sequence[Comparison]) -> Sequence[Verdict]:
        """Return one verdict for each comparison, in their order. Never raises, never looks anything up."""
        return [_compare(c) for c in comparisons]


def _compare(comparison: Comparison) -> Verdict:
    candidate, existing = comparison.candidate, comparison.existing
    if fold(candidate.text) == fold(existing.text):
        return Verdict(relation="same", reason="the same words", certainty=1.0)
    here, there = _cached_read(candidate.text), _cached_read(existing.text)
    verdict = decide(here, there, comparison.similarity)
    if verdict.relation in ("same", "richer") and _declared_opposite(candidate, here, existing, there):
        return Verdict(relation="changed", reason="the same thing with opposite polarity", certainty=0.7)
    if verdict.relation in ("same", "richer"):
        return other_order(candidate.text, existing.text) or verdict
    return verdict


def _declared_opposite(candidate: Statement, here: Reading, existing: Statement, there: Reading) -> bool:
    """Say whether the declared polarities are opposite and the words do not explain it away.

    "我吃素" may be declared positive and "我不吃肉" negative: there the words decide. Declared opposites on words
    of equal stance mean that one declaration knows something that the words do not show.
    """
    if {candidate.polarity, existing.polarity} != {"positive", "negative"}:
        return False
    negative = here if candidate.polarity == "negative" else there
    return negative.stance != -1 and not any(i.sign < 0 for i in negative.items)
