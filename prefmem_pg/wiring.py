"""From settings to the parts of a memory: which extractor, embedder and judge stand behind the seams."""

import threading
from typing import Final

from prefmem_pg.db.embeddings import ActiveModel
from prefmem_pg.db.schema_version import check_schema
from prefmem_pg.db.session import Database
from prefmem_pg.errors import ConfigurationError
from prefmem_pg.providers.bank import Bank, load_bank
from prefmem_pg.providers.protocols import EmbeddingModel, Judge, PreferenceExtractor, RerankModel
from prefmem_pg.settings import Settings
from prefmem_pg.steps.decide import Decider

_LATER: Final = "is not part of this version; use the offline one or hand your own to the constructor"


class Parts:
    """The parts of one memory: given by the caller or chosen by the settings, made when first needed."""

    def __init__(
        self,
        database: Database,
        settings: Settings,
        *,
        extractor: PreferenceExtractor | None,
        judge: Judge | None,
        embedder: EmbeddingModel | None,
        reranker: RerankModel | None,
    ) -> None:
        self.database = database
        self.settings = settings
        self.given_embedder = embedder
        self.reranker = reranker
        self._extractor = extractor
        self._judge = judge
        self._lock = threading.Lock()
        self._model: ActiveModel | None = None
        self._embedder: EmbeddingModel | None = None

    def ready(self) -> "Parts":
        """Check the schema and find the active model, once; raises SchemaOutOfDate or ConfigurationError."""
        if self._model is None:
            with self._lock:
                with self.database.transaction(user_id="-") as repositories:
                    check_schema(repositories.session)
                    model = repositories.embeddings.get_active_model()
                self._embedder = embedder_of(model, self.given_embedder)
                self._model = model
        return self

    @property
    def model_id(self) -> int:
        assert self._model is not None, "ready() comes first"
        return self._model.model_id

    @property
    def embedder(self) -> EmbeddingModel:
        assert self._embedder is not None, "ready() comes first"
        return self._embedder

    def bank(self) -> Bank:
        return load_bank(self.embedder)

    def extractor(self) -> PreferenceExtractor:
        return self._extractor or choose_extractor(self.settings)

    def decider(self, *, compares: bool = True) -> Decider:
        """Return what decides; ``compares=False`` knows a duplicate by the very same statement only."""
        return Decider(
            database=self.database,
            embedder=self.embedder,
            bank=self.bank,
            model_id=self.model_id,
            judge=self._judge,
            across_kinds=self.settings.dedup_across_kinds,
            asks_of_several=self.settings.dedup_mode == "fine",
            compares=compares,
        )


def choose_extractor(settings: Settings) -> PreferenceExtractor:
    """Return the extractor that the settings name."""
    if settings.extractor in ("auto", "offline"):
        from prefmem_pg.providers.offline.extractor import OfflineExtractor  # its patterns take time to compile

        return OfflineExtractor()
    raise ConfigurationError(f"PREFMEM_EXTRACTOR={settings.extractor} {_LATER}")


def first_model(settings: Settings, embedder: EmbeddingModel | None) -> EmbeddingModel:
    """Return the embedder that an empty database is set up for."""
    if embedder is not None:
        return embedder
    if settings.embedder in ("auto", "local"):
        return _local_embedder()
    raise ConfigurationError(f"PREFMEM_EMBEDDER={settings.embedder} {_LATER}")


def embedder_of(model: ActiveModel, embedder: EmbeddingModel | None) -> EmbeddingModel:
    """Return the embedder of the database's active model; a given one must be it.

    Vectors of two models are never mixed, whatever keys are set: changing the model is ``prefmem reembed``.
    """
    if embedder is None:
        if model.provider != "local":
            raise ConfigurationError(f"the active model is {model.provider}/{model.name}, which {_LATER}")
        embedder = _local_embedder()
    given = (embedder.provider, embedder.name, embedder.dimensions)
    if given != (model.provider, model.name, model.dimensions):
        raise ConfigurationError(
            f"the database's active model is {model.provider}/{model.name} with {model.dimensions} dimensions, not"
            f" {embedder.provider}/{embedder.name} with {embedder.dimensions}; change it with: prefmem reembed"
        )
    return embedder


def _local_embedder() -> EmbeddingModel:
    from prefmem_pg.providers.local_embedder import LocalEmbedder

    return LocalEmbedder()
