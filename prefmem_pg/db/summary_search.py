"""Hybrid search over one user's summaries as one statement: all of them are compared, for there are not many."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import RowMapping, text
from sqlalchemy.orm import Session

from prefmem_pg.db.hybrid_messages import Period
from prefmem_pg.db.ranking import MESSAGE_WEIGHTS, MIDPOINT, STEEPNESS, SURROUNDINGS
from prefmem_pg.db.summaries import SUMMARY_COLUMNS

# Summaries are made of messages, so the means that centre messages centre them. A word counts by how rare it is among
# the user's summaries and not by how often one repeats it: they are all of about one length.
_STATEMENT: Final = f"""
WITH
mine AS MATERIALIZED (
  SELECT s.summary_id, s.scope, s.search_vector, s.period_start, s.period_end, s.language
  FROM prefmem.summaries s
  WHERE s.user_id = :user_id AND s.text <> ''
    AND (CAST(:scope AS text) IS NULL OR s.scope = :scope)
    AND (s.sensitivity = 'none' OR (SELECT u.may_use_sensitive FROM prefmem.users u WHERE u.user_id = :user_id))
),
stats AS MATERIALIZED (
  SELECT language, memory_mean, question_mean
  FROM prefmem.user_stats
  WHERE user_id = :user_id AND scope = 'message' AND model_id = :model_id
),
question AS MATERIALIZED (
  SELECT l2_normalize(l2_normalize(CAST(:vector AS vector) - coalesce(
    (SELECT question_mean FROM stats WHERE language = :language), CAST(:shipped_mean AS vector)))
    + CAST(:smoothing AS vector)) AS q
),
means AS MATERIALIZED (
  SELECT l.language, coalesce(s.memory_mean, CAST(:statement_mean AS vector)) AS mean
  FROM (SELECT DISTINCT language FROM mine) l
  LEFT JOIN stats s ON s.language = l.language
),
semantic AS MATERIALIZED (
  SELECT e.summary_id,
    (-(CAST(e.embedding AS vector) <#> q.q) + (q.q <#> m.mean))
      / sqrt(greatest(1 + 2 * (CAST(e.embedding AS vector) <#> m.mean) - (m.mean <#> m.mean), 1e-6)) AS semantic
  FROM mine s
  JOIN prefmem.summary_embeddings e
    ON e.user_id = :user_id AND e.summary_id = s.summary_id AND e.model_id = :model_id
  JOIN means m ON m.language = s.language
  CROSS JOIN question q
),
held AS MATERIALIZED (
  SELECT s.summary_id, u.lexeme
  FROM mine s CROSS JOIN LATERAL unnest(s.search_vector) u
  WHERE u.lexeme = ANY(prefmem.query_terms(:query))
),
weighted AS MATERIALIZED (
  SELECT t.lexeme, ln(1 + ((SELECT count(*) FROM mine) - count(h.summary_id) + 0.5) / (count(h.summary_id) + 0.5))
    AS idf
  FROM unnest(prefmem.query_terms(:query)) AS t(lexeme)
  LEFT JOIN held h ON h.lexeme = t.lexeme
  GROUP BY t.lexeme
),
keyword AS MATERIALIZED (
  SELECT h.summary_id, sum(w.idf) / (SELECT sum(idf) FROM weighted) AS keyword
  FROM held h JOIN weighted w USING (lexeme)
  GROUP BY h.summary_id
),
scored AS (
  SELECT s.summary_id, v.semantic, coalesce(k.keyword, 0) AS keyword,
    coalesce(v.semantic, 0) + :keyword_weight * coalesce(k.keyword, 0) + :period_weight * coalesce((
      SELECT max(p.weight) FROM unnest(CAST(:starts AS timestamptz[]), CAST(:ends AS timestamptz[]),
        CAST(:weights AS float8[])) AS p(starts, ends, weight)
      -- A day ends before its period_end, a dialog with its last message.
      WHERE (s.period_end > p.starts OR s.scope = 'dialog' AND s.period_end = p.starts)
        AND s.period_start < p.ends), 0) AS score
  FROM mine s
  LEFT JOIN semantic v USING (summary_id)
  LEFT JOIN keyword k USING (summary_id)
)
SELECT c.semantic, c.keyword, 1 / (1 + exp(-:steepness * (c.score / 2 - :midpoint))) AS score,
  {", ".join(f"s.{name}" for name in SUMMARY_COLUMNS)}
FROM scored c
JOIN prefmem.summaries s ON s.user_id = :user_id AND s.summary_id = c.summary_id
ORDER BY c.score DESC, s.summary_id
LIMIT :limit
"""


def search_summaries(
    session: Session,
    *,
    user_id: str,
    model_id: int,
    query: str,
    vector: str,
    shipped_mean: str,
    statement_mean: str,
    smoothing: str,
    language: str,
    scope: str | None,
    periods: Sequence[Period],
    limit: int,
) -> list[RowMapping]:
    """Return summaries with semantic, keyword and score (0..1), best first, ties by id.

    Those that hold something sensitive are there with the user's consent only. ``periods`` are those that the
    question names: a summary of such a time gains by it.
    """
    values = {
        "user_id": user_id,
        "model_id": model_id,
        "query": query,
        "vector": vector,
        "shipped_mean": shipped_mean,
        "statement_mean": statement_mean,
        "smoothing": smoothing,
        "language": language,
        "scope": scope,
        "keyword_weight": MESSAGE_WEIGHTS.keyword,
        "period_weight": SURROUNDINGS.period,
        "starts": [period[0] for period in periods],
        "ends": [period[1] for period in periods],
        "weights": [period[2] for period in periods],
        "steepness": STEEPNESS,
        "midpoint": MIDPOINT,
        "limit": limit,
    }
    return list(session.execute(text(_STATEMENT), values).mappings())
