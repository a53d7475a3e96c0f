"""The offline judge on pairs of our own: what loses a preference stays rare, what it recognises does not shrink.

The pairs were written without a look at the judge's word tables, so they say what it does on words it was not made for.
"""

from pathlib import Path

import pytest

from prefmem_pg.domain.evaluations import Metrics
from prefmem_pg.evaluation.datasets import read_dataset
from prefmem_pg.evaluation.deduplication import evaluate_deduplication
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.providers.offline.judge import OfflineJudge

PAIRS = Path(__file__).parent / "pairs.jsonl"


@pytest.fixture(scope="module")
def metrics(embedder: LocalEmbedder) -> Metrics:
    judge = OfflineJudge()
    return evaluate_deduplication(read_dataset(PAIRS), judge, embedder).metrics


@pytest.mark.parametrize(("kind", "most"), [("contradict", 0.0), ("different", 0.0)])
def test_what_must_stay_apart_is_seldom_merged(metrics: Metrics, kind: str, most: float) -> None:
    assert metrics[f"all/{kind}"]["merged"] <= most


@pytest.mark.parametrize(("kind", "least"), [("light", 0.9), ("dup", 0.5), ("contradict", 0.6)])
def test_what_is_the_same_or_has_changed_is_recognised(metrics: Metrics, kind: str, least: float) -> None:
    assert metrics[f"all/{kind}"]["right"] >= least
