CREATE OR REPLACE VIEW prefmem.review_queue_without_text
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
  p.mention_count,
  (
    SELECT count(*)
    FROM prefmem.preference_evidence e
    WHERE e.user_id = p.user_id AND e.preference_id = p.preference_id
  ) AS evidence_count,
  p.created_at,
  p.updated_at,
  p.source,
  p.dialog_id,
  p.version
FROM prefmem.preferences p
WHERE p.status = 'resolving';

COMMENT ON VIEW prefmem.review_queue_without_text IS
  'What waits for a person, without the words: kinds, topics and dates';

COMMENT ON COLUMN prefmem.review_queue_without_text.user_id IS 'The user whom this row belongs to';
COMMENT ON COLUMN prefmem.review_queue_without_text.preference_id IS
  'Id of the preference; it stays when the wording is updated';
COMMENT ON COLUMN prefmem.review_queue_without_text.kind IS
  'explicit (said), implicit (inferred), fact (circumstance), goal (wish or plan) or experience (what worked)';
COMMENT ON COLUMN prefmem.review_queue_without_text.polarity IS 'positive, negative or neutral';
COMMENT ON COLUMN prefmem.review_queue_without_text.topic IS 'Topic id, such as food or travel; NULL: none found';
COMMENT ON COLUMN prefmem.review_queue_without_text.language IS 'Language of the statement by script: en, zh, ja or ko';
COMMENT ON COLUMN prefmem.review_queue_without_text.confidence IS 'How sure it is, 0 to 1';
COMMENT ON COLUMN prefmem.review_queue_without_text.importance IS 'How much it matters, 0 to 1';
COMMENT ON COLUMN prefmem.review_queue_without_text.sensitivity IS
  'none, health, finance or identity: the last three need consent';
COMMENT ON COLUMN prefmem.review_queue_without_text.is_safety IS
  'An allergy or the like: always recalled, never decays';
COMMENT ON COLUMN prefmem.review_queue_without_text.mention_count IS 'How many times the user has stated it';
COMMENT ON COLUMN prefmem.review_queue_without_text.evidence_count IS 'How many message spans support it';
COMMENT ON COLUMN prefmem.review_queue_without_text.created_at IS 'When it was stored';
COMMENT ON COLUMN prefmem.review_queue_without_text.updated_at IS 'When it last changed';
COMMENT ON COLUMN prefmem.review_queue_without_text.source IS 'Where it came from: api, or an importer''s name';
COMMENT ON COLUMN prefmem.review_queue_without_text.dialog_id IS 'The dialog that it came from; NULL: none';
COMMENT ON COLUMN prefmem.review_queue_without_text.version IS 'Raised by every change; a stale one is a conflict';
