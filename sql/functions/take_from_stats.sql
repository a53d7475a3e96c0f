CREATE OR REPLACE FUNCTION prefmem.take_from_stats(user_id text, scope text, owner_ids uuid[])
RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  -- mean = (10 * shipped + sum) / (n + 10), so taking k vectors out needs no look at the others.
  -- By arrays: the operators of pgvector live in a schema that differs between databases.
  EXECUTE format(
    $statement$
    WITH removed AS (
      SELECT e.model_id, e.language, u.place, sum(u.value) AS total, count(*) AS amount
      FROM prefmem.%1$I e
      CROSS JOIN LATERAL unnest(CAST(e.embedding AS real[])) WITH ORDINALITY AS u(value, place)
      WHERE e.user_id = $1 AND e.%2$I = ANY($2)
      GROUP BY e.model_id, e.language, u.place
    ),
    fresh AS (
      SELECT r.model_id, r.language, max(r.amount) AS amount,
        array_agg(
          CAST((m.value * (s.vector_count + 10) - r.total) / (s.vector_count - r.amount + 10) AS real)
          ORDER BY r.place
        ) FILTER (WHERE s.vector_count > r.amount) AS mean
      FROM removed r
      JOIN prefmem.user_stats s
        ON s.user_id = $1 AND s.scope = $3 AND s.model_id = r.model_id AND s.language = r.language
      CROSS JOIN LATERAL unnest(CAST(s.memory_mean AS real[])) WITH ORDINALITY AS m(value, place)
      WHERE m.place = r.place
      GROUP BY r.model_id, r.language
    )
    UPDATE prefmem.user_stats s
    SET vector_count = greatest(s.vector_count - f.amount, 0), memory_mean = f.mean
    FROM fresh f
    WHERE s.user_id = $1 AND s.scope = $3 AND s.model_id = f.model_id AND s.language = f.language
    $statement$,
    take_from_stats.scope || '_embeddings',
    take_from_stats.scope || '_id'
  ) USING take_from_stats.user_id, take_from_stats.owner_ids, take_from_stats.scope;
END;
$$;

COMMENT ON FUNCTION prefmem.take_from_stats(text, text, uuid[]) IS
  'Takes the vectors of rows that are about to go out of the user''s running means; scope is preference or message';
