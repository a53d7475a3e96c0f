"""Bringing the counts of one model into step with another's: they are of rows, and hold for any model."""

from datetime import datetime
from typing import Final

from sqlalchemy import text
from sqlalchemy.orm import Session

_DIFFERENT: Final = """
SELECT DISTINCT a.user_id
FROM prefmem.user_stats a
LEFT JOIN prefmem.user_stats n
  ON n.user_id = a.user_id AND n.scope = a.scope AND n.language = a.language AND n.model_id = :new
WHERE a.model_id = :old AND (CAST(:after AS text) IS NULL OR a.user_id > :after)
  AND (a.row_count, a.total_length) IS DISTINCT FROM (coalesce(n.row_count, 0), coalesce(n.total_length, 0))
ORDER BY a.user_id
LIMIT :limit
"""
# In the order in which writers of messages take these locks; without the user's row they would come between.
_LOCK_ROWS: Final = """
SELECT FROM prefmem.user_stats
WHERE user_id = :user_id AND model_id IN (:old, :new)
ORDER BY scope, language, model_id FOR NO KEY UPDATE
"""
_COPY: Final = """
INSERT INTO prefmem.user_stats (user_id, scope, model_id, language, row_count, total_length, updated_at)
SELECT a.user_id, a.scope, :new, a.language, a.row_count, a.total_length, :at
FROM prefmem.user_stats a
WHERE a.user_id = :user_id AND a.model_id = :old
ORDER BY a.scope, a.language
ON CONFLICT (user_id, scope, model_id, language) DO UPDATE SET
  row_count = excluded.row_count, total_length = excluded.total_length, updated_at = excluded.updated_at
"""
_LARGE: Final = """
SELECT DISTINCT a.user_id
FROM prefmem.user_stats a
WHERE a.scope = 'preference' AND a.model_id = :old AND a.in_hnsw AND NOT EXISTS (
  SELECT FROM prefmem.user_stats n
  WHERE n.user_id = a.user_id AND n.scope = 'preference' AND n.model_id = :new AND n.in_hnsw)
ORDER BY a.user_id
"""


class StatsSync:
    """Counts of two models, inside the caller's transaction; it never commits."""

    def __init__(self, session: Session, *, old: int, new: int) -> None:
        self.session = session
        self._models = {"old": old, "new": new}

    def list_different(self, *, after: str | None, limit: int) -> list[str]:
        """Return users whose counts differ, in order of their ids after the given one; as the pipeline."""
        return list(self.session.scalars(text(_DIFFERENT), {**self._models, "after": after, "limit": limit}))

    def copy(self, user_id: str, *, at: datetime) -> None:
        """Give the new model the old one's counts of a user, under the lock of the user's row."""
        self.session.execute(text(_LOCK_ROWS), {**self._models, "user_id": user_id})
        self.session.execute(text(_COPY), {**self._models, "user_id": user_id, "at": at})

    def list_large(self) -> list[str]:
        """Return users whom the old model's index serves and the new one's does not yet; as the pipeline."""
        return list(self.session.scalars(text(_LARGE), self._models))
