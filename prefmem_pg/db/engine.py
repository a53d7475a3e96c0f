"""SQLAlchemy engines for whatever libpq accepts."""

import os
import re
import weakref
from collections.abc import Mapping
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import Engine, create_engine

from prefmem_pg.errors import ConfigurationError


def make_engine(url: str, *, pool_size: int = 5, max_overflow: int = 5) -> Engine:
    """Return an engine for anything that libpq accepts: a URL, key=value words, or "" for the PG* variables.

    Nothing is opened yet. No server-side prepared statements, so it works behind pgbouncer in transaction mode.
    """
    engine = create_engine(
        "postgresql+psycopg://",
        # A decision reads again what it had to wait for; a stricter default of the database would show it the past.
        isolation_level="READ COMMITTED",
        connect_args={**connection_arguments(url), "prepare_threshold": None},
        pool_size=pool_size,
        max_overflow=max_overflow,
        pool_timeout=30,
        pool_pre_ping=True,
    )
    _forget_connections_after_fork(engine)
    return engine


def connection_arguments(url: str) -> Mapping[str, Any]:
    """Return the connection's arguments by libpq's own parser, which also knows "%" and special characters."""
    plain = re.sub(r"^postgres(ql)?\+[a-z0-9_]+://", "postgresql://", url.strip())
    try:
        arguments = conninfo_to_dict(plain)
    except psycopg.ProgrammingError as exc:
        raise ConfigurationError("the database URL cannot be read; it looks like postgresql://user@host/name") from exc
    return {"application_name": "prefmem_pg", "connect_timeout": 10, **arguments}


def _forget_connections_after_fork(engine: Engine) -> None:
    """Give a forked child a pool of its own: the sockets it inherited belong to the parent."""
    reference = weakref.ref(engine)

    def forget() -> None:
        alive = reference()
        if alive is not None:
            alive.dispose(close=False)

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=forget)
