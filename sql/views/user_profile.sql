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
