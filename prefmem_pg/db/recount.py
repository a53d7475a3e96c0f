"""Counting anew what keyword ranking reads: how many rows a user has in each language, and how long they are."""

from datetime import datetime
from typing import Final

from sqlalchemy import text
from sqlalchemy.orm import Session

# The language of a message stands with its vectors alone; without one it is read from the script, as forgetting does.
_LENGTH: Final = "(SELECT coalesce(sum(cardinality(u.positions)), 0) FROM unnest({row}.search_vector) u)"
_TRUTH: Final = {
    "preference": f"""
SELECT p.language, count(*) AS row_count, sum({_LENGTH.format(row="p")}) AS total_length
FROM prefmem.preferences p
WHERE p.user_id = :user_id AND p.status = 'activated'
GROUP BY p.language
""",
    "message": f"""
SELECT coalesce(
    (SELECT min(e.language) FROM prefmem.message_embeddings e
     WHERE e.user_id = :user_id AND e.message_id = m.message_id),
    CASE WHEN m.content ~ '[\\u4e00-\\u9fff]' THEN 'zh' ELSE 'en' END) AS language,
  count(*) AS row_count, sum({_LENGTH.format(row="m")}) AS total_length
FROM prefmem.messages m
WHERE m.user_id = :user_id
GROUP BY 1
""",
}
_LOCK_ROWS: Final = """
SELECT FROM prefmem.user_stats WHERE user_id = :user_id ORDER BY scope, language, model_id FOR NO KEY UPDATE
"""
_CHANGE: Final = """
WITH truth AS MATERIALIZED ({truth}),
wanted AS MATERIALIZED (
  SELECT k.model_id, t.language, t.row_count, t.total_length
  FROM truth t CROSS JOIN prefmem.embedding_models k
  WHERE k.state <> 'retired'
  UNION ALL
  SELECT s.model_id, s.language, 0, 0
  FROM prefmem.user_stats s
  WHERE s.user_id = :user_id AND s.scope = '{scope}' AND s.language NOT IN (SELECT language FROM truth)
)
INSERT INTO prefmem.user_stats AS s (user_id, scope, model_id, language, row_count, total_length, updated_at)
SELECT :user_id, '{scope}', w.model_id, w.language, w.row_count, w.total_length, :at
FROM wanted w
ORDER BY w.language, w.model_id
ON CONFLICT (user_id, scope, model_id, language) DO UPDATE SET
  row_count = excluded.row_count, total_length = excluded.total_length, updated_at = excluded.updated_at
WHERE (s.row_count, s.total_length) IS DISTINCT FROM (excluded.row_count, excluded.total_length)
RETURNING s.language
"""


def recount_user(session: Session, user_id: str, *, at: datetime) -> int:
    """Set the counts of a user right, under the lock of the user's row; return how many were wrong."""
    session.execute(text(_LOCK_ROWS), {"user_id": user_id})
    changed = 0
    for scope, truth in _TRUTH.items():
        statement = _CHANGE.format(truth=truth.replace(":", "\\:").replace("\\:user_id", ":user_id"), scope=scope)
        changed += len(list(session.scalars(text(statement), {"user_id": user_id, "at": at})))
    return changed
