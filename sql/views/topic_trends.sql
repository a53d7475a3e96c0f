CREATE OR REPLACE VIEW prefmem.topic_trends
WITH (security_invoker = true) AS
SELECT
  v.user_id,
  CAST(date_trunc('week', v.at AT TIME ZONE 'UTC') AS date) AS week_on,
  p.topic,
  p.language,
  count(*) FILTER (WHERE v.event = 'add') AS added_count,
  count(*) FILTER (WHERE v.event = 'add' AND p.polarity = 'positive') AS positive_count,
  count(*) FILTER (WHERE v.event = 'add' AND p.polarity = 'negative') AS negative_count,
  count(*) FILTER (WHERE v.event = 'update') AS updated_count,
  count(*) FILTER (WHERE v.event = 'supersede') AS superseded_count,
  -- A merge is told of both sides: of the one that stays and of the one that ends.
  count(*) FILTER (
    WHERE v.event IN ('archive', 'reject', 'delete') OR (v.event = 'merge' AND p.status = 'superseded')
  ) AS ended_count
FROM prefmem.preference_versions v
JOIN prefmem.preferences p
  ON p.user_id = v.user_id AND p.preference_id = v.preference_id
GROUP BY
  v.user_id,
  CAST(date_trunc('week', v.at AT TIME ZONE 'UTC') AS date),
  p.topic,
  p.language;

COMMENT ON VIEW prefmem.topic_trends IS
  'What users talk about more or less than before: changes of each user by week, topic and language';

COMMENT ON COLUMN prefmem.topic_trends.user_id IS 'The user whom this row belongs to';
COMMENT ON COLUMN prefmem.topic_trends.week_on IS 'Monday of the week in which it was stored, in UTC';
COMMENT ON COLUMN prefmem.topic_trends.topic IS 'Topic id, such as food or travel; NULL: none found';
COMMENT ON COLUMN prefmem.topic_trends.language IS 'Language of the statement by script: en, zh, ja or ko';
COMMENT ON COLUMN prefmem.topic_trends.added_count IS 'How many preferences were added';
COMMENT ON COLUMN prefmem.topic_trends.positive_count IS 'How many of the added ones are positive';
COMMENT ON COLUMN prefmem.topic_trends.negative_count IS 'How many of the added ones are negative';
COMMENT ON COLUMN prefmem.topic_trends.updated_count IS 'How many got a richer wording or were edited';
COMMENT ON COLUMN prefmem.topic_trends.superseded_count IS 'How many were replaced because the user changed their mind';
COMMENT ON COLUMN prefmem.topic_trends.ended_count IS 'How many were merged into others, archived, rejected or deleted';
