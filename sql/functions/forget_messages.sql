CREATE OR REPLACE FUNCTION prefmem.forget_messages(user_id text, message_ids uuid[])
RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  gone uuid[];
  touched text[];
  sessions text[];
  supported uuid[];
  unsupported uuid[];
  unread uuid[];
  counts jsonb := '{}';
  removed bigint;
BEGIN
  -- FOR UPDATE: whoever stores messages holds the row FOR KEY SHARE, and would not see the tombstones any more.
  PERFORM 1 FROM prefmem.users WHERE user_id = forget_messages.user_id FOR UPDATE;
  SELECT array_agg(message_id), array_agg(DISTINCT dialog_id) INTO gone, touched
  FROM prefmem.messages
  WHERE user_id = forget_messages.user_id AND message_id = ANY(forget_messages.message_ids);
  IF gone IS NULL THEN
    RETURN counts;
  END IF;
  -- Whoever adds to these dialogs has locked them, and may next wait for the messages that go here: dialogs come first.
  PERFORM 1 FROM prefmem.dialogs
  WHERE user_id = forget_messages.user_id AND dialog_id = ANY(touched)
  ORDER BY dialog_id FOR UPDATE;
  INSERT INTO prefmem.erasures (scope, subject_hmac, counts)
  SELECT 'message', prefmem.erasure_mark(
    'message', CAST(jsonb_build_array(user_id, source, external_id) AS text)), '{"messages": 1}'
  FROM prefmem.messages
  WHERE user_id = forget_messages.user_id AND message_id = ANY(gone)
  ON CONFLICT (scope, subject_hmac) DO NOTHING;

  -- Preferences: a statement goes when nothing else supports it, or when its words are those of a forgotten message
  -- and of no other. What supports it in other words is read again by the next extraction.
  WITH judged AS (
    SELECT
      e.preference_id,
      bool_or(e.message_id <> ALL(gone)) AS has_other,
      bool_or(e.message_id = ANY(gone) AND prefmem.shares_text(p.statement, e.quote)) AS says_gone,
      bool_or(e.message_id <> ALL(gone) AND prefmem.shares_text(p.statement, e.quote)) AS says_other,
      array_agg(e.message_id) FILTER (WHERE e.message_id <> ALL(gone)) AS others
    FROM prefmem.preference_evidence e
    JOIN prefmem.preferences p
      ON p.user_id = forget_messages.user_id AND p.preference_id = e.preference_id AND p.status <> 'deleted'
    WHERE e.user_id = forget_messages.user_id
      AND e.preference_id IN (
        SELECT preference_id FROM prefmem.preference_evidence
        WHERE user_id = forget_messages.user_id AND message_id = ANY(gone)
      )
    GROUP BY e.preference_id
  ),
  decided AS (
    SELECT preference_id, others, has_other AND (says_other OR NOT says_gone) AS stays FROM judged
  )
  SELECT
    array_agg(preference_id) FILTER (WHERE stays),
    array_agg(preference_id) FILTER (WHERE NOT stays),
    (SELECT array_agg(DISTINCT message_id)
      FROM decided CROSS JOIN LATERAL unnest(others) AS message_id WHERE NOT stays)
  INTO supported, unsupported, unread
  FROM decided;
  removed := prefmem.blank_preferences(
    forget_messages.user_id, coalesce(unsupported, '{}'), 'forget', 'the messages that it came from were forgotten');
  counts := counts || jsonb_build_object('preferences', removed);
  -- A run that read nothing else would tell the next extraction that it has been done.
  DELETE FROM prefmem.extraction_runs r
  WHERE r.user_id = forget_messages.user_id
    AND r.run_id IN (
      SELECT read_by_run_id FROM prefmem.messages
      WHERE user_id = forget_messages.user_id AND message_id = ANY(unread)
    )
    AND NOT EXISTS (
      SELECT 1 FROM prefmem.messages m
      WHERE m.user_id = forget_messages.user_id AND m.dialog_id = r.dialog_id
        AND m.read_by_run_id = r.run_id AND m.message_id <> ALL(unread)
    );
  UPDATE prefmem.messages SET read_by_run_id = NULL
  WHERE user_id = forget_messages.user_id AND message_id = ANY(unread);
  UPDATE prefmem.preference_versions v
  SET
    state_before = CASE WHEN v.state_before ->> 'statement' = p.statement
      THEN jsonb_set(v.state_before, '{context}', '""') END,
    state_after = CASE WHEN v.state_after ->> 'statement' = p.statement
      THEN jsonb_set(v.state_after, '{context}', '""') END,
    reason = '',
    details = '{}'
  FROM prefmem.preferences p
  WHERE v.user_id = forget_messages.user_id AND v.preference_id = ANY(supported)
    AND p.user_id = v.user_id AND p.preference_id = v.preference_id;
  UPDATE prefmem.preferences SET context = ''
  WHERE user_id = forget_messages.user_id AND preference_id = ANY(supported);
  DELETE FROM prefmem.preference_evidence
  WHERE user_id = forget_messages.user_id AND message_id = ANY(gone);

  -- A context may quote a message that its own evidence is not from, of those that were read in the same run.
  WITH quoting AS (
    SELECT p.preference_id
    FROM prefmem.preferences p
    WHERE p.user_id = forget_messages.user_id AND p.dialog_id = ANY(touched) AND p.context <> ''
      AND EXISTS (
        SELECT 1
        FROM prefmem.messages m
        WHERE m.user_id = forget_messages.user_id AND m.message_id = ANY(gone) AND m.dialog_id = p.dialog_id
          AND prefmem.shares_text(p.context, m.content)
      )
  ),
  told AS (
    UPDATE prefmem.preference_versions v
    SET
      state_before = jsonb_set(v.state_before, '{context}', '""'),
      state_after = jsonb_set(v.state_after, '{context}', '""')
    FROM quoting q
    WHERE v.user_id = forget_messages.user_id AND v.preference_id = q.preference_id
  )
  UPDATE prefmem.preferences p SET context = ''
  FROM quoting q
  WHERE p.user_id = forget_messages.user_id AND p.preference_id = q.preference_id;

  -- What was made from the conversation as a whole.
  DELETE FROM prefmem.candidates
  WHERE user_id = forget_messages.user_id AND EXISTS (
    SELECT 1 FROM jsonb_array_elements(payload -> 'evidence') AS span
    WHERE CAST(span ->> 'message_id' AS uuid) = ANY(gone)
  );
  GET DIAGNOSTICS removed = ROW_COUNT;
  counts := counts || jsonb_build_object('candidates', removed);
  DELETE FROM prefmem.summaries s
  WHERE s.user_id = forget_messages.user_id
    AND (s.dialog_id = ANY(touched) OR s.scope = 'day' AND EXISTS (
      SELECT 1 FROM prefmem.messages m
      WHERE m.user_id = forget_messages.user_id AND m.message_id = ANY(gone)
        AND m.occurred_at BETWEEN s.period_start AND s.period_end
    ));
  GET DIAGNOSTICS removed = ROW_COUNT;
  counts := counts || jsonb_build_object('summaries', removed);
  SELECT array_agg(session_id) INTO sessions
  FROM prefmem.dialogs
  WHERE user_id = forget_messages.user_id AND dialog_id = ANY(touched) AND session_id IS NOT NULL;
  UPDATE prefmem.session_state SET goals = '[]', recalled = '[]'
  WHERE user_id = forget_messages.user_id AND session_id = ANY(sessions);
  UPDATE prefmem.extraction_runs SET error = 'the messages were forgotten'
  WHERE user_id = forget_messages.user_id AND dialog_id = ANY(touched) AND error IS NOT NULL;
  -- A call that is under way is marked, by a JSON null: what it brings back is not recorded either.
  UPDATE prefmem.llm_calls SET request = CASE WHEN outcome = 'running' THEN CAST('null' AS jsonb) END, response = NULL
  WHERE user_id = forget_messages.user_id AND (request IS NOT NULL OR response IS NOT NULL OR outcome = 'running');

  -- The messages, with their statistics, postings and vectors. Their language stands with the vector alone.
  UPDATE prefmem.user_stats s
  SET row_count = greatest(s.row_count - g.amount, 0), total_length = greatest(s.total_length - g.length, 0)
  FROM (
    SELECT
      coalesce(
        (SELECT min(e.language) FROM prefmem.message_embeddings e
          WHERE e.user_id = forget_messages.user_id AND e.message_id = m.message_id),
        CASE WHEN m.content ~ '[\u4e00-\u9fff]' THEN 'zh' ELSE 'en' END
      ) AS language,
      count(*) AS amount,
      sum((SELECT coalesce(sum(cardinality(positions)), 0) FROM unnest(m.search_vector))) AS length
    FROM prefmem.messages m
    WHERE m.user_id = forget_messages.user_id AND m.message_id = ANY(gone)
    GROUP BY 1
  ) g
  WHERE s.user_id = forget_messages.user_id AND s.scope = 'message' AND s.language = g.language;
  PERFORM prefmem.take_from_stats(forget_messages.user_id, 'message', gone);
  DELETE FROM prefmem.message_terms t
  USING (
    SELECT m.message_id, u.lexeme
    FROM prefmem.messages m CROSS JOIN LATERAL unnest(m.search_vector) u
    WHERE m.user_id = forget_messages.user_id AND m.message_id = ANY(gone)
  ) x
  WHERE t.user_id = forget_messages.user_id AND t.lexeme = x.lexeme AND t.message_id = x.message_id;
  DELETE FROM prefmem.message_embeddings
  WHERE user_id = forget_messages.user_id AND message_id = ANY(gone);
  DELETE FROM prefmem.messages
  WHERE user_id = forget_messages.user_id AND message_id = ANY(gone);
  GET DIAGNOSTICS removed = ROW_COUNT;
  counts := counts || jsonb_build_object('messages', removed);

  -- Imported titles are often the first message. A dialog without messages goes, with its runs.
  UPDATE prefmem.dialogs SET title = NULL
  WHERE user_id = forget_messages.user_id AND dialog_id = ANY(touched) AND title IS NOT NULL;
  DELETE FROM prefmem.dialogs d
  WHERE d.user_id = forget_messages.user_id AND d.dialog_id = ANY(touched) AND NOT EXISTS (
    SELECT 1 FROM prefmem.messages m WHERE m.user_id = forget_messages.user_id AND m.dialog_id = d.dialog_id
  );
  GET DIAGNOSTICS removed = ROW_COUNT;
  counts := counts || jsonb_build_object('dialogs', removed);
  UPDATE prefmem.users SET revision = revision + 1 WHERE user_id = forget_messages.user_id;
  RETURN counts;
END;
$$;

COMMENT ON FUNCTION prefmem.forget_messages(text, uuid[]) IS
  'Erases messages and what rests on them alone, leaving tombstones, so that they are not taken in again';
