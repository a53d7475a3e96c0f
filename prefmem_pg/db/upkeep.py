"""The repository of upkeep: what waits for review, who has preferences, and what is cold."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.orm import Session

from prefmem_pg.db.rows import as_preference, preference_columns
from prefmem_pg.domain.preferences import Preference

_REVIEW: Final = f"""
SELECT {preference_columns("p")}
FROM prefmem.preferences p
WHERE p.status = 'resolving' AND (CAST(:user_id AS text) IS NULL OR p.user_id = :user_id)
ORDER BY p.created_at, p.user_id, p.preference_id
LIMIT :limit
"""
_SUPPORTED: Final = f"""
SELECT e.message_id, e.end_offset, {preference_columns("p")}
FROM prefmem.preference_evidence e
JOIN prefmem.preferences p ON p.user_id = e.user_id AND p.preference_id = e.preference_id
WHERE e.user_id = :user_id AND e.message_id = ANY(:ids) AND p.status = 'activated'
ORDER BY e.message_id, e.start_offset, e.preference_id
"""


class UpkeepRepository:
    """What scheduled jobs read, inside the caller's transaction; it never commits."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def list_review(self, *, user_id: str | None, limit: int) -> list[Preference]:
        """Return preferences that wait for a person, oldest first, of one user or of all."""
        rows = self.session.execute(text(_REVIEW), {"user_id": user_id, "limit": limit})
        return [as_preference(row) for row in rows.mappings()]

    def list_supported(self, user_id: str, message_ids: Sequence[UUID]) -> list[tuple[Preference, UUID, int]]:
        """Return (preference, message, end of the evidence) of activated preferences that were said in the messages."""
        if not message_ids:
            return []
        rows = self.session.execute(text(_SUPPORTED), {"user_id": user_id, "ids": list(message_ids)})
        return [(as_preference(row), row["message_id"], row["end_offset"]) for row in rows.mappings()]
