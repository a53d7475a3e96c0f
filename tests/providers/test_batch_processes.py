"""Batches where processes meet, or die: handed in once, and collected by one at a time."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from prefmem_pg.testing import Reply
from tests import processes
from tests.providers.batch_world import World
from tests.providers.test_paid_extraction import talk

CALL = """
import sys
from prefmem_pg.memory import PreferenceMemory
with PreferenceMemory.from_env() as memory:
    print(getattr(memory, sys.argv[1])())
"""


@pytest.fixture
def here(world: Callable[..., World], database_url: str, monkeypatch: pytest.MonkeyPatch) -> World:
    """Return a world whose settings hold for processes that are started, too."""
    made = world()
    made.hold_for_processes(database_url, monkeypatch)
    return made


class Held:
    """Takes a request of a path, and answers it only when it is let go."""

    def __init__(self, here: World, end: str) -> None:
        self.arrived, self.may_go = threading.Event(), threading.Event()
        self._answer, self._end = here.stub.answer, end
        here.stub.answer = self

    def __call__(self, received: Any) -> Reply:
        reply = self._answer(received)
        if received.path.endswith(self._end):
            self.arrived.set()
            self.may_go.wait(120)
        return reply


def test_a_process_that_is_killed_while_it_hands_a_batch_in_pays_once(here: World, user_id: str) -> None:
    talk(here.memory, user_id, "I like tea 🍵.", "我喜欢爬山。")
    held = Held(here, "/batches")
    killed = processes.start(CALL, "submit_batches")
    assert held.arrived.wait(120)
    killed.kill()
    killed.communicate()
    held.may_go.set()
    for batch in here.stub.batches.values():
        batch["ended_at"] = batch["created_at"]

    assert here.submit(user_id).items == 0
    assert here.collect().added == 2
    assert here.created() == 1


def test_a_second_collector_does_nothing_and_says_so(here: World, user_id: str) -> None:
    talk(here.memory, user_id, "I like tea 🍵.", "我喜欢爬山。")
    here.submit(user_id)
    held = Held(here, "/results")
    first = processes.start(CALL, "collect_batches")
    assert held.arrived.wait(120)
    second = here.memory.collect_batches()
    held.may_go.set()
    output, errors = first.communicate(timeout=120)

    assert (second.skipped, second.dialogs) == (1, 0)
    assert "another process" in second.errors["batches"]
    assert "added=2" in output, errors
    assert here.memory.collect_batches().skipped == 0


def test_processes_that_hand_in_the_same_messages_at_once_send_them_once(here: World, user_id: str) -> None:
    talk(here.memory, user_id, "I like tea 🍵.", "我喜欢爬山。")
    running = [processes.start(CALL, "submit_batches") for _ in range(2)]
    outputs = [process.communicate(timeout=120) for process in running]
    assert sorted("items=1" in output for output, _ in outputs) == [False, True], outputs
    assert here.created() == 1
    assert here.collect().added == 2
