"""Connections: after a fork, after errors, through poolers, from every way to write a URL, in every time zone."""

import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection as Pipe
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from prefmem_pg.db.engine import connection_arguments, make_engine
from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.session import Database, begin_as
from prefmem_pg.errors import ConfigurationError, InvalidInput, PrefmemError
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from tests.conftest import fresh_database, superuser_url
from tests.databases import database_of, opened, superuser

NAIVE = datetime(2026, 3, 1, 0, 30)  # noqa: DTZ001 the point of the test
WHO = "SELECT pg_backend_pid(), current_setting('prefmem.user_id')"


@pytest.fixture
def small_pool(database_url: str) -> Iterator[Database]:
    """A database with a pool of two connections and not one more."""
    opened = Database(make_engine(database_url, pool_size=2, max_overflow=0))
    yield opened
    opened.close()


@pytest.fixture
def small_memory(small_pool: Database, embedder: LocalEmbedder) -> PreferenceMemory:
    return PreferenceMemory(small_pool, embedder=embedder)


# Forks


def ask_as(database: Database, user_id: str, times: int) -> list[tuple[int, str]]:
    answers = []
    for _ in range(times):
        with database.transaction(user_id=user_id) as repositories:
            answers.append(tuple(repositories.session.execute(text(WHO)).one()))
    return answers  # type: ignore[return-value]


def ask_in_child(pipe: Pipe, memory: PreferenceMemory, user_id: str) -> None:
    found = [hit.preference.statement for hit in memory.search(user_id, "what do I drink? 喝什么", learn=False)]
    pipe.send((ask_as(memory.database, user_id, 20), found))


# Python 3.12 and later warn about forking a process that has threads; gunicorn --preload does just that.
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_b14_forked_workers_have_connections_of_their_own(small_memory: PreferenceMemory) -> None:
    for number in range(3):
        small_memory.remember(f"u-{number}", f"I drink tea number {number} 🍵茶")
    [(before, _)] = ask_as(small_memory.database, "u-parent", 1)
    context = multiprocessing.get_context("fork")
    pipes = [context.Pipe(duplex=False) for _ in range(3)]
    children = [
        context.Process(target=ask_in_child, args=(write, small_memory, f"u-{number}"))
        for number, (_, write) in enumerate(pipes)
    ]
    for child in children:
        child.start()
    of_parent = ask_as(small_memory.database, "u-parent", 20)
    answers = [read.recv() if read.poll(60) else None for read, _ in pipes]
    for child in children:
        child.join(60)

    assert [child.exitcode for child in children] == [0, 0, 0]
    assert {user for _, user in of_parent} == {"u-parent"}
    for number, (asked, found) in enumerate(answers):
        assert {user for _, user in asked} == {f"u-{number}"}
        assert found == [f"I drink tea number {number} 🍵茶"]
    backends = [{pid for pid, _ in asked} for asked, _ in [*answers, (of_parent, [])]]
    assert len(set.union(*backends)) == sum(map(len, backends))
    # The children's ends have not closed the parent's connection.
    assert before in {pid for pid, _ in ask_as(small_memory.database, "u-parent", 1)}


# Leaks


def checked_out(database: Database) -> tuple[int, int]:
    """Return the connections that the pool has lent out, and those that the server sees idle in a transaction."""
    statement = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'"
    )
    lent: int = database.engine.pool.checkedout()  # type: ignore[attr-defined]
    with database.engine.connect() as connection:
        return lent, connection.scalar(text(statement)) or 0


def test_b13_reads_that_find_nothing_give_their_connections_back(small_memory: PreferenceMemory) -> None:
    def read(number: int) -> int:
        user_id = f"u-nobody-{number}"
        return len(small_memory.search(user_id, "tea 茶")) + len(small_memory.list_preferences(user_id).items)

    with ThreadPoolExecutor(20) as pool:
        assert sum(pool.map(read, range(20))) == 0

    assert checked_out(small_memory.database) == (0, 0)


@pytest.mark.parametrize(
    "fail",
    [
        lambda repositories: repositories.session.execute(text("SELECT 1/0")),
        lambda repositories: repositories.session.execute(text("SELECT * FROM prefmem.no_such_table")),
        lambda repositories: repositories.session.execute(text("DELETE FROM prefmem.settings")),
        lambda repositories: [][0],
        lambda repositories: repositories.session.execute(text("SELECT pg_terminate_backend(pg_backend_pid())")),
    ],
    ids=["bad value", "no table", "not allowed", "the caller's own", "connection lost"],
)
def test_b13_an_error_gives_the_connection_back(small_pool: Database, fail: Callable[[Any], object]) -> None:
    for _ in range(5):
        with pytest.raises((PrefmemError, IndexError)), small_pool.transaction(user_id="u-1") as repositories:
            fail(repositories)

    assert checked_out(small_pool) == (0, 0)
    assert ask_as(small_pool, "u-1", 1)[0][1] == "u-1"


def test_b18_the_tenth_search_of_a_connection_finds_what_the_first_found(
    small_memory: PreferenceMemory, user_id: str
) -> None:
    teas = [{"statement": f"I like tea number {number} 茶"} for number in range(15)]
    small_memory.remember_many(user_id, teas, deduplicate=False)
    found = [
        [hit.preference.preference_id for hit in small_memory.search(user_id, "tea 茶", learn=False)] for _ in range(10)
    ]
    assert found == [found[0]] * 10
    assert len(found[0]) == 10


def test_the_isolation_does_not_depend_on_the_databases_default(server: LocalServer, embedder: LocalEmbedder) -> None:
    with fresh_database(server) as url:
        with superuser(server, database_of(url)) as connection:
            connection.execute(f"ALTER DATABASE {database_of(url)} SET default_transaction_isolation = 'serializable'")
        with PreferenceMemory.connect(url, embedder=embedder) as memory:
            with memory.database.transaction(user_id="u-1") as repositories:
                assert repositories.session.scalar(text("SHOW transaction_isolation")) == "read committed"
            with ThreadPoolExecutor(4) as pool:
                decisions = list(pool.map(lambda _: memory.remember("u-1", "我喜欢喝茶 🍵"), range(8)))
            assert sorted(decision.action for decision in decisions) == ["added", *["duplicate"] * 7]


def test_a_server_without_our_roles_is_told_what_to_run(server: LocalServer) -> None:
    with opened(superuser_url(server, "postgres")) as engine, Session(engine) as session:
        session.execute(text("ALTER ROLE prefmem_app RENAME TO prefmem_app_gone"))
        with pytest.raises(ConfigurationError, match="the server has no role prefmem_app; run: prefmem upgrade"):
            begin_as(session, "u-1")


# URLs


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "postgresql://me:p%40ss%3Aw%2Frd%231%25@h:5433/db",
            {"user": "me", "password": "p@ss:w/rd#1%", "port": "5433"},
        ),
        ("postgres://me@h/db", {"user": "me", "host": "h", "dbname": "db"}),
        ("postgresql+psycopg://me@h/db", {"user": "me", "host": "h", "dbname": "db"}),
        ("postgresql+asyncpg://me@h/db", {"user": "me", "host": "h", "dbname": "db"}),
        ("  postgresql://me@h/db\n", {"user": "me", "host": "h", "dbname": "db"}),
        ("postgresql://%E6%88%91@h/%E5%BA%93", {"user": "我", "dbname": "库"}),
        ("postgresql://me@/db?host=/var/run/pg%20sql&port=6000", {"host": "/var/run/pg sql", "port": "6000"}),
        ("postgresql://h/db?options=-csearch_path%3Dprefs", {"options": "-csearch_path=prefs"}),
        ("postgresql://h/db?sslmode=require&connect_timeout=3", {"sslmode": "require", "connect_timeout": "3"}),
        ("postgresql://h/db?application_name=my_app", {"application_name": "my_app"}),
        ("postgresql://a:1,b:2/db", {"host": "a,b", "port": "1,2"}),
        ("postgresql://[::1]:5432/db", {"host": "::1"}),
        (r"host=h user=me password='p@ss \'word\' %' dbname=库", {"password": "p@ss 'word' %", "dbname": "库"}),
        ("", {"fallback_application_name": "prefmem_pg", "connect_timeout": 10}),
    ],
)
def test_b117_whatever_libpq_accepts_is_accepted(url: str, expected: dict[str, object]) -> None:
    arguments = connection_arguments(url)
    assert {name: arguments[name] for name in expected} == expected


@pytest.mark.parametrize("url", ["mysql://me:geheim@h/db", "geheim", "postgresql://h/db?geheim=1", "password='geheim"])
def test_a_url_that_cannot_be_read_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        connection_arguments(url)
    assert "geheim" not in str(refused.value)
    assert "postgresql://" in str(refused.value)


@pytest.mark.parametrize("form", ["url", "driver", "words", "password"])
def test_b117_every_form_opens_the_same_database(server: LocalServer, database_url: str, form: str) -> None:
    words = f"host={server.socket_folder} port=5432 user=prefmem_owner dbname={database_of(database_url)}"
    given = {
        "url": database_url,
        "driver": database_url.replace("postgresql://", "postgresql+psycopg://"),
        "words": words,
        "password": database_url.replace("prefmem_owner@", "prefmem_owner:p%40ss%3Aw%2Frd%231%25@"),
    }[form]
    with PreferenceMemory.connect(given) as memory:
        assert memory.list_preferences("u-nobody").total == 0


def test_b117_the_libpq_variables_of_the_environment_are_enough(
    server: LocalServer, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {
        "PGHOST": str(server.socket_folder),
        "PGPORT": "5432",
        "PGUSER": "prefmem_owner",
        "PGDATABASE": database_of(database_url),
    }.items():
        monkeypatch.setenv(name, value)
    with PreferenceMemory.connect("") as memory:
        assert memory.list_preferences("u-nobody").total == 0


# Times


@pytest.mark.parametrize(
    "act",
    [
        lambda m: m.add_messages("u-1", [{"role": "user", "content": "hi", "occurred_at": NAIVE}]),
        lambda m: m.add_messages("u-1", [{"role": "user", "content": "你好", "occurred_at": "2026-03-01T00:30:00"}]),
        lambda m: m.remember("u-1", "I like tea", valid_from=NAIVE),
        lambda m: m.remember("u-1", "我喜欢茶", expires_at="2026-03-01T00:30:00"),
        lambda m: m.search("u-1", "tea", now=NAIVE),
        lambda m: m.search("u-1", "茶", filter={"created_at": {"gt": NAIVE}}),
        lambda m: m.recall("u-1", "tea", now=NAIVE),
        lambda m: m.extract(user_id="u-1", since=NAIVE),
        lambda m: m.extract(user_id="u-1", until=NAIVE),
    ],
)
def test_b121_a_time_without_a_zone_is_refused(
    memory: PreferenceMemory, act: Callable[[PreferenceMemory], object]
) -> None:
    with pytest.raises(InvalidInput):
        act(memory)


@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Shanghai"])
def test_b121_the_time_zone_of_the_server_shifts_no_instant(
    server: LocalServer, embedder: LocalEmbedder, zone: str
) -> None:
    given = "2026-03-08T12:30:00+05:30"
    instant = datetime(2026, 3, 8, 7, 0, tzinfo=UTC)  # 02:00 in New York on the night that has no such hour
    with fresh_database(server) as url:
        with superuser(server, database_of(url)) as connection:
            connection.execute(f"ALTER DATABASE {database_of(url)} SET timezone = '{zone}'")
        with PreferenceMemory.connect(url, embedder=embedder) as memory:
            with memory.database.engine.connect() as connection:
                assert connection.scalar(text("SHOW timezone")) == zone
            memory.add_messages("u-1", [{"role": "user", "content": "I like tea 茶", "occurred_at": given}])
            memory.remember("u-1", "I like tea 茶", valid_from=given)

            [message] = memory.list_messages("u-1").items
            [preference] = memory.list_preferences("u-1").items
            assert message.occurred_at == preference.valid_from == instant
            assert message.occurred_at.utcoffset() == preference.valid_from.utcoffset() == timedelta(0)
            assert message.dialog_id == "default:2026-03-08"
            for hours, expected in ((-1, 1), (1, 0)):
                after = {"valid_from": {"gt": (instant + timedelta(hours=hours)).isoformat()}}
                assert memory.list_preferences("u-1", filter=after).total == expected
