CREATE OR REPLACE VIEW prefmem.monitor_indexes
WITH (security_invoker = true) AS
SELECT
  i.relname AS index_name,
  t.relname AS table_name,
  x.indisvalid AND x.indisready AS is_usable,
  coalesce(s.idx_scan, 0) AS scan_count,
  s.last_idx_scan AS last_scan_at,
  pg_relation_size(i.oid) AS index_bytes
FROM pg_catalog.pg_index x
JOIN pg_catalog.pg_class i
  ON i.oid = x.indexrelid
JOIN pg_catalog.pg_class t
  ON t.oid = x.indrelid
LEFT JOIN pg_catalog.pg_stat_all_indexes s
  ON s.indexrelid = x.indexrelid
WHERE t.relnamespace = to_regnamespace('prefmem');

COMMENT ON VIEW prefmem.monitor_indexes IS
  'Which indexes are used, how large are they, and which need prefmem reindex?';

COMMENT ON COLUMN prefmem.monitor_indexes.index_name IS 'The index; ix_model_<number>_… belong to an embedding model';
COMMENT ON COLUMN prefmem.monitor_indexes.table_name IS 'The table that it is on';
COMMENT ON COLUMN prefmem.monitor_indexes.is_usable IS 'False: its building was stopped half-way; prefmem reindex mends it';
COMMENT ON COLUMN prefmem.monitor_indexes.scan_count IS 'How often it was used since the statistics began';
COMMENT ON COLUMN prefmem.monitor_indexes.last_scan_at IS 'When it was last used; NULL: not since the statistics began';
COMMENT ON COLUMN prefmem.monitor_indexes.index_bytes IS 'Size on disk in bytes';
