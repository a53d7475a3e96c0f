"""Large users -> the HNSW index, in batches, and told to searches only when all of their rows are in."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from prefmem_pg.db.promotion import PromotionRepository
from prefmem_pg.db.session import Database

BATCH_ROWS: Final = 500
"""Rows a transaction: into the index go some hundred a second, and nobody should wait longer for one of them."""
BATCH_USERS: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionReport:
    """How many users are now searched by the index, and how many of their rows went into it."""

    users: int = 0
    rows: int = 0


def promote_large_users(
    database: Database, *, model_id: int, threshold: int, on_batch: Callable[[int], None] | None = None
) -> PromotionReport:
    """Bring users with at least ``threshold`` preferences into the index. Resumable; again, it changes nothing.

    Searches of a user compare all rows until the last one is in: the index would answer from those that are.
    """
    users = rows = 0
    after: str | None = None
    while True:
        with database.transaction(user_id=None) as repositories:
            waiting = PromotionRepository(repositories.session).list_large(
                model_id=model_id, threshold=threshold, after=after, limit=BATCH_USERS
            )
        if not waiting:
            return PromotionReport(users=users, rows=rows)
        after = waiting[-1]
        for user_id in waiting:
            moved, is_in = promote_user(database, user_id, model_id=model_id, on_batch=on_batch)
            users, rows = users + is_in, rows + moved


def promote_user(
    database: Database, user_id: str, *, model_id: int, on_batch: Callable[[int], None] | None = None
) -> tuple[int, bool]:
    """Bring one user in; return how many rows went in, and whether the user is: not one who was erased on the way."""
    rows = 0
    while True:
        with database.transaction(user_id=user_id) as repositories:
            promotion = PromotionRepository(repositories.session)
            moved = promotion.add_rows(user_id, model_id=model_id, limit=BATCH_ROWS)
        rows += moved
        if moved:
            if on_batch is not None:
                on_batch(moved)
            continue
        # Writers hold the same lock: a row that was added meanwhile is seen here, and a later one sees the flag.
        with database.transaction(user_id=user_id) as repositories:
            if repositories.preferences.lock_known_user(user_id) is None:
                return rows, False
            if PromotionRepository(repositories.session).mark_user(user_id, model_id=model_id):
                return rows, True
