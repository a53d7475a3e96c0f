CREATE OR REPLACE FUNCTION prefmem.call_cost(
  input_tokens integer,
  output_tokens integer,
  cache_read_tokens integer,
  cache_write_tokens integer,
  input_usd numeric,
  output_usd numeric,
  cache_read_usd numeric,
  cache_write_usd numeric
)
RETURNS numeric
LANGUAGE sql
IMMUTABLE
PARALLEL SAFE
BEGIN ATOMIC
  SELECT (
    input_tokens * input_usd
    + output_tokens * output_usd
    + cache_read_tokens * coalesce(cache_read_usd, input_usd)
    + cache_write_tokens * coalesce(cache_write_usd, input_usd)
  ) / 1000000;
END;

COMMENT ON FUNCTION prefmem.call_cost(
  integer, integer, integer, integer, numeric, numeric, numeric, numeric
) IS
  'What a provider call costs in dollars, by the prices of a million tokens as in llm_prices; NULL without a price';
