"""The measures of an evaluation, against values computed by hand."""

import math
from collections.abc import Collection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prefmem_pg.evaluation.metrics import Counts, overlap_f1, span_overlap
from prefmem_pg.evaluation.rank_metrics import rank_scores


def scores(ranks: Collection[int], relevant: int, *, cutoff: int = 10) -> tuple[float, float, float]:
    """Return recall at the cutoff, the reciprocal rank and nDCG@10."""
    [measured] = rank_scores([([*ranks], relevant)], cutoffs=[cutoff])
    return measured[f"R@{cutoff}"], measured["MRR"], measured["nDCG@10"]


def test_recall_is_the_share_of_the_relevant_at_or_above_the_cutoff() -> None:
    assert scores([1, 5, 6], 4, cutoff=5)[0] == 0.5
    assert scores([], 4, cutoff=5)[0] == 0.0


def test_the_reciprocal_rank_is_that_of_the_first_relevant() -> None:
    assert scores([4, 2], 2)[1] == 0.5
    assert scores([], 1)[1] == 0.0


def test_ndcg_discounts_by_the_logarithm_of_the_rank() -> None:
    assert scores([1], 1)[2] == 1.0
    assert scores([3], 1)[2] == pytest.approx(1 / math.log2(4))
    assert scores([11], 1)[2] == 0.0
    assert scores([1, 3], 3)[2] == pytest.approx((1 + 1 / 2) / (1 + 1 / math.log2(3) + 1 / 2))


@given(st.sets(st.integers(1, 30), max_size=12), st.integers(1, 30))
def test_measures_of_ranks_are_those_of_the_textbook(ranks: set[int], cutoff: int) -> None:
    relevant = max(1, len(ranks))
    gain = sum(1 / math.log2(1 + rank) for rank in ranks if rank <= 10)
    ideal = sum(1 / math.log2(1 + rank) for rank in range(1, min(relevant, 10) + 1))
    share = sum(rank <= cutoff for rank in ranks) / relevant
    first = 1 / min(ranks) if ranks else 0.0
    assert scores(ranks, relevant, cutoff=cutoff) == pytest.approx((share, first, gain / ideal))


def test_questions_are_measured_one_by_one_in_their_order() -> None:
    measured = rank_scores([([2], 1), ([], 1), ([1], 1)], cutoffs=[1, 5])
    assert [(one["R@1"], one["R@5"]) for one in measured] == [(0, 1), (0, 0), (1, 1)]
    assert rank_scores([], cutoffs=[1]) == []


def test_f1_is_the_harmonic_mean_and_a_share_of_nothing_is_left_out() -> None:
    scores = Counts(found=6, false=2, missed=4).scores()
    assert (scores["precision"], scores["recall"], scores["f1"]) == (0.75, 0.6, pytest.approx(2 / 3))
    assert "precision" not in Counts(missed=1).scores()
    assert "f1" not in Counts(false=1).scores()


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("I love tea", "i LOVE tea!", 1.0),
        ("我爱喝茶", "我爱茶", 6 / 7),
        ("我爱 Python", "我用 python 🐍", 2 * 2 / 6),
        ("tea", "咖啡", 0.0),
        ("😀", "😀", 0.0),
    ],
)
def test_texts_overlap_by_words_and_by_chinese_characters(one: str, other: str, expected: float) -> None:
    assert overlap_f1(one, other) == pytest.approx(expected)


def test_spans_overlap_by_characters() -> None:
    assert span_overlap((0, 4), (2, 6)) == pytest.approx(1 / 3)
    assert span_overlap((0, 2), (2, 4)) == 0
