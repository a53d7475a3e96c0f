CREATE OR REPLACE FUNCTION prefmem.shares_text(one text, other text)
RETURNS boolean
LANGUAGE sql
IMMUTABLE
PARALLEL SAFE
BEGIN ATOMIC
  -- The shorter text is cut into pieces: searching many pieces in a long text beats the other way round.
  SELECT shorter <> '' AND EXISTS (
    SELECT 1
    FROM generate_series(1, greatest(length(shorter) - size + 1, 1)) AS place
    WHERE strpos(longer, substr(shorter, place, size)) > 0
  )
  FROM (
    SELECT shorter, longer, CASE WHEN shorter ~ '[\u3040-\u9fff\uac00-\ud7af]' THEN 6 ELSE 12 END AS size
    FROM (
      SELECT
        CASE WHEN length(one) <= length(other) THEN one ELSE other END AS shorter,
        CASE WHEN length(one) <= length(other) THEN other ELSE one END AS longer
    ) AS ordered
  ) AS given;
END;

COMMENT ON FUNCTION prefmem.shares_text(text, text) IS
  'Whether two texts have a piece of 12 characters in common (6 in Chinese), or the shorter one as a whole';
