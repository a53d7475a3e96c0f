CREATE OR REPLACE VIEW prefmem.evidence_trail
WITH (security_invoker = true) AS
SELECT
  e.user_id,
  e.preference_id,
  p.kind,
  p.status,
  p.statement,
  e.message_id,
  m.dialog_id,
  m.role,
  m.author,
  m.occurred_at,
  e.start_offset,
  e.end_offset,
  e.quote,
  e.run_id,
  r.extractor_version
FROM prefmem.preference_evidence e
JOIN prefmem.preferences p
  ON p.user_id = e.user_id AND p.preference_id = e.preference_id
JOIN prefmem.messages m
  ON m.user_id = e.user_id AND m.message_id = e.message_id
LEFT JOIN prefmem.extraction_runs r
  ON r.user_id = e.user_id AND r.run_id = e.run_id;

COMMENT ON VIEW prefmem.evidence_trail IS
  'Why it is believed: the very words of the messages that support each preference, and the run that found them';
