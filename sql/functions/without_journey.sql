CREATE OR REPLACE FUNCTION prefmem.without_journey(held text, statement text, since date, context text)
RETURNS text
LANGUAGE plpgsql
IMMUTABLE
PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  day text := to_char(since, 'YYYY-MM-DD');
  rest text := held;
BEGIN
  rest := replace(rest, '以前：“' || statement || '”（自' || day || '）。', '');
  rest := replace(rest, 'Before: "' || statement || '" (since ' || day || ').', '');
  rest := btrim(replace(rest, context, ''));
  -- A cut or rewritten journey does not match as a whole: what still shows the statement goes altogether.
  IF prefmem.shares_text(rest, statement) OR prefmem.shares_text(rest, context) THEN
    RETURN '';
  END IF;
  RETURN rest;
END;
$$;

COMMENT ON FUNCTION prefmem.without_journey(text, text, date, text) IS
  'A context without what it tells of an earlier statement: its journey line and its own context';
