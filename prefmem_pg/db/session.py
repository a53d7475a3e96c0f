"""Connections and transactions: Database.transaction() -> repositories."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import psycopg.errors
from psycopg import sql
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from prefmem_pg.db.driver_errors import translated_errors
from prefmem_pg.db.embeddings import EmbeddingRepository
from prefmem_pg.db.erasures import ErasureRepository
from prefmem_pg.db.history import HistoryRepository
from prefmem_pg.db.messages import MessageRepository
from prefmem_pg.db.preferences import PreferenceRepository
from prefmem_pg.db.profiles import ProfileRepository
from prefmem_pg.db.runs import RunRepository
from prefmem_pg.db.traces import TraceRepository
from prefmem_pg.db.upkeep import UpkeepRepository
from prefmem_pg.errors import ConfigurationError

EF_SEARCH: Final = 100
"""Candidates that an HNSW scan keeps; 40 is pgvector's default, 100 was measured better for large users."""

# SET LOCAL with literals, not set_config(): set_config() does not reach the workers of a cluster.
_SETTINGS: Final = (
    "SET LOCAL timezone = 'UTC'; SET LOCAL hnsw.iterative_scan = 'relaxed_order';"
    f" SET LOCAL hnsw.ef_search = {EF_SEARCH}"
)


@dataclass(frozen=True)
class Repositories:
    """The repositories of one open transaction."""

    session: Session

    @cached_property
    def messages(self) -> MessageRepository:
        return MessageRepository(self.session)

    @cached_property
    def preferences(self) -> PreferenceRepository:
        return PreferenceRepository(self.session)

    @cached_property
    def embeddings(self) -> EmbeddingRepository:
        return EmbeddingRepository(self.session)

    @cached_property
    def history(self) -> HistoryRepository:
        return HistoryRepository(self.session)

    @cached_property
    def profiles(self) -> ProfileRepository:
        return ProfileRepository(self.session)

    @cached_property
    def runs(self) -> RunRepository:
        return RunRepository(self.session)

    @cached_property
    def erasures(self) -> ErasureRepository:
        return ErasureRepository(self.session)

    @cached_property
    def traces(self) -> TraceRepository:
        return TraceRepository(self.session)

    @cached_property
    def upkeep(self) -> UpkeepRepository:
        return UpkeepRepository(self.session)


class Database:
    """A database with our schema: a pool of connections and the transactions on it."""

    def __init__(self, engine: Engine, *, enforce_rls: bool = True, owns_engine: bool = True) -> None:
        self.engine = engine
        self.enforce_rls = enforce_rls
        self._owns_engine = owns_engine

    @contextmanager
    def transaction(self, *, user_id: str | None) -> Iterator[Repositories]:
        """Open a transaction that sees the rows of one user, commit at the end, roll back on an error.

        It works as role prefmem_app under row-level security; with ``user_id=None`` as prefmem_pipeline, which sees
        every user and is meant for jobs and bulk loads alone. No network call may happen inside. Raises a StoreError
        or ConfigurationError in place of the driver's errors.
        """
        with translated_errors(), Session(self.engine, expire_on_commit=False) as session, session.begin():
            begin_as(session, user_id, enforce_rls=self.enforce_rls)
            yield Repositories(session)

    def close(self) -> None:
        """Close the connections, unless the engine is the host application's own. May be called twice."""
        if self._owns_engine:
            self.engine.dispose()


def begin_as(session: Session, user_id: str | None, *, enforce_rls: bool = True) -> None:
    """Give the session's transaction the role, the user id and the settings that the repositories expect.

    For a host application that uses the repositories inside its own transaction. The settings end with it. Raises
    ConfigurationError when the server has no such role.
    """
    role = "prefmem_pipeline" if user_id is None else "prefmem_app"
    # One command string without parameters: one round trip, and server-side preparing never comes into play.
    statement = sql.SQL("SET LOCAL ROLE {role}; " if enforce_rls else "").format(role=sql.Identifier(role))
    if user_id is not None:
        statement += sql.SQL("SET LOCAL prefmem.user_id = {user_id}; ").format(user_id=sql.Literal(user_id))
    connection = session.connection()
    driver = connection.connection.driver_connection
    assert driver is None or isinstance(driver, psycopg.Connection), "prefmem_pg needs the psycopg driver"
    script = (statement + sql.SQL(_SETTINGS)).as_string(driver)
    try:
        connection.exec_driver_sql(script, execution_options={"no_parameters": True})
    except DBAPIError as exc:
        if enforce_rls and isinstance(exc.orig, psycopg.errors.InvalidParameterValue):
            raise ConfigurationError(
                f"the server has no role {role}; run: prefmem upgrade, or as a DBA what prefmem roles --sql prints"
            ) from exc
        raise
