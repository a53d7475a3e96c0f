"""PreferenceMemory: the front door."""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from uuid import UUID

from sqlalchemy import Engine

from prefmem_pg.db.engine import make_engine
from prefmem_pg.db.filters import compile_filter
from prefmem_pg.db.session import Database
from prefmem_pg.db.upgrade import ModelSpec, UpgradeReport, upgrade
from prefmem_pg.domain.filters import SearchFilter
from prefmem_pg.domain.messages import Message, NewMessage
from prefmem_pg.domain.preferences import Decision, Evidence, Preference, Version
from prefmem_pg.domain.reports import ExtractionReport
from prefmem_pg.domain.search import Page, Recall, SearchHit
from prefmem_pg.domain.text import check_id
from prefmem_pg.errors import InvalidInput
from prefmem_pg.importers.fields import new_message
from prefmem_pg.providers.protocols import EmbeddingModel, Judge, PreferenceExtractor, RerankModel
from prefmem_pg.settings import Settings
from prefmem_pg.steps.candidates import as_candidate
from prefmem_pg.steps.embed import EmbedReport, embed_missing
from prefmem_pg.steps.extract import Scope, extract
from prefmem_pg.steps.ingest import ingest
from prefmem_pg.steps.paging import check_page_size, decode_key, encode_key
from prefmem_pg.steps.recall import compose
from prefmem_pg.steps.retrieve import check_limit, check_score, learn_from, prepare_question, rerank_hits, retrieve
from prefmem_pg.wiring import Parts, first_model

Filter = SearchFilter | Mapping[str, Any]
"""A SearchFilter, or a filter expression as JSON (hence Any)."""

RECALL_CANDIDATES = 30
"""How many hits recall() looks at; the token budget decides how many of them are shown."""


class PreferenceMemory:
    """The long-term memory of what users prefer. Open it by ``local``, ``connect``, ``from_engine`` or ``from_env``.

    Thread-safe, and safe to share with forked processes. Nothing is opened before the first call. Close it, or use it
    in a ``with``. All times are aware; naive ones are refused.
    """

    def __init__(
        self,
        database: Database,
        *,
        settings: Settings | None = None,
        extractor: PreferenceExtractor | None = None,
        judge: Judge | None = None,
        embedder: EmbeddingModel | None = None,
        reranker: RerankModel | None = None,
        on_close: Callable[[], None] | None = None,
    ) -> None:
        self.database = database
        self._parts = Parts(
            database, settings or Settings(), extractor=extractor, judge=judge, embedder=embedder, reranker=reranker
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
        settings = parts.pop("settings", None) or Settings()
        server = start_local(Path(path) if path is not None else settings.home)
        database = Database(make_engine(server.url()), enforce_rls=enforce_rls)

        def stop() -> None:
            database.close()
            server.close()

        try:
            memory = cls(database, settings=settings, on_close=stop, **parts)
            memory.upgrade()
        except BaseException:
            stop()
            raise
        return memory

    @classmethod
    def connect(cls, url: str, *, enforce_rls: bool = True, **parts: Any) -> Self:  # Any: the parts of __init__
        """Open a database that ``prefmem upgrade`` has set up, by anything that libpq accepts.

        Connects when first used; raises SchemaOutOfDate then when the schema is not of this version.
        """
        return cls(Database(make_engine(url), enforce_rls=enforce_rls), **parts)

    @classmethod
    def from_engine(cls, engine: Engine, *, enforce_rls: bool = True, **parts: Any) -> Self:  # Any: see connect
        """Open a database through the host application's own engine, which stays the host's to dispose of."""
        return cls(Database(engine, enforce_rls=enforce_rls, owns_engine=False), **parts)

    @classmethod
    def from_env(cls, **parts: Any) -> Self:  # Any: see connect
        """Open what the environment names: PREFMEM_DATABASE_URL, or else the embedded database in PREFMEM_HOME."""
        settings = Settings.from_env()
        if settings.database_url is None:
            return cls.local(settings=settings, **parts)
        return cls.connect(settings.database_url, settings=settings, **parts)

    def upgrade(self) -> UpgradeReport:
        """Bring the schema to this version, as the database's owner; running it again changes nothing."""
        model = first_model(self._parts.settings, self._parts.given_embedder)
        return upgrade(
            self.database.engine, model=ModelSpec(name=model.name, provider=model.provider, dimensions=model.dimensions)
        )

    def close(self) -> None:
        """Close the connections (not the host's own engine's). May be called twice."""
        with self._close_lock:
            if self._is_closed:
                return
            self._is_closed = True
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

    # Messages

    def add_messages(
        self,
        user_id: str,
        messages: Iterable[Mapping[str, Any] | NewMessage],
        *,
        dialog_id: str | None = None,
        session_id: str | None = None,
        source: str = "api",
        allow_erased: bool = False,
    ) -> list[Message]:
        """Store messages and return them as they are stored, in their order; nothing is extracted yet. Idempotent.

        Takes dicts of our own fields or of the OpenAI and Anthropic APIs. All or nothing: InvalidInput says which
        message is wrong and why. An external_id that is stored already gives the stored message, whatever is sent.
        """
        parts = self._ready()
        ids = {"user_id": check_id("user_id", user_id), "dialog_id": dialog_id, "session_id": session_id}
        given = [_as_new_message(place, message, ids) for place, message in enumerate(messages)]
        stored: list[Message] = []
        for batch in ingest(
            self.database,
            given,
            user_id=user_id,
            source=source,
            model_id=parts.model_id,
            allow_erased=allow_erased,
        ):
            earlier = self._messages_by_id(user_id, list(batch.result.earlier.values()))
            stored += [
                earlier.get(batch.result.earlier.get(place, message.message_id), message)
                for place, message in enumerate(batch.messages)
            ]
        return stored

    def extract(
        self,
        *,
        user_id: str | None = None,
        dialog_id: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        again: bool = False,
        on_dialog: Callable[[ExtractionReport], None] | None = None,
    ) -> ExtractionReport:
        """Read unread messages, find preferences and decide them; return the counts. Running it again costs nothing.

        ``since`` <= occurred_at < ``until``. ``again`` reads all messages in scope anew, in a further pass. What fails
        is recorded, tried again by the next call, and never stops the rest.
        """
        parts = self._ready()
        scope = Scope(user_id=user_id, dialog_id=dialog_id, since=since, until=until, again=again)
        return extract(parts.decider(), parts.extractor(), scope, on_dialog=on_dialog)

    def list_messages(
        self, user_id: str, *, dialog_id: str | None = None, page_size: int = 50, after: str | None = None
    ) -> Page:
        """Return a page of messages, oldest first; ``after`` is what the page before gave."""
        self._ready()
        size, key = check_page_size(page_size), decode_key(after)
        with self.database.transaction(user_id=check_id("user_id", user_id)) as repositories:
            items = repositories.messages.list_page(user_id, dialog_id=dialog_id, after=key, limit=size + 1)
            total = repositories.messages.count(user_id, dialog_id=dialog_id)
        more = encode_key((items[size - 1].occurred_at, items[size - 1].message_id)) if len(items) > size else None
        return Page(items=tuple(items[:size]), total=total, after=more)

    # Preferences

    def remember(self, user_id: str, statement: str, *, kind: str = "explicit", **fields: Any) -> Decision:
        """Decide one statement about the user and store it; the same statement again is a duplicate, not a row."""
        return self.remember_many(user_id, [{"statement": statement, "kind": kind, **fields}])[0]

    def remember_many(self, user_id: str, items: Sequence[Any], *, deduplicate: bool = True) -> list[Decision]:
        """Decide statements (dicts or dataclasses with at least ``statement``) in order; return a decision for each.

        All or nothing: InvalidInput says which item is wrong and why. ``deduplicate=False`` compares by the very same
        statement only, which the database allows once.
        """
        parts = self._ready()
        check_id("user_id", user_id)
        now = datetime.now(UTC)
        candidates = []
        for place, item in enumerate(items):
            try:
                candidates.append(as_candidate(item, now=now))
            except InvalidInput as exc:
                raise InvalidInput(f"item {place}: {exc}") from exc
        return parts.decider(compares=deduplicate).decide(user_id, candidates, actor="api") or []

    def get(self, user_id: str, preference_id: UUID | str) -> Preference:
        """Return a preference of any status; NotFound when this user has none of that id."""
        self._ready()
        with self.database.transaction(user_id=check_id("user_id", user_id)) as repositories:
            return repositories.preferences.get(user_id, _as_uuid(preference_id))

    def get_many(self, user_id: str, preference_ids: Sequence[UUID | str]) -> list[Preference]:
        """Return those of the preferences that are this user's, in order of their ids."""
        self._ready()
        with self.database.transaction(user_id=check_id("user_id", user_id)) as repositories:
            return repositories.preferences.list_by_ids(user_id, [_as_uuid(value) for value in preference_ids])

    def list_preferences(
        self, user_id: str, *, filter: Filter | None = None, page_size: int = 50, after: str | None = None
    ) -> Page:
        """Return a page of preferences, newest first; activated ones unless the filter names a status."""
        self._ready()
        size, key = check_page_size(page_size), decode_key(after)
        compiled = compile_filter(filter)
        condition = compiled.condition
        if not compiled.names_status:
            condition = f"p.status = 'activated' AND ({condition})"
        with self.database.transaction(user_id=check_id("user_id", user_id)) as repositories:
            items = repositories.preferences.list_page(
                user_id, condition=condition, values=compiled.values, after=key, limit=size + 1
            )
            total = repositories.preferences.count(user_id, condition=condition, values=compiled.values)
        more = encode_key((items[size - 1].created_at, items[size - 1].preference_id)) if len(items) > size else None
        return Page(items=tuple(items[:size]), total=total, after=more)

    def history(self, user_id: str, preference_id: UUID | str) -> list[Version]:
        """Return every change of a preference, oldest first; NotFound when this user has none of that id."""
        self._ready()
        with self.database.transaction(user_id=check_id("user_id", user_id)) as repositories:
            preference = repositories.preferences.get(user_id, _as_uuid(preference_id))
            return repositories.history.list_versions(user_id, preference.preference_id)

    def evidence(self, user_id: str, preference_id: UUID | str) -> list[Evidence]:
        """Return the message spans that support a preference, oldest first."""
        self._ready()
        with self.database.transaction(user_id=check_id("user_id", user_id)) as repositories:
            preference = repositories.preferences.get(user_id, _as_uuid(preference_id))
            found = repositories.history.list_evidence(user_id, [preference.preference_id])
        return found.get(preference.preference_id, [])

    def set_consent(self, user_id: str, *, sensitive: bool) -> None:
        """Say whether health, finance and identity preferences may be recalled (allergies always are)."""
        self._ready()
        with self.database.transaction(user_id=check_id("user_id", user_id)) as repositories:
            repositories.preferences.set_consent(user_id, sensitive=sensitive)

    # Search

    def search(
        self,
        user_id: str,
        query: str,
        *,
        filter: Filter | None = None,
        limit: int = 10,
        min_score: float | None = None,
        rerank: bool = False,
        exact: bool = False,
        now: datetime | None = None,
        learn: bool = True,
    ) -> list[SearchHit]:
        """Return the user's preferences that answer a question, best first, ties by id, each with its explanation.

        ``limit`` hits whenever so many activated preferences pass the filter; only ``min_score`` (0..1) shortens the
        list. An unknown user has none. ``learn=False`` leaves usage counts and running means alone.
        """
        parts = self._ready()
        check_id("user_id", user_id)
        least = check_score(parts.settings.search_threshold if min_score is None else min_score)
        wanted, condition = check_limit(limit), compile_filter(filter)
        question = prepare_question(_as_query(query), parts.embedder, parts.bank())
        hits = retrieve(
            self.database,
            user_id,
            question,
            model_id=parts.model_id,
            condition=condition,
            limit=wanted,
            min_score=least,
            now=now,
        )
        if rerank and parts.reranker is not None:
            hits, _ = rerank_hits(hits, query, parts.reranker)
        if learn:
            ids = [hit.preference.preference_id for hit in hits]
            learn_from(self.database, user_id, question, ids, model_id=parts.model_id, at=now or datetime.now(UTC))
        return hits

    def recall(
        self,
        user_id: str,
        query: str,
        *,
        session_id: str | None = None,
        session_override: Mapping[str, Any] | None = None,
        max_tokens: int = 800,
        proactive: bool = False,
        now: datetime | None = None,
    ) -> Recall:
        """Return the text to put into a prompt, at most ``max_tokens`` long by a safe estimate, and its hits.

        The preferences are fenced as data, one a line, each with its id so that an answer can cite it.
        """
        if isinstance(max_tokens, bool) or not isinstance(max_tokens, int) or max_tokens < 1:
            raise InvalidInput(f"max_tokens must be a whole number above 0, not {max_tokens!r}")
        hits = self.search(user_id, query, limit=RECALL_CANDIDATES, now=now)
        return compose(hits, [], [], query=query, max_tokens=max_tokens)

    # Upkeep

    def embed_missing(
        self, *, user_id: str | None = None, on_batch: Callable[[int], None] | None = None
    ) -> EmbedReport:
        """Embed what has no vector of the active model yet, preferences and messages. Resumable, idempotent."""
        parts = self._ready()
        return embed_missing(
            self.database, parts.embedder, parts.bank, model_id=parts.model_id, user_id=user_id, on_batch=on_batch
        )

    def stats(self) -> dict[str, int]:
        """Return exact counts: users, messages, preferences by status, and work that waits or failed."""
        self._ready()
        with self.database.transaction(user_id=None) as repositories:
            return repositories.runs.counts()

    def _ready(self) -> "Parts":
        if self._is_closed:
            raise InvalidInput("this memory is closed")
        return self._parts.ready()

    def _messages_by_id(self, user_id: str, message_ids: Sequence[UUID]) -> dict[UUID, Message]:
        if not message_ids:
            return {}
        with self.database.transaction(user_id=user_id) as repositories:
            return {m.message_id: m for m in repositories.messages.list_by_ids(user_id, message_ids)}


def _as_new_message(place: int, message: Mapping[str, Any] | NewMessage, ids: Mapping[str, str | None]) -> NewMessage:
    if isinstance(message, NewMessage):
        if message.user_id != ids["user_id"]:
            raise InvalidInput(f"message {place}: belongs to user {message.user_id}, not {ids['user_id']}")
        return message
    if not isinstance(message, Mapping):
        raise InvalidInput(f"message {place}: must be a dict, not {type(message).__name__}")
    try:
        return new_message(message, defaults=ids)
    except InvalidInput as exc:
        raise InvalidInput(f"message {place}: {exc}") from exc


def _as_query(query: object) -> str:
    if not isinstance(query, str):
        raise InvalidInput(f"query must be a string, not {type(query).__name__}")
    return query


def _as_uuid(value: UUID | str) -> UUID:
    try:
        return value if isinstance(value, UUID) else UUID(value)
    except (ValueError, AttributeError, TypeError) as exc:
        raise InvalidInput(f"not a preference id: {value!r}") from exc
