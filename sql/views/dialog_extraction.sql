CREATE OR REPLACE VIEW prefmem.dialog_extraction
WITH (security_invoker = true) AS
SELECT
  d.user_id,
  d.dialog_id,
  d.session_id,
  d.source,
  d.started_at,
  d.ended_at,
  coalesce(m.message_count, 0) AS message_count,
  coalesce(m.user_message_count, 0) AS user_message_count,
  coalesce(m.unread_count, 0) AS unread_count,
  coalesce(r.run_count, 0) AS run_count,
  coalesce(r.failed_count, 0) AS failed_count,
  coalesce(r.parked_count, 0) AS parked_count,
  r.last_run_at,
  r.last_extractor_version,
  coalesce(e.preference_count, 0) AS preference_count,
  coalesce(e.activated_count, 0) AS activated_count
FROM prefmem.dialogs d
LEFT JOIN (
  SELECT
    user_id,
    dialog_id,
    count(*) AS message_count,
    count(*) FILTER (WHERE role = 'user') AS user_message_count,
    count(*) FILTER (WHERE read_by_run_id IS NULL) AS unread_count
  FROM prefmem.messages
  GROUP BY user_id, dialog_id
) m
  ON m.user_id = d.user_id AND m.dialog_id = d.dialog_id
LEFT JOIN (
  SELECT
    user_id,
    dialog_id,
    count(*) AS run_count,
    count(*) FILTER (WHERE state = 'failed') AS failed_count,
    count(*) FILTER (WHERE state = 'parked') AS parked_count,
    max(started_at) AS last_run_at,
    (array_agg(extractor_version ORDER BY started_at DESC, run_id DESC))[1] AS last_extractor_version
  FROM prefmem.extraction_runs
  GROUP BY user_id, dialog_id
) r
  ON r.user_id = d.user_id AND r.dialog_id = d.dialog_id
LEFT JOIN (
  SELECT
    x.user_id,
    n.dialog_id,
    count(DISTINCT x.preference_id) AS preference_count,
    count(DISTINCT x.preference_id) FILTER (WHERE p.status = 'activated') AS activated_count
  FROM prefmem.preference_evidence x
  JOIN prefmem.messages n
    ON n.user_id = x.user_id AND n.message_id = x.message_id
  JOIN prefmem.preferences p
    ON p.user_id = x.user_id AND p.preference_id = x.preference_id
  GROUP BY x.user_id, n.dialog_id
) e
  ON e.user_id = d.user_id AND e.dialog_id = d.dialog_id;

COMMENT ON VIEW prefmem.dialog_extraction IS
  'What was read, what is unread and what came of it: one row a dialog';

COMMENT ON COLUMN prefmem.dialog_extraction.user_id IS 'The user whom this row belongs to';
COMMENT ON COLUMN prefmem.dialog_extraction.dialog_id IS 'The caller''s id, or default:<session or day>';
COMMENT ON COLUMN prefmem.dialog_extraction.session_id IS 'The sitting that the dialog belongs to; NULL: none';
COMMENT ON COLUMN prefmem.dialog_extraction.source IS 'Where the dialog came from: api, or an importer''s name';
COMMENT ON COLUMN prefmem.dialog_extraction.started_at IS 'Time of the first message; NULL: no message yet';
COMMENT ON COLUMN prefmem.dialog_extraction.ended_at IS 'Time of the last message; NULL: no message yet';
COMMENT ON COLUMN prefmem.dialog_extraction.message_count IS 'How many messages the dialog has';
COMMENT ON COLUMN prefmem.dialog_extraction.user_message_count IS 'How many of them the user said';
COMMENT ON COLUMN prefmem.dialog_extraction.unread_count IS 'How many messages no extraction has read yet';
COMMENT ON COLUMN prefmem.dialog_extraction.run_count IS 'How many extraction runs read from it';
COMMENT ON COLUMN prefmem.dialog_extraction.failed_count IS 'How many of the runs failed and are tried again';
COMMENT ON COLUMN prefmem.dialog_extraction.parked_count IS 'How many of the runs were given up';
COMMENT ON COLUMN prefmem.dialog_extraction.last_run_at IS 'When the latest run started; NULL: none yet';
COMMENT ON COLUMN prefmem.dialog_extraction.last_extractor_version IS 'Extractor of the latest run; NULL: none yet';
COMMENT ON COLUMN prefmem.dialog_extraction.preference_count IS
  'How many preferences have evidence in the dialog, whatever has become of them';
COMMENT ON COLUMN prefmem.dialog_extraction.activated_count IS 'How many of these preferences are current';
