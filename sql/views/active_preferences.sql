CREATE OR REPLACE VIEW prefmem.active_preferences
WITH (security_invoker = true) AS
SELECT
  p.user_id,
  p.preference_id,
  p.kind,
  p.statement,
  p.context,
  p.polarity,
  p.topic,
  p.entities,
  p.tags,
  p.language,
  p.confidence,
  p.importance,
  p.sensitivity,
  p.is_safety,
  p.is_pinned,
  p.mention_count,
  (
    SELECT count(*)
    FROM prefmem.preference_evidence e
    WHERE e.user_id = p.user_id AND e.preference_id = p.preference_id
  ) AS evidence_count,
  coalesce(u.access_count, 0) AS access_count,
  u.last_accessed_at,
  p.valid_from,
  p.valid_to,
  p.created_at,
  p.updated_at,
  p.expires_at,
  p.source,
  p.dialog_id,
  p.session_id,
  p.agent_id,
  p.mem_cube_id,
  p.version,
  p.metadata
FROM prefmem.preferences p
LEFT JOIN prefmem.preference_usage u
  ON u.user_id = p.user_id AND u.preference_id = p.preference_id
WHERE p.status = 'activated'
  AND (p.expires_at IS NULL OR p.expires_at > now());

COMMENT ON VIEW prefmem.active_preferences IS
  'What is known now: the current preferences of every user, with how often each was said and recalled';
