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
