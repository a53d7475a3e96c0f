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

COMMENT ON COLUMN prefmem.preference_history.user_id IS 'The user whom this row belongs to';
COMMENT ON COLUMN prefmem.preference_history.preference_id IS 'The preference that changed';
COMMENT ON COLUMN prefmem.preference_history.version IS 'Its version number after the change';
COMMENT ON COLUMN prefmem.preference_history.event IS
  'What happened: add, update, merge, supersede, archive, restore, delete, approve, reject';
COMMENT ON COLUMN prefmem.preference_history.at IS 'When the change was stored';
COMMENT ON COLUMN prefmem.preference_history.actor IS 'Who or what made the change';
COMMENT ON COLUMN prefmem.preference_history.reason IS 'Why, in words';
COMMENT ON COLUMN prefmem.preference_history.statement_before IS
  'The statement before the change; NULL: there was none, or it was deleted on request';
COMMENT ON COLUMN prefmem.preference_history.statement_after IS
  'The statement after the change; NULL: deleted on request';
COMMENT ON COLUMN prefmem.preference_history.status_before IS
  'The status before the change; NULL: there was none, or it was deleted on request';
COMMENT ON COLUMN prefmem.preference_history.status_after IS 'The status after the change; NULL: deleted on request';
COMMENT ON COLUMN prefmem.preference_history.superseded_by IS
  'The preference that replaced it by this change; NULL: none';
COMMENT ON COLUMN prefmem.preference_history.run_id IS 'The run that made the change; NULL: a direct call';
COMMENT ON COLUMN prefmem.preference_history.version_id IS 'Id of the change';
