"""Choices on our own answers to lists, half of which choose nothing, in both languages."""

from pathlib import Path

import pytest

from prefmem_pg.domain.evaluations import Metrics
from prefmem_pg.evaluation.datasets import read_dataset
from prefmem_pg.evaluation.extraction import evaluate_extraction
from prefmem_pg.providers.offline.extractor import OfflineExtractor

ANSWERS = Path(__file__).parent / "choices.jsonl"


@pytest.fixture(scope="module")
def metrics() -> Metrics:
    return evaluate_extraction(read_dataset(ANSWERS), OfflineExtractor()).metrics


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_choice_is_found_with_its_option(metrics: Metrics, language: str) -> None:
    assert metrics[f"choices/{language}"]["choosing_turn_found"] >= 0.95
    assert metrics[f"choices/{language}"]["option_right"] >= 0.95


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_chooses_nothing_is_no_choice(metrics: Metrics, language: str) -> None:
    assert metrics[f"choices/{language}"]["called_a_choice_when_none"] <= 0.04
