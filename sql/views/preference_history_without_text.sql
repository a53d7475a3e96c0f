CREATE OR REPLACE VIEW prefmem.preference_history_without_text
WITH (security_invoker = true) AS
SELECT
  v.user_id,
  v.preference_id,
  v.version,
  v.event,
  v.at,
  v.actor,
  v.run_id,
  v.version_id
FROM prefmem.preference_versions v;

COMMENT ON VIEW prefmem.preference_history_without_text IS
  'When something changed and what kind of change it was, without the words';

COMMENT ON COLUMN prefmem.preference_history_without_text.user_id IS 'The user whom this row belongs to';
COMMENT ON COLUMN prefmem.preference_history_without_text.preference_id IS 'The preference that changed';
COMMENT ON COLUMN prefmem.preference_history_without_text.version IS 'Its version number after the change';
COMMENT ON COLUMN prefmem.preference_history_without_text.event IS
  'What happened: add, update, merge, supersede, archive, restore, delete, approve, reject';
COMMENT ON COLUMN prefmem.preference_history_without_text.at IS 'When the change was stored';
COMMENT ON COLUMN prefmem.preference_history_without_text.actor IS 'Who or what made the change';
COMMENT ON COLUMN prefmem.preference_history_without_text.run_id IS 'The run that made the change; NULL: a direct call';
COMMENT ON COLUMN prefmem.preference_history_without_text.version_id IS 'Id of the change';
