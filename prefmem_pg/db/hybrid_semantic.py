"""The text of the semantic arm: by comparing all of a user's vectors, those that passed a filter, or by the index."""

from typing import Final

# The question is centred with the user's mean of questions, smoothed with the bank, and compared with memories that
# are centred with the mean of their language: q.(e - m) / |e - m| from q.e and e.m alone, so raw vectors stay as they
# are when a mean moves.
SCORE: Final = """(-(e.embedding <#> m.q) - m.q_mean)
      / sqrt(greatest(1 + 2 * (e.embedding <#> m.mean) + m.mean_squared, 1e-6))
      - m.hub_en * e.hub_en - m.hub_zh * e.hub_zh"""
SEES: Final = "({may_see} OR NOT e.needs_consent)"
MEANS: Final = """
means AS MATERIALIZED (
  SELECT s.language, CAST(s.memory_mean AS halfvec) AS mean, CAST({q} AS halfvec) AS q,
    -({q} <#> s.memory_mean) AS q_mean, -(s.memory_mean <#> s.memory_mean) AS mean_squared,
    CASE WHEN {language} = 'zh' THEN 0 ELSE {hub_weight} END AS hub_en,
    CASE WHEN {language} = 'zh' THEN {hub_weight} ELSE 0 END AS hub_zh,
    {by_index} AND s.language IN ({indexed}) AND s.row_count >= {index_rows} AS by_index,
    greatest(2 * {limit} + {expired}, ceil({pool} * s.row_count / greatest({n}, 1)))::bigint AS reach
  FROM prefmem.user_stats s
  WHERE s.user_id = {user_id} AND s.scope = 'preference' AND s.model_id = {model_id} AND s.memory_mean IS NOT NULL
),"""
ALL_VECTORS: Final = """FROM means m
    CROSS JOIN LATERAL (
      SELECT e.preference_id, e.embedding, e.hub_en, e.hub_zh
      FROM prefmem.preference_embeddings e
      WHERE e.user_id = {user_id} AND e.model_id = {model_id} AND e.is_active AND e.language = m.language AND {sees}
      OFFSET 0
    ) e"""
SEMANTIC_EXACT: Final = """
semantic AS MATERIALIZED (
  SELECT preference_id, semantic, rank() OVER (ORDER BY semantic DESC) AS place
  FROM (
    SELECT e.preference_id, {score} AS semantic
    {all_vectors}
    ORDER BY semantic DESC, e.preference_id
    LIMIT {pool}
  ) AS best
),"""
SEMANTIC_AMONG: Final = """
semantic AS MATERIALIZED (
  SELECT preference_id, semantic, rank() OVER (ORDER BY semantic DESC) AS place
  FROM ({few}) AS best
),"""
NEAREST: Final = """(
    SELECT e.preference_id, {score} AS semantic
    FROM means m
    CROSS JOIN LATERAL (
      SELECT e.preference_id, e.embedding, e.hub_en, e.hub_zh
      FROM prefmem.preference_embeddings e
      WHERE e.user_id = {user_id} AND e.model_id = {model_id} AND e.is_active AND e.in_hnsw
        AND e.language = '{language_of_index}' AND {sees} {filter_index}
      ORDER BY CAST(e.embedding AS halfvec({dimensions})) <#> m.q
      LIMIT m.reach
    ) e
    WHERE m.by_index AND m.language = '{language_of_index}'
  )"""
SEMANTIC_BY_INDEX: Final = """
-- Each language has an index of its own, which orders by q.e without the mean and its 1 / |e - m|; within one language
-- that is nearly the same order. So several times as many as are asked for are taken from it, in proportion to the
-- language's rows, and scored exactly. Each further row costs the index scan about a hundredth of its start.
nearest AS MATERIALIZED (
  {nearest}
),
-- Fewer than asked for: dead rows, or a filter that hid what the index had to offer. Then all are compared.
way AS MATERIALIZED (
  SELECT {by_index} AS by_index, count(*) FILTER (WHERE m.by_index) > 0
      AND (SELECT count(*) FROM nearest) < sum(m.reach) FILTER (WHERE m.by_index) AS is_short,
    NOT coalesce(bool_and(m.by_index), false) AS has_others
  FROM means m
),
compared AS MATERIALIZED (
  SELECT c.preference_id, c.semantic
  FROM (
    SELECT e.preference_id, {score} AS semantic
    {all_vectors}
    WHERE (SELECT {scan_when} FROM way) AND (NOT m.by_index OR (SELECT is_short FROM way))
    ORDER BY semantic DESC, e.preference_id
    {scan_limit}
  ) AS c
  WHERE {admits_scan}
  ORDER BY c.semantic DESC, c.preference_id
  LIMIT {pool}
),
semantic AS MATERIALIZED (
  SELECT preference_id, semantic, rank() OVER (ORDER BY semantic DESC) AS place
  FROM (
    SELECT preference_id, semantic
    FROM (
      SELECT preference_id, semantic FROM nearest WHERE NOT (SELECT is_short FROM way)
      UNION ALL SELECT preference_id, semantic FROM compared
      {few_arm}
    ) AS both_ways
    ORDER BY semantic DESC, preference_id
    LIMIT {pool}
  ) AS best
),"""
WAY: Final = (
    "(SELECT CASE WHEN NOT w.by_index THEN 'exact' WHEN w.is_short THEN 'hnsw, then exact' ELSE 'hnsw' END FROM way w)"
)
FEW: Final = """
      SELECT e.preference_id, {score} AS semantic
      FROM allowed a
      CROSS JOIN LATERAL (
        SELECT e.preference_id, e.embedding, e.language, e.hub_en, e.hub_zh
        FROM prefmem.preference_embeddings e
        WHERE e.user_id = {user_id} AND e.preference_id = a.preference_id AND e.model_id = {model_id} AND e.is_active
        OFFSET 0
      ) e
      JOIN means m ON m.language = e.language
      WHERE NOT {by_index}
      ORDER BY semantic DESC, e.preference_id
      LIMIT {pool}"""
