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
