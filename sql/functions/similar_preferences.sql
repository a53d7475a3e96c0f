-- With the caller's own rights: who calls it must be allowed to read vectors, which tell nearly what the words tell.
CREATE OR REPLACE FUNCTION prefmem.similar_preferences(of_user_id text, to_preference_id uuid, k integer DEFAULT 10)
RETURNS TABLE (
  preference_id uuid,
  kind text,
  statement text,
  polarity text,
  topic text,
  similarity real
)
LANGUAGE plpgsql
STABLE
SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  holder name;
BEGIN
  IF k IS NULL OR k NOT BETWEEN 1 AND 1000 THEN
    RAISE EXCEPTION 'k must be from 1 to 1000, not %', coalesce(CAST(k AS text), 'NULL')
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  -- The operators of pgvector live in a schema that differs between databases.
  SELECT n.nspname INTO STRICT holder
  FROM pg_extension x
  JOIN pg_namespace n ON n.oid = x.extnamespace
  WHERE x.extname = 'vector';
  -- All of the user's vectors are compared. The one to compare with comes by a scalar subquery: it is read once.
  RETURN QUERY EXECUTE format(
    $statement$
    SELECT p.preference_id, p.kind, p.statement, p.polarity, p.topic, CAST(f.similarity AS real)
    FROM (
      SELECT e.preference_id, -(e.embedding OPERATOR(%1$I.<#>) (
        SELECT o.embedding
        FROM prefmem.preference_embeddings o
        WHERE o.user_id = $1 AND o.preference_id = $2
          AND o.model_id = (SELECT m.model_id FROM prefmem.embedding_models m WHERE m.state = 'active')
      )) AS similarity
      FROM prefmem.preference_embeddings e
      WHERE e.user_id = $1 AND e.preference_id <> $2 AND e.is_active
        AND e.model_id = (SELECT m.model_id FROM prefmem.embedding_models m WHERE m.state = 'active')
    ) f
    JOIN prefmem.preferences p
      ON p.user_id = $1 AND p.preference_id = f.preference_id
    WHERE f.similarity IS NOT NULL
      AND p.status = 'activated'
      AND (p.expires_at IS NULL OR p.expires_at > now())
    ORDER BY f.similarity DESC, p.preference_id
    LIMIT $3
    $statement$,
    holder
  ) USING of_user_id, to_preference_id, k;
END;
$$;

COMMENT ON FUNCTION prefmem.similar_preferences(text, uuid, integer) IS
  'What else of this user is like this preference: the k nearest by meaning, by cosine; none when it has no vector';
