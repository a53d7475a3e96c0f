CREATE OR REPLACE VIEW prefmem.embedding_coverage
WITH (security_invoker = true) AS
SELECT
  r.user_id,
  r.scope,
  r.language,
  m.model_id,
  m.name AS model,
  m.provider,
  m.state AS model_state,
  r.row_count,
  r.embedded_count,
  r.row_count - r.embedded_count AS missing_count
FROM (
  SELECT p.user_id, 'preference' AS scope, p.language, k.model_id, count(*) AS row_count,
    count(e.model_id) AS embedded_count
  FROM prefmem.preferences p
  CROSS JOIN prefmem.embedding_models k
  LEFT JOIN prefmem.preference_embeddings e
    ON e.user_id = p.user_id AND e.preference_id = p.preference_id AND e.model_id = k.model_id
  WHERE p.status <> 'deleted'
  GROUP BY p.user_id, p.language, k.model_id
  UNION ALL
  SELECT n.user_id, 'message', NULL, k.model_id, count(*), count(e.model_id)
  FROM prefmem.messages n
  CROSS JOIN prefmem.embedding_models k
  LEFT JOIN prefmem.message_embeddings e
    ON e.user_id = n.user_id AND e.message_id = n.message_id AND e.model_id = k.model_id
  WHERE n.role IN ('user', 'assistant', 'other')
  GROUP BY n.user_id, k.model_id
  UNION ALL
  SELECT s.user_id, 'summary', s.language, k.model_id, count(*), count(e.model_id)
  FROM prefmem.summaries s
  CROSS JOIN prefmem.embedding_models k
  LEFT JOIN prefmem.summary_embeddings e
    ON e.user_id = s.user_id AND e.summary_id = s.summary_id AND e.model_id = k.model_id
  GROUP BY s.user_id, s.language, k.model_id
) r
JOIN prefmem.embedding_models m
  ON m.model_id = r.model_id
WHERE m.state <> 'retired';

COMMENT ON VIEW prefmem.embedding_coverage IS
  'What can be found by meaning: how many rows of each user have a vector, by model and language';

COMMENT ON COLUMN prefmem.embedding_coverage.user_id IS 'The user whom this row belongs to';
COMMENT ON COLUMN prefmem.embedding_coverage.scope IS 'What is embedded: preference, message or summary';
COMMENT ON COLUMN prefmem.embedding_coverage.language IS
  'Language by script: en, zh, ja or ko; NULL: messages, which are counted together';
COMMENT ON COLUMN prefmem.embedding_coverage.model_id IS 'Small number of the embedding model';
COMMENT ON COLUMN prefmem.embedding_coverage.model IS 'Name of the embedding model';
COMMENT ON COLUMN prefmem.embedding_coverage.provider IS 'Who runs the model: local, voyage or openai';
COMMENT ON COLUMN prefmem.embedding_coverage.model_state IS 'active (searched by) or building (on the way in)';
COMMENT ON COLUMN prefmem.embedding_coverage.row_count IS 'How many rows there are to embed';
COMMENT ON COLUMN prefmem.embedding_coverage.embedded_count IS 'How many of them have a vector of this model';
COMMENT ON COLUMN prefmem.embedding_coverage.missing_count IS
  'How many have none yet: they are found by their words alone';
