"""An evaluation: a dataset measured under a configuration, with its outcome question by question."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

EvaluationTask = Literal["retrieval", "extraction", "dedup"]

Metrics = Mapping[str, Mapping[str, float | int]]
"""Group (a kind, a language, a way of measuring) to metric name to value. A metric that nothing measured is absent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one question. ``details`` hold ranks, labels and counts as JSON (hence Any), never text."""

    question_id: str
    category: str
    details: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """One measurement. ``configuration`` is JSON (hence Any); ``notes`` say what could not be measured and why."""

    task: EvaluationTask
    dataset: str
    configuration: Mapping[str, Any]
    metrics: Metrics
    outcomes: tuple[Outcome, ...]
    started_at: datetime
    finished_at: datetime
    notes: tuple[str, ...] = ()
