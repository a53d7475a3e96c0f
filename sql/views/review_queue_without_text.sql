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
