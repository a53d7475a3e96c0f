CREATE OR REPLACE VIEW prefmem.evidence_trail_without_text
WITH (security_invoker = true) AS
SELECT
  e.user_id,
  e.preference_id,
  p.kind,
  p.status,
  e.message_id,
  m.dialog_id,
  m.role,
  m.occurred_at,
  e.start_offset,
  e.end_offset,
  e.run_id,
  r.extractor_version
FROM prefmem.preference_evidence e
JOIN prefmem.preferences p
  ON p.user_id = e.user_id AND p.preference_id = e.preference_id
JOIN prefmem.messages m
  ON m.user_id = e.user_id AND m.message_id = e.message_id
LEFT JOIN prefmem.extraction_runs r
  ON r.user_id = e.user_id AND r.run_id = e.run_id;

COMMENT ON VIEW prefmem.evidence_trail_without_text IS
  'Which messages support each preference, without the words';

COMMENT ON COLUMN prefmem.evidence_trail_without_text.user_id IS 'The user whom this row belongs to';
COMMENT ON COLUMN prefmem.evidence_trail_without_text.preference_id IS 'The preference that is supported';
COMMENT ON COLUMN prefmem.evidence_trail_without_text.kind IS
  'explicit (said), implicit (inferred), fact (circumstance), goal (wish or plan) or experience (what worked)';
COMMENT ON COLUMN prefmem.evidence_trail_without_text.status IS
  'activated, resolving, rejected, archived, superseded or deleted';
COMMENT ON COLUMN prefmem.evidence_trail_without_text.message_id IS 'The message that supports it';
COMMENT ON COLUMN prefmem.evidence_trail_without_text.dialog_id IS 'The dialog that the message belongs to';
COMMENT ON COLUMN prefmem.evidence_trail_without_text.role IS
  'user, assistant, other (a person who is not the user), system or tool';
COMMENT ON COLUMN prefmem.evidence_trail_without_text.occurred_at IS 'When it was said';
COMMENT ON COLUMN prefmem.evidence_trail_without_text.start_offset IS
  'Where the quote starts in the message, in characters';
COMMENT ON COLUMN prefmem.evidence_trail_without_text.end_offset IS 'Where it ends: one after the last character';
COMMENT ON COLUMN prefmem.evidence_trail_without_text.run_id IS 'The run that found it; NULL: a direct call';
COMMENT ON COLUMN prefmem.evidence_trail_without_text.extractor_version IS
  'Name and version of the extractor that found it; NULL: a direct call';
