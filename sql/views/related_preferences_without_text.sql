CREATE OR REPLACE VIEW prefmem.related_preferences_without_text
WITH (security_invoker = true) AS
SELECT
  l.user_id,
  l.preference_id,
  p.kind,
  p.topic,
  l.related_preference_id,
  r.kind AS related_kind,
  r.topic AS related_topic,
  l.shared_message_count
FROM (
  SELECT
    a.user_id,
    a.preference_id,
    b.preference_id AS related_preference_id,
    count(DISTINCT a.message_id) AS shared_message_count
  FROM prefmem.preference_evidence a
  JOIN prefmem.preference_evidence b
    ON b.user_id = a.user_id AND b.message_id = a.message_id AND b.preference_id <> a.preference_id
  GROUP BY a.user_id, a.preference_id, b.preference_id
) l
JOIN prefmem.preferences p
  ON p.user_id = l.user_id AND p.preference_id = l.preference_id
JOIN prefmem.preferences r
  ON r.user_id = l.user_id AND r.preference_id = l.related_preference_id
WHERE p.status = 'activated'
  AND (p.expires_at IS NULL OR p.expires_at > now())
  AND r.status = 'activated'
  AND (r.expires_at IS NULL OR r.expires_at > now());

-- The names that preferences share are words, and stay with the view that shows them.
COMMENT ON VIEW prefmem.related_preferences_without_text IS
  'What belongs together, without the words: pairs of current preferences of a user that rest on the same message';

COMMENT ON COLUMN prefmem.related_preferences_without_text.user_id IS 'The user whom this row belongs to';
COMMENT ON COLUMN prefmem.related_preferences_without_text.preference_id IS
  'Id of the preference; it stays when the wording is updated';
COMMENT ON COLUMN prefmem.related_preferences_without_text.kind IS
  'explicit (said), implicit (inferred), fact (circumstance), goal (wish or plan) or experience (what worked)';
COMMENT ON COLUMN prefmem.related_preferences_without_text.topic IS
  'Topic id, such as food or travel; NULL: none found';
COMMENT ON COLUMN prefmem.related_preferences_without_text.related_preference_id IS 'The other preference';
COMMENT ON COLUMN prefmem.related_preferences_without_text.related_kind IS 'Kind of the other preference';
COMMENT ON COLUMN prefmem.related_preferences_without_text.related_topic IS
  'Topic id of the other preference; NULL: none found';
COMMENT ON COLUMN prefmem.related_preferences_without_text.shared_message_count IS 'How many messages support both';
