"""The measures of an evaluation, against values computed by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prefmem_pg.evaluation.metrics import Counts, ndcg_at, overlap_f1, recall_at, reciprocal_rank, span_overlap


def test_recall_is_the_share_of_the_relevant_at_or_above_the_cutoff() -> None:
    assert recall_at([1, 5, 6], relevant=4, cutoff=5) == 0.5


def test_the_reciprocal_rank_is_that_of_the_first_relevant() -> None:
    assert reciprocal_rank([4, 2]) == 0.5
    assert reciprocal_rank([]) == 0.0


def test_ndcg_discounts_by_the_logarithm_of_the_rank() -> None:
    assert ndcg_at([1], relevant=1, cutoff=10) == 1.0
    assert ndcg_at([3], relevant=1, cutoff=10) == pytest.approx(1 / math.log2(4))
    assert ndcg_at([11], relevant=1, cutoff=10) == 0.0


@given(st.sets(st.integers(1, 30), max_size=12), st.integers(1, 30))
def test_measures_of_ranks_lie_between_nothing_and_all(ranks: set[int], cutoff: int) -> None:
    relevant = max(1, len(ranks))
    measured = [recall_at([*ranks], relevant, cutoff), reciprocal_rank([*ranks]), ndcg_at([*ranks], relevant, cutoff)]
    assert all(0 <= value <= 1 + 1e-9 for value in measured)


@given(st.integers(1, 12), st.integers(1, 12))
def test_the_ideal_order_has_an_ndcg_of_one(relevant: int, cutoff: int) -> None:
    assert ndcg_at(range(1, relevant + 1), relevant, cutoff) == pytest.approx(1)


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
