"""While the embedding model is changed: the vectors that the further model at work lacks."""

import logging
from collections.abc import Mapping, Sequence
from uuid import UUID

from prefmem_pg.db.session import Database
from prefmem_pg.errors import ConfigurationError, ProviderError, StoreError
from prefmem_pg.steps.embed import FindModels, embed_missing

log = logging.getLogger(__name__)


def keep_up(database: Database, find_models: FindModels, user_id: str, behind: Mapping[int, Sequence[UUID]]) -> None:
    """Make the vectors of a user's preferences that were committed without them, by the model that lacks them.

    What fails is logged and made by the backfill: the active model's vectors are there.
    """
    if not behind:
        return
    try:
        for model in find_models(behind):
            embed_missing(
                database,
                model.embedder,
                model.bank,
                model_id=model.model_id,
                user_id=user_id,
                scopes=("preference",),
                ids=behind[model.model_id],
            )
    except (ProviderError, StoreError, ConfigurationError) as exc:
        log.warning("a further model's vectors are left to the backfill", extra={"error": type(exc).__name__})
