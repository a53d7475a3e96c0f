"""The host application's own engine, of whatever sort, and its own transaction."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine, NullPool, create_engine, text
from sqlalchemy.orm import Session

from prefmem_pg.db import repositories_in
from prefmem_pg.db.engine import connection_arguments
from prefmem_pg.db.session import Database, Repositories
from prefmem_pg.domain.ids import new_id
from prefmem_pg.errors import ConfigurationError, InvalidInput, NotFound, StoreUnavailable
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder

SORTS: dict[str, dict[str, Any]] = {
    "its defaults": {},
    "no pool": {"poolclass": NullPool},
    "autocommit": {"isolation_level": "AUTOCOMMIT"},
    "serializable": {"isolation_level": "SERIALIZABLE"},
    "one connection": {"pool_size": 1, "max_overflow": 0},
    "prepared at once": {"prepare_threshold": 0},
}


def host_engine(url: str, *, prepare_threshold: int | None = 5, **options: Any) -> Engine:
    """Return an engine as a host makes it, with what psycopg does by default."""
    arguments = {**connection_arguments(url), "prepare_threshold": prepare_threshold}
    return create_engine("postgresql+psycopg://", connect_args=arguments, **options)


@pytest.fixture(params=list(SORTS))
def host(request: pytest.FixtureRequest, database_url: str) -> Iterator[Engine]:
    engine = host_engine(database_url, **SORTS[request.param])
    yield engine
    engine.dispose()


@pytest.fixture
def hosted(host: Engine, embedder: LocalEmbedder) -> Iterator[PreferenceMemory]:
    with PreferenceMemory.from_engine(host, embedder=embedder) as memory:
        yield memory


def settings_of(host: Engine) -> tuple[Any, ...]:
    """Return what a transaction of the host's own begins with."""
    names = ("role", "TimeZone", "default_transaction_isolation", "transaction_read_only", "prefmem.user_id")
    told = ", ".join(f"nullif(current_setting('{name}', true), '')" for name in names)
    with host.connect() as connection:
        return tuple(connection.execute(text(f"SELECT {told}, current_setting('hnsw.ef_search', true)")).one())


def test_a_memory_works_on_any_engine_and_leaves_nothing_on_its_connections(
    host: Engine, hosted: PreferenceMemory, user_id: str
) -> None:
    before = settings_of(host)
    for place in range(12):
        hosted.remember(user_id, f"I like tea number {place} 🍵")
    hosted.add_messages(user_id, [{"role": "user", "content": "我喜欢安静的咖啡馆"}], session_id="s")
    hosted.extract(user_id=user_id)
    found = [hosted.recall(user_id, "茶 tea", session_id="s", repeat=True).text for _ in range(12)]
    after = settings_of(host)

    assert len(set(found)) == 1
    assert before[:5] == after[:5]
    assert after[5] in (before[5], "40")  # pgvector's own default, once it is loaded


def test_every_transaction_of_the_memory_is_one_of_its_role_and_user(hosted: PreferenceMemory, user_id: str) -> None:
    hosted.remember(user_id, "我喜欢喝茶")
    wanted = (user_id, "prefmem_app", "read committed")
    asked = "SELECT current_setting('prefmem.user_id'), current_user, current_setting('transaction_isolation')"

    with hosted.database.transaction(user_id=user_id) as repositories:
        assert tuple(repositories.session.execute(text(asked)).one()) == wanted
    assert hosted.database.read(lambda cursor: cursor.execute(asked), user_id=user_id) == [wanted]
    with hosted.database.transaction(user_id="another 别人") as repositories:
        everybody = repositories.session.scalars(text("SELECT user_id FROM prefmem.preferences")).all()
    assert everybody == []


def test_what_fails_half_way_leaves_nothing(hosted: PreferenceMemory, user_id: str) -> None:
    hosted.remember(user_id, "I like tea")

    with suppress(ZeroDivisionError), hosted.database.transaction(user_id=user_id) as repositories:
        repositories.session.execute(text("UPDATE prefmem.preferences SET importance = 1"))
        raise ZeroDivisionError

    assert [one.importance for one in hosted.list_preferences(user_id).items] != [1]


def begin(database: Database) -> None:
    with database.transaction(user_id="用户 🍵"):
        pass


def read(database: Database) -> None:
    database.read(lambda cursor: cursor.execute("SELECT 1"), user_id="用户 🍵")


@pytest.mark.parametrize("way", [begin, read])
def test_after_one_lost_connection_no_other_of_the_pool_is_met(
    database_url: str, way: Callable[[Database], None]
) -> None:
    engine, other = host_engine(database_url, pool_size=3), host_engine(database_url)
    opened = [engine.connect() for _ in range(3)]
    pids = [one.scalar(text("SELECT pg_backend_pid()")) for one in opened]
    for one in opened:
        one.close()
    with other.connect() as connection:
        connection.execute(text("SELECT pg_terminate_backend(pid, 60000) FROM unnest(:pids) pid"), {"pids": pids})
    database = Database(engine, owns_engine=False)

    lost = 0
    for _ in range(4):
        try:
            way(database)
        except StoreUnavailable:
            lost += 1
    assert lost == 1
    engine.dispose()
    other.dispose()


# The host's own transaction


@pytest.fixture
def orders(host: Engine) -> Iterator[Engine]:
    """The host's engine and a table of its own that only its login role may use."""
    with host.begin() as connection:
        connection.execute(text("CREATE TABLE IF NOT EXISTS prefmem.host_orders (what text)"))
    yield host
    with host.begin() as connection:
        connection.execute(text("DROP TABLE prefmem.host_orders"))


def statements(repositories: Repositories) -> list[str]:
    return list(repositories.session.scalars(text("SELECT statement FROM prefmem.preferences ORDER BY statement")))


def in_transaction(host: Engine) -> Session:
    return Session(host.execution_options(isolation_level="READ COMMITTED"))


@pytest.mark.parametrize("is_committed", [True, False])
def test_what_is_written_in_the_hosts_transaction_stands_and_falls_with_it(
    orders: Engine, hosted: PreferenceMemory, user_id: str, is_committed: bool
) -> None:
    old = hosted.remember(user_id, "我喜欢喝茶 🍵").preference
    assert old is not None
    with in_transaction(orders) as session:
        session.execute(text("INSERT INTO prefmem.host_orders VALUES ('before')"))
        with repositories_in(session, user_id) as repositories:
            changed = replace(old, importance=0.9, version=old.version + 1)
            repositories.preferences.update_many([changed], expected={old.preference_id: old.version})
        session.execute(text("INSERT INTO prefmem.host_orders VALUES ('after')"))
        session.commit() if is_committed else session.rollback()

    assert hosted.get(user_id, old.preference_id).importance == (0.9 if is_committed else old.importance)
    with orders.connect() as connection:
        assert connection.scalar(text("SELECT count(*) FROM prefmem.host_orders")) == (2 if is_committed else 0)


def test_in_the_hosts_transaction_one_user_alone_is_seen_and_afterwards_the_host_is_itself(
    host: Engine, hosted: PreferenceMemory, user_id: str
) -> None:
    hosted.remember(user_id, "I like tea")
    hosted.remember("another 别人", "I like coffee")
    asked = text(
        "SELECT current_user, current_setting('TimeZone'), current_setting('hnsw.ef_search', true),"
        " coalesce(current_setting('prefmem.user_id', true), '')"
    )
    with in_transaction(host) as session:
        session.execute(text("SET LOCAL TimeZone = 'Asia/Shanghai'"))
        session.execute(text("SET LOCAL hnsw.ef_search = 77"))
        before = session.execute(asked).one()
        with repositories_in(session, user_id) as repositories:
            own = statements(repositories)
        with repositories_in(session, "another 别人") as repositories:
            others = statements(repositories)
        after = session.execute(asked).one()
        session.commit()

        assert (own, others) == (["I like tea"], ["I like coffee"])
        assert after == before
        assert session.execute(asked).one()[2:] in ((None, ""), ("", ""), ("40", ""))  # of another connection, perhaps


def test_after_an_error_of_its_own_code_the_host_is_itself_too(
    orders: Engine, hosted: PreferenceMemory, user_id: str
) -> None:
    hosted.remember(user_id, "I like tea")
    asked = text("SELECT current_user, coalesce(current_setting('prefmem.user_id', true), '')")
    with in_transaction(orders) as session:
        before = session.execute(asked).one()
        with pytest.raises(NotFound), repositories_in(session, user_id) as repositories:
            repositories.preferences.get(user_id, new_id())
        assert session.execute(asked).one() == before
        session.execute(text("INSERT INTO prefmem.host_orders VALUES ('after 之后')"))
        session.commit()


def test_after_an_error_the_host_goes_on_from_its_savepoint(
    host: Engine, hosted: PreferenceMemory, user_id: str
) -> None:
    hosted.remember(user_id, "I like tea")
    with in_transaction(host) as session:
        who = session.scalar(text("SELECT current_user"))
        with pytest.raises(InvalidInput), session.begin_nested(), repositories_in(session, user_id) as repositories:
            repositories.session.execute(text("UPDATE prefmem.preferences SET importance = 7"))

        assert session.scalar(text("SELECT current_user")) == who
        with repositories_in(session, user_id) as repositories:
            assert statements(repositories) == ["I like tea"]


def test_a_connection_without_a_transaction_is_refused(database_url: str) -> None:
    with (
        Session(host_engine(database_url, poolclass=NullPool, isolation_level="AUTOCOMMIT")) as session,
        pytest.raises(ConfigurationError, match="autocommit"),
        repositories_in(session, "u-1"),
    ):
        raise AssertionError
