CREATE OR REPLACE VIEW prefmem.llm_cost_daily
WITH (security_invoker = true) AS
SELECT
  c.user_id,
  c.day_on,
  c.provider,
  c.model,
  c.purpose,
  count(*) AS call_count,
  count(*) FILTER (WHERE c.outcome NOT IN ('ok', 'running')) AS failed_count,
  sum(c.input_tokens) AS input_tokens,
  sum(c.output_tokens) AS output_tokens,
  sum(c.cache_read_tokens) AS cache_read_tokens,
  sum(c.cache_write_tokens) AS cache_write_tokens,
  CAST(avg(c.latency_ms) AS integer) AS average_latency_ms,
  coalesce(sum(c.cost_usd), 0) AS cost_usd,
  count(*) FILTER (WHERE c.cost_usd IS NULL) AS unpriced_count
FROM (
  SELECT
    l.user_id,
    CAST(l.at AT TIME ZONE 'UTC' AS date) AS day_on,
    l.provider,
    l.model,
    l.purpose,
    l.outcome,
    l.input_tokens,
    l.output_tokens,
    l.cache_read_tokens,
    l.cache_write_tokens,
    l.latency_ms,
    -- A price that was entered after the call still tells what it cost.
    coalesce(l.cost_usd, prefmem.call_cost(
      l.input_tokens, l.output_tokens, l.cache_read_tokens, l.cache_write_tokens,
      r.input_usd, r.output_usd, r.cache_read_usd, r.cache_write_usd
    ) * CASE WHEN l.is_batch THEN r.batch_factor ELSE 1 END) AS cost_usd
  FROM (
    SELECT user_id, at, provider, model, purpose, outcome, input_tokens, output_tokens, cache_read_tokens,
      cache_write_tokens, latency_ms, cost_usd, is_batch
    FROM prefmem.llm_calls
    UNION ALL
    SELECT NULL, at, provider, model, purpose, outcome, input_tokens, output_tokens, cache_read_tokens,
      cache_write_tokens, latency_ms, cost_usd, false
    FROM prefmem.llm_shared_calls
  ) l
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
  ) r
    ON r.provider = l.provider AND r.model = l.model AND l.at >= r.valid_from AND l.at < r.valid_until
) c
GROUP BY c.user_id, c.day_on, c.provider, c.model, c.purpose;

COMMENT ON VIEW prefmem.llm_cost_daily IS
  'What the providers cost: calls, tokens and dollars of each user by day, model and purpose';

COMMENT ON COLUMN prefmem.llm_cost_daily.user_id IS
  'The user whom the calls served; NULL: none, such as the vectors that come with a model';
COMMENT ON COLUMN prefmem.llm_cost_daily.day_on IS 'The day of the calls, in UTC';
COMMENT ON COLUMN prefmem.llm_cost_daily.provider IS 'Who was called';
COMMENT ON COLUMN prefmem.llm_cost_daily.model IS 'Model that was asked';
COMMENT ON COLUMN prefmem.llm_cost_daily.purpose IS
  'What it was for: extract, judge, embed, rerank, consolidate, summarize …';
COMMENT ON COLUMN prefmem.llm_cost_daily.call_count IS
  'How many calls were made; a call for several users counts for each';
COMMENT ON COLUMN prefmem.llm_cost_daily.failed_count IS 'How many of them ended, and not with ok';
COMMENT ON COLUMN prefmem.llm_cost_daily.input_tokens IS 'Tokens sent and not read from a cache; of calls under way the most that they may be';
COMMENT ON COLUMN prefmem.llm_cost_daily.output_tokens IS 'Tokens received';
COMMENT ON COLUMN prefmem.llm_cost_daily.cache_read_tokens IS 'Tokens read from the provider''s cache';
COMMENT ON COLUMN prefmem.llm_cost_daily.cache_write_tokens IS 'Tokens written to the provider''s cache';
COMMENT ON COLUMN prefmem.llm_cost_daily.average_latency_ms IS 'How long a call took on average, in milliseconds';
COMMENT ON COLUMN prefmem.llm_cost_daily.cost_usd IS
  'What the calls cost in US dollars; calls whose price is not known count as 0';
COMMENT ON COLUMN prefmem.llm_cost_daily.unpriced_count IS 'How many calls have no known price';
