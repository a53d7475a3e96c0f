"""Retiring in the store: archived with a reason, never deleted, back when said again."""

from datetime import UTC, datetime, timedelta

import pytest

from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.steps.heat import Retirement

LATER = datetime.now(UTC) + timedelta(days=4_000)


def statuses(memory: PreferenceMemory, user_id: str) -> dict[str | None, str]:
    rows = memory.list_preferences(user_id, filter={"status": {"ne": "deleted"}}, page_size=100).items
    return {p.statement: p.status for p in rows}


@pytest.mark.parametrize(
    ("taste", "pinned", "safety"),
    [
        ("I love green tea", "I love chess ♟️", "I'm allergic to peanuts"),
        ("我喜欢喝绿茶", "我喜欢下象棋 ♟️", "我对花生过敏"),
    ],
)
def test_the_cold_is_archived_and_the_pinned_and_the_safe_stay(
    memory: PreferenceMemory, user_id: str, taste: str, pinned: str, safety: str
) -> None:
    cold = memory.remember(user_id, taste).preference
    memory.remember(user_id, pinned, is_pinned=True)
    memory.remember(user_id, safety)
    assert cold is not None

    assert memory.retire(user_id=user_id).cold == 0
    assert memory.retire(user_id=user_id, now=LATER).cold == 1

    assert statuses(memory, user_id) == {taste: "archived", pinned: "activated", safety: "activated"}
    last = memory.history(user_id, cold.preference_id)[-1]
    assert (last.event, last.actor) == ("archive", "retire")
    assert "cold" in last.reason
    assert memory.remember(user_id, taste).action == "duplicate"
    assert statuses(memory, user_id)[taste] == "activated"


def test_running_it_again_changes_nothing(memory: PreferenceMemory, user_id: str) -> None:
    kept = memory.remember(user_id, "I love green tea").preference
    assert kept is not None
    memory.retire(now=LATER)
    before = memory.history(user_id, kept.preference_id)

    report = memory.retire(now=LATER)

    assert (report.users, report.cold, report.expired, report.capacity) == (1, 0, 0, 0)
    assert memory.history(user_id, kept.preference_id) == before


def test_what_has_expired_ends_even_when_it_is_pinned(memory: PreferenceMemory, user_id: str) -> None:
    end = datetime.now(UTC) + timedelta(days=1)
    memory.remember(user_id, "我这周在节食", expires_at=end, is_pinned=True)

    assert memory.retire(user_id=user_id).expired == 0
    assert memory.retire(user_id=user_id, now=end).expired == 1
    assert statuses(memory, user_id) == {"我这周在节食": "archived"}


def test_a_preference_that_is_found_stays_warm(memory: PreferenceMemory, user_id: str) -> None:
    memory.remember(user_id, "I love green tea")
    memory.search(user_id, "tea", now=LATER - timedelta(days=30))

    assert memory.retire(user_id=user_id, now=LATER).cold == 0


def test_of_too_many_the_one_with_the_least_heat_goes(memory: PreferenceMemory, user_id: str) -> None:
    for statement, importance in (("I play chess", 0.9), ("I drink tea", 0.1), ("I read novels", 0.5)):
        memory.remember(user_id, statement, importance=importance)

    assert memory.retire(user_id=user_id, rules=Retirement(capacity=2)).capacity == 1
    assert statuses(memory, user_id)["I drink tea"] == "archived"
