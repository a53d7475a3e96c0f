"""Numbers that tell whether the store keeps up: for a pipeline's transaction, which sees all users."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import text
from sqlalchemy.orm import Session

NEAR_DUPLICATE: Final = 0.97
"""Cosine from which two statements of one user are near-duplicates: the bound that deduplication merges at."""
SAMPLED_USERS: Final = 100
MOST_ROWS: Final = 500
"""Users with more preferences are left out of the sample: comparing all pairs grows with the square."""

# What travels in a provider's batch waits for the provider: no run of ours would read it.
_UNREAD: Final = """
WITH on_way AS MATERIALIZED (
  SELECT i.user_id, unnest(i.message_ids[i.first_new + 1 :]) AS message_id
  FROM prefmem.llm_batch_items i
  WHERE i.state = 'waiting'
),
unread AS (
  SELECT m.occurred_at, m.ingested_at
  FROM prefmem.messages m
  WHERE m.read_by_run_id IS NULL
    AND NOT EXISTS (SELECT FROM on_way o WHERE o.user_id = m.user_id AND o.message_id = m.message_id)
)"""
_UNREAD_DAYS: Final = f"""
{_UNREAD}
SELECT CAST(timezone(:time_zone, occurred_at) AS date) AS day, count(*) AS messages, max(ingested_at) AS newest
FROM unread
GROUP BY 1
ORDER BY 1
"""
_INDICATORS: Final = f"""
{_UNREAD},
active AS (SELECT model_id FROM prefmem.embedding_models WHERE state = 'active'),
sampled AS (
  SELECT p.user_id
  FROM prefmem.preferences p
  WHERE p.status = 'activated'
  GROUP BY p.user_id
  HAVING count(*) BETWEEN 2 AND :most_rows
  ORDER BY md5(p.user_id)
  LIMIT :sampled_users
),
compared AS (
  SELECT EXISTS (
    SELECT
    FROM prefmem.preference_embeddings o
    WHERE o.user_id = e.user_id AND o.model_id = e.model_id AND o.is_active AND o.preference_id < e.preference_id
      AND o.language = e.language AND -(o.embedding <#> e.embedding) >= :near
  ) AS is_duplicate
  FROM prefmem.preference_embeddings e
  JOIN active a ON a.model_id = e.model_id
  JOIN sampled s ON s.user_id = e.user_id
  WHERE e.is_active
)
SELECT
  (SELECT count(*) FROM prefmem.preferences WHERE status = 'activated') AS activated,
  (SELECT count(*) FROM unread) AS unread,
  (SELECT min(ingested_at) FROM unread) AS oldest_unread,
  (SELECT count(*) FROM prefmem.extraction_runs WHERE state = 'failed') AS failed_runs,
  (SELECT count(*) FROM prefmem.extraction_runs WHERE state = 'parked') AS parked_runs,
  (SELECT count(*) FROM prefmem.candidates WHERE state = 'waiting') AS waiting_candidates,
  (SELECT count(*) FROM prefmem.candidates WHERE state = 'parked') AS parked_candidates,
  (SELECT count(*) FROM prefmem.preferences p CROSS JOIN active a
   WHERE p.status = 'activated' AND NOT EXISTS (
     SELECT FROM prefmem.preference_embeddings e
     WHERE e.user_id = p.user_id AND e.preference_id = p.preference_id AND e.model_id = a.model_id)) AS without_vector,
  (SELECT count(*) FROM prefmem.preferences p
   JOIN prefmem.extraction_runs r ON r.user_id = p.user_id AND r.run_id = p.run_id
   WHERE p.status = 'activated' AND NOT EXISTS (
     SELECT FROM prefmem.preference_evidence x
     WHERE x.user_id = p.user_id AND x.preference_id = p.preference_id)) AS without_evidence,
  (SELECT count(*) FROM prefmem.llm_batches WHERE state IN ('submitting', 'submitted', 'ended')) AS batches_on_way,
  (SELECT count(*) FROM compared) AS compared,
  (SELECT count(*) FROM compared WHERE is_duplicate) AS near_duplicates,
  (SELECT coalesce(sum(cost_usd), 0) FROM (
     SELECT cost_usd FROM prefmem.llm_calls WHERE at >= date_trunc('day', now(), 'UTC')
     UNION ALL
     SELECT cost_usd FROM prefmem.llm_shared_calls WHERE at >= date_trunc('day', now(), 'UTC')) AS today
  ) AS cost_today_usd
"""
_SPENT: Final = """
SELECT count(DISTINCT call_id) AS calls, coalesce(sum(input_tokens), 0) AS input_tokens,
  coalesce(sum(output_tokens), 0) AS output_tokens, coalesce(sum(cache_read_tokens), 0) AS cache_read_tokens,
  coalesce(sum(cost_usd), 0) AS cost_usd
FROM prefmem.llm_calls
WHERE at >= :since
"""


def list_unread_days(session: Session, *, time_zone: str) -> list[tuple[date, int, datetime]]:
    """Return (day, unread messages, when the newest of them came in) by the day on which they were said.

    Left out, here and in the indicators, are those whose answer is on its way in a batch.
    """
    rows = session.execute(text(_UNREAD_DAYS), {"time_zone": time_zone})
    return [(row.day, row.messages, row.newest) for row in rows]


def read_indicators(session: Session) -> Mapping[str, Any]:  # Any: counts, a time and an amount
    """Return the numbers by name; near-duplicates are counted over a fixed sample of users."""
    values = {"near": NEAR_DUPLICATE, "sampled_users": SAMPLED_USERS, "most_rows": MOST_ROWS}
    return dict(session.execute(text(_INDICATORS), values).one()._mapping)


def read_spent(session: Session, *, since: datetime) -> Mapping[str, Any]:  # Any: counts and an amount
    """Return calls, tokens and cost of all providers since a time, of all users together."""
    return dict(session.execute(text(_SPENT), {"since": since}).one()._mapping)
