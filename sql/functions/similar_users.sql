-- With the caller's own rights: only who sees every user finds anybody, and only who may read vectors may call it.
CREATE OR REPLACE FUNCTION prefmem.similar_users(of_user_id text, to_preference_id uuid, k integer DEFAULT 10)
RETURNS TABLE (
  user_id text,
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
  -- Every vector of every user is compared: the index holds large users alone. One row a user, the nearest.
  RETURN QUERY EXECUTE format(
    $statement$
    SELECT d.user_id, d.preference_id, d.kind, d.statement, d.polarity, d.topic, CAST(d.similarity AS real)
    FROM (
      SELECT DISTINCT ON (f.user_id) f.user_id, f.similarity, p.preference_id, p.kind, p.statement, p.polarity, p.topic
      FROM (
        SELECT e.user_id, e.preference_id, -(e.embedding OPERATOR(%1$I.<#>) (
          SELECT o.embedding
          FROM prefmem.preference_embeddings o
          WHERE o.user_id = $1 AND o.preference_id = $2
            AND o.model_id = (SELECT m.model_id FROM prefmem.embedding_models m WHERE m.state = 'active')
        )) AS similarity
        FROM prefmem.preference_embeddings e
        WHERE e.user_id <> $1 AND e.is_active
          AND e.model_id = (SELECT m.model_id FROM prefmem.embedding_models m WHERE m.state = 'active')
      ) f
      JOIN prefmem.preferences p
        ON p.user_id = f.user_id AND p.preference_id = f.preference_id
      WHERE f.similarity IS NOT NULL
        AND p.status = 'activated'
        AND (p.expires_at IS NULL OR p.expires_at > now())
      ORDER BY f.user_id, f.similarity DESC, p.preference_id
    ) d
    ORDER BY d.similarity DESC, d.user_id
    LIMIT $3
    $statement$,
    holder
  ) USING of_user_id, to_preference_id, k;
END;
$$;

COMMENT ON FUNCTION prefmem.similar_users(text, uuid, integer) IS
  'Who else has a preference like this one: the k nearest users, each with the nearest preference; reads every vector';
