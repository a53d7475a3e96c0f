CREATE OR REPLACE VIEW prefmem.monitor_tables
WITH (security_invoker = true) AS
SELECT
  c.relname AS table_name,
  greatest(coalesce(s.n_live_tup, 0), 0) AS live_rows,
  greatest(coalesce(s.n_dead_tup, 0), 0) AS dead_rows,
  pg_table_size(c.oid) AS table_bytes,
  pg_indexes_size(c.oid) AS index_bytes,
  CASE WHEN c.relpages > 0 THEN round(CAST(c.relallvisible AS numeric) / c.relpages, 3) END AS visible_share,
  greatest(s.last_vacuum, s.last_autovacuum) AS last_vacuum_at,
  greatest(s.last_analyze, s.last_autoanalyze) AS last_analyze_at
FROM pg_catalog.pg_class c
LEFT JOIN pg_catalog.pg_stat_all_tables s
  ON s.relid = c.oid
WHERE c.relnamespace = to_regnamespace('prefmem')
  AND c.relkind = 'r';

COMMENT ON VIEW prefmem.monitor_tables IS
  'How large is each table, and does vacuum keep up? By the server''s own statistics, which lag a little';

COMMENT ON COLUMN prefmem.monitor_tables.table_name IS 'The table';
COMMENT ON COLUMN prefmem.monitor_tables.live_rows IS 'About how many rows it holds';
COMMENT ON COLUMN prefmem.monitor_tables.dead_rows IS 'About how many dead rows wait for vacuum';
COMMENT ON COLUMN prefmem.monitor_tables.table_bytes IS 'Size on disk without indexes, in bytes';
COMMENT ON COLUMN prefmem.monitor_tables.index_bytes IS 'Size of its indexes on disk, in bytes';
COMMENT ON COLUMN prefmem.monitor_tables.visible_share IS
  'Share of its pages that index-only scans need not look at, 0 to 1; NULL: it was empty at the last vacuum';
COMMENT ON COLUMN prefmem.monitor_tables.last_vacuum_at IS 'When it was last vacuumed; NULL: not since the statistics began';
COMMENT ON COLUMN prefmem.monitor_tables.last_analyze_at IS 'When it was last analyzed; NULL: not since the statistics began';
