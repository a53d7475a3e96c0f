"""Hybrid search over messages as one statement: what was said, with what was said around it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import RowMapping, text
from sqlalchemy.orm import Session

from prefmem_pg.db.ranking import (
    MESSAGE_WEIGHTS,
    MIDPOINT,
    MIN_POOL,
    POOL_FACTOR,
    STEEPNESS,
    SURROUNDINGS,
    Surroundings,
    Weights,
)

_STATEMENT: Final = """
WITH
stats AS MATERIALIZED (
  SELECT language, row_count, total_length, memory_mean, question_mean
  FROM prefmem.user_stats
  WHERE user_id = :user_id AND scope = 'message' AND model_id = :model_id
),
me AS MATERIALIZED (
  SELECT coalesce(sum(row_count), 0)::float8 AS n,
    coalesce(sum(total_length) / nullif(sum(row_count), 0), 10)::float8 AS average_length
  FROM stats
),
question AS MATERIALIZED (
  SELECT l2_normalize(
    l2_normalize(CAST(:vector AS vector) - coalesce(
      (SELECT question_mean FROM stats WHERE language = :language), CAST(:shipped_mean AS vector)))
    + CAST(:smoothing AS vector)) AS q
),
means AS MATERIALIZED (
  SELECT s.language, CAST(s.memory_mean AS halfvec) AS mean, q.q::halfvec AS q,
    -(q.q <#> s.memory_mean) AS q_mean, -(s.memory_mean <#> s.memory_mean) AS mean_squared
  FROM stats s CROSS JOIN question q
  WHERE s.memory_mean IS NOT NULL
),
semantic AS MATERIALIZED (
  SELECT e.message_id,
    (-(e.embedding <#> m.q) - m.q_mean) / sqrt(greatest(1 + 2 * (e.embedding <#> m.mean) + m.mean_squared, 1e-6))
      AS semantic
  FROM prefmem.message_embeddings e
  JOIN means m ON m.language = e.language
  {join_semantic}
  WHERE e.user_id = :user_id AND e.model_id = :model_id {filter}
  ORDER BY semantic DESC, e.message_id
  LIMIT :pool
),
-- A speaker's name in the question says whose words are meant, not what they are about: the speaker counts below.
names AS MATERIALIZED (
  SELECT DISTINCT unnest(prefmem.query_terms(a.author)) AS lexeme
  FROM (
    SELECT DISTINCT m.author
    FROM semantic s JOIN prefmem.messages m ON m.user_id = :user_id AND m.message_id = s.message_id
  ) a
  WHERE a.author <> '' AND position(lower(a.author) IN lower(:query)) > 0
),
terms AS MATERIALIZED (
  SELECT lexeme, (
    SELECT count(*) FROM prefmem.message_terms t WHERE t.user_id = :user_id AND t.lexeme = l.lexeme
  )::float8 AS df
  FROM unnest(prefmem.query_terms(:query)) AS l(lexeme)
),
weighted AS MATERIALIZED (
  SELECT t.lexeme, ln(1 + (greatest(me.n - t.df, 0) + 0.5) / (t.df + 0.5)) AS idf
  FROM terms t CROSS JOIN me
  WHERE t.lexeme NOT IN (SELECT lexeme FROM names)
    OR NOT EXISTS (SELECT FROM terms o WHERE o.lexeme NOT IN (SELECT lexeme FROM names))
),
matching AS MATERIALIZED (
  SELECT t.message_id,
    sum(w.idf * t.frequency * (:k1 + 1) / (t.frequency + :k1 * (1 - :b + :b * t.length / me.average_length)))
    / (SELECT sum(idf) FROM weighted) AS keyword
  FROM weighted w
  JOIN prefmem.message_terms t ON t.user_id = :user_id AND t.lexeme = w.lexeme
  CROSS JOIN me
  GROUP BY t.message_id
),
keyword AS MATERIALIZED (
  SELECT t.message_id, t.keyword
  FROM matching t
  {join_keyword}
  WHERE true {filter}
  ORDER BY t.keyword DESC, t.message_id
  LIMIT :pool
),
found AS MATERIALIZED (
  SELECT message_id FROM semantic UNION SELECT message_id FROM keyword
),
-- Every message of the dialogs in question, in order; then those within three places of one that was found.
ordered AS MATERIALIZED (
  SELECT m.message_id, m.dialog_id, row_number() OVER (
    PARTITION BY m.dialog_id ORDER BY m.occurred_at, m.message_id) AS place
  FROM prefmem.messages m
  WHERE m.user_id = :user_id AND m.dialog_id IN (
    SELECT h.dialog_id FROM prefmem.messages h JOIN found f ON f.message_id = h.message_id WHERE h.user_id = :user_id)
),
near AS MATERIALIZED (
  SELECT DISTINCT o.message_id, o.dialog_id, o.place
  FROM ordered o
  JOIN ordered h ON h.dialog_id = o.dialog_id AND o.place BETWEEN h.place - 3 AND h.place + 3
  JOIN found f ON f.message_id = h.message_id
),
single AS MATERIALIZED (
  SELECT n.message_id, n.dialog_id, n.place, v.semantic, coalesce(k.keyword, 0) AS keyword,
    coalesce(v.semantic, 0) + :keyword_weight * coalesce(k.keyword, 0) AS score
  FROM near n
  LEFT JOIN matching k USING (message_id)
  LEFT JOIN LATERAL (
    SELECT (-(e.embedding <#> m.q) - m.q_mean)
      / sqrt(greatest(1 + 2 * (e.embedding <#> m.mean) + m.mean_squared, 1e-6)) AS semantic
    FROM prefmem.message_embeddings e JOIN means m ON m.language = e.language
    WHERE e.user_id = :user_id AND e.message_id = n.message_id AND e.model_id = :model_id
  ) v ON true
),
smoothed AS MATERIALIZED (
  SELECT s.message_id, s.dialog_id, s.semantic, s.keyword, s.score AS own, coalesce(max(
    CASE abs(n.place - s.place) WHEN 1 THEN :near_1 WHEN 2 THEN :near_2 ELSE :near_3 END * greatest(n.score, 0)), 0)
    AS neighbours
  FROM single s
  LEFT JOIN single n
    ON n.dialog_id = s.dialog_id AND n.place <> s.place AND n.place BETWEEN s.place - 3 AND s.place + 3
  GROUP BY s.message_id, s.dialog_id, s.semantic, s.keyword, s.score
),
in_session AS MATERIALIZED (
  SELECT s.message_id, s.semantic, s.keyword, s.own, s.neighbours, m.author, m.occurred_at,
    :session_weight * max(s.own + s.neighbours) OVER (PARTITION BY coalesce(d.session_id, d.dialog_id)) AS session
  FROM smoothed s
  JOIN prefmem.messages m ON m.user_id = :user_id AND m.message_id = s.message_id
  JOIN prefmem.dialogs d ON d.user_id = :user_id AND d.dialog_id = s.dialog_id
),
named AS MATERIALIZED (
  SELECT min(author) AS author
  FROM (SELECT DISTINCT author FROM in_session WHERE author <> '' AND position(lower(author) IN lower(:query)) > 0) a
  HAVING count(*) = 1
),
lifted AS (
  SELECT s.*, s.own + s.neighbours + s.session AS said,
    CASE WHEN s.author = (SELECT author FROM named) THEN :speaker_factor ELSE 1 END AS speaker,
    :period_weight * coalesce((
      SELECT max(p.weight) FROM unnest(CAST(:starts AS timestamptz[]), CAST(:ends AS timestamptz[]),
        CAST(:weights AS float8[])) AS p(starts, ends, weight)
      WHERE s.occurred_at >= p.starts AND s.occurred_at < p.ends), 0) AS period
  FROM in_session s
  JOIN prefmem.messages p ON p.user_id = :user_id AND p.message_id = s.message_id
  -- What stands beside a find may be the answer itself; of what is never embedded only finds count.
  WHERE (p.role IN ('user', 'assistant', 'other') OR EXISTS (SELECT FROM found f WHERE f.message_id = s.message_id))
    {filter}
),
scored AS (
  SELECT l.*, 1 / (1 + exp(-:steepness * ((l.said * l.speaker + l.period) / 2 - :midpoint))) AS score FROM lifted l
)
SELECT s.message_id, s.semantic, s.keyword, s.neighbours, s.session, s.speaker, s.period, s.score
FROM scored s
WHERE s.score >= :min_score
ORDER BY s.score DESC, s.message_id
LIMIT :limit
"""
_JOIN: Final = "JOIN prefmem.messages p ON p.user_id = :user_id AND p.message_id = {alias}.message_id"

Period = tuple[datetime, datetime, float]
"""From (included), to (excluded), and how much being in it counts (0..1)."""


def search_messages(
    session: Session,
    *,
    user_id: str,
    model_id: int,
    query: str,
    vector: str,
    shipped_mean: str,
    smoothing: str,
    language: str,
    condition: str,
    condition_values: Mapping[str, Any],
    periods: Sequence[Period],
    limit: int,
    min_score: float,
    weights: Weights = MESSAGE_WEIGHTS,
    surroundings: Surroundings = SURROUNDINGS,
) -> list[RowMapping]:
    """Return one user's best messages as ids with their scores and what these are made of, ties by id.

    A score is that of the message by vector and by words, raised by its neighbours, its session, a speaker or period
    that the question names; on the fixed map of preferences, halved first since the terms may add up to about 2.
    """
    has_filter = condition != "true"
    statement = _STATEMENT.format(
        filter=f"AND ({condition})" if has_filter else "",
        join_semantic=_JOIN.format(alias="e") if has_filter else "",
        join_keyword=_JOIN.format(alias="t") if has_filter else "",
    )
    values = {
        **condition_values,
        "user_id": user_id,
        "model_id": model_id,
        "query": query,
        "vector": vector,
        "shipped_mean": shipped_mean,
        "smoothing": smoothing,
        "language": language,
        "limit": limit,
        "min_score": min_score,
        "pool": max(MIN_POOL, POOL_FACTOR * limit),
        "keyword_weight": weights.keyword,
        "k1": weights.k1,
        "b": weights.b,
        "near_1": surroundings.neighbours[0],
        "near_2": surroundings.neighbours[1],
        "near_3": surroundings.neighbours[2],
        "session_weight": surroundings.session,
        "speaker_factor": surroundings.speaker,
        "period_weight": surroundings.period,
        "starts": [period[0] for period in periods],
        "ends": [period[1] for period in periods],
        "weights": [period[2] for period in periods],
        "steepness": STEEPNESS,
        "midpoint": MIDPOINT,
    }
    return list(session.execute(text(statement), values).mappings())
