"""Databases that start empty, and roles of a test's own, on the server of the run."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import sql
from sqlalchemy import Engine

from prefmem_pg.db.engine import make_engine
from prefmem_pg.db.local import LocalServer
from tests.conftest import superuser_url, url_of

EXTENSIONS = ("vector", "pg_trgm")
OWNER = "prefmem_owner"


@contextmanager
def superuser(server: LocalServer, database: str = "postgres") -> Iterator[psycopg.Connection]:
    """Open a connection in autocommit as the superuser."""
    with psycopg.connect(superuser_url(server, database), autocommit=True) as connection:
        yield connection


@contextmanager
def empty_database(
    server: LocalServer, *, owner: str = OWNER, extensions: tuple[str, ...] = EXTENSIONS
) -> Iterator[str]:
    """Make a database without our schema and give its owner's URL; it is dropped at the end.

    ``extensions`` are those that a DBA has installed beforehand.
    """
    name = f"test_{uuid.uuid4().hex[:12]}"
    with superuser(server) as connection:
        connection.execute(
            sql.SQL(
                "CREATE DATABASE {} OWNER {} TEMPLATE template0 ENCODING 'UTF8'"
                " LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LC_COLLATE 'C' LC_CTYPE 'C.UTF-8'"
            ).format(sql.Identifier(name), sql.Identifier(owner))
        )
        try:
            with superuser(server, name) as inside:
                for extension in extensions:
                    inside.execute(sql.SQL("CREATE EXTENSION {}").format(sql.Identifier(extension)))
            yield url_of(server, name).replace(f"{OWNER}@", f"{owner}@")
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@contextmanager
def login_role(server: LocalServer) -> Iterator[str]:
    """Make a role that may log in and nothing else; it is dropped at the end, when it must own nothing any more."""
    name = f"test_{uuid.uuid4().hex[:12]}"
    with superuser(server) as connection:
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(name)))
        try:
            yield name
        finally:
            connection.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(name)))


@contextmanager
def opened(url: str) -> Iterator[Engine]:
    """Give an engine for a URL and close its connections at the end."""
    engine = make_engine(url)
    try:
        yield engine
    finally:
        engine.dispose()


def database_of(url: str) -> str:
    """Return the name of the database in a URL of these tests."""
    return url.split("@/")[1].split("?")[0]
