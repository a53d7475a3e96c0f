"""Statements are prepared where the next transaction meets the same server, and only those that ask for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product

import pytest
from psycopg import Connection
from sqlalchemy import text

from prefmem_pg.db.engine import make_engine, prepares
from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.session import Database
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from tests.conftest import fresh_database
from tests.databases import database_of, superuser

PREPARED = "SELECT statement FROM pg_prepared_statements ORDER BY statement"


@contextmanager
def one_connection(url: str, embedder: LocalEmbedder) -> Iterator[PreferenceMemory]:
    database = Database(make_engine(url, pool_size=1, max_overflow=0))
    try:
        yield PreferenceMemory(database, embedder=embedder)
    finally:
        database.close()


def prepared(memory: PreferenceMemory) -> list[str]:
    with memory.database.engine.connect() as connection:
        return list(connection.scalars(text(PREPARED)))


def searched(memory: PreferenceMemory, user_id: str) -> list[str | None]:
    return [hit.preference.statement for hit in memory.search(user_id, "tea 茶", learn=False)]


def test_b17_only_what_asks_for_it_is_prepared_on_a_connection_that_is_direct(
    database_url: str, embedder: LocalEmbedder, user_id: str
) -> None:
    with one_connection(database_url, embedder) as memory:
        memory.remember(user_id, "我喜欢喝茶 🍵")
        for _ in range(20):
            assert searched(memory, user_id) == ["我喜欢喝茶 🍵"]
            memory.list_preferences(user_id)
        call, settings = prepared(memory)

    assert "set_config('prefmem.user_id'" in settings
    assert "prefmem.search_model_" in call


def test_more_filters_than_a_connection_keeps_statements(
    database_url: str, embedder: LocalEmbedder, user_id: str
) -> None:
    with one_connection(database_url, embedder) as memory:
        memory.remember(user_id, "I like green tea 绿茶", topic="drink")
        for kinds, topics in product(range(1, 12), repeat=2):
            wanted = {"and": [{"kind": "explicit"}] * kinds + [{"topic": "drink"}] * topics}
            assert len(memory.search(user_id, "绿茶", filter=wanted, learn=False)) == 1
        assert 100 <= len(prepared(memory)) <= 101


def test_what_was_prepared_while_there_were_few_rows_reads_no_whole_table(
    server: LocalServer, embedder: LocalEmbedder
) -> None:
    with fresh_database(server) as url, one_connection(url, embedder) as memory:
        memory.remember("u-ana", "I like green tea 绿茶", topic="drink")
        memory.database.analyze(["preferences", "user_stats", "users"])
        for _ in range(7):
            assert len(memory.search("u-ana", "tea", filter={"topic": "drink"}, learn=False)) == 1
            memory.recall("u-ana", "tea")
        plans = []
        with memory.database.engine.connect() as connection:
            named = text(
                "SELECT name, cardinality(parameter_types) FROM pg_prepared_statements"
                " WHERE generic_plans > 0 AND statement LIKE '%search_model%'"
            )
            prepared_calls = connection.execute(named).all()
            connection.execute(text("SET LOCAL ROLE prefmem_app"))  # for another role they would be planned anew
            for name, count in prepared_calls:
                given = ", ".join(["NULL"] * count)
                plans.append("\n".join(connection.scalars(text(f'EXPLAIN EXECUTE "{name}"({given})'))))
        assert len(plans) == 2
        assert not [plan for plan in plans if "Index" not in plan or "Seq Scan" in plan]


def test_a_search_goes_on_when_its_function_is_made_anew_with_more_columns(
    server: LocalServer, embedder: LocalEmbedder
) -> None:
    with fresh_database(server) as url, one_connection(url, embedder) as memory:
        memory.remember("u-ana", "I like green tea 绿茶")
        for _ in range(7):  # the server keeps the plan from the sixth time on
            before = searched(memory, "u-ana")
        with memory.database.engine.begin() as connection:
            definition = connection.scalar(
                text("SELECT pg_get_functiondef(oid) FROM pg_proc WHERE proname = 'search_model_1'")
            )
            arguments = connection.scalar(
                text("SELECT pg_get_function_identity_arguments(oid) FROM pg_proc WHERE proname = 'search_model_1'")
            )
            assert "evidence jsonb)" in str(definition)
            connection.exec_driver_sql(f"DROP FUNCTION prefmem.search_model_1({arguments})")
            renamed = str(definition).replace("search_model_1", "search_model_1_before", 1)
            connection.exec_driver_sql(renamed, execution_options={"no_parameters": True})
            given = ", ".join(f"${place}" for place in range(1, 12))
            connection.exec_driver_sql(
                f"CREATE FUNCTION prefmem.search_model_1({arguments}) RETURNS TABLE (more integer, "
                + str(definition).split("RETURNS TABLE(", 1)[1].split(")\n", 1)[0]
                + f") LANGUAGE sql STABLE AS $$ SELECT 1, s.* FROM prefmem.search_model_1_before({given}) AS s $$;"
                f" GRANT EXECUTE ON FUNCTION prefmem.search_model_1({arguments}) TO prefmem_app;"
                f" GRANT EXECUTE ON FUNCTION prefmem.search_model_1_before({arguments}) TO prefmem_app",
                execution_options={"no_parameters": True},
            )
        assert searched(memory, "u-ana") == before == ["I like green tea 绿茶"]


def test_nothing_is_prepared_on_a_cluster(server: LocalServer, embedder: LocalEmbedder) -> None:
    with fresh_database(server) as url:
        with superuser(server, database_of(url)) as dba:  # as if it were one: the extension is in no package index
            dba.execute("UPDATE pg_extension SET extname = 'citus' WHERE extname = 'plpgsql'")
        with one_connection(url, embedder) as memory:
            memory.remember("u-ana", "I like green tea 绿茶")
            assert searched(memory, "u-ana") == ["I like green tea 绿茶"]
            assert prepared(memory) == []


def test_nothing_is_prepared_where_transactions_are_stricter_by_default(
    server: LocalServer, embedder: LocalEmbedder
) -> None:
    """There a search needs its BEGIN, which says that it may see what others commit meanwhile."""
    asked = "SELECT current_setting('transaction_isolation'), current_setting('transaction_read_only')"
    with fresh_database(server) as url:
        with superuser(server, database_of(url)) as dba:
            dba.execute(f"ALTER DATABASE {database_of(url)} SET default_transaction_isolation = 'serializable'")
        with one_connection(url, embedder) as memory:
            memory.remember("u-ana", "I like green tea 绿茶")
            assert searched(memory, "u-ana") == ["I like green tea 绿茶"]
            read = memory.database.read(lambda cursor: cursor.execute(asked), user_id="u-ana")
            assert (read, prepared(memory)) == ([("read committed", "on")], [])


@pytest.mark.parametrize("is_direct", [True, False])
def test_a_connection_prepares_when_the_process_that_answers_is_the_one_that_was_connected_to(
    database_url: str, monkeypatch: pytest.MonkeyPatch, is_direct: bool
) -> None:
    if not is_direct:  # what a pooler does: it tells a number of its own
        monkeypatch.setattr("psycopg.ConnectionInfo.backend_pid", property(lambda info: 1))
    engine = make_engine(database_url)
    with engine.connect() as connection:
        driver = connection.connection.driver_connection
        assert isinstance(driver, Connection)
        assert prepares(driver) is is_direct
    engine.dispose()


def test_a_foreign_key_that_was_first_checked_among_few_users_reads_no_whole_table(
    server: LocalServer, embedder: LocalEmbedder
) -> None:
    """Its plan stays for as long as the connection: else each row that refers to a user would cost all users."""
    read = text(
        "SELECT sum(seq_tup_read), sum(idx_tup_fetch) FROM pg_stat_user_tables"
        " WHERE schemaname = 'prefmem' AND relname IN ('users', 'preferences')"
    )
    with fresh_database(server) as url, one_connection(url, embedder) as memory:
        memory.remember("u-0", "我喜欢喝茶 🍵")
        memory.database.analyze(["preferences", "users"])
        counts = []
        for users in (range(1, 2), range(2, 30)):
            for number in users:
                memory.remember(f"u-{number}", "I like green tea 绿茶")
            with memory.database.engine.connect() as connection:
                connection.execute(text("SELECT pg_stat_force_next_flush()"))
                connection.commit()
                counts.append(connection.execute(read).one())
    (scanned_before, found_before), (scanned, found) = counts
    assert (scanned - scanned_before, found - found_before > 28) == (0, True)
