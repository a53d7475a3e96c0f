"""From settings to the parts of a memory: which extractor, embedder and judge stand behind the seams."""

import logging
import threading
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from prefmem_pg.db.embedding_models import ModelRow
from prefmem_pg.db.schema_version import check_schema
from prefmem_pg.db.session import Database
from prefmem_pg.errors import ConfigurationError
from prefmem_pg.providers.bank import Bank, accept_bank, load_bank
from prefmem_pg.providers.metering import Meter
from prefmem_pg.providers.protocols import (
    EmbeddingModel,
    Judge,
    PreferenceExtractor,
    QueryBuilder,
    RerankModel,
    Summarizer,
)
from prefmem_pg.remote import choose_reranker, make_meter, make_remote_embedder
from prefmem_pg.remote_chat import (
    Reader,
    batch_model,
    choose_consolidating,
    choose_query_builder,
    choose_summarizer,
    make_reader,
    offline_extractor,
    who_sees_text,
)
from prefmem_pg.settings import Settings
from prefmem_pg.steps.batch_ledger import BatchLedger
from prefmem_pg.steps.bulk import Bulk
from prefmem_pg.steps.consolidate_by_model import ConsolidatingModel
from prefmem_pg.steps.decide import Decider
from prefmem_pg.steps.embed import FindModels, WorkingModel
from prefmem_pg.steps.extract import calls_provider
from prefmem_pg.steps.meter import DatabaseMeter
from prefmem_pg.steps.submit_batches import BatchReader

log = logging.getLogger(__name__)

LOOK_AGAIN_SECONDS: Final = 5.0
"""How long the active model is taken to be what it was; retiring the model before waits for longer than that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The parts of one memory that belong together, as of one moment: a call works with these to its end.

    ``find_models`` gives other models that are at work in the database, by their numbers.
    """

    database: Database
    settings: Settings
    model_id: int
    embedder: EmbeddingModel
    meter: DatabaseMeter
    reader: Reader | None
    reranker: RerankModel | None
    given_extractor: PreferenceExtractor | None
    judge: Judge | None
    given_summarizer: Summarizer | None
    given_query_builder: QueryBuilder | None
    find_models: FindModels

    def bank(self) -> Bank:
        return load_bank(self.embedder)

    def extractor(self) -> PreferenceExtractor:
        if self.given_extractor is not None:
            return self.given_extractor
        return self.reader.extractor if self.reader is not None else offline_extractor()

    def workers(self, extractor: PreferenceExtractor) -> int:
        """Return how many users' dialogs are read side by side: several only where reading is waiting."""
        return self.settings.extract_workers if calls_provider(extractor) else 1

    def batch_reader(self) -> BatchReader:
        """Return what reads by batches; ConfigurationError when the settings name no such provider."""
        extractor, model = batch_model(self.reader, self.settings)
        ledger = BatchLedger(
            database=self.database, budgets=self.meter.budgets, keeps=self.settings.spending.mode == "record"
        )
        return BatchReader(decider=self.decider(), extractor=extractor, model=model, ledger=ledger)

    def summarizer(self) -> Summarizer:
        return self.given_summarizer or choose_summarizer(self.reader, self.embedder)

    def consolidating(self) -> ConsolidatingModel | None:
        return choose_consolidating(self.reader, self.settings)

    def bulk(self) -> Bulk:
        """Return what stores many statements without comparing them."""
        return Bulk(
            database=self.database,
            embedder=self.embedder,
            bank=self.bank,
            model_id=self.model_id,
            find_models=self.find_models,
        )

    def query_builder(self) -> QueryBuilder:
        return self.given_query_builder or choose_query_builder(self.reader, self.settings)

    def decider(self, *, compares: bool = True) -> Decider:
        """Return what decides; ``compares=False`` knows a duplicate by the very same statement only."""
        return Decider(
            database=self.database,
            embedder=self.embedder,
            bank=self.bank,
            model_id=self.model_id,
            judge=self.judge,
            across_kinds=self.settings.dedup_across_kinds,
            asks_of_several=self.settings.dedup_mode == "fine",
            compares=compares,
            find_models=self.find_models,
        )


class Assembly:
    """Puts the parts together from what the caller gave and what the settings choose, when they are first needed.

    Which embedding model is active is looked up again every few seconds: ``prefmem reembed`` may switch it under a
    running process. The model before is kept up to date until it is retired, so a late look gives no wrong answer.
    """

    def __init__(
        self,
        database: Database,
        settings: Settings,
        *,
        extractor: PreferenceExtractor | None,
        judge: Judge | None,
        embedder: EmbeddingModel | Sequence[EmbeddingModel] | None,
        reranker: RerankModel | None,
        summarizer: Summarizer | None,
        query_builder: QueryBuilder | None,
    ) -> None:
        self.database = database
        self.settings = settings
        self.given_embedders = tuple(embedder) if isinstance(embedder, Sequence) else (embedder,) if embedder else ()
        self.meter = make_meter(database, settings.spending)
        self._reranker = reranker
        self._extractor = extractor
        self._judge = judge
        self._reader: Reader | None = None
        self._summarizer = summarizer
        self._query_builder = query_builder
        self._lock = threading.Lock()
        self._parts: Parts | None = None
        self._look_again_at = 0.0
        self._embedders: dict[int, EmbeddingModel] = {}

    def ready(self) -> Parts:
        """Check the schema and find the active model; raises SchemaOutOfDate or ConfigurationError."""
        parts = self._parts
        if parts is not None and time.monotonic() < self._look_again_at:
            return parts
        with self._lock:
            with self.database.transaction(user_id="-") as repositories:
                check_schema(repositories.session)
                active = repositories.embeddings.get_active_model()
                live = {model.model_id for model in repositories.embeddings.list_live_models()}
            self._parts = self._choose(active, live)
            self._look_again_at = time.monotonic() + LOOK_AGAIN_SECONDS
            return self._parts

    def close(self) -> None:
        """Close connections to providers."""
        if self._reader is not None:
            self._reader.close()

    def look_again(self) -> None:
        """Let the next call look up the active model, whenever the last one did."""
        self._look_again_at = 0.0

    def know(self, model_id: int, embedder: EmbeddingModel) -> None:
        """Take in the embedder of a model that was registered from here, and let the next call look."""
        self._embedders[model_id] = embedder
        self.look_again()

    def find_models(self, model_ids: Collection[int]) -> list[WorkingModel]:
        """Return those of the models that are not retired and whose embedder can be had here, as of now."""
        with self.database.transaction(user_id="-") as repositories:
            rows = repositories.embeddings.list_live_models()
        found = []
        for row in rows:
            if row.model_id in model_ids:
                try:
                    found.append(WorkingModel(row.model_id, self.embedder_of(row)))
                except ConfigurationError as exc:
                    log.warning("no vectors of a further model from here", extra={"reason": str(exc)})
        return found

    def _choose(self, active: ModelRow, live: Collection[int]) -> Parts:
        before = self._parts
        if before is not None and before.model_id == active.model_id:
            return before
        try:
            return self._put_together(active)
        except ConfigurationError as exc:
            if before is None or before.model_id not in live:
                raise
            # Still kept up to date by those who know both: right answers until it is retired.
            log.warning("goes on with the embedding model before", extra={"reason": str(exc)})
            return before

    def _put_together(self, model: ModelRow) -> Parts:
        if self._parts is None:
            self._reader = make_reader(self.settings, self.meter)
            seen = ", ".join(f"{who} ({use})" for use, who in who_sees_text(self.settings, model.provider).items())
            log.info("text is seen by", extra={"providers": seen or "nobody: all models run on this machine"})
        return Parts(
            database=self.database,
            settings=self.settings,
            model_id=model.model_id,
            embedder=self.embedder_of(model),
            meter=self.meter,
            reader=self._reader,
            reranker=self._reranker or self._chosen_reranker(),
            given_extractor=self._extractor,
            judge=self._judge or (self._reader.judge if self._reader is not None else None),
            given_summarizer=self._summarizer,
            given_query_builder=self._query_builder,
            find_models=self.find_models,
        )

    def embedder_of(self, model: ModelRow) -> EmbeddingModel:
        """Return what makes a model's vectors, with its bank; ConfigurationError when it cannot be had here."""
        if model.model_id not in self._embedders:
            embedder = embedder_of(model, self.given_embedders, self.settings, self.meter)
            with self.database.transaction(user_id="-") as repositories:
                accept_bank(embedder, repositories.embeddings.read_bank(model.model_id))
            self._embedders[model.model_id] = embedder
        return self._embedders[model.model_id]

    def _chosen_reranker(self) -> RerankModel | None:
        is_embedded = self.settings.database_url is None
        return choose_reranker(self.settings, is_embedded=is_embedded, meter=self.meter)


def first_model(settings: Settings, given: Sequence[EmbeddingModel], meter: Meter) -> EmbeddingModel:
    """Return the embedder that an empty database is set up for."""
    if given:
        return given[0]
    provider = "local" if settings.embedder == "auto" else settings.embedder
    return make_embedder(provider, settings=settings, meter=meter)


def embedder_of(model: ModelRow, given: Sequence[EmbeddingModel], settings: Settings, meter: Meter) -> EmbeddingModel:
    """Return the embedder of a model that the database has; when any is given, it must be among them.

    Vectors of two models are never mixed, whatever keys are set: changing the model is ``prefmem reembed``.
    """
    if not given:
        return make_embedder(
            model.provider, name=model.name, dimensions=model.dimensions, settings=settings, meter=meter
        )
    wanted = (model.provider, model.name, model.dimensions)
    for embedder in given:
        if (embedder.provider, embedder.name, embedder.dimensions) == wanted:
            return embedder
    others = ", ".join(f"{e.provider}/{e.name} with {e.dimensions} dimensions" for e in given)
    raise ConfigurationError(
        f"the database's {model.state} model is {model.provider}/{model.name} with {model.dimensions} dimensions, not"
        f" {others}; change it with: prefmem reembed"
    )


def make_embedder(
    provider: str,
    *,
    name: str | None = None,
    dimensions: int | None = None,
    settings: Settings,
    meter: Meter | None = None,
) -> EmbeddingModel:
    """Return the embedding model of a provider; None stands for the provider's own default. ``meter`` None: no ledger.

    The one place where what the database or the command line names becomes a model. Raises ConfigurationError for a
    provider or a model that is not known, and for a key that is missing.
    """
    if provider != "local":
        return make_remote_embedder(provider, name=name, dimensions=dimensions, settings=settings, meter=meter)
    from prefmem_pg.providers.local_embedder import DIMENSIONS, MODEL_NAME, LocalEmbedder

    if name not in (None, MODEL_NAME):
        raise ConfigurationError(f"the local provider has no model {name}; it has {MODEL_NAME}")
    return LocalEmbedder(dimensions=dimensions or DIMENSIONS)
