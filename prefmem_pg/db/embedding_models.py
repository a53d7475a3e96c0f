"""The embedding models that the database has, by their states."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import text
from sqlalchemy.orm import Session

from prefmem_pg.errors import ConfigurationError

MODELS: Final = "SELECT model_id, name, provider, dimensions, state FROM prefmem.embedding_models"
"""The columns of a ModelRow."""


@dataclass(frozen=True, slots=True)
class ModelRow:
    """An embedding model that the database has. ``state`` is building, active or retired."""

    model_id: int
    name: str
    provider: str
    dimensions: int
    state: str

    def is_of(self, provider: str, name: str, dimensions: int) -> bool:
        return (self.provider, self.name, self.dimensions) == (provider, name, dimensions)


class ModelRows:
    """Embedding models, inside the caller's transaction: what EmbeddingRepository knows of them."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def get_active_model(self) -> ModelRow:
        row = self.session.execute(text(f"{MODELS} WHERE state = 'active'")).one_or_none()
        if row is None:
            raise ConfigurationError("the database has no active embedding model; run: prefmem upgrade")
        return ModelRow(*row)

    def read_bank(self, model_id: int) -> bytes | None:
        """Return the model's bank as it was packed; None when the package brings it along."""
        statement = "SELECT bank FROM prefmem.embedding_models WHERE model_id = :model_id"
        bank: bytes | None = self.session.scalar(text(statement), {"model_id": model_id})
        return bank

    def list_live_models(self) -> list[ModelRow]:
        """Return the models whose vectors are kept up to date: the active one, and one on its way in or out."""
        rows = self.session.execute(text(f"{MODELS} WHERE state <> 'retired' ORDER BY model_id"))
        return [ModelRow(*row) for row in rows]
