CREATE OR REPLACE FUNCTION prefmem.preferences_as_of(of_user_id text, at timestamptz)
RETURNS TABLE (
  user_id text,
  preference_id uuid,
  kind text,
  statement text,
  context text,
  polarity text,
  topic text,
  entities text[],
  tags text[],
  language text,
  confidence real,
  importance real,
  sensitivity text,
  is_safety boolean,
  is_pinned boolean,
  status text,
  superseded_by uuid,
  mention_count integer,
  valid_from timestamptz,
  valid_to timestamptz,
  created_at timestamptz,
  updated_at timestamptz,
  expires_at timestamptz,
  source text,
  dialog_id text,
  session_id text,
  agent_id text,
  mem_cube_id text,
  version integer,
  run_id uuid,
  metadata jsonb
)
LANGUAGE plpgsql
STABLE
SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY
  SELECT
    s.user_id,
    s.preference_id,
    s.kind,
    s.statement,
    s.context,
    s.polarity,
    s.topic,
    s.entities,
    s.tags,
    s.language,
    s.confidence,
    s.importance,
    s.sensitivity,
    s.is_safety,
    s.is_pinned,
    s.status,
    s.superseded_by,
    s.mention_count,
    s.valid_from,
    s.valid_to,
    s.created_at,
    s.updated_at,
    s.expires_at,
    s.source,
    s.dialog_id,
    s.session_id,
    s.agent_id,
    s.mem_cube_id,
    s.version,
    s.run_id,
    s.metadata
  FROM (
    SELECT DISTINCT ON (v.preference_id) v.state_after
    FROM prefmem.preference_versions v
    WHERE v.user_id = of_user_id
      AND v.at <= preferences_as_of.at
    ORDER BY v.preference_id, v.version DESC, v.at DESC
  ) latest
  CROSS JOIN LATERAL jsonb_to_record(latest.state_after) AS s (
    user_id text,
    preference_id uuid,
    kind text,
    statement text,
    context text,
    polarity text,
    topic text,
    entities text[],
    tags text[],
    language text,
    confidence real,
    importance real,
    sensitivity text,
    is_safety boolean,
    is_pinned boolean,
    status text,
    superseded_by uuid,
    mention_count integer,
    valid_from timestamptz,
    valid_to timestamptz,
    created_at timestamptz,
    updated_at timestamptz,
    expires_at timestamptz,
    source text,
    dialog_id text,
    session_id text,
    agent_id text,
    mem_cube_id text,
    version integer,
    run_id uuid,
    metadata jsonb
  )
  WHERE s.status = 'activated'
    AND (s.expires_at IS NULL OR s.expires_at > preferences_as_of.at)
  ORDER BY s.created_at DESC, s.preference_id DESC;
END
$$;

COMMENT ON FUNCTION prefmem.preferences_as_of(text, timestamptz) IS
  'The preferences of a user that the store held as current at a time, as they read then (recorded time)';
