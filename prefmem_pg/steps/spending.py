"""May the next call be made? Pure decisions over budgets and limits, and the tally of one run."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from decimal import Decimal
from functools import wraps
from typing import Final, ParamSpec, TypeVar

from prefmem_pg.db.calls import Load
from prefmem_pg.errors import BudgetExceeded

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderLimits:
    """What one provider may be asked by all processes together; None: no limit."""

    concurrency: int | None = None
    calls_per_minute: int | None = None
    tokens_per_minute: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Budgets:
    """US dollars for a run, for a day of all users, and for a day of each user; None: no budget. Days are of UTC."""

    run_usd: Decimal | None = None
    day_usd: Decimal | None = None
    user_usd: Decimal | None = None

    @property
    def has_any(self) -> bool:
        return any(budget is not None for budget in (self.run_usd, self.day_usd, self.user_usd))


NO_BUDGETS: Final = Budgets()


def must_wait(load: Load, tokens: int, limits: ProviderLimits) -> bool:
    """Say whether a call of so many tokens at most has to wait. One that is over a limit by itself goes alone."""
    if limits.concurrency is not None and load.running >= limits.concurrency:
        return True
    if limits.calls_per_minute is not None and load.calls >= limits.calls_per_minute:
        return True
    return limits.tokens_per_minute is not None and load.tokens > 0 and load.tokens + tokens > limits.tokens_per_minute


def check_budgets(
    budgets: Budgets,
    costs: Sequence[tuple[str | None, Decimal]],
    *,
    run: Decimal,
    day: Decimal,
    users: Mapping[str, Decimal],
) -> None:
    """Raise BudgetExceeded when a call of these costs at most, by user, could exceed what is left of a budget."""
    most = sum((cost for _, cost in costs), Decimal(0))
    _check("the run", "PREFMEM_BUDGET_RUN_USD", budgets.run_usd, run, most)
    _check("the day", "PREFMEM_BUDGET_DAY_USD", budgets.day_usd, day, most)
    for user_id, cost in costs:
        if user_id is not None:
            before = users.get(user_id, Decimal(0))
            _check(f"user {user_id}", "PREFMEM_BUDGET_USER_USD", budgets.user_usd, before, cost, user_id=user_id)


def _check(
    whose: str, setting: str, budget: Decimal | None, before: Decimal, cost: Decimal, *, user_id: str | None = None
) -> None:
    if budget is not None and before + cost > budget:
        raise BudgetExceeded(
            f"the budget of {whose} is {budget:f} dollars ({setting}): {before:f} are spent and the next call may"
            f" cost {cost:f}; nothing was sent, and what was to be done waits",
            user_id=user_id,
        )


@dataclass
class Tally:
    """What one run has spent, calls under way by the most that they may cost."""

    spent: Decimal = Decimal(0)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def add(self, dollars: Decimal) -> None:
        with self.lock:
            self.spent += dollars


_tally: ContextVar[Tally | None] = ContextVar("prefmem_tally", default=None)


def tally() -> Tally:
    """Return the tally of the run that this is part of; a call by itself is a run of its own."""
    return _tally.get() or Tally()


@contextmanager
def joining(run: Tally) -> Iterator[None]:
    """Let the calls made inside count for a run that goes on, such as one that hands out its results one by one."""
    token = _tally.set(run)
    try:
        yield
    finally:
        _tally.reset(token)


@contextmanager
def one_run() -> Iterator[Tally]:
    """Let all calls made inside share one budget; a run within a run is part of it."""
    current = _tally.get()
    if current is not None:
        yield current
        return
    run = Tally()
    with joining(run):
        yield run


def as_one_run(work: Callable[P, R]) -> Callable[P, R]:
    """Let all calls made by one call of a function share one budget."""

    @wraps(work)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        with one_run():
            return work(*args, **kwargs)

    return run
