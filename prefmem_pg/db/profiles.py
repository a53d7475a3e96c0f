"""The repository of profile entries."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.orm import Session

from prefmem_pg.db.rows import as_json_parameter, as_preference, preference_columns, recordset
from prefmem_pg.domain.preferences import Preference
from prefmem_pg.domain.profile import ProfileEntry

MAX_STYLE_ROWS: Final = 2_000
"""How many of the newest rows a profile is read from: many more than anyone has wishes about answers."""

_COLUMNS: Final = {
    "layer": "text",
    "key": "text",
    "value": "jsonb",
    "confidence": "real",
    "preference_id": "uuid",
    "reason": "text",
    "stated_at": "timestamptz",
}
_UPSERT: Final = f"""
INSERT INTO prefmem.profile_entries AS p (user_id, {", ".join(_COLUMNS)}, updated_at)
SELECT :user_id, {", ".join(f"r.{name}" for name in _COLUMNS)}, :at
FROM {recordset(_COLUMNS)}
ORDER BY r.layer, r.key
ON CONFLICT (user_id, layer, key) DO UPDATE SET
  value = excluded.value, confidence = excluded.confidence, preference_id = excluded.preference_id,
  reason = excluded.reason, stated_at = excluded.stated_at, updated_at = excluded.updated_at
WHERE p.stated_at <= excluded.stated_at
  AND (p.value, p.confidence, p.reason, p.stated_at) IS DISTINCT FROM
    (excluded.value, excluded.confidence, excluded.reason, excluded.stated_at)
RETURNING p.key
"""
_STYLE: Final = f"""
SELECT {preference_columns("p")}
FROM prefmem.preferences p
WHERE p.user_id = :user_id AND p.status IN ('activated', 'resolving') AND p.kind IN ('explicit', 'implicit')
  AND (p.topic IS NULL OR p.topic IN ('communication', 'software', 'other'))
ORDER BY p.valid_from DESC, p.preference_id DESC
LIMIT {MAX_STYLE_ROWS}
"""


class ProfileRepository:
    """Profile entries of users, inside the caller's transaction; it never commits."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def list_entries(self, user_id: str) -> list[ProfileEntry]:
        """Return the entries of all layers, by layer and key."""
        statement = (
            f"SELECT {', '.join(_COLUMNS)} FROM prefmem.profile_entries WHERE user_id = :user_id ORDER BY layer, key"
        )
        return [ProfileEntry(**row) for row in self.session.execute(text(statement), {"user_id": user_id}).mappings()]

    def upsert(self, user_id: str, entries: Sequence[ProfileEntry], *, at: datetime) -> int:
        """Store entries (one a layer and key), except where a newer one stands; return how many changed."""
        if not entries:
            return 0
        rows = [{name: getattr(entry, name) for name in _COLUMNS} for entry in entries]
        values = {"user_id": user_id, "at": at, "rows": as_json_parameter(rows)}
        return len(self.session.scalars(text(_UPSERT), values).all())

    def drop_derived(self, user_id: str, preference_ids: Sequence[UUID]) -> int:
        """Delete the entries that came from these preferences; return how many there were."""
        if not preference_ids:
            return 0
        statement = (
            "DELETE FROM prefmem.profile_entries WHERE user_id = :user_id AND preference_id = ANY(:ids) RETURNING key"
        )
        return len(self.session.scalars(text(statement), {"user_id": user_id, "ids": list(preference_ids)}).all())

    def drop_inferred(self, user_id: str, *, except_keys: Sequence[str]) -> int:
        """Delete inferred entries that came from preferences, with other keys than these; return how many."""
        statement = (
            "DELETE FROM prefmem.profile_entries WHERE user_id = :user_id AND layer = 'inferred'"
            " AND preference_id IS NOT NULL AND key <> ALL(:keys) RETURNING key"
        )
        return len(self.session.scalars(text(statement), {"user_id": user_id, "keys": list(except_keys)}).all())

    def drop(self, user_id: str, key: str, *, layer: str, before: datetime) -> None:
        """Delete one entry, unless it was stated later."""
        statement = (
            "DELETE FROM prefmem.profile_entries"
            " WHERE user_id = :user_id AND layer = :layer AND key = :key AND stated_at <= :before"
        )
        self.session.execute(text(statement), {"user_id": user_id, "layer": layer, "key": key, "before": before})

    def list_style(self, user_id: str) -> list[Preference]:
        """Return the current and waiting preferences that may say how answers should be, newest first."""
        return [as_preference(row) for row in self.session.execute(text(_STYLE), {"user_id": user_id}).mappings()]

    def count_topics(self, user_id: str) -> dict[str, tuple[int, datetime]]:
        """Return how many activated preferences each topic has, and when the last of them became true."""
        statement = (
            "SELECT topic, count(*) AS held, max(valid_from) AS last FROM prefmem.preferences"
            " WHERE user_id = :user_id AND status = 'activated' AND topic IS NOT NULL GROUP BY topic"
        )
        rows = self.session.execute(text(statement), {"user_id": user_id})
        return {row.topic: (row.held, row.last) for row in rows}
