"""Connections and transactions: Database.transaction() -> repositories."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import psycopg
import psycopg.errors
from psycopg.pq import Escaping, TransactionStatus
from sqlalchemy import Engine, PoolProxiedConnection
from sqlalchemy.orm import Session

from prefmem_pg.db.batches import BatchRepository
from prefmem_pg.db.calls import CallRepository
from prefmem_pg.db.constraints import ConstraintRepository
from prefmem_pg.db.driver_errors import translated_errors
from prefmem_pg.db.embeddings import EmbeddingRepository
from prefmem_pg.db.engine import prepares
from prefmem_pg.db.erasures import ErasureRepository
from prefmem_pg.db.history import HistoryRepository
from prefmem_pg.db.messages import MessageRepository
from prefmem_pg.db.models.base import SCHEMA
from prefmem_pg.db.preferences import PreferenceRepository
from prefmem_pg.db.prices import PriceRepository
from prefmem_pg.db.profiles import ProfileRepository
from prefmem_pg.db.recordings import RecordingRepository
from prefmem_pg.db.runs import RunRepository
from prefmem_pg.db.sessions import SessionRepository
from prefmem_pg.db.summaries import SummaryRepository
from prefmem_pg.db.traces import TraceRepository
from prefmem_pg.db.upkeep import UpkeepRepository
from prefmem_pg.errors import ConfigurationError

EF_SEARCH: Final = 200
"""Candidates that an HNSW scan keeps; pgvector's default is 40. See LINKS in model_indexes."""

# SET LOCAL with literals, not set_config(): set_config() does not reach the workers of a cluster. enable_seqscan: where
# one user's rows are wanted an index has them, but a plan that was made when a table was nearly empty stays, be it that
# of a foreign key, and would read all of it for each row.
_OF_ONE_USER: Final = b"SET LOCAL enable_seqscan = off"
_IN_UTC: Final = b"SET LOCAL timezone = 'UTC'"
_SETTINGS: Final = (
    b"SET LOCAL hnsw.iterative_scan = 'relaxed_order'",
    f"SET LOCAL hnsw.ef_search = {EF_SEARCH}".encode(),
)
_READING: Final = b"BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY"
# The same at once, where set_config() is enough and the server keeps the statement: each SET takes as long as this.
_ALL_AT_ONCE: Final = (
    b"SELECT set_config('transaction_read_only', 'on', true), set_config('timezone', 'UTC', true),"
    b" set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', '%d', true),"
    b" set_config('enable_seqscan', 'off', true), set_config('prefmem.user_id', %%s, true)" % EF_SEARCH
)
_WITH_ROLE: Final = _ALL_AT_ONCE + b", set_config('role', %s, true)"


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
    def constraints(self) -> ConstraintRepository:
        return ConstraintRepository(self.session)

    @cached_property
    def sessions(self) -> SessionRepository:
        return SessionRepository(self.session)

    @cached_property
    def summaries(self) -> SummaryRepository:
        return SummaryRepository(self.session)

    @cached_property
    def erasures(self) -> ErasureRepository:
        return ErasureRepository(self.session)

    @cached_property
    def traces(self) -> TraceRepository:
        return TraceRepository(self.session)

    @cached_property
    def batches(self) -> BatchRepository:
        return BatchRepository(self.session)

    @cached_property
    def calls(self) -> CallRepository:
        return CallRepository(self.session)

    @cached_property
    def prices(self) -> PriceRepository:
        return PriceRepository(self.session)

    @cached_property
    def recordings(self) -> RecordingRepository:
        return RecordingRepository(self.session)

    @cached_property
    def upkeep(self) -> UpkeepRepository:
        return UpkeepRepository(self.session)


class Database:
    """A database with our schema: a pool of connections and the transactions on it."""

    def __init__(
        self,
        engine: Engine,
        *,
        read_engine: Engine | None = None,
        enforce_rls: bool = True,
        owns_engine: bool = True,
    ) -> None:
        # A host's engine may be in autocommit, or stricter: ours are transactions, and read what they had to wait for.
        self.engine = engine if owns_engine else engine.execution_options(isolation_level="READ COMMITTED")
        self.read_engine = read_engine
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

    def read(self, ask: Callable[[psycopg.Cursor[Any]], object], *, user_id: str) -> list[tuple[Any, ...]]:
        """Return the rows of what ``ask`` executes last, in a transaction that reads the rows of one user.

        The quick way in: as ``transaction``, without a Session, which would cost more than a small user's search, and
        with all from BEGIN to COMMIT in one round trip (libpq 14 or later). Nothing can be written. On the replica, if
        there is one.
        """
        with translated_errors():
            engine = self.read_engine or self.engine
            outer = sys.exception()
            pool, pooled = engine.pool, engine.raw_connection()
            driver = pooled.driver_connection
            assert isinstance(driver, psycopg.Connection), "prefmem_pg needs the psycopg driver"
            autocommit = driver.autocommit
            try:
                driver.autocommit = True  # else the driver would send a BEGIN of its own
                cursor = driver.cursor()
                is_piped = psycopg.Pipeline.is_supported()
                in_one = driver.pipeline() if is_piped else nullcontext()
                with _roles_needed(user_id, enforce_rls=self.enforce_rls), in_one:
                    if prepares(driver):  # one transaction up to the end of the pipeline
                        _set_at_once(cursor, user_id, enforce_rls=self.enforce_rls)
                        ask(cursor)
                    else:
                        commands = _READING, *_beginning(driver, user_id, enforce_rls=self.enforce_rls)
                        for command in commands if is_piped else [b"; ".join(commands)]:
                            cursor.execute(command, prepare=False)
                        ask(cursor)
                        # Not commit(), which would wait for what was asked.
                        driver.execute(b"COMMIT", prepare=False)
                return cursor.fetchall()
            except psycopg.Error as exc:
                if (other := _hidden(exc, outer)) is None:
                    raise
                driver.close()  # it still waits for the answer
                raise other from None
            finally:
                # As SQLAlchemy does when it sees a connection lost, once: the others of the pool are as old.
                if not _end(pooled, driver, autocommit=autocommit) and engine.pool is pool:
                    engine.dispose()

    def analyze(self, tables: Sequence[str]) -> None:
        """Bring the planner's statistics of tables up to date, as far as the login role may; else the server warns."""
        names = ", ".join(f"{SCHEMA}.{name}" for name in tables)
        with translated_errors(), self.engine.connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT").exec_driver_sql(f"ANALYZE {names}")

    def close(self) -> None:
        """Close the connections, unless the engine is the host application's own. May be called twice."""
        if self._owns_engine:
            self.engine.dispose()
            if self.read_engine is not None:
                self.read_engine.dispose()


def begin_as(session: Session, user_id: str | None, *, enforce_rls: bool = True) -> None:
    """Give the session's transaction the role, the user id and the settings that the repositories expect.

    For a host application that uses the repositories inside its own transaction. The settings end with it. Raises
    ConfigurationError when the server has no such role.
    """
    connection = session.connection()
    driver = connection.connection.driver_connection
    assert isinstance(driver, psycopg.Connection), "prefmem_pg needs the psycopg driver"
    with _roles_needed(user_id, enforce_rls=enforce_rls):
        # Past SQLAlchemy: a host's driver would prepare what it has seen five times, and several commands cannot be.
        # In one string without parameters they are one round trip.
        driver.execute(b"; ".join(_beginning(driver, user_id, enforce_rls=enforce_rls)), prepare=False)


def _hidden(exc: BaseException, outer: BaseException | None) -> BaseException | None:
    """Return what is no error of the driver's and was raised while it waited (a timeout, an exit): a pipeline's own end
    fails then, and would stand in its place. ``outer`` is what the caller was handling before.
    """
    context = exc.__context__
    while isinstance(context, psycopg.Error) and context is not outer:
        context = context.__context__
    return None if context is outer else context


def _beginning(driver: psycopg.Connection[Any], user_id: str | None, *, enforce_rls: bool) -> list[bytes]:
    """Return the commands that a transaction begins with; none has parameters."""
    commands = [f"SET LOCAL ROLE {_role(user_id)}".encode()] if enforce_rls else []
    if driver.pgconn.parameter_status(b"TimeZone") != b"UTC":  # most servers are: the server tells of each change
        commands.append(_IN_UTC)
    if user_id is None:
        return [*commands, *_SETTINGS]
    # libpq's own quoting, which knows the connection; composing it with psycopg.sql takes ten times as long.
    quoted = Escaping(driver.pgconn).escape_literal(user_id.encode(driver.info.encoding))
    return [*commands, b"SET LOCAL prefmem.user_id = %b" % quoted, _OF_ONE_USER, *_SETTINGS]


def _set_at_once(cursor: psycopg.Cursor[Any], user_id: str, *, enforce_rls: bool) -> None:
    if enforce_rls:
        cursor.execute(_WITH_ROLE, (user_id, _role(user_id)), prepare=True)
    else:
        cursor.execute(_ALL_AT_ONCE, (user_id,), prepare=True)


def _role(user_id: str | None) -> str:
    return "prefmem_pipeline" if user_id is None else "prefmem_app"


@contextmanager
def _roles_needed(user_id: str | None, *, enforce_rls: bool) -> Iterator[None]:
    """Say what to run when the server has no such role, which its error names."""
    try:
        yield
    except psycopg.errors.InvalidParameterValue as exc:
        if enforce_rls and _role(user_id) in str(exc):
            raise ConfigurationError(
                f"the server has no role {_role(user_id)}; run: prefmem upgrade, or as a DBA what prefmem roles --sql"
                " prints"
            ) from exc
        raise


def _end(pooled: PoolProxiedConnection, driver: psycopg.Connection[Any], *, autocommit: bool) -> bool:
    """Give the connection back as it was and return True; one that is broken is thrown away."""
    try:
        if driver.pgconn.transaction_status != TransactionStatus.IDLE:
            driver.rollback()
        driver.autocommit = autocommit
        return True
    except psycopg.Error:
        pooled.invalidate()
        return False
    finally:
        pooled.close()
