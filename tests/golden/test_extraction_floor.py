"""The offline extractor on the labelled samples must not fall below what was measured, less a margin."""

import pytest

from prefmem_pg.domain.evaluations import Metrics
from prefmem_pg.evaluation.datasets import read_dataset
from prefmem_pg.evaluation.extraction import evaluate_extraction
from prefmem_pg.providers.offline.extractor import OfflineExtractor

FLOORS = {
    "en/turns": {"precision": 0.97, "recall": 0.80},
    "zh/turns": {"precision": 0.95, "recall": 0.89},
    "en/statements": {"precision": 0.80, "recall": 0.58, "statement_overlap": 0.77, "quote_overlap": 0.76},
    "zh/statements": {"precision": 0.78, "recall": 0.68, "statement_overlap": 0.82, "quote_overlap": 0.79},
}
MOST_WRONG_POLARITY = 0.03
"""A wrong sign turns "never again" into "always": it is worse than a missed preference."""


@pytest.fixture(scope="module")
def metrics() -> Metrics:
    return evaluate_extraction(read_dataset("samples"), OfflineExtractor()).metrics


@pytest.mark.parametrize(("group", "metric"), [(group, metric) for group in FLOORS for metric in FLOORS[group]])
def test_extraction_stays_above_its_floor(metrics: Metrics, group: str, metric: str) -> None:
    assert metrics[group][metric] >= FLOORS[group][metric]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_sign_of_a_preference_is_seldom_wrong(metrics: Metrics, language: str) -> None:
    assert metrics[f"{language}/statements"]["wrong_polarity"] <= MOST_WRONG_POLARITY
