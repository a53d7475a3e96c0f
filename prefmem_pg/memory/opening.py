"""Opening and closing a memory: from a folder, a URL, an engine or the environment."""

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import UUID

from sqlalchemy import Engine

from prefmem_pg.db.engine import make_engine
from prefmem_pg.db.head_mark import is_at_head
from prefmem_pg.db.model_changes import store_bank
from prefmem_pg.db.session import Database
from prefmem_pg.db.upgrade import ModelSpec, UpgradeReport, sql_folder, upgrade
from prefmem_pg.errors import ConfigurationError, InvalidInput, ProviderError
from prefmem_pg.providers.bank import is_current, pack_bank
from prefmem_pg.providers.protocols import (
    EmbeddingModel,
    Judge,
    PreferenceExtractor,
    QueryBuilder,
    RerankModel,
    Summarizer,
)
from prefmem_pg.settings import Settings
from prefmem_pg.wiring import Assembly, Parts, first_model

log = logging.getLogger(__name__)


class Opening:
    """The part of PreferenceMemory that opens and closes it.

    ``embedder`` may be several: while one is replaced by the next, each makes the vectors of its own model.
    """

    def __init__(
        self,
        database: Database,
        *,
        settings: Settings | None = None,
        extractor: PreferenceExtractor | None = None,
        judge: Judge | None = None,
        embedder: EmbeddingModel | Sequence[EmbeddingModel] | None = None,
        reranker: RerankModel | None = None,
        summarizer: Summarizer | None = None,
        query_builder: QueryBuilder | None = None,
        on_close: Callable[[], None] | None = None,
    ) -> None:
        self.database = database
        self._assembly = Assembly(
            database,
            settings or Settings(),
            extractor=extractor,
            judge=judge,
            embedder=embedder,
            reranker=reranker,
            summarizer=summarizer,
            query_builder=query_builder,
        )
        self._on_close = on_close
        self._close_lock = threading.Lock()
        self._is_closed = False

    @classmethod
    def local(cls, path: str | Path | None = None, **parts: Any) -> Self:  # Any: the parts of __init__
        """Open the embedded database in a folder (``.prefmem``), making and upgrading it; always offline.

        Raises ConfigurationError when the extra ``local`` is not installed or the folder cannot be used.
        """
        from prefmem_pg.db.local import start_local

        enforce_rls = parts.pop("enforce_rls", True)
        pool = pool_sizes(parts.pop("max_connections", None))
        name = parts.pop("application_name", None)
        settings = parts.pop("settings", None) or Settings()
        server = start_local(Path(path) if path is not None else settings.home)
        database = Database(make_engine(server.url(), application_name=name, **pool), enforce_rls=enforce_rls)

        def stop() -> None:
            database.close()
            server.close()

        try:
            memory = cls(database, settings=settings, on_close=stop, **parts)
            if not is_at_head(database.engine, sql_folder()):
                memory.upgrade()
        except BaseException:
            stop()
            raise
        return memory

    @classmethod
    def connect(
        cls,
        url: str,
        *,
        read_url: str | None = None,
        enforce_rls: bool = True,
        max_connections: int | None = None,
        application_name: str | None = None,
        **parts: Any,  # Any: the parts of __init__
    ) -> Self:
        """Open a database that ``prefmem upgrade`` has set up, by anything that libpq accepts.

        ``read_url`` is that of a replica: searches go there, a moment behind, and all else to ``url``. Connects when
        first used; raises SchemaOutOfDate then when the schema does not serve this version. At most
        ``max_connections`` are open at once to each, 10 by default; who needs one more waits. The
        server shows them by ``application_name`` ("prefmem_pg"), unless the URL or PGAPPNAME says otherwise.
        """
        sizes = pool_sizes(max_connections)
        replica = None if read_url is None else make_engine(read_url, application_name=application_name, **sizes)
        database = Database(
            make_engine(url, application_name=application_name, **sizes), read_engine=replica, enforce_rls=enforce_rls
        )
        return cls(database, **parts)

    @classmethod
    def from_engine(
        cls, engine: Engine, *, read_engine: Engine | None = None, enforce_rls: bool = True, **parts: Any
    ) -> Self:  # Any: see connect
        """Open a database through the host application's own engine, which stays the host's to dispose of."""
        database = Database(engine, read_engine=read_engine, enforce_rls=enforce_rls, owns_engine=False)
        return cls(database, **parts)

    @classmethod
    def from_env(cls, **parts: Any) -> Self:  # Any: see connect
        """Open what the environment names: PREFMEM_DATABASE_URL, or else the embedded database in PREFMEM_HOME."""
        return cls.from_settings(Settings.from_env(), **parts)

    @classmethod
    def from_settings(cls, settings: Settings, **parts: Any) -> Self:  # Any: see connect
        """Open what settings name, as ``from_env`` does."""
        if settings.database_url is None:
            return cls.local(settings=settings, **parts)
        return cls.connect(settings.database_url, read_url=settings.read_url, settings=settings, **parts)

    def upgrade(self) -> UpgradeReport:
        """Bring the schema to this version, as the database's owner; running it again changes nothing."""
        model = first_model(self._assembly.settings, self._assembly.given_embedders, self._assembly.meter)
        report = upgrade(
            self.database.engine, model=ModelSpec(name=model.name, provider=model.provider, dimensions=model.dimensions)
        )
        self._keep_bank(model)
        return report

    @property
    def extractor(self) -> PreferenceExtractor:
        """What reads conversations here: the one that was given, or the one that the settings choose."""
        return self._ready().extractor()

    def close(self) -> None:
        """Close the connections (not the host's own engine's). May be called twice."""
        with self._close_lock:
            if self._is_closed:
                return
            self._is_closed = True
        self._assembly.close()
        if self._on_close is not None:
            self._on_close()
        else:
            self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _keep_bank(self, model: EmbeddingModel) -> None:
        """Store the model's bank, so that not every process makes it anew; it may come later when nobody answers."""
        with self.database.transaction(user_id="-") as repositories:
            active = repositories.embeddings.get_active_model()
            stored = repositories.embeddings.read_bank(active.model_id)
        if is_current(stored) or not active.is_of(model.provider, model.name, model.dimensions):
            return
        try:
            bank = pack_bank(model)
        except (ProviderError, ConfigurationError) as exc:
            log.warning("the model's bank is made by each process for now", extra={"reason": str(exc)})
            return
        if bank is not None:
            store_bank(self.database.engine, model_id=active.model_id, bank=bank)

    def _ready(self) -> Parts:
        if self._is_closed:
            raise InvalidInput("this memory is closed")
        return self._assembly.ready()


def pool_sizes(max_connections: int | None) -> dict[str, int]:
    """Return how many connections an engine keeps and how many more it may open, in all as many as asked for."""
    if max_connections is None:
        return {}
    if isinstance(max_connections, bool) or not isinstance(max_connections, int) or max_connections < 2:
        # Storing messages writes two batches at once.
        raise InvalidInput(f"max_connections must be a whole number from 2 on, not {max_connections!r}")
    kept = min(5, max_connections)
    return {"pool_size": kept, "max_overflow": max_connections - kept}


def as_uuid(value: UUID | str) -> UUID:
    """Return the id; InvalidInput when the text is none."""
    try:
        return value if isinstance(value, UUID) else UUID(value)
    except (ValueError, AttributeError, TypeError) as exc:
        raise InvalidInput(f"not an id: {value!r}") from exc
