CREATE OR REPLACE VIEW prefmem.review_queue
WITH (security_invoker = true) AS
SELECT
  p.user_id,
  p.preference_id,
  p.kind,
  p.statement,
  p.context,
  p.polarity,
  p.topic,
  p.language,
  p.confidence,
  p.importance,
  p.sensitivity,
  p.is_safety,
  p.mention_count,
  (
    SELECT count(*)
    FROM prefmem.preference_evidence e
    WHERE e.user_id = p.user_id AND e.preference_id = p.preference_id
  ) AS evidence_count,
  (
    SELECT v.reason
    FROM prefmem.preference_versions v
    WHERE v.user_id = p.user_id AND v.preference_id = p.preference_id
    ORDER BY v.version DESC, v.version_id DESC
    LIMIT 1
  ) AS reason,
  p.created_at,
  p.updated_at,
  p.source,
  p.dialog_id,
  p.version
FROM prefmem.preferences p
WHERE p.status = 'resolving';

COMMENT ON VIEW prefmem.review_queue IS
  'What waits for a person: preferences that were inferred or are not sure enough, with the reason';

COMMENT ON COLUMN prefmem.review_queue.user_id IS 'The user whom this row belongs to';
COMMENT ON COLUMN prefmem.review_queue.preference_id IS 'Id of the preference; it stays when the wording is updated';
COMMENT ON COLUMN prefmem.review_queue.kind IS
  'explicit (said), implicit (inferred), fact (circumstance), goal (wish or plan) or experience (what worked)';
COMMENT ON COLUMN prefmem.review_queue.statement IS 'The preference in the user''s words';
COMMENT ON COLUMN prefmem.review_queue.context IS
  'Short summary that surrounds it: reason, journey, requests of a goal';
COMMENT ON COLUMN prefmem.review_queue.polarity IS 'positive, negative or neutral';
COMMENT ON COLUMN prefmem.review_queue.topic IS 'Topic id, such as food or travel; NULL: none found';
COMMENT ON COLUMN prefmem.review_queue.language IS 'Language of the statement by script: en, zh, ja or ko';
COMMENT ON COLUMN prefmem.review_queue.confidence IS 'How sure it is, 0 to 1';
COMMENT ON COLUMN prefmem.review_queue.importance IS 'How much it matters, 0 to 1';
COMMENT ON COLUMN prefmem.review_queue.sensitivity IS 'none, health, finance or identity: the last three need consent';
COMMENT ON COLUMN prefmem.review_queue.is_safety IS 'An allergy or the like: always recalled, never decays';
COMMENT ON COLUMN prefmem.review_queue.mention_count IS 'How many times the user has stated it';
COMMENT ON COLUMN prefmem.review_queue.evidence_count IS 'How many message spans support it';
COMMENT ON COLUMN prefmem.review_queue.reason IS 'Why it waits: the reason of its last change';
COMMENT ON COLUMN prefmem.review_queue.created_at IS 'When it was stored';
COMMENT ON COLUMN prefmem.review_queue.updated_at IS 'When it last changed';
COMMENT ON COLUMN prefmem.review_queue.source IS 'Where it came from: api, or an importer''s name';
COMMENT ON COLUMN prefmem.review_queue.dialog_id IS 'The dialog that it came from; NULL: none';
COMMENT ON COLUMN prefmem.review_queue.version IS 'Raised by every change; a stale one is a conflict';
