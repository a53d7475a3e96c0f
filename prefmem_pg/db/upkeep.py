"""The repository of upkeep: what waits for review, who has preferences, and what is cold."""

from sqlalchemy import text
from sqlalchemy.orm import Session

from prefmem_pg.db.rows import as_preference, preference_columns
from prefmem_pg.domain.preferences import Preference

_REVIEW = f"""
SELECT {preference_columns("p")}
FROM prefmem.preferences p
WHERE p.status = 'resolving' AND (CAST(:user_id AS text) IS NULL OR p.user_id = :user_id)
ORDER BY p.created_at, p.user_id, p.preference_id
LIMIT :limit
"""


class UpkeepRepository:
    """What scheduled jobs read, inside the caller's transaction; it never commits."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def list_review(self, *, user_id: str | None, limit: int) -> list[Preference]:
        """Return preferences that wait for a person, oldest first, of one user or of all."""
        rows = self.session.execute(text(_REVIEW), {"user_id": user_id, "limit": limit})
        return [as_preference(row) for row in rows.mappings()]
