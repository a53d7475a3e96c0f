"""What searches teach is written off their way: by a later call, on closing, at the exit; never twice."""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import numpy as np
import pytest
from sqlalchemy import text

from prefmem_pg.db.engine import make_engine
from prefmem_pg.db.rows import from_vector_text
from prefmem_pg.db.session import Database
from prefmem_pg.errors import StoreUnavailable
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.steps import learn
from tests.conftest import count

USED = "SELECT coalesce(sum(access_count), 0) FROM prefmem.preference_usage WHERE user_id = :u"
ASKED = "SELECT coalesce(sum(question_count), 0) FROM prefmem.user_stats WHERE user_id = :u AND scope = 'preference'"
WAITING = "SELECT count(*) FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))"
ONE_SEARCH = """
import sys
from prefmem_pg.memory import PreferenceMemory
memory = PreferenceMemory.connect(sys.argv[1])
memory.search(sys.argv[2], "what tea? 喝什么茶")
"""


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lessons do not become due by time, however slow the machine is."""
    monkeypatch.setattr(learn, "FLUSH_SECONDS", 1e9)


def test_a_search_writes_nothing_and_closing_writes_it(
    patient: None, database: Database, database_url: str, embedder: LocalEmbedder, user_id: str
) -> None:
    memory = PreferenceMemory(Database(make_engine(database_url)), embedder=embedder)
    memory.remember(user_id, "我喜欢喝茶 🍵")
    memory.search(user_id, "what tea?")
    memory.search(user_id, "喝什么茶")
    before = count(database, USED, u=user_id), count(database, ASKED, u=user_id)
    memory.close()
    memory.close()

    assert before == (0, 0)
    assert (count(database, USED, u=user_id), count(database, ASKED, u=user_id)) == (2, 2)


def test_a_call_that_is_no_search_writes_it_too(
    patient: None, shared_memory: PreferenceMemory, database: Database, user_id: str
) -> None:
    shared_memory.remember(user_id, "I like tea 茶")
    shared_memory.search(user_id, "tea 茶")
    shared_memory.list_preferences(user_id)

    assert count(database, USED, u=user_id) == 1


def test_the_hundredth_lesson_writes_all(
    patient: None,
    monkeypatch: pytest.MonkeyPatch,
    shared_memory: PreferenceMemory,
    database: Database,
    user_id: str,
) -> None:
    monkeypatch.setattr(learn, "FLUSH_LESSONS", 5)
    shared_memory.remember(user_id, "I like tea 茶")
    for _ in range(4):
        shared_memory.search(user_id, "茶")
    before = count(database, USED, u=user_id)
    shared_memory.search(user_id, "茶")

    assert (before, count(database, USED, u=user_id)) == (0, 5)


def test_a_normal_exit_writes_what_waits(
    shared_memory: PreferenceMemory, database: Database, database_url: str, user_id: str
) -> None:
    shared_memory.remember(user_id, "我喜欢喝茶 🍵")
    subprocess.run([sys.executable, "-c", ONE_SEARCH, database_url, user_id], check=True, timeout=600)

    assert count(database, USED, u=user_id) == 1


def test_many_threads_lose_and_double_nothing(
    shared_memory: PreferenceMemory, database: Database, user_id: str
) -> None:
    shared_memory.remember(user_id, "I like tea 茶")
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: shared_memory.search(user_id, "tea 茶"), range(40)))
    shared_memory.flush()

    assert count(database, USED, u=user_id) == 40


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_child_does_not_write_what_its_parent_keeps(
    patient: None, shared_memory: PreferenceMemory, database: Database, user_id: str
) -> None:
    shared_memory.remember(user_id, "I like tea 茶")
    shared_memory.search(user_id, "tea 茶")
    child = os.fork()
    if child == 0:
        shared_memory._lessons.flush()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    by_child = count(database, USED, u=user_id)
    shared_memory.flush()

    assert (by_child, count(database, USED, u=user_id)) == (0, 1)


def test_who_was_erased_and_came_back_is_not_taught_what_the_first_asked(
    patient: None, shared_memory: PreferenceMemory, database: Database, user_id: str
) -> None:
    shared_memory.remember(user_id, "我喜欢喝茶 🍵")
    shared_memory.search(user_id, "tea 茶")
    with database.transaction(user_id=user_id) as repositories:
        repositories.session.execute(text("DELETE FROM prefmem.users WHERE user_id = :u"), {"u": user_id})
    with database.transaction(user_id=user_id) as repositories:
        repositories.preferences.lock_user(user_id)
    shared_memory.flush()

    assert (count(database, USED, u=user_id), count(database, ASKED, u=user_id)) == (0, 0)


def test_what_cannot_be_written_now_is_written_later_and_fails_no_search(
    patient: None,
    monkeypatch: pytest.MonkeyPatch,
    shared_memory: PreferenceMemory,
    database: Database,
    user_id: str,
) -> None:
    def refuse(*_: object) -> None:
        raise StoreUnavailable("the database is read-only now")

    shared_memory.remember(user_id, "I like tea 茶")
    with monkeypatch.context() as patched:
        patched.setattr(learn, "_write", refuse)
        patched.setattr(learn, "FLUSH_SECONDS", 0)
        assert [len(shared_memory.search(user_id, "tea 茶")) for _ in range(3)] == [1, 1, 1]
    shared_memory.flush()

    assert count(database, USED, u=user_id) == 3


def test_lessons_lock_counts_in_the_order_of_writers(
    patient: None, shared_memory: PreferenceMemory, database: Database, user_id: str
) -> None:
    """Asked in Chinese, then in English: a writer who holds the English counts must still get the Chinese ones."""
    shared_memory.remember(user_id, "I like tea")
    shared_memory.remember(user_id, "我喜欢喝咖啡 ☕")
    shared_memory.search(user_id, "喝什么")
    shared_memory.search(user_id, "what to drink?")
    take = "SELECT 1 FROM prefmem.user_stats WHERE user_id = :u AND scope = 'preference' AND language = :l FOR UPDATE"
    with ThreadPoolExecutor(1) as pool, database.engine.connect() as writer:
        writer.execute(text(take), {"u": user_id, "l": "en"})
        flushed = pool.submit(shared_memory._lessons.flush)
        until = time.monotonic() + 120
        while not writer.scalar(text(WAITING)) and time.monotonic() < until:
            time.sleep(0.01)
        taken = writer.scalar(text(f"{take} NOWAIT"), {"u": user_id, "l": "zh"})
        writer.commit()
        flushed.result()

    assert taken == 1
    assert count(database, ASKED, u=user_id) == 2


def test_questions_that_are_learned_together_move_the_mean_as_one_by_one(database: Database) -> None:
    """Also the first ones, which the shipped mean stands behind, and those after them."""
    vectors, shipped = np.random.default_rng(7).normal(size=(5, 384)).astype(np.float32), np.ones(384, np.float32)

    def learned(user_id: str, *portions: int) -> tuple[float, np.ndarray]:
        rest = vectors
        with database.transaction(user_id=user_id) as repositories:
            repositories.preferences.lock_user(user_id)
            for portion in portions:
                repositories.embeddings.learn_questions(
                    user_id,
                    rest[:portion],
                    shipped,
                    language="zh",
                    scope="preference",
                    model_id=1,
                    at=datetime.now(UTC),
                )
                rest = rest[portion:]
            row = repositories.session.execute(
                text("SELECT question_count, question_mean::text FROM prefmem.user_stats WHERE user_id = :u"),
                {"u": user_id},
            ).one()
        return row[0], from_vector_text(row[1])

    one_by_one, together, in_two = (learned(f"u-{p}", *p) for p in [(1, 1, 1, 1, 1), (5,), (2, 3)])

    for count_of_questions, mean in (together, in_two):
        assert count_of_questions == pytest.approx(one_by_one[0])
        np.testing.assert_allclose(mean, one_by_one[1], atol=1e-5)
