CREATE OR REPLACE VIEW prefmem.user_profile_without_text
WITH (security_invoker = true) AS
SELECT DISTINCT ON (e.user_id, e.key)
  e.user_id,
  e.key,
  e.layer,
  e.confidence,
  e.preference_id,
  e.stated_at,
  e.updated_at
FROM prefmem.profile_entries e
ORDER BY
  e.user_id,
  e.key,
  CASE e.layer WHEN 'explicit' THEN 1 ELSE 2 END;

COMMENT ON VIEW prefmem.user_profile_without_text IS
  'Which settings every user has and where they come from, without their values';

COMMENT ON COLUMN prefmem.user_profile_without_text.user_id IS 'The user whom this row belongs to';
COMMENT ON COLUMN prefmem.user_profile_without_text.key IS 'Name of the setting, such as language or max_length';
COMMENT ON COLUMN prefmem.user_profile_without_text.layer IS 'explicit (said or set) or inferred (from behaviour)';
COMMENT ON COLUMN prefmem.user_profile_without_text.confidence IS 'How sure it is, 0 to 1';
COMMENT ON COLUMN prefmem.user_profile_without_text.preference_id IS 'The preference it came from; NULL: set directly';
COMMENT ON COLUMN prefmem.user_profile_without_text.stated_at IS
  'When it was stated: an older write never replaces a newer one';
COMMENT ON COLUMN prefmem.user_profile_without_text.updated_at IS 'When it was stored';
