"""The users' own rows: who is known, who consents, and the lock that orders all writes of a user."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from sqlalchemy import text
from sqlalchemy.orm import Session

_STATE: Final = "SELECT created_at, revision FROM prefmem.users WHERE user_id = :user_id"
_ADD: Final = (
    "INSERT INTO prefmem.users (user_id) VALUES (:user_id) ON CONFLICT (user_id) DO NOTHING"
    " RETURNING created_at, revision"
)


@dataclass(frozen=True, slots=True)
class UserState:
    """Which writes a user's row has seen. One who was erased and came back is known by another ``created_at``.

    ``is_new``: this transaction made the row, so that there is nothing of the user yet.
    """

    created_at: datetime
    revision: int
    is_new: bool = False


class UserRows:
    """Users, inside the caller's transaction: what PreferenceRepository knows of them."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def user_is_known(self, user_id: str) -> bool:
        statement = "SELECT EXISTS (SELECT FROM prefmem.users WHERE user_id = :user_id)"
        return bool(self.session.scalar(text(statement), {"user_id": user_id}))

    def may_use_sensitive(self, user_id: str) -> bool:
        """Return the user's consent that sensitive preferences are recalled; no for an unknown user."""
        statement = "SELECT may_use_sensitive FROM prefmem.users WHERE user_id = :user_id"
        return bool(self.session.scalar(text(statement), {"user_id": user_id}))

    def set_consent(self, user_id: str, *, sensitive: bool) -> None:
        self.lock_user(user_id)
        statement = "UPDATE prefmem.users SET may_use_sensitive = :sensitive WHERE user_id = :user_id"
        self.session.execute(text(statement), {"user_id": user_id, "sensitive": sensitive})

    def read_state(self, user_id: str) -> UserState | None:
        """Return the state of the user's row, None for a user who is not known yet."""
        return self._state(_STATE, user_id)

    def hold_users(self, user_ids: Sequence[str]) -> list[str]:
        """Keep users from being erased until the end of the transaction; return those who are known, in order.

        For writers that need not come one after another. Before any other lock: an erasure takes the user's first too.
        """
        statement = "SELECT user_id FROM prefmem.users WHERE user_id = ANY(:ids) ORDER BY user_id FOR KEY SHARE"
        return list(self.session.scalars(text(statement), {"ids": sorted(user_ids)}))

    def hold_user(self, user_id: str) -> datetime | None:
        """Keep a user from being erased until the end of the transaction; return since when they are known, or None."""
        statement = "SELECT created_at FROM prefmem.users WHERE user_id = :user_id FOR KEY SHARE"
        since: datetime | None = self.session.scalar(text(statement), {"user_id": user_id})
        return since

    def lock_known_user(self, user_id: str) -> UserState | None:
        """Lock the user's row until the end of the transaction; None when there is none: never seen, or erased."""
        return self._state(f"{_STATE} FOR NO KEY UPDATE", user_id)

    def lock_user(self, user_id: str) -> UserState:
        """Lock the user's row until the end of the transaction, making it when missing.

        Whoever writes a user's preferences holds this lock, so that writers of one user come one after another. Who
        writes what was read in an earlier transaction takes ``lock_known_user``, which brings nobody back.
        """
        state = self.lock_known_user(user_id)
        while state is None:
            if (made := self._state(_ADD, user_id)) is not None:
                return replace(made, is_new=True)  # nobody else sees it yet: as good as a lock
            state = self.lock_known_user(user_id)
        return state

    def raise_revision(self, user_id: str) -> None:
        statement = "UPDATE prefmem.users SET revision = revision + 1 WHERE user_id = :user_id"
        self.session.execute(text(statement), {"user_id": user_id})

    def _state(self, statement: str, user_id: str) -> UserState | None:
        row = self.session.execute(text(statement), {"user_id": user_id}).one_or_none()
        return None if row is None else UserState(created_at=row.created_at, revision=row.revision)
