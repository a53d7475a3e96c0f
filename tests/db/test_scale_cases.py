"""Public faults of systems that grew: slow calls, big users, counters beside vectors, status that is off."""

import threading
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import event, text

from prefmem_pg.db.engine import make_engine
from prefmem_pg.db.reindex import reindex
from prefmem_pg.db.session import Database
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.providers.protocols import Vectors
from tests.db.filling import fill

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 300


class SlowEmbedder(LocalEmbedder):
    """A model that answers when it is let, as a service under load; it tells when so many calls are waiting."""

    def __init__(self, waiting: int) -> None:
        super().__init__()
        self.are_waiting = threading.Barrier(waiting + 1)
        self.may_answer = threading.Event()

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        self.are_waiting.wait(PATIENCE_SECONDS)
        assert self.may_answer.wait(PATIENCE_SECONDS)
        return super().embed_documents(texts)


def test_b11_no_connection_is_held_while_a_model_answers(database_url: str, user_id: str) -> None:
    small = Database(make_engine(database_url, pool_size=2, max_overflow=0))
    slow = SlowEmbedder(waiting=6)
    said = ["I like tea 🍵", "我不吃香菜", "I read novels", "我喜欢爬山", "window seats", "mixed 喜欢 jazz"]
    with PreferenceMemory(small, embedder=slow) as memory, ThreadPoolExecutor(6) as pool:
        memory.list_preferences(user_id)
        adding = [pool.submit(memory.remember, f"{user_id}-{n}", statement) for n, statement in enumerate(said)]
        slow.are_waiting.wait(PATIENCE_SECONDS)

        lent = small.engine.pool.checkedout()  # type: ignore[attr-defined]
        others = memory.list_preferences(user_id).items  # answers while all six wait, through the same two
        slow.may_answer.set()

        assert (lent, list(others)) == (0, [])
        assert [done.result().action for done in adding] == ["added"] * 6


def test_b19_a_user_is_erased_while_a_job_goes_through_all_users(
    database: Database, embedder: LocalEmbedder, user_id: str
) -> None:
    memory = PreferenceMemory(database, embedder=embedder)
    users = [f"{user_id}-{n}" for n in range(4)]
    for user in users:
        memory.remember_many(user, [{"statement": "I like green tea 🍵"}, {"statement": "我喜欢绿茶"}])
    with ThreadPoolExecutor(5) as pool:
        jobs = [pool.submit(memory.deduplicate)] + [pool.submit(memory.forget, user) for user in users]
        for job in jobs:
            job.result(PATIENCE_SECONDS)  # no deadlock reaches anybody
    assert [memory.list_preferences(user).total for user in users] == [0] * 4


def test_b87_a_user_with_many_rows_is_erased_by_one_statement(
    database: Database, embedder: LocalEmbedder, user_id: str
) -> None:
    fill(database, user_id, 2_000, dimensions=384)
    seen: list[str] = []

    @event.listens_for(database.engine, "before_cursor_execute")
    def note(connection: object, cursor: object, statement: str, *rest: object) -> None:
        if "forget_user" in statement or "DELETE" in statement:
            seen.append(statement)

    try:
        PreferenceMemory(database, embedder=embedder).forget(user_id)
    finally:
        event.remove(database.engine, "before_cursor_execute", note)
    assert len(seen) == 1
    with database.engine.connect() as connection:
        for table in ("preferences", "preference_embeddings", "preference_terms", "user_stats"):
            left = f"SELECT count(*) FROM prefmem.{table} WHERE user_id = :user_id"
            assert connection.scalar(text(left), {"user_id": user_id}) == 0, table


def test_b103_counting_use_and_mentions_never_writes_a_vector_anew(
    database: Database, embedder: LocalEmbedder, user_id: str
) -> None:
    memory = PreferenceMemory(database, embedder=embedder)
    memory.remember_many(user_id, [{"statement": "I like green tea 🍵"}, {"statement": "我坐飞机要靠窗"}])
    places = "SELECT preference_id, ctid::text FROM prefmem.preference_embeddings WHERE user_id = :user_id ORDER BY 1"
    with database.engine.connect() as connection:
        before = connection.execute(text(places), {"user_id": user_id}).all()
    for _ in range(3):
        memory.search(user_id, "green tea 绿茶")
        assert memory.remember(user_id, "I like green tea 🍵").action == "duplicate"
    with database.engine.connect() as connection:
        after = connection.execute(text(places), {"user_id": user_id}).all()
    assert len(before) == 2
    assert after == before


def test_b105_an_index_build_sets_its_own_timeout(database: Database) -> None:
    seen: list[str] = []

    @event.listens_for(database.engine, "before_cursor_execute")
    def note(connection: object, cursor: object, statement: str, *rest: object) -> None:
        seen.append(statement)

    try:
        assert reindex(database.engine, rebuild_all=True).rebuilt
    finally:
        event.remove(database.engine, "before_cursor_execute", note)
    first = next(n for n, statement in enumerate(seen) if "CONCURRENTLY" in statement)
    assert "SET statement_timeout = 0" in seen[:first]


@pytest.mark.parametrize("package", ["psycopg", "pgvector", "sqlalchemy", "alembic"])
def test_b119_a_driver_that_may_return_other_types_is_not_taken_unseen(package: str) -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    [line] = [line for line in wanted if line.split("[")[0].split(">")[0] == package]
    assert ",<" in line


def test_b125_status_counts_are_exact_and_tell_failed_from_waiting(
    database: Database, embedder: LocalEmbedder, user_id: str
) -> None:
    memory = PreferenceMemory(database, embedder=embedder)
    before = memory.stats()
    for number in range(3):
        said = [{"role": "user", "content": f"第{number}条 message {n} 🍵"} for n in range(400)]
        memory.add_messages(user_id, said, dialog_id=f"d-{number}")
    with database.engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO prefmem.extraction_runs"
                " (user_id, dialog_id, input_hash, state, extractor, extractor_version)"
                " SELECT :user_id, 'd-' || n, sha256(CAST(CAST(n AS text) AS bytea)), 'parked', 'offline', 'offline/1'"
                " FROM generate_series(0, 1) AS n"
            ),
            {"user_id": user_id},
        )
    after = memory.stats()
    assert after["unread_messages"] - before["unread_messages"] == 1_200
    assert after["parked_runs"] - before["parked_runs"] == 2
