CREATE OR REPLACE VIEW prefmem.preference_changes_without_text
WITH (security_invoker = true) AS
SELECT
  v.user_id,
  v.at,
  v.version_id,
  v.preference_id,
  v.version,
  v.event,
  p.kind,
  p.topic,
  p.language,
  p.polarity,
  p.status,
  p.superseded_by,
  v.event = 'supersede'
    AND coalesce(p.polarity <> s.polarity AND 'neutral' NOT IN (p.polarity, s.polarity), false) AS is_reversal,
  v.actor,
  v.run_id
FROM prefmem.preference_versions v
JOIN prefmem.preferences p
  ON p.user_id = v.user_id AND p.preference_id = v.preference_id
LEFT JOIN prefmem.preferences s
  ON s.user_id = p.user_id AND s.preference_id = p.superseded_by;

COMMENT ON VIEW prefmem.preference_changes_without_text IS
  'What has changed since I last looked, without the words; follow it by (at, version_id)';

COMMENT ON COLUMN prefmem.preference_changes_without_text.user_id IS 'The user whom this row belongs to';
COMMENT ON COLUMN prefmem.preference_changes_without_text.at IS
  'When the change was stored; with version_id the place in the feed';
COMMENT ON COLUMN prefmem.preference_changes_without_text.version_id IS
  'Id of the change; later changes have greater ones';
COMMENT ON COLUMN prefmem.preference_changes_without_text.preference_id IS 'The preference that changed';
COMMENT ON COLUMN prefmem.preference_changes_without_text.version IS 'Its version number after the change';
COMMENT ON COLUMN prefmem.preference_changes_without_text.event IS
  'What happened: add, update, merge, supersede, archive, restore, delete, approve, reject';
COMMENT ON COLUMN prefmem.preference_changes_without_text.kind IS
  'Kind of the preference today: explicit, implicit, fact, goal or experience';
COMMENT ON COLUMN prefmem.preference_changes_without_text.topic IS 'Topic id of the preference today; NULL: none found';
COMMENT ON COLUMN prefmem.preference_changes_without_text.language IS
  'Language of the statement by script: en, zh, ja or ko';
COMMENT ON COLUMN prefmem.preference_changes_without_text.polarity IS
  'Polarity of the preference today: positive, negative or neutral';
COMMENT ON COLUMN prefmem.preference_changes_without_text.status IS 'Status of the preference today';
COMMENT ON COLUMN prefmem.preference_changes_without_text.superseded_by IS
  'The preference that has replaced it by today; NULL: none';
COMMENT ON COLUMN prefmem.preference_changes_without_text.is_reversal IS
  'True: the user changed their mind from liking to disliking or back';
COMMENT ON COLUMN prefmem.preference_changes_without_text.actor IS 'Who or what made the change';
COMMENT ON COLUMN prefmem.preference_changes_without_text.run_id IS 'The run that made the change; NULL: a direct call';
