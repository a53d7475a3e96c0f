"""A short transaction that lost to another is done again, and nothing else is."""

import pytest

from prefmem_pg.errors import Conflict, PrefmemError, StoreUnavailable
from prefmem_pg.steps import again as module
from prefmem_pg.steps.again import TRIES, again


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSE_SECONDS", 0)


class Failing:
    """Fails so many times, then answers with how often it was called."""

    def __init__(self, times: int, error: PrefmemError) -> None:
        self.times, self.error, self.calls = times, error, 0

    def __call__(self) -> int:
        self.calls += 1
        if self.calls <= self.times:
            raise self.error
        return self.calls


def test_a_deadlock_is_tried_again() -> None:
    assert again(Failing(TRIES - 1, StoreUnavailable("deadlock detected"))) == TRIES


def test_the_last_deadlock_is_raised() -> None:
    act = Failing(TRIES, StoreUnavailable("deadlock detected"))

    with pytest.raises(StoreUnavailable, match="deadlock"):
        again(act)
    assert act.calls == TRIES


def test_what_will_not_get_better_is_raised_at_once() -> None:
    act = Failing(1, Conflict("somebody else is at it"))

    with pytest.raises(Conflict):
        again(act)
    assert act.calls == 1
