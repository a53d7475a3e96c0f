CREATE OR REPLACE FUNCTION prefmem.search_preferences_text(of_user_id text, query text, k integer DEFAULT 10)
RETURNS TABLE (
  preference_id uuid,
  kind text,
  statement text,
  polarity text,
  topic text,
  score real
)
LANGUAGE plpgsql
STABLE
SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF k IS NULL OR k NOT BETWEEN 1 AND 1000 THEN
    RAISE EXCEPTION 'k must be from 1 to 1000, not %', coalesce(CAST(k AS text), 'NULL')
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  -- BM25 with k1 = 0.9 and b = 0.3, as the search of the package. A text that holds the whole query counts one more:
  -- that is also how a single Chinese character or an emoji is found, which have no posting of their own.
  RETURN QUERY
  WITH user_size AS (
    SELECT
      count(*) AS documents,
      greatest(avg(l.length), 1) AS average_length
    FROM (
      SELECT max(t.length) AS length
      FROM prefmem.preference_terms t
      WHERE t.user_id = of_user_id
      GROUP BY t.preference_id
    ) l
  ),
  hits AS (
    SELECT
      t.preference_id,
      t.frequency,
      t.length,
      count(*) OVER (PARTITION BY t.lexeme) AS holders
    FROM prefmem.preference_terms t
    WHERE t.user_id = of_user_id
      AND t.lexeme = ANY(prefmem.query_terms(search_preferences_text.query))
  ),
  ranked AS (
    SELECT
      h.preference_id,
      sum(
        ln(1 + (s.documents - h.holders + 0.5) / (h.holders + 0.5))
        * h.frequency * 1.9 / (h.frequency + 0.9 * (0.7 + 0.3 * h.length / s.average_length))
      ) AS relevance
    FROM hits h
    CROSS JOIN user_size s
    GROUP BY h.preference_id
  ),
  found AS (
    SELECT
      p.preference_id,
      p.kind,
      p.statement,
      p.polarity,
      p.topic,
      coalesce(r.relevance, 0) AS relevance,
      btrim(search_preferences_text.query) <> ''
        AND strpos(lower(p.statement), lower(btrim(search_preferences_text.query))) > 0 AS holds_all
    FROM prefmem.preferences p
    LEFT JOIN ranked r
      ON r.preference_id = p.preference_id
    WHERE p.user_id = of_user_id
      AND p.status = 'activated'
      AND (p.expires_at IS NULL OR p.expires_at > now())
  )
  SELECT
    f.preference_id,
    f.kind,
    f.statement,
    f.polarity,
    f.topic,
    CAST(f.relevance + CASE WHEN f.holds_all THEN 1 ELSE 0 END AS real)
  FROM found f
  WHERE f.relevance > 0 OR f.holds_all
  ORDER BY f.relevance + CASE WHEN f.holds_all THEN 1 ELSE 0 END DESC, f.preference_id
  LIMIT k;
END;
$$;

COMMENT ON FUNCTION prefmem.search_preferences_text(text, text, integer) IS
  'Which current preferences of a user hold these words: BM25 by English stems and Chinese pairs, no model needed';
