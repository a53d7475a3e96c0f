"""The text of the search among so few rows that no arm need leave one out: each of them is scored."""

from typing import Final

SMALL: Final = """
semantic AS MATERIALIZED (
  SELECT e.preference_id, {score} AS semantic, rank() OVER (ORDER BY {score} DESC) AS place
  {all_vectors}
),
postings AS MATERIALIZED (
  SELECT preference_id, lexeme, frequency, length
  FROM prefmem.preference_terms
  WHERE user_id = {user_id} AND lexeme = ANY({terms})
),
weighted AS MATERIALIZED (
  SELECT lexeme, idf, sum(idf) OVER () AS all_idf
  FROM (
    SELECT t.lexeme, {idf} AS idf
    FROM (
      SELECT lexeme, (SELECT count(*) FROM postings p WHERE p.lexeme = l.lexeme)::float8 AS df
      FROM unnest({terms}) AS l(lexeme)
      OFFSET 0
    ) AS t
  ) AS w
),
keyword AS MATERIALIZED (
  SELECT preference_id, keyword, rank() OVER (ORDER BY keyword DESC) AS place
  FROM (
    SELECT t.preference_id, {bm25} AS keyword
    FROM postings t JOIN weighted w ON w.lexeme = t.lexeme
    GROUP BY t.preference_id
  ) AS k
  WHERE {admits_keyword}
),
scored AS (
  SELECT p.preference_id, a.semantic, coalesce(k.keyword, 0) AS keyword, 0::float8 AS fuzzy, a.place AS semantic_rank,
    k.place AS keyword_rank, {scores}
  FROM prefmem.preferences p
  LEFT JOIN semantic a ON a.preference_id = p.preference_id
  LEFT JOIN keyword k ON k.preference_id = p.preference_id
  LEFT JOIN prefmem.preference_usage u ON u.user_id = {user_id} AND u.preference_id = p.preference_id
  WHERE p.user_id = {user_id} AND {is_current} AND {consented}
),"""
