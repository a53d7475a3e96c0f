CREATE OR REPLACE VIEW prefmem.preference_changes
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
  ARRAY(
    SELECT f.field
    FROM (
      SELECT coalesce(b.key, a.key) AS field
      FROM jsonb_each(v.state_before) AS b
      FULL JOIN jsonb_each(v.state_after) AS a ON a.key = b.key
      WHERE a.value IS DISTINCT FROM b.value AND v.state_before IS NOT NULL AND v.state_after IS NOT NULL
    ) AS f
    WHERE f.field NOT IN ('version', 'updated_at', 'run_id')
    ORDER BY f.field
  ) AS changed_fields,
  v.state_before ->> 'statement' AS statement_before,
  v.state_after ->> 'statement' AS statement_after,
  s.statement AS superseded_by_statement,
  v.actor,
  v.reason,
  v.run_id
FROM prefmem.preference_versions v
JOIN prefmem.preferences p
  ON p.user_id = v.user_id AND p.preference_id = v.preference_id
LEFT JOIN prefmem.preferences s
  ON s.user_id = p.user_id AND s.preference_id = p.superseded_by;

COMMENT ON VIEW prefmem.preference_changes IS
  'What has changed since I last looked: a feed of changes with the fields that changed; follow it by (at, version_id)';

COMMENT ON COLUMN prefmem.preference_changes.user_id IS 'The user whom this row belongs to';
COMMENT ON COLUMN prefmem.preference_changes.at IS 'When the change was stored; with version_id the place in the feed';
COMMENT ON COLUMN prefmem.preference_changes.version_id IS 'Id of the change; later changes have greater ones';
COMMENT ON COLUMN prefmem.preference_changes.preference_id IS 'The preference that changed';
COMMENT ON COLUMN prefmem.preference_changes.version IS 'Its version number after the change';
COMMENT ON COLUMN prefmem.preference_changes.event IS
  'What happened: add, update, merge, supersede, archive, restore, delete, approve, reject';
COMMENT ON COLUMN prefmem.preference_changes.kind IS
  'Kind of the preference today: explicit, implicit, fact, goal or experience';
COMMENT ON COLUMN prefmem.preference_changes.topic IS 'Topic id of the preference today; NULL: none found';
COMMENT ON COLUMN prefmem.preference_changes.language IS 'Language of the statement by script: en, zh, ja or ko';
COMMENT ON COLUMN prefmem.preference_changes.polarity IS
  'Polarity of the preference today: positive, negative or neutral';
COMMENT ON COLUMN prefmem.preference_changes.status IS 'Status of the preference today';
COMMENT ON COLUMN prefmem.preference_changes.superseded_by IS
  'The preference that has replaced it by today; NULL: none';
COMMENT ON COLUMN prefmem.preference_changes.is_reversal IS
  'True: the user changed their mind from liking to disliking or back';
COMMENT ON COLUMN prefmem.preference_changes.changed_fields IS
  'Names of the fields that changed; empty for what was added or deleted';
COMMENT ON COLUMN prefmem.preference_changes.statement_before IS
  'The statement before the change; NULL: there was none, or it was deleted on request';
COMMENT ON COLUMN prefmem.preference_changes.statement_after IS
  'The statement after the change; NULL: deleted on request';
COMMENT ON COLUMN prefmem.preference_changes.superseded_by_statement IS
  'The statement that has replaced it by today; NULL: none';
COMMENT ON COLUMN prefmem.preference_changes.actor IS 'Who or what made the change';
COMMENT ON COLUMN prefmem.preference_changes.reason IS 'Why, in words';
COMMENT ON COLUMN prefmem.preference_changes.run_id IS 'The run that made the change; NULL: a direct call';
