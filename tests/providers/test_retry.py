"""Trying again: how often, how long, and never twice over."""

from datetime import UTC, datetime, timedelta

import pytest

from prefmem_pg.errors import (
    BudgetExceeded,
    ConfigurationError,
    InvalidAnswer,
    ProviderError,
    ProviderRefused,
    ProviderUnavailable,
)
from prefmem_pg.providers.retry import RetryPolicy, parse_retry_after, with_retries
from prefmem_pg.providers.serving import AWAITED_SECONDS, serving


class Tries:
    """A call that fails as told, on a clock that only its waits move."""

    def __init__(self, *failures: ProviderError, seconds_each: float = 0.0) -> None:
        self.failures = list(failures)
        self.count = 0
        self.waits: list[float] = []
        self.now = 0.0
        self.seconds_each = seconds_each

    def attempt(self) -> str:
        self.count += 1
        self.now += self.seconds_each
        if self.failures:
            raise self.failures.pop(0)
        return "好的 👌"

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    def run(self, policy: RetryPolicy, *, also: tuple[type[ProviderError], ...] = ()) -> str:
        return with_retries(self.attempt, policy, also=also, sleep=self.wait, clock=lambda: self.now, draw=lambda: 1.0)


def down(retry_after: float | None = None) -> ProviderUnavailable:
    return ProviderUnavailable("overloaded", retry_after_seconds=retry_after)


def test_waits_double_up_to_the_longest() -> None:
    tries = Tries(*[down()] * 6)
    assert tries.run(RetryPolicy(retries=6, first_wait_seconds=1, longest_wait_seconds=5)) == "好的 👌"
    assert tries.waits == [1, 2, 4, 5, 5, 5]


def test_b45_what_the_provider_asks_for_is_waited_for() -> None:
    tries = Tries(down(2), down(2))
    tries.run(RetryPolicy())
    assert len(tries.waits) == 2
    assert min(tries.waits) >= 2


def test_b45_an_overload_without_end_stays_retryable() -> None:
    tries = Tries(*[down()] * 99)
    with pytest.raises(ProviderUnavailable) as caught:
        tries.run(RetryPolicy(retries=3))
    assert caught.value.retryable
    assert tries.count == 4


def test_a_provider_that_asks_for_an_hour_is_not_waited_for_that_long() -> None:
    tries = Tries(down(3_600))
    tries.run(RetryPolicy(longest_wait_seconds=20))
    assert tries.waits == [20]


def test_no_try_begins_after_the_budget_of_time() -> None:
    tries = Tries(*[down(20)] * 99, seconds_each=15)
    with pytest.raises(ProviderUnavailable):
        tries.run(RetryPolicy(retries=50, budget_seconds=60))
    assert tries.count == 2


def test_what_somebody_waits_for_is_tried_for_seconds_only() -> None:
    tries = Tries(*[down(4)] * 99)
    with serving("ana", is_awaited=True), pytest.raises(ProviderUnavailable):
        tries.run(RetryPolicy(retries=50))
    assert tries.now <= AWAITED_SECONDS
    assert tries.count == 3


def test_b43_no_retries_means_exactly_one_call() -> None:
    tries = Tries(*[down()] * 9)
    with pytest.raises(ProviderUnavailable):
        tries.run(RetryPolicy(retries=0))
    assert (tries.count, tries.waits) == (1, [])


def test_b43_retries_within_retries_do_not_multiply() -> None:
    tries = Tries(*[down()] * 99)
    outer = Tries()
    with pytest.raises(ProviderUnavailable):
        with_retries(
            lambda: tries.run(RetryPolicy(retries=9)),
            RetryPolicy(retries=2),
            sleep=outer.wait,
            clock=lambda: outer.now,
        )
    assert tries.count == 3


def test_b43_answers_of_no_use_count_against_the_same_budget() -> None:
    tries = Tries(InvalidAnswer("no JSON"), down(), InvalidAnswer("no JSON"), down(), down())
    with pytest.raises(ProviderUnavailable):
        tries.run(RetryPolicy(retries=3), also=(InvalidAnswer,))
    assert tries.count == 4


@pytest.mark.parametrize("error", [ProviderRefused("no"), InvalidAnswer("cut"), BudgetExceeded("spent")])
def test_what_would_fail_again_is_not_tried_again(error: ProviderError) -> None:
    tries = Tries(error)
    with pytest.raises(type(error)):
        tries.run(RetryPolicy())
    assert tries.count == 1


def test_a_failed_call_leaves_the_next_one_its_tries() -> None:
    first, second = Tries(*[down()] * 9), Tries(down())
    with pytest.raises(ProviderUnavailable):
        first.run(RetryPolicy(retries=1))
    assert second.run(RetryPolicy(retries=1)) == "好的 👌"


def test_processes_that_failed_together_do_not_come_back_together() -> None:
    policy = RetryPolicy(first_wait_seconds=4)
    assert [policy.wait_seconds(1, None, draw) for draw in (0.0, 0.5, 1.0)] == [2, 3, 4]


def test_a_policy_below_zero_is_refused() -> None:
    with pytest.raises(ConfigurationError):
        RetryPolicy(retries=-1)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("2", 2), ("0.5", 0.5), ("Wed, 21 Oct 2020 07:28:00 GMT", 0), ("Wed, soon", None),
     ("Wed, 21 Oct 2026 07:28:00 -99999999999999999", None), ("-3", None), ("", None),
     (None, None), ("nan", None), ("inf", None)],
)  # fmt: skip
def test_the_header_of_a_wait_is_read_or_ignored(header: str | None, seconds: float | None) -> None:
    assert parse_retry_after(header) == seconds


@pytest.mark.parametrize("zone", ["GMT", "-0000", "+0800"])
def test_the_header_of_a_wait_may_be_a_date(zone: str) -> None:
    hours = 8 if zone == "+0800" else 0
    at = datetime.now(UTC) + timedelta(hours=hours, seconds=4_000)
    seconds = parse_retry_after(f"{at:%a, %d %b %Y %H:%M:%S} {zone}")

    assert seconds is not None
    assert 2_000 < seconds <= 4_000
