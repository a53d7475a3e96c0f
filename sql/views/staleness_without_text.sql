CREATE OR REPLACE VIEW prefmem.staleness_without_text
WITH (security_invoker = true) AS
SELECT
  p.user_id,
  p.preference_id,
  p.kind,
  p.topic,
  p.language,
  p.importance,
  p.is_safety,
  p.is_pinned,
  e.last_said_at,
  u.last_accessed_at,
  p.updated_at,
  g.last_sign_at,
  CAST(greatest(floor(extract(epoch FROM now() - g.last_sign_at) / 86400), 0) AS integer) AS silent_days,
  p.expires_at
FROM prefmem.preferences p
LEFT JOIN prefmem.preference_usage u
  ON u.user_id = p.user_id AND u.preference_id = p.preference_id
LEFT JOIN (
  SELECT
    x.user_id,
    x.preference_id,
    max(m.occurred_at) AS last_said_at
  FROM prefmem.preference_evidence x
  JOIN prefmem.messages m
    ON m.user_id = x.user_id AND m.message_id = x.message_id
  GROUP BY x.user_id, x.preference_id
) e
  ON e.user_id = p.user_id AND e.preference_id = p.preference_id
-- What was stored today may have been said long ago: only a change after the first version is a sign.
CROSS JOIN LATERAL (
  SELECT greatest(
    p.valid_from, e.last_said_at, u.last_accessed_at, CASE WHEN p.version > 1 THEN p.updated_at END
  ) AS last_sign_at
) g
WHERE p.status = 'activated'
  AND (p.expires_at IS NULL OR p.expires_at > now());

COMMENT ON VIEW prefmem.staleness_without_text IS
  'What has not been said, used or changed for long, without the words';

COMMENT ON COLUMN prefmem.staleness_without_text.user_id IS 'The user whom this row belongs to';
COMMENT ON COLUMN prefmem.staleness_without_text.preference_id IS
  'Id of the preference; it stays when the wording is updated';
COMMENT ON COLUMN prefmem.staleness_without_text.kind IS
  'explicit (said), implicit (inferred), fact (circumstance), goal (wish or plan) or experience (what worked)';
COMMENT ON COLUMN prefmem.staleness_without_text.topic IS 'Topic id, such as food or travel; NULL: none found';
COMMENT ON COLUMN prefmem.staleness_without_text.language IS 'Language of the statement by script: en, zh, ja or ko';
COMMENT ON COLUMN prefmem.staleness_without_text.importance IS 'How much it matters, 0 to 1';
COMMENT ON COLUMN prefmem.staleness_without_text.is_safety IS 'An allergy or the like: always recalled, never decays';
COMMENT ON COLUMN prefmem.staleness_without_text.is_pinned IS 'Kept by a person: never decays';
COMMENT ON COLUMN prefmem.staleness_without_text.last_said_at IS
  'When a message that supports it was last said; NULL: no message does';
COMMENT ON COLUMN prefmem.staleness_without_text.last_accessed_at IS 'When a search last returned it; NULL: never';
COMMENT ON COLUMN prefmem.staleness_without_text.updated_at IS 'When it was last stored or changed';
COMMENT ON COLUMN prefmem.staleness_without_text.last_sign_at IS
  'The latest of: since when it holds, last said, last returned by a search, last changed';
COMMENT ON COLUMN prefmem.staleness_without_text.silent_days IS 'Whole days since that last sign';
COMMENT ON COLUMN prefmem.staleness_without_text.expires_at IS 'When it ends by itself; NULL: never';
