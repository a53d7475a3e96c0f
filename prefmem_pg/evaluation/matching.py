"""Candidates of one message against its labels: which belong together, and how close they are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from prefmem_pg.domain.preferences import Candidate
from prefmem_pg.evaluation.metrics import Counts, overlap_f1, span_overlap
from prefmem_pg.evaluation.records import LabelledPreference

SAME_FROM: Final = 0.3
"""Closeness from which a candidate stands for a label: a third of the quote, or of the words of the statement."""


@dataclass(frozen=True, slots=True)
class LabelScores:
    """``numbers`` of the pairs: overlaps in 0..1, and 1.0 or 0.0 for what is right or wrong."""

    counts: Counts
    numbers: dict[str, list[float]]


def score_labels(labels: Sequence[LabelledPreference], candidates: Sequence[Candidate]) -> LabelScores:
    """Pair candidates with labels, closest first, each once, and score the pairs.

    The polarity is wrong when it is the opposite: neutral for positive or negative is a matter of taste, not a lie.
    """
    pairs = _pair(labels, candidates)
    numbers: dict[str, list[float]] = {
        "statement_overlap": [overlap_f1(label.statement, found.statement) for label, found in pairs],
        "quote_overlap": [quote for label, found in pairs if (quote := _quote_overlap(label, found)) is not None],
        "wrong_polarity": [
            float({label.polarity, found.polarity} == {"positive", "negative"}) for label, found in pairs
        ],
        "right_kind": [float(label.kind == found.kind) for label, found in pairs],
    }
    return LabelScores(
        Counts(found=len(pairs), false=len(candidates) - len(pairs), missed=len(labels) - len(pairs)), numbers
    )


def _pair(
    labels: Sequence[LabelledPreference], candidates: Sequence[Candidate]
) -> list[tuple[LabelledPreference, Candidate]]:
    by_closeness = sorted(
        ((_closeness(label, found), i, j) for i, label in enumerate(labels) for j, found in enumerate(candidates)),
        key=lambda item: (-item[0], item[1], item[2]),
    )
    taken_labels: set[int] = set()
    taken_candidates: set[int] = set()
    pairs = []
    for closeness, i, j in by_closeness:
        if closeness >= SAME_FROM and i not in taken_labels and j not in taken_candidates:
            taken_labels.add(i)
            taken_candidates.add(j)
            pairs.append((labels[i], candidates[j]))
    return pairs


def _closeness(label: LabelledPreference, found: Candidate) -> float:
    return max(overlap_f1(label.statement, found.statement), _quote_overlap(label, found) or 0.0)


def _quote_overlap(label: LabelledPreference, found: Candidate) -> float | None:
    """Return the best overlap of the evidence with the label's quote; None when the label has none."""
    if label.start is None or label.end is None:
        return None
    spans = ((span.start, span.end) for span in found.evidence)
    return max((span_overlap((label.start, label.end), span) for span in spans), default=0.0)
