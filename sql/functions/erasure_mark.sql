-- SECURITY DEFINER: the key stays with the owner; others may compute a mark and can read no key.
CREATE OR REPLACE FUNCTION prefmem.erasure_mark(scope text, subject text)
RETURNS bytea
LANGUAGE plpgsql
STABLE
STRICT
SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  padded jsonb;
BEGIN
  SELECT s.value INTO STRICT padded FROM prefmem.settings s WHERE s.name = 'erasure_key';
  -- HMAC-SHA-256 (RFC 2104). The scope is part of what is hashed, so that a user and a message never share a mark.
  RETURN sha256(
    decode(padded ->> 'outer', 'base64')
    || sha256(decode(padded ->> 'inner', 'base64') || convert_to(scope || ':' || subject, 'UTF8'))
  );
END;
$$;

COMMENT ON FUNCTION prefmem.erasure_mark(text, text) IS
  'HMAC of a user id (scope user) or of the JSON array user, source, external id (scope message), as in erasures';
