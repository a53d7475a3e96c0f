"""What the store believed at a time, in Python and in SQL."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from prefmem_pg.domain.preferences import Preference
from prefmem_pg.errors import InvalidInput
from prefmem_pg.memory import PreferenceMemory


def remembered(memory: PreferenceMemory, user_id: str, statement: str, **fields: object) -> Preference:
    preference = memory.remember(user_id, statement, **fields).preference
    assert preference is not None
    return preference


def test_as_of_answers_what_was_believed_then(memory: PreferenceMemory, user_id: str) -> None:
    before = datetime.now(UTC)
    stored = remembered(memory, user_id, "I love tea", entities=["Assam"], metadata={"茶": 1})
    middle = datetime.now(UTC)
    memory.update(user_id, stored.preference_id, statement="我爱喝咖啡 ☕")
    memory.archive(user_id, stored.preference_id)

    assert memory.as_of(user_id, before) == []
    assert memory.as_of(user_id, middle) == [stored]
    assert memory.as_of(user_id, datetime.now(UTC)) == []
    assert memory.as_of("u-nobody", middle) == []
    with pytest.raises(InvalidInput):
        memory.as_of(user_id, datetime(2026, 1, 1))  # noqa: DTZ001 - it must be refused


def test_the_sql_function_gives_analysts_the_same_answer(memory: PreferenceMemory, user_id: str) -> None:
    remembered(memory, user_id, "I love tea 🍵", tags=["drink", "饮料"], metadata={"a": {"b": [1, None]}})
    stored = remembered(memory, user_id, "我喜欢下象棋")
    memory.archive(user_id, stored.preference_id)
    at = datetime.now(UTC)
    query = text("SELECT p.preference_id, p.statement, p.tags FROM prefmem.preferences_as_of(:user_id, :at) p")

    with memory.database.transaction(user_id=None) as repositories:
        repositories.session.execute(text("SET LOCAL ROLE prefmem_analyst_text"))
        rows = [tuple(row) for row in repositories.session.execute(query, {"user_id": user_id, "at": at})]
    with memory.database.transaction(user_id=None) as repositories:
        may_ask = repositories.session.scalar(
            text("SELECT has_function_privilege('prefmem_analyst', CAST(:name AS regprocedure), 'EXECUTE')"),
            {"name": "prefmem.preferences_as_of(text, timestamptz)"},
        )

    assert not may_ask
    assert rows == [(p.preference_id, p.statement, list(p.tags)) for p in memory.as_of(user_id, at)]
    assert len(rows) == 1


def test_as_of_leaves_out_what_had_expired_by_then(memory: PreferenceMemory, user_id: str) -> None:
    end = datetime.now(UTC) + timedelta(days=1)
    remembered(memory, user_id, "I am on a diet", expires_at=end)

    assert len(memory.as_of(user_id, end - timedelta(hours=1))) == 1
    assert memory.as_of(user_id, end) == []
