"""Counts over all users; for a pipeline's transaction, which sees them."""

from typing import Final

from sqlalchemy import text
from sqlalchemy.orm import Session

_MISSING_VECTORS: Final = """
WITH active AS (SELECT model_id FROM prefmem.embedding_models WHERE state = 'active')
SELECT
  (SELECT count(*) FROM prefmem.preferences p CROSS JOIN active a
   WHERE p.status <> 'deleted' AND NOT EXISTS (
     SELECT FROM prefmem.preference_embeddings e
     WHERE e.user_id = p.user_id AND e.preference_id = p.preference_id AND e.model_id = a.model_id)) AS preferences,
  (SELECT count(*) FROM prefmem.messages m CROSS JOIN active a
   WHERE m.role IN ('user', 'assistant', 'other') AND NOT EXISTS (
     SELECT FROM prefmem.message_embeddings e
     WHERE e.user_id = m.user_id AND e.message_id = m.message_id AND e.model_id = a.model_id)) AS messages
"""
_USERS_WITH_MOST: Final = """
SELECT user_id, count(*) AS count
FROM prefmem.preferences
WHERE status = 'activated'
GROUP BY user_id
ORDER BY count(*) DESC, user_id
LIMIT :limit
"""


def count_missing_vectors(session: Session) -> dict[str, int]:
    """Return how many preferences and messages have no vector of the active model yet."""
    row = session.execute(text(_MISSING_VECTORS)).one()
    return {"preferences": row.preferences, "messages": row.messages}


def list_users_with_most(session: Session, *, limit: int) -> list[tuple[str, int]]:
    """Return (user_id, activated preferences) of those who have the most, the most first."""
    return [(user_id, count) for user_id, count in session.execute(text(_USERS_WITH_MOST), {"limit": limit})]
