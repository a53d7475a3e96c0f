"""Limits and budgets where several processes call one provider: they hold for all of them together."""

import threading
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from prefmem_pg.db.session import Database
from prefmem_pg.testing import Said
from tests import processes
from tests.providers.batch_world import World
from tests.providers.ledgers import price, total
from tests.providers.reader import read
from tests.providers.test_paid_extraction import talk

EXTRACT = """
import sys
from prefmem_pg.errors import BudgetExceeded
from prefmem_pg.memory import PreferenceMemory
with PreferenceMemory.from_env() as memory:
    memory.stats()
    print("ready", flush=True)
    input()
    try:
        for user in sys.argv[1:]:
            memory.extract(user_id=user)
    except BudgetExceeded:
        print("spent")
"""
USERS = 4
SAID = ("I like tea 🍵.", "我喜欢爬山。", "I like jazz.", "我喜欢围棋 ♟。")


class Gauge:
    """Answers as the reader does, slowly, and keeps how many were answered at once."""

    def __init__(self) -> None:
        self.lock, self.now, self.most = threading.Lock(), 0, 0

    def __call__(self, body: dict[str, Any]) -> Said:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        threading.Event().wait(0.1)
        with self.lock:
            self.now -= 1
        return read(body)


@pytest.fixture
def users(user_id: str) -> list[str]:
    return [f"{user_id}-{number}-用户" for number in range(USERS)]


@pytest.fixture
def gauge() -> Gauge:
    return Gauge()


@pytest.fixture
def here(
    world: Callable[..., World], users: list[str], gauge: Gauge, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> World:
    """Return a world with unread dialogs of several users, whose settings hold for processes, too."""
    made = world(gauge)
    for user in users:
        for place, said in enumerate(SAID):
            talk(made.memory, user, said, dialog_id=f"d-{place}")
    made.hold_for_processes(database_url, monkeypatch)
    return made


def extract_together(users: list[str]) -> list[str]:
    """Let two processes read all users at once, in the same order."""
    return processes.together(EXTRACT, *users)


def test_processes_keep_to_a_limit_together(
    here: World, users: list[str], gauge: Gauge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREFMEM_CLAUDE_CONCURRENCY", "1")
    extract_together(users)
    assert gauge.most == 1
    assert [here.unread(user) for user in users] == [0] * USERS
    assert [len(here.memory.list_preferences(user).items) for user in users] == [len(SAID)] * USERS


def test_processes_do_not_exceed_a_budget_together(
    here: World, users: list[str], database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    price(database, provider="claude", model="claude-test", output_usd=Decimal(5))
    spent = total(database, "coalesce(sum(cost_usd), 0)")
    most = here.memory.estimate_extraction(user_id=users[0]).most_usd
    assert most is not None
    budget = spent + most / len(SAID) * Decimal("1.2")  # each call is counted at its most until it has ended
    monkeypatch.setenv("PREFMEM_BUDGET_DAY_USD", f"{budget:f}")
    assert "spent" in "".join(extract_together(users))
    assert spent < total(database, "sum(cost_usd)") <= budget
    assert sum(here.unread(user) for user in users) > 0


def test_b21_processes_that_read_the_same_dialogs_at_once_ask_for_each_once(
    here: World, users: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    extract_together(users)
    assert len(here.stub.calls) == USERS * len(SAID)
    assert [len(here.memory.list_preferences(user).items) for user in users] == [len(SAID)] * USERS
    assert [here.unread(user) for user in users] == [0] * USERS
