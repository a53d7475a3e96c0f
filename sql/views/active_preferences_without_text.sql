CREATE OR REPLACE VIEW prefmem.active_preferences_without_text
WITH (security_invoker = true) AS
SELECT
  p.user_id,
  p.preference_id,
  p.kind,
  p.polarity,
  p.topic,
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
  p.version
FROM prefmem.preferences p
LEFT JOIN prefmem.preference_usage u
  ON u.user_id = p.user_id AND u.preference_id = p.preference_id
WHERE p.status = 'activated'
  AND (p.expires_at IS NULL OR p.expires_at > now());

COMMENT ON VIEW prefmem.active_preferences_without_text IS
  'What is known now, without the words: counts, topics and dates of the current preferences of every user';

COMMENT ON COLUMN prefmem.active_preferences_without_text.user_id IS 'The user whom this row belongs to';
COMMENT ON COLUMN prefmem.active_preferences_without_text.preference_id IS
  'Id of the preference; it stays when the wording is updated';
COMMENT ON COLUMN prefmem.active_preferences_without_text.kind IS
  'explicit (said), implicit (inferred), fact (circumstance), goal (wish or plan) or experience (what worked)';
COMMENT ON COLUMN prefmem.active_preferences_without_text.polarity IS 'positive, negative or neutral';
COMMENT ON COLUMN prefmem.active_preferences_without_text.topic IS 'Topic id, such as food or travel; NULL: none found';
COMMENT ON COLUMN prefmem.active_preferences_without_text.language IS
  'Language of the statement by script: en, zh, ja or ko';
COMMENT ON COLUMN prefmem.active_preferences_without_text.confidence IS 'How sure it is, 0 to 1';
COMMENT ON COLUMN prefmem.active_preferences_without_text.importance IS 'How much it matters, 0 to 1';
COMMENT ON COLUMN prefmem.active_preferences_without_text.sensitivity IS
  'none, health, finance or identity: the last three need consent';
COMMENT ON COLUMN prefmem.active_preferences_without_text.is_safety IS
  'An allergy or the like: always recalled, never decays';
COMMENT ON COLUMN prefmem.active_preferences_without_text.is_pinned IS 'Kept by a person: never decays';
COMMENT ON COLUMN prefmem.active_preferences_without_text.mention_count IS 'How many times the user has stated it';
COMMENT ON COLUMN prefmem.active_preferences_without_text.evidence_count IS 'How many message spans support it';
COMMENT ON COLUMN prefmem.active_preferences_without_text.access_count IS 'How many searches returned it';
COMMENT ON COLUMN prefmem.active_preferences_without_text.last_accessed_at IS
  'When a search last returned it; NULL: never';
COMMENT ON COLUMN prefmem.active_preferences_without_text.valid_from IS 'Since when it is true';
COMMENT ON COLUMN prefmem.active_preferences_without_text.valid_to IS 'Until when it was true; NULL: still true';
COMMENT ON COLUMN prefmem.active_preferences_without_text.created_at IS 'When it was stored';
COMMENT ON COLUMN prefmem.active_preferences_without_text.updated_at IS 'When it last changed';
COMMENT ON COLUMN prefmem.active_preferences_without_text.expires_at IS 'When it ends by itself; NULL: never';
COMMENT ON COLUMN prefmem.active_preferences_without_text.source IS 'Where it came from: api, or an importer''s name';
COMMENT ON COLUMN prefmem.active_preferences_without_text.dialog_id IS 'The dialog that it came from; NULL: none';
COMMENT ON COLUMN prefmem.active_preferences_without_text.session_id IS 'The session that it came from; NULL: none';
COMMENT ON COLUMN prefmem.active_preferences_without_text.agent_id IS 'The agent that took part; NULL: not given';
COMMENT ON COLUMN prefmem.active_preferences_without_text.mem_cube_id IS
  'The caller''s memory container; NULL: not given';
COMMENT ON COLUMN prefmem.active_preferences_without_text.version IS
  'Raised by every change; a stale one is a conflict';
