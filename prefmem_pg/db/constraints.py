"""What constrains a user's plans: facts and statements that may have to be raised unasked."""

from datetime import datetime
from typing import Final

from sqlalchemy import text
from sqlalchemy.orm import Session

from prefmem_pg.db.rows import as_preference, preference_columns
from prefmem_pg.domain.preferences import Preference

MOST_CONSTRAINTS: Final = 500
"""How many of the newest such statements are looked at: a person has some dozens."""

# What a user likes constrains nothing; consent counts as in every search.
_CONSTRAINTS: Final = f"""
SELECT {preference_columns("p")}
FROM prefmem.preferences p
WHERE p.user_id = :user_id AND p.status = 'activated' AND p.statement IS NOT NULL
  AND (p.is_safety OR p.kind = 'fact' OR p.kind = 'explicit' AND (
    p.polarity <> 'positive' OR p.topic IN ('food', 'drink', 'health', 'travel', 'pets', 'home', 'style', 'sport')))
  AND (p.valid_to IS NULL OR p.valid_to > :now) AND (p.expires_at IS NULL OR p.expires_at > :now)
  AND (p.sensitivity = 'none' OR p.is_safety
    OR (SELECT u.may_use_sensitive FROM prefmem.users u WHERE u.user_id = :user_id))
ORDER BY p.is_safety DESC, p.valid_from DESC, p.preference_id
LIMIT :limit
"""


class ConstraintRepository:
    """Constraints of users, inside the caller's transaction; it never commits."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def list_current(self, user_id: str, *, now: datetime) -> list[Preference]:
        """Return what may constrain the user now, safety first, then the newest; with consent as in a search."""
        values = {"user_id": user_id, "now": now, "limit": MOST_CONSTRAINTS}
        return [as_preference(row) for row in self.session.execute(text(_CONSTRAINTS), values).mappings()]
