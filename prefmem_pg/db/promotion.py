"""The repository of what the HNSW index holds: the rows of large users."""

from typing import Any, Final, cast

from sqlalchemy import CursorResult, text
from sqlalchemy.orm import Session

_LARGE: Final = """
SELECT user_id
FROM prefmem.user_stats
WHERE scope = 'preference' AND model_id = :model_id AND (CAST(:after AS text) IS NULL OR user_id > :after)
GROUP BY user_id
HAVING sum(row_count) >= :threshold AND NOT bool_or(in_hnsw)
ORDER BY user_id
LIMIT :limit
"""
# Inactive rows too: one that is brought back is then in the index at once.
_ADD_ROWS: Final = """
UPDATE prefmem.preference_embeddings e
SET in_hnsw = true
FROM (
  SELECT preference_id
  FROM prefmem.preference_embeddings
  WHERE user_id = :user_id AND model_id = :model_id AND NOT in_hnsw
  ORDER BY preference_id
  LIMIT :limit
) AS batch
WHERE e.user_id = :user_id AND e.model_id = :model_id AND e.preference_id = batch.preference_id AND NOT e.in_hnsw
"""
# The rows are locked in the order in which all lock them: learning from searches does without the user's lock.
_MARK_USER: Final = """
WITH held AS MATERIALIZED (
  SELECT language
  FROM prefmem.user_stats
  WHERE user_id = :user_id AND scope = 'preference' AND model_id = :model_id
  ORDER BY language FOR NO KEY UPDATE
)
UPDATE prefmem.user_stats s
SET in_hnsw = true
FROM held h
WHERE s.user_id = :user_id AND s.scope = 'preference' AND s.model_id = :model_id AND s.language = h.language
  AND NOT EXISTS (
    SELECT FROM prefmem.preference_embeddings e
    WHERE e.user_id = :user_id AND e.model_id = :model_id AND NOT e.in_hnsw)
"""


class PromotionRepository:
    """Membership of the HNSW index, inside the caller's transaction; it never commits."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def list_large(self, *, model_id: int, threshold: int, after: str | None, limit: int) -> list[str]:
        """Return users with so many preferences that are not searched by the index yet, in order of their ids."""
        values = {"model_id": model_id, "threshold": threshold, "after": after, "limit": limit}
        return list(self.session.scalars(text(_LARGE), values))

    def add_rows(self, user_id: str, *, model_id: int, limit: int) -> int:
        """Put up to ``limit`` of the user's rows into the index; return how many there were to put."""
        values = {"user_id": user_id, "model_id": model_id, "limit": limit}
        return self._run(_ADD_ROWS, values)

    def mark_user(self, user_id: str, *, model_id: int) -> bool:
        """Let searches of the user go by the index, if every row is in it. Under the lock of the user's row."""
        return self._run(_MARK_USER, {"user_id": user_id, "model_id": model_id}) > 0

    def _run(self, statement: str, values: dict[str, Any]) -> int:  # Any: what the driver binds
        return cast(CursorResult[Any], self.session.execute(text(statement), values)).rowcount
