"""Trying again: the one place where a call to a provider is repeated, within a budget of tries and of time."""

import random
import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final, TypeVar

from prefmem_pg.errors import ConfigurationError, ProviderError, ProviderUnavailable
from prefmem_pg.providers.serving import served

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often and for how long a call is tried again. ``retries=0`` makes exactly one call.

    Waits double from ``first_wait_seconds`` to ``longest_wait_seconds``, each drawn between half and all of it, so
    that processes that failed together do not come back together. A provider's ``retry-after`` is waited for, but no
    longer than ``longest_wait_seconds``. No try begins later than ``budget_seconds`` after the first.
    """

    retries: int = 3
    first_wait_seconds: float = 0.5
    longest_wait_seconds: float = 20.0
    budget_seconds: float = 120.0

    def __post_init__(self) -> None:
        if self.retries < 0 or min(self.first_wait_seconds, self.longest_wait_seconds, self.budget_seconds) < 0:
            raise ConfigurationError("retries, waits and budgets must not be negative")

    def wait_seconds(self, tries: int, retry_after_seconds: float | None, fraction: float) -> float:
        """Return how long to wait after so many failed tries; ``fraction`` in 0..1 is the draw."""
        doubled = min(self.first_wait_seconds * 2.0 ** min(tries - 1, 30), self.longest_wait_seconds)
        drawn = doubled * (0.5 + fraction / 2)
        asked = min(retry_after_seconds or 0.0, self.longest_wait_seconds)
        return max(drawn, asked)


NEVER: Final = RetryPolicy(retries=0)

_is_trying: ContextVar[bool] = ContextVar("prefmem_is_trying", default=False)


def with_retries(
    attempt: Callable[[], T],
    policy: RetryPolicy,
    *,
    also: tuple[type[ProviderError], ...] = (),
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
    draw: Callable[[], float] = random.random,
) -> T:
    """Return what ``attempt`` gives, trying again when the provider is unavailable; raises its last error.

    ``also`` are further errors that a second try may mend, such as InvalidAnswer from a model that is not always the
    same; they count against the same budget, which is smaller when somebody waits for the answer. Inside another
    ``with_retries`` it makes one try only: tries that nest would multiply.
    """
    if _is_trying.get():
        return attempt()
    token = _is_trying.set(True)
    try:
        started, budget = clock(), min(policy.budget_seconds, served().patience_seconds)
        mended: tuple[type[ProviderError], ...] = (ProviderUnavailable, *also)
        for tries in range(1, policy.retries + 2):
            try:
                return attempt()
            except mended as exc:
                asked = exc.retry_after_seconds if isinstance(exc, ProviderUnavailable) else None
                wait = policy.wait_seconds(tries, asked, draw())
                if tries > policy.retries or clock() - started + wait > budget:
                    raise
            sleep(wait)
        raise AssertionError("the last try returns or raises")
    finally:
        _is_trying.reset(token)


def parse_retry_after(value: str | None) -> float | None:
    """Return the seconds from now of a ``retry-after`` header, a number or a date; None for none, or nonsense."""
    try:
        seconds = float(value) if value else -1.0
    except ValueError:
        seconds = _seconds_until(str(value))
    return seconds if 0 <= seconds < 1e9 else None


def _seconds_until(date: str) -> float:
    try:
        at = parsedate_to_datetime(date)
    except (ValueError, OverflowError):
        return -1.0
    return max((at.replace(tzinfo=at.tzinfo or UTC) - datetime.now(UTC)).total_seconds(), 0.0)
