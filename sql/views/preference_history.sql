CREATE OR REPLACE VIEW prefmem.preference_history
WITH (security_invoker = true) AS
SELECT
  v.user_id,
  v.preference_id,
  v.version,
  v.event,
  v.at,
  v.actor,
  v.reason,
  v.state_before ->> 'statement' AS statement_before,
  v.state_after ->> 'statement' AS statement_after,
  v.state_before ->> 'status' AS status_before,
  v.state_after ->> 'status' AS status_after,
  CAST(v.state_after ->> 'superseded_by' AS uuid) AS superseded_by,
  v.run_id,
  v.version_id
FROM prefmem.preference_versions v;

COMMENT ON VIEW prefmem.preference_history IS
  'What changed, when and why: one row for every change of every preference';
