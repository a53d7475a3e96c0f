CREATE OR REPLACE VIEW prefmem.cost_per_preference
WITH (security_invoker = true) AS
SELECT
  f.user_id,
  f.extractor,
  f.extractor_version,
  f.model,
  count(DISTINCT f.run_id) AS run_count,
  count(f.call_id) AS call_count,
  coalesce(sum(f.cost_usd), 0) AS cost_usd,
  count(f.call_id) FILTER (WHERE f.cost_usd IS NULL) AS unpriced_count,
  count(DISTINCT f.preference_id) AS preference_count,
  count(DISTINCT f.preference_id) FILTER (WHERE f.status = 'activated') AS kept_count,
  coalesce(sum(f.cost_usd), 0)
    / nullif(count(DISTINCT f.preference_id) FILTER (WHERE f.status = 'activated'), 0) AS cost_per_kept_usd
FROM (
  SELECT r.user_id, r.extractor, r.extractor_version, r.model, r.run_id, CAST(NULL AS uuid) AS call_id,
    CAST(NULL AS numeric) AS cost_usd, e.preference_id, p.status
  FROM prefmem.extraction_runs r
  LEFT JOIN prefmem.preference_evidence e
    ON e.user_id = r.user_id AND e.run_id = r.run_id
  LEFT JOIN prefmem.preferences p
    ON p.user_id = e.user_id AND p.preference_id = e.preference_id
  UNION ALL
  SELECT l.user_id, r.extractor, r.extractor_version, r.model, r.run_id, l.call_id,
    -- A price that was entered after the call still tells what it cost.
    coalesce(l.cost_usd, prefmem.call_cost(
      l.input_tokens, l.output_tokens, l.cache_read_tokens, l.cache_write_tokens,
      c.input_usd, c.output_usd, c.cache_read_usd, c.cache_write_usd
    ) * CASE WHEN l.is_batch THEN c.batch_factor ELSE 1 END), NULL, NULL
  FROM prefmem.llm_calls l
  LEFT JOIN prefmem.extraction_runs r
    ON r.user_id = l.user_id AND r.run_id = l.run_id
  LEFT JOIN (
    SELECT
      provider,
      model,
      valid_from,
      lead(valid_from, 1, 'infinity') OVER (PARTITION BY provider, model ORDER BY valid_from) AS valid_until,
      input_usd,
      output_usd,
      cache_read_usd,
      cache_write_usd,
      batch_factor
    FROM prefmem.llm_prices
  ) c
    ON c.provider = l.provider AND c.model = l.model AND l.at >= c.valid_from AND l.at < c.valid_until
) f
GROUP BY f.user_id, f.extractor, f.extractor_version, f.model;

COMMENT ON VIEW prefmem.cost_per_preference IS
  'What one kept preference costs: calls and dollars of each user by extractor and model, over what came of them';

COMMENT ON COLUMN prefmem.cost_per_preference.user_id IS 'The user whom this row belongs to';
COMMENT ON COLUMN prefmem.cost_per_preference.extractor IS
  'Name of the extractor; NULL: calls that served no extraction, such as embeddings';
COMMENT ON COLUMN prefmem.cost_per_preference.extractor_version IS
  'Name and version of the extractor; NULL: no extraction';
COMMENT ON COLUMN prefmem.cost_per_preference.model IS 'Model behind the extractor; NULL: none, or no extraction';
COMMENT ON COLUMN prefmem.cost_per_preference.run_count IS 'How many extraction runs there were';
COMMENT ON COLUMN prefmem.cost_per_preference.call_count IS 'How many provider calls they made';
COMMENT ON COLUMN prefmem.cost_per_preference.cost_usd IS
  'What the calls cost in US dollars; calls whose price is not known count as 0';
COMMENT ON COLUMN prefmem.cost_per_preference.unpriced_count IS 'How many calls have no known price';
COMMENT ON COLUMN prefmem.cost_per_preference.preference_count IS
  'How many preferences rest on evidence that these runs found';
COMMENT ON COLUMN prefmem.cost_per_preference.kept_count IS 'How many of these preferences are current';
COMMENT ON COLUMN prefmem.cost_per_preference.cost_per_kept_usd IS
  'Cost divided by current preferences; NULL: none is current';
