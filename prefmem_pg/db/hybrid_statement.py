"""The text of the hybrid search over preferences: a semantic, a keyword and a fuzzy arm, the filter in each."""

from typing import Final

CONSENTED: Final = "({may_see} OR p.sensitivity = 'none' OR p.is_safety)"

# What the arms ask of a user: in the functions their variables, in a statement of its own these.
KNOWN: Final = """
stats AS MATERIALIZED (
  SELECT language, row_count, total_length, question_mean, in_hnsw
  FROM prefmem.user_stats
  WHERE user_id = {user_id} AND scope = 'preference' AND model_id = {model_id}
),
consent AS MATERIALIZED (
  SELECT coalesce(
    (SELECT u.may_use_sensitive FROM prefmem.users u WHERE u.user_id = {user_id}), false) AS may_see
),
{allowed}
me AS MATERIALIZED (
  SELECT coalesce(sum(row_count), 0)::float8 AS n,
    coalesce(sum(total_length) / nullif(sum(row_count), 0), 10)::float8 AS average_length,
    coalesce(bool_or(in_hnsw), false) AND (SELECT count(*) FROM allowed) > {few_ids} AS by_index,
    (SELECT count(*) FROM prefmem.preferences p
      WHERE p.user_id = {user_id} AND p.status = 'activated' AND p.expires_at <= {now}) AS expired
  FROM stats
),
question AS MATERIALIZED (
  SELECT l2_normalize(
    l2_normalize(CAST({vector} AS vector) - coalesce(
      (SELECT question_mean FROM stats WHERE language = {language}), CAST({shipped_mean} AS vector)))
    + CAST({smoothing} AS vector)) AS q
),"""
IDF: Final = "ln(1 + (greatest({n} - t.df, 0) + 0.5) / (t.df + 0.5))"
BM25: Final = """sum(w.idf * t.frequency * ({k1} + 1)
    / (t.frequency + {k1} * (1 - {b} + {b} * t.length / {average_length}))) / max(w.all_idf)"""
KEYWORD: Final = """
terms AS MATERIALIZED (
  SELECT lexeme, (
    SELECT count(*) FROM (
      SELECT FROM prefmem.preference_terms t WHERE t.user_id = {user_id} AND t.lexeme = l.lexeme LIMIT {frequent} + 1
    ) AS counted
  )::float8 AS df
  FROM unnest({terms}) AS l(lexeme)
),
weighted AS MATERIALIZED (
  SELECT lexeme, idf, sum(idf) OVER () AS all_idf, {n} <= {never_capped} OR row_number() OVER rarest = 1
    OR (df <= {frequent} AND sum(df) OVER rarest <= {keyword_budget}) AS is_read
  FROM (
    SELECT t.lexeme, t.df, {idf} AS idf
    FROM terms t
  ) AS w
  WINDOW rarest AS (ORDER BY df = 0, df, lexeme)
),
matching AS MATERIALIZED (
  SELECT t.preference_id, {bm25} AS keyword
  FROM weighted w
  CROSS JOIN LATERAL (
    SELECT t.preference_id, t.frequency, t.length
    FROM prefmem.preference_terms t
    WHERE t.user_id = {user_id} AND t.lexeme = w.lexeme
    ORDER BY t.preference_id DESC
    LIMIT {frequent} + 1
  ) t
  WHERE w.is_read
  GROUP BY t.preference_id
),
-- Best first, and each is looked up only until the pool is full: most rows are never asked whether they may be seen.
keyword AS MATERIALIZED (
  SELECT preference_id, keyword, rank() OVER (ORDER BY keyword DESC) AS place
  FROM (
    SELECT k.preference_id, k.keyword
    FROM (SELECT preference_id, keyword FROM matching ORDER BY keyword DESC, preference_id OFFSET 0) AS k
    WHERE {admits_keyword}
    ORDER BY k.keyword DESC, k.preference_id
    LIMIT {pool}
  ) AS best
),"""
# Each name is compared once, however many rows have it; rows are read again only when a name is like one asked for.
ALIKE: Final = """SELECT name, likeness
  FROM (
    SELECT d.name, word_similarity(lower(d.name), lower({query}))::float8 AS likeness
    FROM (
      SELECT DISTINCT unnest(p.entities) AS name
      FROM prefmem.preferences p
      WHERE p.user_id = {user_id} AND p.status = 'activated' AND cardinality(p.entities) > 0
    ) AS d
    OFFSET 0
  ) AS l
  WHERE likeness >= {fuzzy_threshold}"""
FUZZY: Final = """
names AS MATERIALIZED (
  {names}
),
named AS MATERIALIZED (
  SELECT p.preference_id, max(names.likeness) AS fuzzy
  FROM prefmem.preferences p CROSS JOIN LATERAL unnest(p.entities) AS n(name) JOIN names ON names.name = n.name
  WHERE (SELECT count(*) > 0 FROM names)
    AND p.user_id = {user_id} AND p.status = 'activated' AND cardinality(p.entities) > 0
  GROUP BY p.preference_id
),
fuzzy AS MATERIALIZED (
  SELECT f.preference_id, f.fuzzy
  FROM (SELECT preference_id, fuzzy FROM named ORDER BY fuzzy DESC, preference_id OFFSET 0) AS f
  WHERE {admits_fuzzy}
  ORDER BY f.fuzzy DESC, f.preference_id
  LIMIT {pool}
),
found AS MATERIALIZED (
  SELECT preference_id FROM semantic UNION SELECT preference_id FROM keyword UNION SELECT preference_id FROM fuzzy
),
-- Of what the arms have, only what has not expired counts towards what is asked for.
enough AS MATERIALIZED (
  SELECT FROM found f CROSS JOIN LATERAL (
    SELECT FROM prefmem.preferences p
    WHERE p.user_id = {user_id} AND p.preference_id = f.preference_id AND {is_current}
    OFFSET 0
  ) AS current
  LIMIT {limit}
),
-- Rows that no arm has: without a vector and without a common word. Only looked for when the others are too few.
rest AS MATERIALIZED (
  SELECT p.preference_id
  FROM prefmem.preferences p
  WHERE (SELECT count(*) FROM enough) < {limit} AND p.user_id = {user_id} AND p.status = 'activated'
    AND {consented} AND {admits_rest}
    AND NOT EXISTS (SELECT FROM found f WHERE f.preference_id = p.preference_id)
  ORDER BY p.created_at DESC, p.preference_id
  LIMIT {pool}
),"""
# The row of the question's very words; and each row once, with what each arm says of it. Grouped, not joined: the plan
# is made before anybody knows how many. Of the semantic arm only what may be among the best, by itself or with words.
WITH_ALL: Final = """
said AS MATERIALIZED (
  SELECT p.preference_id FROM prefmem.preferences p
  WHERE p.user_id = {user_id} AND p.statement_hash = {statement_hash} AND p.status = 'activated'
),
proposed AS (
  SELECT preference_id, semantic, NULL::float8 AS keyword, NULL::float8 AS fuzzy, place AS semantic_place,
    NULL::bigint AS keyword_place
  FROM semantic
  WHERE semantic >= {least_semantic} OR preference_id = (SELECT preference_id FROM said)
    OR (preference_id IN (SELECT preference_id FROM keyword UNION ALL SELECT preference_id FROM fuzzy)) IS TRUE
  UNION ALL SELECT preference_id, NULL, keyword, NULL, NULL, place FROM keyword
  UNION ALL SELECT preference_id, NULL, NULL, fuzzy, NULL, NULL FROM fuzzy
  UNION ALL SELECT preference_id, NULL, NULL, NULL, NULL, NULL FROM rest
),"""
# Where no name is alike and the vectors alone are as many as are asked for.
WITH_TWO: Final = """
said AS MATERIALIZED (
  SELECT p.preference_id FROM prefmem.preferences p
  WHERE p.user_id = {user_id} AND p.statement_hash = {statement_hash} AND p.status = 'activated'
),
proposed AS (
  SELECT preference_id, semantic, NULL::float8 AS keyword, NULL::float8 AS fuzzy, place AS semantic_place,
    NULL::bigint AS keyword_place
  FROM semantic
  WHERE semantic >= {least_semantic} OR preference_id = (SELECT preference_id FROM said)
    OR (preference_id IN (SELECT preference_id FROM keyword)) IS TRUE
  UNION ALL SELECT preference_id, NULL, keyword, NULL, NULL, place FROM keyword
),"""
ARMS: Final = """
arms AS (
  -- A row that only the other arms proposed has its place by vector too.
  SELECT c.preference_id, coalesce(c.semantic, (
      SELECT {score}
      FROM prefmem.preference_embeddings e JOIN means m ON m.language = e.language
      WHERE e.user_id = {user_id} AND e.preference_id = c.preference_id AND e.model_id = {model_id} AND e.is_active
      LIMIT 1)) AS semantic, c.keyword, c.fuzzy, c.semantic_rank, c.keyword_rank
  FROM (
    SELECT preference_id, max(semantic) AS semantic, coalesce(max(keyword), 0) AS keyword,
      coalesce(max(fuzzy), 0) AS fuzzy, max(semantic_place) AS semantic_rank, max(keyword_place) AS keyword_rank
    FROM proposed
    GROUP BY preference_id
  ) AS c
),
weighed AS MATERIALIZED (
  SELECT a.*, {weight} AS weight FROM arms a
),
-- Not rows that no arm has (there are some only when all are needed), nor the very words.
near AS (
  SELECT w.*
  FROM weighed w
  WHERE w.weight >= {least_weight}
    OR (w.semantic IS NULL AND w.keyword = 0 AND w.fuzzy = 0)
    OR w.preference_id = (SELECT preference_id FROM said)
),
scored AS (
  SELECT a.*, {scores}
  FROM near a
  JOIN prefmem.preferences p ON p.user_id = {user_id} AND p.preference_id = a.preference_id
  LEFT JOIN prefmem.preference_usage u ON u.user_id = {user_id} AND u.preference_id = a.preference_id
  WHERE {is_current}
),"""
IS_CURRENT: Final = "p.status = 'activated' AND (p.expires_at IS NULL OR p.expires_at > {now})"
WEIGHT: Final = "coalesce(a.semantic, 0) + {keyword_weight} * {keyword} + {fuzzy_weight} * {fuzzy}"
# The factors move a score little: what is further from the last of the best than they can make up for is left out
# before its row is looked up. So much they can make up for, by the map from weight to relevance and back.
LEAST: Final = """coalesce((
    SELECT {midpoint} + ln(r.share / (1 - r.share)) / {steepness}
    FROM (
      SELECT {least_share} / (1 + exp(-{steepness} * (b.weight - {midpoint}))) AS share
      FROM ({best_known}) AS b
      OFFSET {limit} + {expired} - 1 LIMIT 1
    ) AS r), '-infinity')"""
BEST_SEMANTIC: Final = "SELECT semantic AS weight FROM semantic ORDER BY place"
BEST_WEIGHED: Final = """
      SELECT weight FROM weighed WHERE semantic IS NOT NULL OR keyword > 0 OR fuzzy > 0 ORDER BY weight DESC"""
SCORES: Final = """p.statement_hash = {statement_hash} AS is_exact,
    CASE WHEN p.statement_hash = {statement_hash} THEN 1
      ELSE 1 / (1 + exp(-{steepness} * ({weighed} - {midpoint}))) END AS relevance,
    1 + {recency_weight} * (2 * exp(-ln(2::float8)
      * least(greatest(date_part('epoch', {now} - p.valid_from), 0) / {half_life}, 50)) - 1) AS recency,
    1 + {importance_weight} * (2 * p.importance - 1) AS importance_factor,
    1 + {confidence_weight} * (2 * p.confidence - 1) AS confidence_factor,
    1 + {heat_weight} * (2 * (1 - 1 / (1 + ln(1 + coalesce(u.access_count, 0)::float8))) - 1) AS heat"""
# Rows without a vector and without a common word or name only when the others are too few. Ordered before the rows are
# looked up, one by one: sorting whole rows costs a small user a twentieth of a search.
BEST: Final = """
best AS MATERIALIZED (
  SELECT s.*, CASE WHEN s.is_exact THEN 1
    ELSE least(s.relevance * s.recency * s.importance_factor * s.confidence_factor * s.heat / {most}, 1) END AS score
  FROM scored s
  ORDER BY s.semantic IS NULL AND s.keyword = 0 AND s.fuzzy = 0 AND NOT s.is_exact, score DESC, s.preference_id
  LIMIT {limit}
),
evidence AS MATERIALIZED (
  SELECT b.preference_id, jsonb_agg(jsonb_build_array(
    e.message_id, e.start_offset, e.end_offset, e.quote, m.role, m.occurred_at, m.dialog_id)
    ORDER BY m.occurred_at, e.message_id, e.start_offset) AS spans
  FROM best b
  JOIN prefmem.preference_evidence e ON e.user_id = {user_id} AND e.preference_id = b.preference_id
  JOIN prefmem.messages m ON m.user_id = {user_id} AND m.message_id = e.message_id
  GROUP BY b.preference_id
)
SELECT {columns}, b.score::real, b.semantic::real, b.keyword::real, b.fuzzy::real, b.relevance::real,
  b.recency::real, b.importance_factor::real, b.confidence_factor::real, b.heat::real, b.semantic_rank,
  b.keyword_rank, b.is_exact, {plan}, (SELECT v.spans FROM evidence v WHERE v.preference_id = b.preference_id)
FROM (SELECT * FROM best ORDER BY score DESC, preference_id) AS b
CROSS JOIN LATERAL (
  SELECT p.* FROM prefmem.preferences p WHERE p.user_id = {user_id} AND p.preference_id = b.preference_id OFFSET 0
) AS p
WHERE b.score >= {min_score}
ORDER BY b.score DESC, b.preference_id
"""


# With a filter the rows that pass are found first. Those of a user who is read exactly are given as an array; of a
# large user's at most FEW_IDS and one are looked for. If those are all there are, they alone are compared; else the
# filter stands in the index scan.
GIVEN: Final = """
allowed AS MATERIALIZED (
  SELECT preference_id FROM unnest({allowed}) AS given(preference_id)
),"""
ALLOWED: Final = """allowed AS MATERIALIZED (
  SELECT p.preference_id
  FROM prefmem.preferences p
  WHERE p.user_id = {user_id} AND p.status = 'activated' AND {consented} AND ({condition})
  LIMIT {few_ids} + 1
),"""
PASSES: Final = """EXISTS (
      SELECT FROM prefmem.preferences p
      WHERE p.user_id = {user_id} AND p.preference_id = {key} AND {consented} AND ({condition}) OFFSET 0)"""
