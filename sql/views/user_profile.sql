CREATE OR REPLACE VIEW prefmem.user_profile
WITH (security_invoker = true) AS
SELECT DISTINCT ON (e.user_id, e.key)
  e.user_id,
  e.key,
  e.value,
  e.layer,
  e.confidence,
  e.reason,
  e.preference_id,
  e.stated_at,
  e.updated_at
FROM prefmem.profile_entries e
ORDER BY
  e.user_id,
  e.key,
  CASE e.layer WHEN 'explicit' THEN 1 ELSE 2 END;

COMMENT ON VIEW prefmem.user_profile IS
  'The settings of every user: what was said or set wins over what was inferred';

COMMENT ON COLUMN prefmem.user_profile.user_id IS 'The user whom this row belongs to';
COMMENT ON COLUMN prefmem.user_profile.key IS 'Name of the setting, such as language or max_length';
COMMENT ON COLUMN prefmem.user_profile.value IS 'Value of the setting';
COMMENT ON COLUMN prefmem.user_profile.layer IS 'explicit (said or set) or inferred (from behaviour)';
COMMENT ON COLUMN prefmem.user_profile.confidence IS 'How sure it is, 0 to 1';
COMMENT ON COLUMN prefmem.user_profile.reason IS 'Why it has this value, in words';
COMMENT ON COLUMN prefmem.user_profile.preference_id IS 'The preference it came from; NULL: set directly';
COMMENT ON COLUMN prefmem.user_profile.stated_at IS 'When it was stated: an older write never replaces a newer one';
COMMENT ON COLUMN prefmem.user_profile.updated_at IS 'When it was stored';
