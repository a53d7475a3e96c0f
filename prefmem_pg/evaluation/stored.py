"""A memory's own extractor measured on labelled data, the results stored beside earlier ones."""

from collections.abc import Mapping
from typing import Any

from prefmem_pg.db.evaluations import EvaluationRepository
from prefmem_pg.domain.evaluations import Evaluation
from prefmem_pg.evaluation.datasets import read_dataset
from prefmem_pg.evaluation.extraction import evaluate_extraction
from prefmem_pg.evaluation.store_results import store_results
from prefmem_pg.memory import PreferenceMemory


def evaluate_stored(memory: PreferenceMemory, data: str) -> Evaluation:
    """Measure the extractor on a file (``samples``: the labelled dialogs of the package), store and return the result.

    Raises what read_dataset raises. No text of the data is stored.
    """
    evaluation = evaluate_extraction(read_dataset(data), memory.extractor)
    store_results(memory, evaluation)
    return evaluation


def latest_metrics(memory: PreferenceMemory, *, task: str) -> dict[str, Mapping[str, Any]]:  # Any: numbers by name
    """Return the metrics by group of the newest evaluation of each dataset; empty when nothing was measured."""
    with memory.database.transaction(user_id=None) as repositories:
        return EvaluationRepository(repositories.session).latest(task)
