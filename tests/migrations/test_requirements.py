"""What a server lacks is said with what somebody has to run, before anything is changed."""

from collections.abc import Iterator

import pytest
from alembic import command
from sqlalchemy import Connection, text

from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.requirements import check_server, ensure_extensions, ensure_schema
from prefmem_pg.db.session import Database
from prefmem_pg.db.upgrade import alembic_config, upgrade
from prefmem_pg.errors import ConfigurationError
from tests.conftest import LOCAL_MODEL
from tests.databases import database_of, empty_database, login_role, opened, superuser


@pytest.fixture
def connection(server: LocalServer) -> Iterator[Connection]:
    """A connection to a database without our schema, whose owner may make one."""
    with empty_database(server) as url, opened(url) as engine, engine.connect() as opened_connection:
        yield opened_connection


def test_b122_a_server_without_pgvector_is_told_apart_from_one_where_it_is_not_installed_yet(
    connection: Connection,
) -> None:
    check_server(connection)
    # Stands in front of the catalog's own view, as on a server without the extensions' files.
    connection.execute(text("CREATE TEMP VIEW pg_available_extensions AS SELECT CAST('pg_trgm' AS name) AS name"))
    connection.execute(text("SET LOCAL search_path = pg_temp, pg_catalog"))
    with pytest.raises(ConfigurationError, match="the server lacks the extension vector; install pgvector"):
        check_server(connection)


def test_an_old_server_is_refused_with_its_version(connection: Connection) -> None:
    connection.execute(text("CREATE SCHEMA old"))
    connection.execute(text("CREATE FUNCTION old.current_setting(text) RETURNS text LANGUAGE sql RETURN '150012'"))
    connection.execute(text("SET LOCAL search_path = old, pg_catalog"))
    with pytest.raises(ConfigurationError, match="PostgreSQL 16 or newer is needed; this server is 15"):
        check_server(connection)


def test_what_is_there_already_is_left_alone(connection: Connection) -> None:
    for _ in range(2):
        ensure_schema(connection)
        ensure_extensions(connection)
    assert connection.scalar(text("SELECT count(*) FROM pg_namespace WHERE nspname = 'prefmem'")) == 1


def test_a_trusted_extension_is_installed_by_the_owner(server: LocalServer) -> None:
    with empty_database(server, extensions=("vector",)) as url, opened(url) as engine, engine.begin() as connection:
        ensure_extensions(connection)
        assert connection.scalar(text("SELECT count(*) FROM pg_extension WHERE extname = 'pg_trgm'")) == 1


def test_a_role_that_only_works_on_the_data_may_not_upgrade_and_is_told_who_may(
    server: LocalServer, database: Database, database_url: str
) -> None:
    with login_role(server) as worker:
        with superuser(server, database_of(database_url)) as dba:
            dba.execute(f"GRANT prefmem_app, prefmem_pipeline, prefmem_analyst, prefmem_analyst_text TO {worker}")
        with (
            opened(database_url.replace("prefmem_owner@", f"{worker}@")) as engine,
            pytest.raises(ConfigurationError) as refused,
        ):
            upgrade(engine, model=LOCAL_MODEL)
    assert str(refused.value) == f"role {worker} may not change schema prefmem; upgrade as its owner, prefmem_owner"


def test_alembic_by_itself_works_on_the_database_that_the_environment_names(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREFMEM_DATABASE_URL", database_url)
    command.check(alembic_config())


def test_alembic_by_itself_asks_for_a_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PREFMEM_DATABASE_URL", raising=False)
    with pytest.raises(SystemExit, match="set PREFMEM_DATABASE_URL"):
        command.check(alembic_config())
