-- Raise it to the revision that stops older code from working: a column or table that it reads is gone, a function that
-- it calls takes something else. Revisions and views that only add leave it as it is.
CREATE OR REPLACE FUNCTION prefmem.works_with()
RETURNS text
LANGUAGE sql
IMMUTABLE
BEGIN ATOMIC
  SELECT CAST('0004' AS text);
END;

COMMENT ON FUNCTION prefmem.works_with() IS
  'The oldest revision whose code works on this schema: older programs say that they are out of date, newer ones go on';
