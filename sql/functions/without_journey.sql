CREATE OR REPLACE FUNCTION prefmem.without_journey(held text, statement text, since date, context text)
RETURNS text
LANGUAGE sql
IMMUTABLE
PARALLEL SAFE
BEGIN ATOMIC
  -- A cut or rewritten journey does not match as a whole: what still shows the statement goes altogether.
  SELECT CASE WHEN prefmem.shares_text(rest, statement) OR prefmem.shares_text(rest, context) THEN '' ELSE rest END
  FROM (
    SELECT btrim(replace(
      replace(
        replace(held, '以前：“' || statement || '”（自' || to_char(since, 'YYYY-MM-DD') || '）。', ''),
        'Before: "' || statement || '" (since ' || to_char(since, 'YYYY-MM-DD') || ').',
        ''
      ),
      context,
      ''
    )) AS rest
  ) AS stripped;
END;

COMMENT ON FUNCTION prefmem.without_journey(text, text, date, text) IS
  'A context without what it tells of an earlier statement: its journey line and its own context';
