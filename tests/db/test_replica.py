"""Searches on a streaming replica: a second server that follows the first and takes no writes."""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from prefmem_pg.cli.tiredness import check_replica
from prefmem_pg.db.engine import make_engine
from prefmem_pg.db.health import Replica, examine_replica
from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.local.account import server_account
from prefmem_pg.errors import StoreUnavailable
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.settings import Settings
from tests.conftest import count


@pytest.fixture(scope="module")
def replica_url(server: LocalServer, database_url: str) -> Iterator[str]:
    """The URL of this module's database on a replica of the run's server."""
    account = server_account()
    folder = Path(tempfile.mkdtemp(prefix="prefmem-replica-"))
    account.give(folder)
    data = folder / "data"
    run = account.spawn_options()

    def call(program: str, *arguments: str) -> None:
        command = [str(server.binaries / program), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False, **run)
        assert done.returncode == 0, done.stderr

    call(
        "pg_basebackup",
        "-h",
        str(server.socket_folder),
        "-U",
        "postgres",
        "-D",
        str(data),
        "-R",
        "-X",
        "stream",
        "-c",
        "fast",
    )
    options = f'-h "" -k {folder} -p 5432'
    call("pg_ctl", "-D", str(data), "-l", str(folder / "log"), "-o", options, "-w", "-t", "120", "start")
    try:
        yield database_url.replace(str(server.socket_folder), str(folder))
    finally:
        call("pg_ctl", "-D", str(data), "-m", "immediate", "-w", "stop")
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def memory(database_url: str, replica_url: str, embedder: LocalEmbedder) -> Iterator[PreferenceMemory]:
    with PreferenceMemory.connect(database_url, read_url=replica_url, embedder=embedder) as memory:
        yield memory


def caught_up(memory: PreferenceMemory, ask: Callable[[], list[object]]) -> list[object]:
    """Return what the question finds once the replica has followed."""
    for _ in range(1_200):
        if found := ask():
            return found
        time.sleep(0.1)
    raise AssertionError("the replica does not follow")


def test_searches_go_to_the_replica_and_writes_to_the_primary(memory: PreferenceMemory, user_id: str) -> None:
    memory.remember(user_id, "我喜欢喝绿茶 🍵")
    memory.remember(user_id, "I prefer window seats")

    found = caught_up(memory, lambda: memory.search(user_id, "茶", limit=2, min_score=0)[1:])

    assert found
    assert memory.search(user_id, "茶")[0].preference.statement == "我喜欢喝绿茶 🍵"
    asked = "SELECT pg_is_in_recovery(), current_user"
    assert memory.database.read(lambda cursor: cursor.execute(asked), user_id=user_id) == [(True, "prefmem_app")]
    with memory.database.transaction(user_id=user_id) as repositories:
        assert repositories.session.connection().exec_driver_sql("SELECT pg_is_in_recovery()").scalar() is False


def test_the_use_of_what_was_found_is_counted_on_the_primary(memory: PreferenceMemory, user_id: str) -> None:
    memory.remember(user_id, "I love tea")
    caught_up(memory, lambda: memory.search(user_id, "tea"))
    memory.flush()

    used = "SELECT access_count FROM prefmem.preference_usage WHERE user_id = :user_id"
    assert count(memory.database, used, user_id=user_id) >= 1


def test_the_same_answers_come_from_both(memory: PreferenceMemory, database_url: str, embedder: LocalEmbedder) -> None:
    user_id = "u-both"
    statements = ("I love ramen 🍜", "我不吃香菜", "I play the piano", "我每天早上跑步", "I prefer window seats")
    memory.remember_many(user_id, [{"statement": said} for said in statements])
    caught_up(memory, lambda: memory.search(user_id, "ramen", learn=False)[len(statements) - 1 :])
    now = memory.list_preferences(user_id).items[0].created_at
    with PreferenceMemory.connect(database_url, embedder=embedder) as direct:
        for query in ("ramen", "吃什么", "noodles"):
            assert direct.search(user_id, query, now=now, learn=False) == memory.search(
                user_id, query, now=now, learn=False
            )


def test_a_replica_that_is_gone_is_an_error_and_never_an_empty_answer(
    database_url: str, embedder: LocalEmbedder
) -> None:
    with PreferenceMemory.connect(database_url, read_url="host=/nowhere", embedder=embedder) as memory:
        memory.remember("u-ana", "I love tea")
        with pytest.raises(StoreUnavailable):
            memory.search("u-ana", "tea")


def test_a_replica_alone_answers_searches_and_refuses_writes(replica_url: str, embedder: LocalEmbedder) -> None:
    with PreferenceMemory.connect(replica_url, embedder=embedder) as memory:
        assert memory.search("u-nobody", "tea") == []
        with pytest.raises(StoreUnavailable, match="read-only"):
            memory.remember("u-ana", "I love tea")


def test_the_doctor_tells_how_far_a_replica_is_behind(replica_url: str, database_url: str) -> None:
    replica = examine_replica(replica_url)
    assert replica.behind_seconds is not None
    assert check_replica(Replica(0.5)).state == "ok"
    assert check_replica(Replica(60.0)).state == "note"
    assert check_replica(examine_replica(database_url)).state == "note"


def test_the_replica_is_a_setting() -> None:
    settings = Settings.from_env({"PREFMEM_READ_URL": "postgresql://replica/x"})
    assert settings.read_url == "postgresql://replica/x"
    assert Settings.from_env({"PREFMEM_READ_URL": ""}).read_url is None


def test_engines_of_the_host_stay_open(database_url: str, embedder: LocalEmbedder) -> None:
    engine, other = make_engine(database_url), make_engine(database_url)
    with PreferenceMemory.from_engine(engine, read_engine=other, embedder=embedder) as memory:
        assert memory.search("u-nobody", "tea") == []
    assert other.pool.checkedin() == 1  # type: ignore[attr-defined]
    with other.connect() as connection:
        driver = connection.connection.driver_connection
        assert isinstance(driver, psycopg.Connection)
        assert not driver.closed
    engine.dispose()
    other.dispose()
