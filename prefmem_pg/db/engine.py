"""SQLAlchemy engines for whatever libpq accepts."""

import os
import re
import select
import sys
import time
import weakref
from collections.abc import Mapping
from typing import Any, Final

import psycopg
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import Engine, PoolProxiedConnection, create_engine, event
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.pool import ConnectionPoolEntry

from prefmem_pg.errors import ConfigurationError

PREPARED_ON_REQUEST: Final = sys.maxsize
"""The prepare_threshold of connections on which the server keeps the statements that ask for it, and no others."""
ASKED_AFTER_SECONDS: Final = 30.0
"""How long a connection may have been idle and is still taken to be alive when its socket says nothing else."""
_IDLE_SINCE: Final = "prefmem_idle_since"
_MARK: Final = "SELECT set_config('prefmem.user_id', 'direct', true)"
# Of no catalog: a pooler that spreads reads over servers must take it for one of those.
_IS_DIRECT: Final = (
    "SELECT pg_backend_pid() = %s AND current_setting('prefmem.user_id', true) = 'direct'"
    " AND current_setting('default_transaction_isolation') = 'read committed'"
)
_IS_ONE: Final = "SELECT NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')"


def make_engine(url: str, *, pool_size: int = 5, max_overflow: int = 5, application_name: str | None = None) -> Engine:
    """Return an engine for anything that libpq accepts: a URL, key=value words, or "" for the PG* variables.

    Nothing is opened yet. Statements are prepared only where no pooler stands between (see ``prepares``), so it works
    behind pgbouncer in transaction mode. ``application_name`` is what the server shows of its connections, unless the
    URL or PGAPPNAME says otherwise.
    """
    arguments = {**connection_arguments(url), "prepare_threshold": None}
    if application_name is not None:
        arguments["fallback_application_name"] = application_name
    engine = create_engine(
        "postgresql+psycopg://",
        # A decision reads again what it had to wait for; a stricter default of the database would show it the past.
        isolation_level="READ COMMITTED",
        connect_args=arguments,
        pool_size=pool_size,
        max_overflow=max_overflow,
        pool_timeout=30,
    )
    _prepare_where_direct(engine)
    _look_before_use(engine)
    _forget_connections_after_fork(engine)
    return engine


def connection_arguments(url: str) -> Mapping[str, Any]:
    """Return the connection's arguments by libpq's own parser, which also knows "%" and special characters."""
    plain = re.sub(r"^postgres(ql)?\+[a-z0-9_]+://", "postgresql://", url.strip())
    try:
        arguments = conninfo_to_dict(plain)
    except psycopg.ProgrammingError as exc:
        raise ConfigurationError("the database URL cannot be read; it looks like postgresql://user@host/name") from exc
    return {"fallback_application_name": "prefmem_pg", "connect_timeout": 10, **arguments}


def prepares(connection: psycopg.Connection[Any]) -> bool:
    """Say whether a connection of ours goes straight to one server: no pooler between, and no cluster behind it.

    There a statement that asks for it is prepared, and a pipeline is a transaction, READ COMMITTED without a BEGIN.
    """
    return connection.prepare_threshold == PREPARED_ON_REQUEST


def _prepare_where_direct(engine: Engine) -> None:
    """Let new connections prepare what asks for it, where the next transaction is sure to meet the same server.

    Behind a pooler the process that the client knows, to cancel what it asked, is not the one that answers, or what
    one command sets is not there for the next.
    """
    if not psycopg.Pipeline.is_supported():
        return

    @event.listens_for(engine, "connect")
    def look(connection: psycopg.Connection[Any], record: ConnectionPoolEntry) -> None:
        autocommit, connection.autocommit = connection.autocommit, True
        with connection.pipeline():
            connection.execute(_MARK, prepare=False)
            direct = connection.execute(_IS_DIRECT, (connection.info.backend_pid,), prepare=False)
            one = connection.execute(_IS_ONE, prepare=False)
        connection.autocommit = autocommit
        if direct.fetchone() == one.fetchone() == (True,):
            connection.prepare_threshold = PREPARED_ON_REQUEST


def _look_before_use(engine: Engine) -> None:
    """Replace connections that the server has closed before somebody uses them.

    What SQLAlchemy's pool_pre_ping does, without a round trip each time, which would be a fifth of a small user's
    search: a server that goes away closes the socket, which can be seen from here. Only one that was idle for long is
    asked, since a network may drop it without a word.
    """

    @event.listens_for(engine, "checkin")
    def note_the_time(connection: psycopg.Connection[Any] | None, record: ConnectionPoolEntry) -> None:
        record.info[_IDLE_SINCE] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def look(connection: psycopg.Connection[Any], record: ConnectionPoolEntry, proxy: PoolProxiedConnection) -> None:
        since = record.info.pop(_IDLE_SINCE, None)
        if since is None:
            return  # just opened
        if time.monotonic() - since < ASKED_AFTER_SECONDS and not _has_something_to_say(connection):
            return
        try:
            connection.autocommit = True
            connection.execute("SELECT 1", prepare=False)
            connection.autocommit = False
        except psycopg.Error as exc:
            raise InvalidatePoolError("the server has closed the connection") from exc


def _has_something_to_say(connection: psycopg.Connection[Any]) -> bool:
    """Return whether an idle connection's socket can be read, as it can when the other side has closed it."""
    if connection.closed or not hasattr(select, "poll"):
        return True
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN | select.POLLHUP | select.POLLERR)
    return bool(poll.poll(0))


def _forget_connections_after_fork(engine: Engine) -> None:
    """Give a forked child a pool of its own: the sockets it inherited belong to the parent."""
    reference = weakref.ref(engine)

    def forget() -> None:
        alive = reference()
        if alive is not None:
            alive.dispose(close=False)

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=forget)
