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

COMMENT ON COLUMN prefmem.active_preferences.user_id IS 'The user whom this row belongs to';
COMMENT ON COLUMN prefmem.active_preferences.preference_id IS
  'Id of the preference; it stays when the wording is updated';
COMMENT ON COLUMN prefmem.active_preferences.kind IS
  'explicit (said), implicit (inferred), fact (circumstance), goal (wish or plan) or experience (what worked)';
COMMENT ON COLUMN prefmem.active_preferences.statement IS 'The preference in the user''s words';
COMMENT ON COLUMN prefmem.active_preferences.context IS
  'Short summary that surrounds it: reason, journey, requests of a goal';
COMMENT ON COLUMN prefmem.active_preferences.polarity IS 'positive, negative or neutral';
COMMENT ON COLUMN prefmem.active_preferences.topic IS 'Topic id, such as food or travel; NULL: none found';
COMMENT ON COLUMN prefmem.active_preferences.entities IS 'Names, brands and models that the statement mentions';
COMMENT ON COLUMN prefmem.active_preferences.tags IS 'Free tags of the caller';
COMMENT ON COLUMN prefmem.active_preferences.language IS 'Language of the statement by script: en, zh, ja or ko';
COMMENT ON COLUMN prefmem.active_preferences.confidence IS 'How sure it is, 0 to 1';
COMMENT ON COLUMN prefmem.active_preferences.importance IS 'How much it matters, 0 to 1';
COMMENT ON COLUMN prefmem.active_preferences.sensitivity IS
  'none, health, finance or identity: the last three need consent';
COMMENT ON COLUMN prefmem.active_preferences.is_safety IS 'An allergy or the like: always recalled, never decays';
COMMENT ON COLUMN prefmem.active_preferences.is_pinned IS 'Kept by a person: never decays';
COMMENT ON COLUMN prefmem.active_preferences.mention_count IS 'How many times the user has stated it';
COMMENT ON COLUMN prefmem.active_preferences.evidence_count IS 'How many message spans support it';
COMMENT ON COLUMN prefmem.active_preferences.access_count IS 'How many searches returned it';
COMMENT ON COLUMN prefmem.active_preferences.last_accessed_at IS 'When a search last returned it; NULL: never';
COMMENT ON COLUMN prefmem.active_preferences.valid_from IS 'Since when it is true';
COMMENT ON COLUMN prefmem.active_preferences.valid_to IS 'Until when it was true; NULL: still true';
COMMENT ON COLUMN prefmem.active_preferences.created_at IS 'When it was stored';
COMMENT ON COLUMN prefmem.active_preferences.updated_at IS 'When it last changed';
COMMENT ON COLUMN prefmem.active_preferences.expires_at IS 'When it ends by itself; NULL: never';
COMMENT ON COLUMN prefmem.active_preferences.source IS 'Where it came from: api, or an importer''s name';
COMMENT ON COLUMN prefmem.active_preferences.dialog_id IS 'The dialog that it came from; NULL: none';
COMMENT ON COLUMN prefmem.active_preferences.session_id IS 'The session that it came from; NULL: none';
COMMENT ON COLUMN prefmem.active_preferences.agent_id IS 'The agent that took part; NULL: not given';
COMMENT ON COLUMN prefmem.active_preferences.mem_cube_id IS 'The caller''s memory container; NULL: not given';
COMMENT ON COLUMN prefmem.active_preferences.version IS 'Raised by every change; a stale one is a conflict';
COMMENT ON COLUMN prefmem.active_preferences.metadata IS 'Free JSON of the caller; filters can reach into it';
