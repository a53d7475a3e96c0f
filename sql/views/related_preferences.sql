CREATE OR REPLACE VIEW prefmem.related_preferences
WITH (security_invoker = true) AS
SELECT
  l.user_id,
  l.preference_id,
  p.kind,
  p.topic,
  p.statement,
  l.related_preference_id,
  r.kind AS related_kind,
  r.topic AS related_topic,
  r.statement AS related_statement,
  l.shared_entities,
  l.shared_message_count
FROM (
  SELECT
    k.user_id,
    k.preference_id,
    k.related_preference_id,
    coalesce(array_agg(k.entity ORDER BY k.entity) FILTER (WHERE k.entity IS NOT NULL), '{}') AS shared_entities,
    count(*) FILTER (WHERE k.entity IS NULL) AS shared_message_count
  FROM (
    SELECT a.user_id, a.preference_id, b.preference_id AS related_preference_id, min(a.entity) AS entity,
      CAST(NULL AS uuid) AS message_id
    FROM (
      SELECT q.user_id, q.preference_id, n.entity, lower(n.entity) AS folded
      FROM prefmem.preferences q
      CROSS JOIN LATERAL unnest(q.entities) AS n(entity)
      WHERE q.status = 'activated'
    ) a
    JOIN (
      SELECT q.user_id, q.preference_id, lower(n.entity) AS folded
      FROM prefmem.preferences q
      CROSS JOIN LATERAL unnest(q.entities) AS n(entity)
      WHERE q.status = 'activated'
    ) b
      ON b.user_id = a.user_id AND b.folded = a.folded AND b.preference_id <> a.preference_id
    GROUP BY a.user_id, a.preference_id, b.preference_id, a.folded
    UNION ALL
    SELECT DISTINCT a.user_id, a.preference_id, b.preference_id, NULL, a.message_id
    FROM prefmem.preference_evidence a
    JOIN prefmem.preference_evidence b
      ON b.user_id = a.user_id AND b.message_id = a.message_id AND b.preference_id <> a.preference_id
  ) k
  GROUP BY k.user_id, k.preference_id, k.related_preference_id
) l
JOIN prefmem.preferences p
  ON p.user_id = l.user_id AND p.preference_id = l.preference_id
JOIN prefmem.preferences r
  ON r.user_id = l.user_id AND r.preference_id = l.related_preference_id
WHERE p.status = 'activated'
  AND (p.expires_at IS NULL OR p.expires_at > now())
  AND r.status = 'activated'
  AND (r.expires_at IS NULL OR r.expires_at > now());

COMMENT ON VIEW prefmem.related_preferences IS
  'What belongs together: pairs of current preferences of a user that name the same thing or rest on the same message';

COMMENT ON COLUMN prefmem.related_preferences.user_id IS 'The user whom this row belongs to';
COMMENT ON COLUMN prefmem.related_preferences.preference_id IS
  'Id of the preference; it stays when the wording is updated';
COMMENT ON COLUMN prefmem.related_preferences.kind IS
  'explicit (said), implicit (inferred), fact (circumstance), goal (wish or plan) or experience (what worked)';
COMMENT ON COLUMN prefmem.related_preferences.topic IS 'Topic id, such as food or travel; NULL: none found';
COMMENT ON COLUMN prefmem.related_preferences.statement IS 'The preference in the user''s words';
COMMENT ON COLUMN prefmem.related_preferences.related_preference_id IS 'The other preference';
COMMENT ON COLUMN prefmem.related_preferences.related_kind IS 'Kind of the other preference';
COMMENT ON COLUMN prefmem.related_preferences.related_topic IS 'Topic id of the other preference; NULL: none found';
COMMENT ON COLUMN prefmem.related_preferences.related_statement IS 'Statement of the other preference';
COMMENT ON COLUMN prefmem.related_preferences.shared_entities IS 'Names that both mention; empty: none';
COMMENT ON COLUMN prefmem.related_preferences.shared_message_count IS 'How many messages support both';
