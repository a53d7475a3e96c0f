"""Expired, cold and surplus preferences -> archived ones, user by user; sessions that have ended go."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from prefmem_pg.db.session import Database
from prefmem_pg.domain.reports import RetireReport
from prefmem_pg.steps.decide import Decider
from prefmem_pg.steps.edit import moved
from prefmem_pg.steps.heat import Ending, Retirement, Sign, choose_endings
from prefmem_pg.steps.plan import Plan
from prefmem_pg.steps.write import write_plan

USERS_A_PAGE: Final = 500
ROWS_A_TRANSACTION: Final = 500
"""Rows archived while a user's lock is held."""


def retire(
    decider: Decider,
    rules: Retirement,
    *,
    user_id: str | None,
    now: datetime,
    on_user: Callable[[RetireReport], None] | None = None,
) -> RetireReport:
    """Archive what has expired, is cold, or is too much; return the counts. Running it again changes nothing."""
    with decider.database.transaction(user_id=user_id) as repositories:
        total = RetireReport(sessions=repositories.sessions.purge(user_id=user_id, now=now))
    for user in list_users(decider.database, user_id):
        with decider.database.transaction(user_id=user) as repositories:
            signs = [Sign(**row) for row in repositories.upkeep.list_signs(user)]

        endings = choose_endings(signs, rules, now=now)

        done: Counter[str] = Counter()
        for first in range(0, len(endings), ROWS_A_TRANSACTION):
            done += _end(decider, user, endings[first : first + ROWS_A_TRANSACTION])
        report = RetireReport(users=1, expired=done["expired"], cold=done["cold"], capacity=done["capacity"])
        total = total.plus(report)
        if on_user is not None:
            on_user(report)
    return total


def list_users(database: Database, user_id: str | None, *, with_preferences: bool = True) -> Iterator[str]:
    """Yield the one user, or all (who have preferences), in order of their ids."""
    if user_id is not None:
        yield user_id
        return
    after: str | None = None
    while True:
        with database.transaction(user_id=None) as repositories:
            users = repositories.upkeep.list_users(after=after, limit=USERS_A_PAGE, with_preferences=with_preferences)
        yield from users
        if len(users) < USERS_A_PAGE:
            return
        after = users[-1]


def _end(decider: Decider, user_id: str, endings: Sequence[Ending]) -> Counter[str]:
    by_id = {ending.sign.preference_id: ending for ending in endings}
    done: Counter[str] = Counter()
    with decider.database.transaction(user_id=user_id) as repositories:
        if repositories.preferences.lock_known_user(user_id) is None:
            return done  # erased meanwhile
        plan = Plan(user_id=user_id, actor="retire", run_id=None, now=datetime.now(UTC))
        for row in repositories.preferences.list_by_ids(user_id, list(by_id)):
            ending = by_id[row.preference_id]
            # Whatever has touched it since the reading was a sign of life.
            if row.version == ending.sign.version and row.status == ending.sign.status:
                plan.change(row, moved(row, "archive", now=plan.now), "archive", ending.reason, {})
                done[ending.cause] += 1
        write_plan(repositories, plan, bank=decider.bank, model_id=decider.model_id)
    decider.keep_up(plan)
    return done
