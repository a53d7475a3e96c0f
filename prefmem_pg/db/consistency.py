"""Whether what is kept twice agrees: postings, vectors and counts with the rows that they were made from."""

from typing import Final

from sqlalchemy import text
from sqlalchemy.orm import Session

# Each counts rows that should not be there. Lexemes over 255 bytes have no posting; some texts have no lexeme at all.
_CHECKS: Final = {
    "preferences without postings": """
SELECT count(*) FROM prefmem.preferences p
WHERE p.status = 'activated'
  AND EXISTS (SELECT FROM unnest(p.search_vector) u WHERE octet_length(u.lexeme) <= 255)
  AND NOT EXISTS (
    SELECT FROM prefmem.preference_terms t
    WHERE t.user_id = p.user_id AND t.preference_id = p.preference_id
      AND t.lexeme = ANY(tsvector_to_array(p.search_vector)))
""",
    "postings without a current preference": """
SELECT count(*) FROM (SELECT DISTINCT user_id, preference_id FROM prefmem.preference_terms) t
WHERE NOT EXISTS (
  SELECT FROM prefmem.preferences p
  WHERE p.user_id = t.user_id AND p.preference_id = t.preference_id AND p.status = 'activated')
""",
    "messages without postings": """
SELECT count(*) FROM prefmem.messages m
WHERE EXISTS (SELECT FROM unnest(m.search_vector) u WHERE octet_length(u.lexeme) <= 255)
  AND NOT EXISTS (
    SELECT FROM prefmem.message_terms t
    WHERE t.user_id = m.user_id AND t.message_id = m.message_id
      AND t.lexeme = ANY(tsvector_to_array(m.search_vector)))
""",
    "vectors that contradict their preference": """
SELECT count(*) FROM prefmem.preference_embeddings e
JOIN prefmem.preferences p ON p.user_id = e.user_id AND p.preference_id = e.preference_id
WHERE (e.is_active, e.kind, e.language, e.needs_consent) IS DISTINCT FROM
  (p.status = 'activated', p.kind, p.language, p.sensitivity <> 'none' AND NOT p.is_safety)
""",
    "users whose counts are off": """
SELECT count(*)
FROM (
  SELECT user_id, count(*) AS amount FROM prefmem.preferences WHERE status = 'activated' GROUP BY user_id
) p
FULL JOIN (
  SELECT s.user_id, sum(s.row_count) AS amount
  FROM prefmem.user_stats s
  JOIN prefmem.embedding_models m ON m.model_id = s.model_id AND m.state = 'active'
  WHERE s.scope = 'preference'
  GROUP BY s.user_id
) s ON s.user_id = p.user_id
WHERE coalesce(p.amount, 0) <> coalesce(s.amount, 0)
""",
    "users whose vectors are only in part in the index": """
SELECT count(DISTINCT s.user_id)
FROM prefmem.user_stats s
JOIN prefmem.preference_embeddings e ON e.user_id = s.user_id AND e.model_id = s.model_id AND NOT e.in_hnsw
WHERE s.scope = 'preference' AND s.in_hnsw
""",
    "quotes that are not in their message": """
SELECT count(*) FROM prefmem.preference_evidence e
JOIN prefmem.messages m ON m.user_id = e.user_id AND m.message_id = e.message_id
WHERE substr(m.content, e.start_offset + 1, e.end_offset - e.start_offset) <> e.quote
""",
}
_SAMPLE: Final = """
SELECT user_id, preference_id, statement
FROM (
  SELECT p.user_id, p.preference_id, p.statement,
    row_number() OVER (PARTITION BY p.user_id ORDER BY md5(CAST(p.preference_id AS text))) AS place
  FROM prefmem.preferences p
  WHERE p.user_id = ANY(:user_ids) AND p.status = 'activated' AND p.sensitivity = 'none' AND p.expires_at IS NULL
) AS numbered
WHERE place <= :each
ORDER BY user_id, place
"""
# What users ask and say, a message each; for users without any, what is known of them.
_QUESTIONS: Final = """
SELECT user_id, content
FROM (
  SELECT t.user_id, t.content, row_number() OVER (PARTITION BY t.user_id ORDER BY t.rank, md5(t.content)) AS place
  FROM (
    SELECT m.user_id, m.content, 1 AS rank
    FROM prefmem.messages m
    WHERE m.user_id = ANY(:user_ids) AND m.role = 'user' AND length(m.content) BETWEEN 8 AND 400
    UNION ALL
    SELECT p.user_id, p.statement, 2
    FROM prefmem.preferences p
    WHERE p.user_id = ANY(:user_ids) AND p.status = 'activated'
  ) t
) AS numbered
WHERE place <= :each
ORDER BY user_id, place
"""


def count_contradictions(session: Session) -> dict[str, int]:
    """Return by name how many rows contradict what they were made from; reads every row, as the pipeline."""
    return {name: int(session.scalar(text(statement)) or 0) for name, statement in _CHECKS.items()}


def sample_statements(session: Session, *, user_ids: list[str], each: int) -> list[tuple[str, str, str]]:
    """Return (user_id, preference_id, statement) of some current preferences of each user; the same every time."""
    rows = session.execute(text(_SAMPLE), {"user_ids": user_ids, "each": each})
    return [(row.user_id, str(row.preference_id), row.statement) for row in rows]


def sample_questions(session: Session, *, user_ids: list[str], each: int) -> list[tuple[str, str]]:
    """Return (user_id, text) of some messages of each user, or of their statements; the same every time."""
    rows = session.execute(text(_QUESTIONS), {"user_ids": user_ids, "each": each})
    return [(row.user_id, row.content) for row in rows]
