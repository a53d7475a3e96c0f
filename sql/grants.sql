-- What each role may do. Idempotent; needs no superuser; runs last in every upgrade.
-- Row-level security decides which rows; this decides which tables, columns and functions.

-- What a DBA has made in this schema is not ours to revoke, and would stop the upgrade.
DO $$
DECLARE
  ours text;
BEGIN
  FOR ours IN
    SELECT format('TABLE %s', CAST(oid AS regclass))
    FROM pg_class
    WHERE relnamespace = CAST('prefmem' AS regnamespace)
      AND relkind IN ('r', 'p', 'v')
      AND pg_has_role(relowner, 'USAGE')
    UNION ALL
    SELECT format('FUNCTION %s', CAST(oid AS regprocedure))
    FROM pg_proc
    WHERE pronamespace = CAST('prefmem' AS regnamespace)
      AND pg_has_role(proowner, 'USAGE')
  LOOP
    EXECUTE 'REVOKE ALL ON ' || ours
      || ' FROM PUBLIC, prefmem_app, prefmem_pipeline, prefmem_analyst, prefmem_analyst_text';
  END LOOP;
END;
$$;

GRANT USAGE ON SCHEMA prefmem TO prefmem_app, prefmem_pipeline, prefmem_analyst, prefmem_analyst_text;

-- The application and the pipeline: all rows of users that their policies let them see.
GRANT SELECT, INSERT, UPDATE, DELETE ON
  prefmem.users,
  prefmem.dialogs,
  prefmem.messages,
  prefmem.message_terms,
  prefmem.message_embeddings,
  prefmem.preferences,
  prefmem.preference_versions,
  prefmem.preference_evidence,
  prefmem.preference_usage,
  prefmem.preference_terms,
  prefmem.preference_embeddings,
  prefmem.candidates,
  prefmem.session_state,
  prefmem.profile_entries,
  prefmem.summaries,
  prefmem.summary_embeddings,
  prefmem.user_stats,
  prefmem.extraction_runs,
  prefmem.llm_calls,
  prefmem.llm_batch_items
TO prefmem_app, prefmem_pipeline;
GRANT SELECT ON
  prefmem.alembic_version,
  prefmem.embedding_models,
  prefmem.llm_prices
TO prefmem_app, prefmem_pipeline;
-- Tombstones say nothing by themselves: marks under a key that stands in settings, which none of these may read.
GRANT SELECT, INSERT, UPDATE, DELETE ON
  prefmem.erasures
TO prefmem_app, prefmem_pipeline;
-- Nobody's: an application's own calls for what comes with a model.
GRANT SELECT, INSERT, UPDATE ON
  prefmem.llm_shared_calls
TO prefmem_app, prefmem_pipeline;
GRANT SELECT, INSERT, UPDATE, DELETE ON
  prefmem.llm_batches,
  prefmem.evaluation_runs,
  prefmem.evaluation_results
TO prefmem_pipeline;

-- Analysts: the views, and of the tables exactly the columns that the views read.
GRANT SELECT (
  user_id, preference_id, kind, polarity, topic, language, confidence, importance, sensitivity, is_safety, is_pinned,
  status, superseded_by, mention_count, valid_from, valid_to, created_at, updated_at, expires_at, source, dialog_id,
  session_id, agent_id, mem_cube_id, version, run_id
) ON prefmem.preferences TO prefmem_analyst, prefmem_analyst_text;
GRANT SELECT (statement, context, entities, tags, metadata) ON prefmem.preferences TO prefmem_analyst_text;
GRANT SELECT (user_id, preference_id, message_id, start_offset, end_offset, run_id, created_at)
ON prefmem.preference_evidence TO prefmem_analyst, prefmem_analyst_text;
GRANT SELECT (quote) ON prefmem.preference_evidence TO prefmem_analyst_text;
GRANT SELECT (user_id, message_id, dialog_id, role, occurred_at, occurred_at_is_assumed, ingested_at, source,
  read_by_run_id)
ON prefmem.messages TO prefmem_analyst, prefmem_analyst_text;
GRANT SELECT (author) ON prefmem.messages TO prefmem_analyst_text;
GRANT SELECT (user_id, version_id, preference_id, version, event, actor, run_id, at)
ON prefmem.preference_versions TO prefmem_analyst, prefmem_analyst_text;
GRANT SELECT (state_before, state_after, reason) ON prefmem.preference_versions TO prefmem_analyst_text;
GRANT SELECT (user_id, preference_id, access_count, last_accessed_at)
ON prefmem.preference_usage TO prefmem_analyst, prefmem_analyst_text;
GRANT SELECT (user_id, layer, key, confidence, preference_id, stated_at, updated_at)
ON prefmem.profile_entries TO prefmem_analyst, prefmem_analyst_text;
GRANT SELECT (value, reason) ON prefmem.profile_entries TO prefmem_analyst_text;
GRANT SELECT (user_id, run_id, dialog_id, extractor, extractor_version, model, prompt_version, pass, state, attempts,
  counts, started_at, finished_at)
ON prefmem.extraction_runs TO prefmem_analyst, prefmem_analyst_text;

GRANT SELECT (user_id, state, created_at) ON prefmem.candidates TO prefmem_analyst, prefmem_analyst_text;
GRANT SELECT (user_id, dialog_id, session_id, source, started_at, ended_at)
ON prefmem.dialogs TO prefmem_analyst, prefmem_analyst_text;
GRANT SELECT (user_id, summary_id, language) ON prefmem.summaries TO prefmem_analyst, prefmem_analyst_text;
GRANT SELECT (user_id, preference_id, model_id)
ON prefmem.preference_embeddings TO prefmem_analyst, prefmem_analyst_text;
GRANT SELECT (user_id, message_id, model_id)
ON prefmem.message_embeddings TO prefmem_analyst, prefmem_analyst_text;
GRANT SELECT (user_id, summary_id, model_id)
ON prefmem.summary_embeddings TO prefmem_analyst, prefmem_analyst_text;
-- A vector tells nearly what its text tells, and postings are words: for those alone who may read the text.
GRANT SELECT (embedding, is_active) ON prefmem.preference_embeddings TO prefmem_analyst_text;
GRANT SELECT ON prefmem.preference_terms TO prefmem_analyst_text;
GRANT SELECT (user_id, call_id, purpose, provider, model, input_tokens, output_tokens, cache_read_tokens,
  cache_write_tokens, latency_ms, outcome, cost_usd, run_id, at, is_batch)
ON prefmem.llm_calls TO prefmem_analyst, prefmem_analyst_text;
GRANT SELECT (call_id, purpose, provider, model, input_tokens, output_tokens, cache_read_tokens,
  cache_write_tokens, latency_ms, outcome, cost_usd, at)
ON prefmem.llm_shared_calls TO prefmem_analyst, prefmem_analyst_text;
GRANT SELECT ON prefmem.llm_prices, prefmem.embedding_models TO prefmem_analyst, prefmem_analyst_text;

-- The views work with the rights of who asks: under row-level security the application sees its user's rows in them.
GRANT SELECT ON
  prefmem.dialog_extraction,
  prefmem.embedding_coverage,
  prefmem.llm_cost_daily,
  prefmem.cost_per_preference,
  prefmem.topic_trends,
  prefmem.active_preferences_without_text,
  prefmem.preference_history_without_text,
  prefmem.preference_changes_without_text,
  prefmem.staleness_without_text,
  prefmem.related_preferences_without_text,
  prefmem.review_queue_without_text,
  prefmem.user_profile_without_text,
  prefmem.evidence_trail_without_text,
  prefmem.monitor_tables,
  prefmem.monitor_indexes,
  prefmem.monitor_work
TO prefmem_app, prefmem_pipeline, prefmem_analyst, prefmem_analyst_text;
GRANT SELECT ON
  prefmem.active_preferences,
  prefmem.preference_history,
  prefmem.preference_changes,
  prefmem.staleness,
  prefmem.related_preferences,
  prefmem.review_queue,
  prefmem.user_profile,
  prefmem.evidence_trail
TO prefmem_app, prefmem_pipeline, prefmem_analyst_text;

-- Functions that generated columns and searches call, and what a program asks at the door.
GRANT EXECUTE ON FUNCTION
  prefmem.works_with(),
  prefmem.search_vector(text),
  prefmem.query_terms(text),
  prefmem.simplified(text)
TO prefmem_app, prefmem_pipeline, prefmem_analyst, prefmem_analyst_text;

-- What the store believed at a time: it reads the version states, so analysts need the role that may see text.
GRANT EXECUTE ON FUNCTION prefmem.preferences_as_of(text, timestamptz)
TO prefmem_app, prefmem_pipeline, prefmem_analyst_text;

-- Prices of calls: the cost views call it.
GRANT EXECUTE ON FUNCTION prefmem.call_cost(integer, integer, integer, integer, numeric, numeric, numeric, numeric)
TO prefmem_app, prefmem_pipeline, prefmem_analyst, prefmem_analyst_text;

-- Words of one user: under row-level security the application finds its own.
GRANT EXECUTE ON FUNCTION prefmem.search_preferences_text(text, text, integer)
TO prefmem_app, prefmem_pipeline, prefmem_analyst_text;

-- Comparisons by meaning: they read vectors, and similar_users those of every user.
GRANT EXECUTE ON FUNCTION
  prefmem.similar_preferences(text, uuid, integer),
  prefmem.similar_users(text, uuid, integer)
TO prefmem_pipeline, prefmem_analyst_text;

-- Erasure: each runs with the caller's own rights, so the application reaches its user's rows alone.
GRANT EXECUTE ON FUNCTION
  prefmem.erasure_mark(text, text),
  prefmem.shares_text(text, text),
  prefmem.without_journey(text, text, date, text),
  prefmem.take_from_stats(text, text, uuid[]),
  prefmem.blank_preferences(text, uuid[], text, text),
  prefmem.forget_user(text),
  prefmem.forget_messages(text, uuid[])
TO prefmem_app, prefmem_pipeline;

-- Search: two functions for each embedding model. They run with the caller's own rights, too.
DO $$
DECLARE
  searching regprocedure;
BEGIN
  FOR searching IN
    SELECT oid
    FROM pg_proc
    WHERE pronamespace = CAST('prefmem' AS regnamespace)
      AND proname ~ '^search_model_[0-9]+(_among)?$'
      AND pg_has_role(proowner, 'USAGE')
  LOOP
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO prefmem_app, prefmem_pipeline', searching);
  END LOOP;
END;
$$;
