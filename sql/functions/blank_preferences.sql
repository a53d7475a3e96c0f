CREATE OR REPLACE FUNCTION prefmem.blank_preferences(
  user_id text, preference_ids uuid[], actor text DEFAULT 'sql', reason text DEFAULT 'deleted on request'
)
RETURNS integer
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  gone uuid[];
  told record;
  decided_at timestamptz;
BEGIN
  PERFORM 1 FROM prefmem.users WHERE user_id = blank_preferences.user_id FOR NO KEY UPDATE;
  SELECT array_agg(preference_id) INTO gone
  FROM prefmem.preferences
  WHERE user_id = blank_preferences.user_id
    AND preference_id = ANY(blank_preferences.preference_ids)
    AND status <> 'deleted';
  IF gone IS NULL THEN
    RETURN 0;
  END IF;

  -- Counts and means, while the rows are still there; locked in the order in which all lock them, for learning from
  -- searches does without the user's lock.
  PERFORM 1 FROM prefmem.user_stats
  WHERE user_id = blank_preferences.user_id AND scope = 'preference'
  ORDER BY language, model_id FOR NO KEY UPDATE;
  PERFORM prefmem.take_from_stats(blank_preferences.user_id, 'preference', gone);
  UPDATE prefmem.user_stats s
  SET row_count = greatest(s.row_count - p.amount, 0), total_length = greatest(s.total_length - p.length, 0)
  FROM (
    SELECT language, count(*) AS amount,
      sum((SELECT coalesce(sum(cardinality(positions)), 0) FROM unnest(search_vector))) AS length
    FROM prefmem.preferences
    WHERE user_id = blank_preferences.user_id AND preference_id = ANY(gone) AND status = 'activated'
    GROUP BY language
  ) p
  WHERE s.user_id = blank_preferences.user_id AND s.scope = 'preference' AND s.language = p.language;
  DELETE FROM prefmem.preference_terms t
  USING (
    SELECT p.preference_id, u.lexeme
    FROM prefmem.preferences p CROSS JOIN LATERAL unnest(p.search_vector) u
    WHERE p.user_id = blank_preferences.user_id AND p.preference_id = ANY(gone)
  ) x
  WHERE t.user_id = blank_preferences.user_id AND t.lexeme = x.lexeme AND t.preference_id = x.preference_id;

  -- What came later tells of what was before: in its context, in the states of its versions.
  FOR told IN
    WITH RECURSIVE later AS (
      SELECT p.preference_id AS origin, p.superseded_by AS preference_id
      FROM prefmem.preferences p
      WHERE p.user_id = blank_preferences.user_id AND p.preference_id = ANY(gone) AND p.superseded_by IS NOT NULL
      UNION
      SELECT l.origin, p.superseded_by
      FROM later l
      JOIN prefmem.preferences p ON p.user_id = blank_preferences.user_id AND p.preference_id = l.preference_id
      WHERE p.superseded_by IS NOT NULL
    )
    SELECT l.preference_id, p.statement, CAST(p.valid_from AT TIME ZONE 'UTC' AS date) AS since, p.context
    FROM later l
    JOIN prefmem.preferences p ON p.user_id = blank_preferences.user_id AND p.preference_id = l.origin
    WHERE l.preference_id <> ALL(gone)
  LOOP
    UPDATE prefmem.preferences
    SET context = prefmem.without_journey(context, told.statement, told.since, told.context)
    WHERE user_id = blank_preferences.user_id AND preference_id = told.preference_id AND context <> '';
    UPDATE prefmem.preference_versions
    SET
      state_before = CASE WHEN state_before ->> 'context' <> '' THEN jsonb_set(state_before, '{context}', to_jsonb(
        prefmem.without_journey(state_before ->> 'context', told.statement, told.since, told.context)))
        ELSE state_before END,
      state_after = CASE WHEN state_after ->> 'context' <> '' THEN jsonb_set(state_after, '{context}', to_jsonb(
        prefmem.without_journey(state_after ->> 'context', told.statement, told.since, told.context)))
        ELSE state_after END
    WHERE user_id = blank_preferences.user_id AND preference_id = told.preference_id;
  END LOOP;

  -- Reasons may quote what was compared.
  UPDATE prefmem.preference_versions
  SET reason = '', details = '{}'
  WHERE user_id = blank_preferences.user_id
    AND (details <> '{}' OR reason <> '')
    AND EXISTS (
      SELECT 1
      FROM regexp_matches(CAST(details AS text), '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'g') AS named
      WHERE CAST(named[1] AS uuid) = ANY(gone)
    );
  UPDATE prefmem.preference_versions
  SET state_before = NULL, state_after = NULL, reason = '', details = '{}'
  WHERE user_id = blank_preferences.user_id AND preference_id = ANY(gone);
  DELETE FROM prefmem.preference_embeddings
  WHERE user_id = blank_preferences.user_id AND preference_id = ANY(gone);
  DELETE FROM prefmem.preference_evidence
  WHERE user_id = blank_preferences.user_id AND preference_id = ANY(gone);
  DELETE FROM prefmem.preference_usage
  WHERE user_id = blank_preferences.user_id AND preference_id = ANY(gone);
  DELETE FROM prefmem.profile_entries
  WHERE user_id = blank_preferences.user_id AND preference_id = ANY(gone);
  UPDATE prefmem.session_state
  SET goals = '[]'
  WHERE user_id = blank_preferences.user_id
    AND session_id IN (
      SELECT session_id FROM prefmem.preferences
      WHERE user_id = blank_preferences.user_id AND preference_id = ANY(gone)
    );
  -- Recorded payloads are for debugging; which of them quotes what cannot be told, so all of the user's go.
  -- A call that is under way is marked, by a JSON null: what it brings back is not recorded either.
  UPDATE prefmem.llm_calls
  SET request = CASE WHEN outcome = 'running' THEN CAST('null' AS jsonb) END, response = NULL
  WHERE user_id = blank_preferences.user_id
    AND (request IS NOT NULL OR response IS NOT NULL OR outcome = 'running');

  decided_at := clock_timestamp();
  UPDATE prefmem.preferences
  SET status = 'deleted', statement = NULL, statement_hash = NULL, context = '', entities = '{}', tags = '{}',
    topic = NULL, metadata = '{}', version = version + 1, updated_at = decided_at
  WHERE user_id = blank_preferences.user_id AND preference_id = ANY(gone);
  INSERT INTO prefmem.preference_versions (user_id, preference_id, version, event, actor, reason, at)
  SELECT user_id, preference_id, version, 'delete', blank_preferences.actor, blank_preferences.reason, decided_at
  FROM prefmem.preferences
  WHERE user_id = blank_preferences.user_id AND preference_id = ANY(gone);
  UPDATE prefmem.users SET revision = revision + 1 WHERE user_id = blank_preferences.user_id;
  RETURN cardinality(gone);
END;
$$;

COMMENT ON FUNCTION prefmem.blank_preferences(text, uuid[], text, text) IS
  'Deletes preferences for good: the rows stay, all that was said is removed from them and from what tells of them';
