"""Hybrid search as one statement: a semantic, a keyword and a fuzzy arm, the filter in each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import RowMapping, text
from sqlalchemy.orm import Session

from prefmem_pg.db.rows import preference_columns


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The weights of the arms, and the constants of BM25 (flat around these in measurements; low b: short texts)."""

    keyword: float = 0.1
    fuzzy: float = 0.1
    hub: float = 0.5
    k1: float = 0.9
    b: float = 0.3
    fuzzy_threshold: float = 0.6


PREFERENCE_WEIGHTS: Final = Weights()
MESSAGE_WEIGHTS: Final = Weights(keyword=1.0, hub=0.0)

POOL_FACTOR: Final = 5
MIN_POOL: Final = 100
"""How many rows each arm proposes: at least 100, or five times what is asked for (top 100 of each loses .002 R@10)."""

# The question is centred with the user's mean of questions, smoothed with the bank, and compared with memories that
# are centred with the mean of their language: q.(e - m) / |e - m| from q.e and e.m alone, so raw vectors stay as they
# are when a mean moves.
_PREFERENCES: Final = """
WITH
stats AS MATERIALIZED (
  SELECT language, row_count, total_length, memory_mean, question_mean
  FROM prefmem.user_stats
  WHERE user_id = :user_id AND scope = 'preference' AND model_id = :model_id
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
  SELECT e.preference_id,
    (-(e.embedding <#> m.q) - m.q_mean) / sqrt(greatest(1 + 2 * (e.embedding <#> m.mean) + m.mean_squared, 1e-6))
    - :hub_weight * e.{hub} AS semantic
  FROM prefmem.preference_embeddings e
  JOIN means m ON m.language = e.language
  {join_semantic}
  WHERE e.user_id = :user_id AND e.model_id = :model_id AND e.is_active AND (:may_see OR NOT e.needs_consent)
    {filter_semantic}
  ORDER BY semantic DESC, e.preference_id
  LIMIT :pool
),
terms AS MATERIALIZED (
  SELECT lexeme, (
    SELECT count(*) FROM prefmem.preference_terms t WHERE t.user_id = :user_id AND t.lexeme = l.lexeme
  )::float8 AS df
  FROM unnest(prefmem.query_terms(:query)) AS l(lexeme)
),
weighted AS MATERIALIZED (
  SELECT t.lexeme, ln(1 + (greatest(me.n - t.df, 0) + 0.5) / (t.df + 0.5)) AS idf FROM terms t CROSS JOIN me
),
keyword AS MATERIALIZED (
  SELECT t.preference_id,
    sum(w.idf * t.frequency * (:k1 + 1) / (t.frequency + :k1 * (1 - :b + :b * t.length / me.average_length)))
    / (SELECT sum(idf) FROM weighted) AS keyword
  FROM weighted w
  JOIN prefmem.preference_terms t ON t.user_id = :user_id AND t.lexeme = w.lexeme
  CROSS JOIN me
  {join_keyword}
  WHERE true {filter_keyword}
  GROUP BY t.preference_id
  ORDER BY keyword DESC, t.preference_id
  LIMIT :pool
),
fuzzy AS MATERIALIZED (
  SELECT p.preference_id, max(word_similarity(lower(n.name), lower(:query))) AS fuzzy
  FROM prefmem.preferences p CROSS JOIN LATERAL unnest(p.entities) AS n(name)
  WHERE p.user_id = :user_id AND p.status = 'activated' AND cardinality(p.entities) > 0
    AND (:may_see OR p.sensitivity = 'none' OR p.is_safety) {filter_fuzzy}
  GROUP BY p.preference_id
  HAVING max(word_similarity(lower(n.name), lower(:query))) >= :fuzzy_threshold
  ORDER BY fuzzy DESC, p.preference_id
  LIMIT :pool
),
found AS (
  SELECT preference_id FROM semantic UNION SELECT preference_id FROM keyword UNION SELECT preference_id FROM fuzzy
),
-- Rows that no arm has: without a vector and without a common word. Only looked for when the others are too few.
rest AS (
  SELECT p.preference_id
  FROM prefmem.preferences p
  WHERE (SELECT count(*) FROM found) < :limit AND p.user_id = :user_id AND p.status = 'activated'
    AND (:may_see OR p.sensitivity = 'none' OR p.is_safety) {filter_rest}
    AND NOT EXISTS (SELECT FROM found f WHERE f.preference_id = p.preference_id)
  ORDER BY p.created_at DESC, p.preference_id
  LIMIT :limit
),
pool AS (SELECT preference_id FROM found UNION ALL SELECT preference_id FROM rest),
arms AS (
  SELECT c.preference_id, coalesce(s.semantic, v.semantic) AS semantic,
    coalesce(k.keyword, 0) AS keyword, coalesce(f.fuzzy, 0) AS fuzzy,
    CASE WHEN s.semantic IS NOT NULL THEN rank() OVER (ORDER BY s.semantic DESC NULLS LAST) END AS semantic_rank,
    CASE WHEN k.keyword IS NOT NULL THEN rank() OVER (ORDER BY k.keyword DESC NULLS LAST) END AS keyword_rank
  FROM pool c
  LEFT JOIN semantic s USING (preference_id)
  LEFT JOIN keyword k USING (preference_id)
  LEFT JOIN fuzzy f USING (preference_id)
  LEFT JOIN LATERAL (
    -- A row that only the other arms proposed has its place by vector too.
    SELECT (-(e.embedding <#> m.q) - m.q_mean)
      / sqrt(greatest(1 + 2 * (e.embedding <#> m.mean) + m.mean_squared, 1e-6)) - :hub_weight * e.{hub} AS semantic
    FROM prefmem.preference_embeddings e JOIN means m ON m.language = e.language
    WHERE s.semantic IS NULL AND e.user_id = :user_id AND e.preference_id = c.preference_id
      AND e.model_id = :model_id
  ) v ON true
),
scored AS (
  SELECT a.*, p.statement_hash = :statement_hash AS is_exact,
    CASE WHEN p.statement_hash = :statement_hash THEN 1 ELSE 1 / (1 + exp(-:steepness * (
      coalesce(a.semantic, 0) + :keyword_weight * a.keyword + :fuzzy_weight * a.fuzzy - :midpoint))) END AS relevance,
    1 + :recency_weight * (2 * exp(-ln(2) * greatest(extract(epoch FROM CAST(:now AS timestamptz) - p.valid_from), 0)
      / :half_life) - 1) AS recency,
    1 + :importance_weight * (2 * p.importance - 1) AS importance_factor,
    1 + :confidence_weight * (2 * p.confidence - 1) AS confidence_factor,
    1 + :heat_weight * (2 * (1 - 1 / (1 + ln(1 + coalesce(u.access_count, 0)))) - 1) AS heat,
    p.user_id
  FROM arms a
  JOIN prefmem.preferences p ON p.user_id = :user_id AND p.preference_id = a.preference_id
  LEFT JOIN prefmem.preference_usage u ON u.user_id = :user_id AND u.preference_id = a.preference_id
  WHERE p.status = 'activated' AND (p.expires_at IS NULL OR p.expires_at > :now)
),
best AS (
  SELECT s.*, CASE WHEN s.is_exact THEN 1
    ELSE least(s.relevance * s.recency * s.importance_factor * s.confidence_factor * s.heat / :most, 1) END AS score
  FROM scored s
  ORDER BY score DESC, s.preference_id
  LIMIT :limit
)
SELECT b.score, b.semantic, b.keyword, b.fuzzy, b.relevance, b.recency, b.importance_factor, b.confidence_factor,
  b.heat, b.semantic_rank, b.keyword_rank, b.is_exact, {columns}
FROM best b
JOIN prefmem.preferences p ON p.user_id = :user_id AND p.preference_id = b.preference_id
WHERE b.score >= :min_score
ORDER BY b.score DESC, b.preference_id
"""
_JOIN: Final = "JOIN prefmem.preferences p ON p.user_id = :user_id AND p.preference_id = {alias}.preference_id"


@dataclass(frozen=True, slots=True, kw_only=True)
class Factors:
    """Bounded factors on the relevance: each weight w moves a score between 1 - w and 1 + w."""

    recency: float = 0.03
    importance: float = 0.03
    confidence: float = 0.02
    heat: float = 0.02
    half_life_days: float = 180.0

    @property
    def most(self) -> float:
        """What the factors can multiply to: scores are divided by it, so that they stay at most 1."""
        return (1 + self.recency) * (1 + self.importance) * (1 + self.confidence) * (1 + self.heat)


STEEPNESS: Final = 8.0
MIDPOINT: Final = 0.25
"""The fixed map from the weighted sum of the arms to 0..1 is 1 / (1 + exp(-8 (s - 0.25))): .25 is where half of the
questions have their own preference above, so that a score of 0.5 means "as near as a right answer usually is"."""


def search_preferences(
    session: Session,
    *,
    user_id: str,
    model_id: int,
    query: str,
    statement_hash: bytes,
    vector: str,
    shipped_mean: str,
    smoothing: str,
    language: str,
    condition: str,
    condition_values: Mapping[str, Any],
    may_see_sensitive: bool,
    limit: int,
    min_score: float,
    now: Any,
    weights: Weights = PREFERENCE_WEIGHTS,
    factors: Factors = Factors(),
) -> list[RowMapping]:
    """Return the best rows of one user, best first, ties by id; fewer than ``limit`` only when fewer match.

    ``condition`` is a compiled filter on alias p ("true" for none); it stands in every arm. Vectors are in pgvector's
    text form. ``language`` ("en" or "zh") is that of the question: it chooses the mean and the hubness.
    """
    has_filter = condition != "true"
    filtered = f"AND ({condition})"
    consented = "AND (:may_see OR p.sensitivity = 'none' OR p.is_safety)"
    statement = _PREFERENCES.format(
        hub="hub_zh" if language == "zh" else "hub_en",
        join_semantic=_JOIN.format(alias="e") if has_filter else "",
        filter_semantic=filtered if has_filter else "",
        join_keyword=_JOIN.format(alias="t") if has_filter or not may_see_sensitive else "",
        filter_keyword=(filtered if has_filter else "") + ("" if may_see_sensitive else consented),
        filter_fuzzy=filtered if has_filter else "",
        filter_rest=filtered if has_filter else "",
        columns=preference_columns("p"),
    )
    values = {
        **condition_values,
        "user_id": user_id,
        "model_id": model_id,
        "query": query,
        "statement_hash": statement_hash,
        "vector": vector,
        "shipped_mean": shipped_mean,
        "smoothing": smoothing,
        "language": language,
        "may_see": may_see_sensitive,
        "limit": limit,
        "pool": max(MIN_POOL, POOL_FACTOR * limit),
        "min_score": min_score,
        "now": now,
        "hub_weight": weights.hub,
        "keyword_weight": weights.keyword,
        "fuzzy_weight": weights.fuzzy,
        "fuzzy_threshold": weights.fuzzy_threshold,
        "k1": weights.k1,
        "b": weights.b,
        "steepness": STEEPNESS,
        "midpoint": MIDPOINT,
        "recency_weight": factors.recency,
        "importance_weight": factors.importance,
        "confidence_weight": factors.confidence,
        "heat_weight": factors.heat,
        "half_life": factors.half_life_days * 86_400,
        "most": factors.most,
    }
    return list(session.execute(text(statement), values).mappings())
