"""What is kept twice agrees after every kind of work, and each way to disagree is found."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from prefmem_pg.db.consistency import count_contradictions, sample_statements
from prefmem_pg.memory import PreferenceMemory
from tests.conftest import RolledBackDatabase

STATEMENTS = ["I love green tea 🍵", "我不喜欢香菜", "I'm allergic to peanuts", "🙂", "我想去北京旅游"]


@pytest.fixture
def filled(memory: PreferenceMemory) -> PreferenceMemory:
    """Two users who have done everything that changes a preference."""
    for user_id in ("u-安娜", "u-bo"):
        messages = [{"role": "user", "content": s, "occurred_at": datetime(2026, 5, 1, tzinfo=UTC)} for s in STATEMENTS]
        memory.add_messages(user_id, messages, dialog_id="d-1")
        memory.extract(user_id=user_id)
        ids = [
            d.preference.preference_id for d in memory.remember_many(user_id, [{"statement": s} for s in STATEMENTS])
        ]
        memory.remember(user_id, "I hate green tea")
        memory.archive(user_id, ids[1])
        memory.delete(user_id, ids[3])
        memory.update(user_id, ids[2], statement="我对花生过敏")
        memory.restore(user_id, ids[1])
        memory.embed_missing(user_id=user_id)
        memory.deduplicate(user_id=user_id)
    memory.forget_messages("u-bo", [m.message_id for m in memory.list_messages("u-bo").items][:2])
    return memory


def contradictions(memory: PreferenceMemory) -> dict[str, int]:
    with memory.database.transaction(user_id=None) as repositories:
        return {name: count for name, count in count_contradictions(repositories.session).items() if count}


def test_after_every_kind_of_work_all_of_it_agrees(filled: PreferenceMemory) -> None:
    assert contradictions(filled) == {}


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("DELETE FROM prefmem.preference_terms", "preferences without postings"),
        (
            "UPDATE prefmem.preferences SET status = 'archived' WHERE statement LIKE '%北京%'",
            "postings without a current preference",
        ),
        ("DELETE FROM prefmem.message_terms", "messages without postings"),
        (
            "UPDATE prefmem.preference_embeddings SET kind = 'goal', language = 'ja'",
            "vectors that contradict their preference",
        ),
        ("UPDATE prefmem.user_stats SET row_count = row_count + 1", "users whose counts are off"),
        ("DELETE FROM prefmem.user_stats WHERE scope = 'preference'", "users whose counts are off"),
        ("UPDATE prefmem.user_stats SET in_hnsw = true", "users whose vectors are only in part in the index"),
        ("UPDATE prefmem.messages SET content = 'other 其他'", "quotes that are not in their message"),
    ],
)
def test_what_disagrees_is_counted(
    filled: PreferenceMemory, rolled_back: RolledBackDatabase, statement: str, name: str
) -> None:
    rolled_back.connection.exec_driver_sql("RESET ROLE")
    rolled_back.connection.execute(text(statement))
    assert contradictions(filled)[name] > 0


def test_the_sample_is_the_same_every_time_and_holds_nothing_sensitive(filled: PreferenceMemory) -> None:
    filled.remember("u-bo", "I have diabetes")

    def sample() -> list[tuple[str, str, str]]:
        with filled.database.transaction(user_id=None) as repositories:
            return sample_statements(repositories.session, user_ids=["u-bo", "u-安娜", "nobody"], each=3)

    chosen = sample()
    assert [user_id for user_id, _, _ in chosen].count("u-bo") in (2, 3)
    assert "diabetes" not in str(chosen)
    assert sample() == chosen
