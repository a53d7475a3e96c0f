"""Evaluations are stored whole, and apart from what users own."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from prefmem_pg.db.evaluations import EvaluationRepository
from prefmem_pg.db.session import Database
from prefmem_pg.domain.evaluations import Evaluation, Outcome
from prefmem_pg.errors import PrefmemError
from prefmem_pg.evaluation.store_results import store_results
from prefmem_pg.memory import PreferenceMemory

AT = datetime(2026, 5, 1, tzinfo=UTC)


def evaluation(outcomes: int = 2) -> Evaluation:
    return Evaluation(
        task="retrieval",
        dataset="问题 🙂",
        configuration={"depth": 10},
        metrics={"cold/zh": {"R@1": 0.5, "questions": 2}},
        outcomes=tuple(
            Outcome(question_id=f"{n:05}", category="zh", details={"ranks": [n + 1]}) for n in range(outcomes)
        ),
        started_at=AT,
        finished_at=AT,
        notes=("1 question names no evidence",),
    )


def test_an_evaluation_comes_back_as_it_was_stored(memory: PreferenceMemory) -> None:
    evaluation_id = store_results(memory, evaluation())
    with memory.database.transaction(user_id=None) as repositories:
        run = repositories.session.execute(
            text("SELECT task, dataset, configuration, metrics FROM prefmem.evaluation_runs WHERE evaluation_id = :id"),
            {"id": evaluation_id},
        ).one()
        outcomes = EvaluationRepository(repositories.session).list_outcomes(evaluation_id)
    notes = ["1 question names no evidence"]
    assert (run.task, run.dataset, run.configuration) == ("retrieval", "问题 🙂", {"depth": 10, "notes": notes})
    assert run.metrics == {"cold/zh": {"R@1": 0.5, "questions": 2}}
    assert outcomes == list(evaluation().outcomes)


def test_thousands_of_outcomes_are_all_stored(memory: PreferenceMemory) -> None:
    evaluation_id = store_results(memory, evaluation(outcomes=2_500))
    with memory.database.transaction(user_id=None) as repositories:
        assert len(EvaluationRepository(repositories.session).list_outcomes(evaluation_id)) == 2_500


def test_each_run_is_kept_beside_the_earlier_ones(memory: PreferenceMemory) -> None:
    assert store_results(memory, evaluation()) != store_results(memory, evaluation())


def test_the_application_role_cannot_write_evaluations(database: Database) -> None:
    with pytest.raises(PrefmemError), database.transaction(user_id="u") as repositories:
        EvaluationRepository(repositories.session).add(evaluation())
