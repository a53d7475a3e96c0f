"""The repository of evaluations: what was measured, under which configuration, and the outcome of each question."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from sqlalchemy import insert, select, text
from sqlalchemy.orm import Session

from prefmem_pg.db.models.operations import EvaluationResultRow, EvaluationRunRow
from prefmem_pg.domain.evaluations import Evaluation, Outcome
from prefmem_pg.domain.ids import new_id

_BATCH_ROWS: Final = 1_000
_LATEST: Final = """
SELECT DISTINCT ON (dataset) dataset, metrics
FROM prefmem.evaluation_runs
WHERE task = :task
ORDER BY dataset, started_at DESC, evaluation_id DESC
"""


class EvaluationRepository:
    """Evaluations, inside the caller's transaction (as the pipeline: they belong to no user); it never commits."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def add(self, evaluation: Evaluation) -> UUID:
        """Store an evaluation with its outcomes and return its id. Each call stores a new one."""
        evaluation_id = new_id()
        run = {
            "evaluation_id": evaluation_id,
            "task": evaluation.task,
            "dataset": evaluation.dataset,
            "configuration": {**evaluation.configuration, "notes": list(evaluation.notes)},
            "metrics": {group: dict(scores) for group, scores in evaluation.metrics.items()},
            "started_at": evaluation.started_at,
            "finished_at": evaluation.finished_at,
        }
        self.session.execute(insert(EvaluationRunRow), run)
        for first in range(0, len(evaluation.outcomes), _BATCH_ROWS):
            rows = [
                {
                    "evaluation_id": evaluation_id,
                    "question_id": outcome.question_id,
                    "category": outcome.category,
                    "outcome": dict(outcome.details),
                }
                for outcome in evaluation.outcomes[first : first + _BATCH_ROWS]
            ]
            self.session.execute(insert(EvaluationResultRow), rows)
        return evaluation_id

    def latest(self, task: str) -> dict[str, Mapping[str, Any]]:  # Any: numbers by name
        """Return the metrics by group of the newest evaluation of each dataset."""
        rows = self.session.execute(text(_LATEST), {"task": task})
        return {row.dataset: row.metrics for row in rows}

    def list_outcomes(self, evaluation_id: UUID) -> list[Outcome]:
        """Return the outcomes of an evaluation in order of their questions; empty for an unknown id."""
        statement = (
            select(EvaluationResultRow)
            .where(EvaluationResultRow.evaluation_id == evaluation_id)
            .order_by(EvaluationResultRow.question_id)
        )
        return [
            Outcome(question_id=row.question_id, category=row.category, details=row.outcome)
            for row in self.session.scalars(statement)
        ]
