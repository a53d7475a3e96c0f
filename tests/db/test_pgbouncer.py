"""Behind a real pgbouncer in transaction mode, which lends a connection for one transaction alone."""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import Engine, create_engine, text
from sqlalchemy.orm import Session

from prefmem_pg.db import repositories_in
from prefmem_pg.db.batches import collecting_alone
from prefmem_pg.db.engine import connection_arguments
from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.local.account import server_account
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder

PROGRAM = shutil.which("pgbouncer", path="/usr/sbin:/usr/bin:/usr/local/bin:/opt/homebrew/bin")
PATIENCE_SECONDS = 300
LENT = 3
SETTINGS = """
[databases]
{name} = host={sockets} port=5432 dbname={name} user=prefmem_owner
[pgbouncer]
unix_socket_dir = {folder}
listen_port = 6432
auth_type = any
pool_mode = transaction
default_pool_size = {lent}
max_client_conn = 100
logfile = {folder}/log
pidfile = {folder}/pid
"""

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="pgbouncer is not installed")


@pytest.fixture(scope="module")
def pooled_url(server: LocalServer, database_url: str) -> Iterator[str]:
    """The module's database through a pooler with fewer connections than it has clients."""
    name = conninfo_to_dict(database_url)["dbname"]
    folder = Path(tempfile.mkdtemp(prefix="prefmem-pooler-"))
    account = server_account()
    account.give(folder)
    settings = folder / "pooler.ini"
    settings.write_text(SETTINGS.format(name=name, sockets=server.socket_folder, folder=folder, lent=LENT))
    account.give(settings)
    url = f"postgresql://prefmem_owner@/{name}?host={folder}&port=6432"
    process = subprocess.Popen([str(PROGRAM), "-q", str(settings)], **account.spawn_options())
    try:
        wait_for(url, process)
        yield url
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)
        shutil.rmtree(folder, ignore_errors=True)


def wait_for(url: str, process: "subprocess.Popen[bytes]") -> None:
    ends_at = time.monotonic() + PATIENCE_SECONDS
    while True:
        assert process.poll() is None
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            assert time.monotonic() < ends_at
            time.sleep(0.05)
        else:
            return


@pytest.fixture(scope="module")
def pooled(pooled_url: str, embedder: LocalEmbedder) -> Iterator[PreferenceMemory]:
    with PreferenceMemory.connect(pooled_url, embedder=embedder, max_connections=8) as memory:
        yield memory


def test_b17_fifty_searches_over_eight_connections_through_a_pooler(pooled: PreferenceMemory) -> None:
    def use(number: int) -> list[tuple[str | None, ...]]:
        user_id = f"pooled/{number} 池"
        pooled.add_messages(user_id, [{"role": "user", "content": f"I like tea number {number} 🍵 我喜欢喝茶"}])
        pooled.extract(user_id=user_id)
        return [
            tuple(hit.preference.statement for hit in pooled.search(user_id, "tea 茶", learn=False)) for _ in range(50)
        ]

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(use, range(8)))

    for number, answers in enumerate(found):
        assert len(set(answers)) == 1
        assert f"number {number}" in str(answers[0])


def test_b18_a_session_of_the_pooler_keeps_nothing_of_ours(pooled: PreferenceMemory, pooled_url: str) -> None:
    pooled.remember("settings 设置", "I like still water 💧")
    pooled.recall("settings 设置", "water", session_id="s-1", proactive=True)

    with psycopg.connect(pooled_url, prepare_threshold=None) as stranger:
        for _ in range(2 * LENT):
            row = stranger.execute(
                "SELECT current_user, current_setting('prefmem.user_id', true),"
                " current_setting('hnsw.ef_search', true), (SELECT count(*) FROM pg_prepared_statements)"
            ).fetchone()
            stranger.commit()
            assert row in (("prefmem_owner", None, None, 0), ("prefmem_owner", "", "40", 0))


def test_a_hosts_engine_and_its_own_transaction_work_through_a_pooler(pooled_url: str, embedder: LocalEmbedder) -> None:
    engine = pooled_engine(pooled_url)
    with PreferenceMemory.from_engine(engine, embedder=embedder) as memory:
        tea = memory.remember("host/池", "我喜欢喝茶 🍵").preference
        assert tea is not None
        for _ in range(12):
            with Session(engine) as session, session.begin(), repositories_in(session, "host/池") as repositories:
                assert repositories.preferences.get("host/池", tea.preference_id) == tea
            with Session(engine) as session, session.begin():
                told = session.scalar(
                    text("SELECT current_user || coalesce(current_setting('prefmem.user_id', true), '')")
                )
            assert told == "prefmem_owner"
            assert [hit.preference.statement for hit in memory.search("host/池", "茶")] == ["我喜欢喝茶 🍵"]
    engine.dispose()


def test_everything_a_chat_does_works_through_a_pooler(pooled: PreferenceMemory) -> None:
    user_id = "chat/池 🏊"
    pooled.add_messages(user_id, [{"role": "user", "content": "我对花粉过敏 🌼"}], session_id="s-1", dialog_id="d-1")
    pooled.extract(user_id=user_id)
    context = pooled.chat_context(user_id, "周末想去爬山，要带什么？", session_id="s-2")
    assert "花粉" in context.recall.raised[0].preference.statement
    items = [{"statement": f"I like place number {number} 地方"} for number in range(30)]
    assert {one.action for one in pooled.remember_many(user_id, items, deduplicate=False)} == {"added"}
    pooled.summarize(user_id=user_id)
    pooled.consolidate(user_id=user_id)
    [known] = pooled.search(user_id, "花粉", limit=1)
    assert pooled.update(user_id, known.preference.preference_id, statement="我对花粉和尘螨过敏").version == 2
    proof = pooled.forget(user_id, verify=True).proof
    assert proof is not None
    assert proof.is_clean


def pooled_engine(url: str) -> Engine:
    arguments = {**connection_arguments(url), "prepare_threshold": None}
    return create_engine("postgresql+psycopg://", connect_args=arguments)


def test_one_process_at_a_time_collects_batches_and_the_next_may_when_it_ends(pooled_url: str) -> None:
    engine = pooled_engine(pooled_url)
    for _ in range(LENT + 1):
        with collecting_alone(engine) as first, collecting_alone(engine) as second:
            # Others take and leave the pooler's connections meanwhile.
            with psycopg.connect(pooled_url, prepare_threshold=None) as other:
                other.execute("SELECT 1")
            assert (first, second) == (True, False)
    engine.dispose()


def test_a_collector_whose_connection_is_lost_still_reports(pooled_url: str) -> None:
    engine = pooled_engine(pooled_url)
    with collecting_alone(engine) as is_alone, psycopg.connect(pooled_url, prepare_threshold=None) as other:
        assert is_alone
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()"
        )
    with collecting_alone(engine) as is_alone:
        assert is_alone
    engine.dispose()
