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
