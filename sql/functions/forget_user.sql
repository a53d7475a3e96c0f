CREATE OR REPLACE FUNCTION prefmem.forget_user(user_id text)
RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  was_known boolean;
  counts jsonb := '{}';
  table_name text;
  removed bigint;
BEGIN
  -- Made when missing: whoever is adding this user right now is waited for, and whoever comes next waits for us.
  INSERT INTO prefmem.users (user_id) VALUES (forget_user.user_id) ON CONFLICT (user_id) DO NOTHING;
  GET DIAGNOSTICS removed = ROW_COUNT;
  was_known := removed = 0;
  -- FOR UPDATE: messages being stored hold the row FOR KEY SHARE, and must end before their tables are emptied.
  PERFORM 1 FROM prefmem.users WHERE user_id = forget_user.user_id FOR UPDATE;

  -- Children before parents, each in bulk: a cascade goes row by row. What is not listed goes with the user's row.
  FOREACH table_name IN ARRAY ARRAY[
    'message_terms', 'preference_terms', 'message_embeddings', 'preference_embeddings', 'summary_embeddings',
    'preference_evidence', 'preference_usage', 'preference_versions', 'profile_entries', 'preferences', 'messages',
    'summaries', 'extraction_runs', 'dialogs', 'candidates', 'session_state', 'user_stats', 'llm_calls',
    'llm_batch_items', 'users'
  ] LOOP
    EXECUTE format('DELETE FROM prefmem.%I WHERE user_id = $1', table_name) USING forget_user.user_id;
    GET DIAGNOSTICS removed = ROW_COUNT;
    IF removed > 0 AND (was_known OR table_name <> 'users') THEN
      counts := counts || jsonb_build_object(table_name, removed);
    END IF;
  END LOOP;

  INSERT INTO prefmem.erasures AS e (scope, subject_hmac, counts, at)
  VALUES ('user', prefmem.erasure_mark('user', forget_user.user_id), counts, clock_timestamp())
  ON CONFLICT (scope, subject_hmac) DO UPDATE SET counts = excluded.counts, at = excluded.at
  WHERE excluded.counts <> '{}';
  RETURN counts;
END;
$$;

COMMENT ON FUNCTION prefmem.forget_user(text) IS
  'Erases everything of a user and leaves a tombstone, so that old messages are not taken in again; returns counts';
