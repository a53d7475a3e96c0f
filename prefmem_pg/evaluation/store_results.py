"""An evaluation into the user's own database, beside the earlier ones."""

from uuid import UUID

from prefmem_pg.db.evaluations import EvaluationRepository
from prefmem_pg.domain.evaluations import Evaluation
from prefmem_pg.memory import PreferenceMemory


def store_results(memory: PreferenceMemory, evaluation: Evaluation) -> UUID:
    """Store the evaluation in evaluation_runs and evaluation_results; return its id. No text of the data is in it."""
    with memory.database.transaction(user_id=None) as repositories:
        return EvaluationRepository(repositories.session).add(evaluation)
