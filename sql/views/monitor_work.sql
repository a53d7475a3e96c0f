CREATE OR REPLACE VIEW prefmem.monitor_work
WITH (security_invoker = true) AS
SELECT
  w.user_id,
  w.work,
  w.state,
  count(*) AS amount,
  min(w.since) AS oldest_at
FROM (
  SELECT m.user_id, 'message' AS work, 'unread' AS state, m.ingested_at AS since
  FROM prefmem.messages m
  WHERE m.read_by_run_id IS NULL
  UNION ALL
  SELECT c.user_id, 'candidate', c.state, c.created_at
  FROM prefmem.candidates c
  UNION ALL
  SELECT r.user_id, 'extraction run', r.state, r.started_at
  FROM prefmem.extraction_runs r
  WHERE r.state IN ('running', 'failed', 'parked')
  UNION ALL
  SELECT p.user_id, 'preference', 'waits for review', p.created_at
  FROM prefmem.preferences p
  WHERE p.status = 'resolving'
) w
GROUP BY w.user_id, w.work, w.state;

COMMENT ON VIEW prefmem.monitor_work IS
  'What waits or has failed, and since when? Exact counts; vectors that are missing: embedding_coverage';

COMMENT ON COLUMN prefmem.monitor_work.user_id IS 'The user whom this row belongs to';
COMMENT ON COLUMN prefmem.monitor_work.work IS 'message, candidate, extraction run or preference';
COMMENT ON COLUMN prefmem.monitor_work.state IS
  'unread (messages), waiting or parked (candidates), running, failed or parked (runs), waits for review';
COMMENT ON COLUMN prefmem.monitor_work.amount IS 'How many';
COMMENT ON COLUMN prefmem.monitor_work.oldest_at IS 'Since when the oldest of them waits';
