"""Users -> their counts, taken anew, a transaction each."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from prefmem_pg.db.recount import recount_user
from prefmem_pg.db.session import Database

USERS_A_PAGE: Final = 500


def recount(database: Database, *, user_id: str | None = None, on_user: Callable[[int], None] | None = None) -> int:
    """Set the counts of one user or of all right; return how many were wrong."""
    wrong = 0
    after: str | None = None
    while True:
        if user_id is not None:
            users = [user_id]
        else:
            with database.transaction(user_id=None) as repositories:
                users = repositories.upkeep.list_users(after=after, limit=USERS_A_PAGE, with_preferences=False)
        for user in users:
            with database.transaction(user_id=user) as repositories:
                if repositories.preferences.lock_known_user(user) is not None:
                    wrong += recount_user(repositories.session, user, at=datetime.now(UTC))
            if on_user is not None:
                on_user(wrong)
        if user_id is not None or len(users) < USERS_A_PAGE:
            return wrong
        after = users[-1]
