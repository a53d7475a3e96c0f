"""Users of any size, made by SQL: random vectors, and statements of common words in English and in Chinese."""

import time

from sqlalchemy import text

from prefmem_pg.db.session import Database

_FILL = """
SELECT setseed(0.42);
INSERT INTO prefmem.users (user_id) VALUES (:user_id);
INSERT INTO prefmem.preferences (user_id, preference_id, kind, statement, statement_hash, polarity, topic, entities,
  language, confidence, importance, sensitivity, status, valid_from, created_at, updated_at, metadata)
SELECT :user_id, gen_random_uuid(), 'explicit', said, sha256(convert_to(said, 'UTF8')), 'positive',
  CASE WHEN n % 10 = 0 THEN 'few' ELSE 'most' END,
  CASE WHEN n % 50 = 0 THEN ARRAY['Nintendo Switch'] ELSE ARRAY[]::text[] END,
  language, 0.8, 0.5, 'none', 'activated', now(), now(), now(), jsonb_build_object('n', n)
FROM (
  SELECT n, CASE WHEN random() < :chinese THEN 'zh' ELSE 'en' END AS language
  FROM generate_series(0, :rows - 1) AS n
) AS numbered
CROSS JOIN LATERAL (SELECT CASE WHEN language = 'zh'
  THEN (ARRAY['喜欢喝茶', '坐火车靠窗', '安静的咖啡馆', '古典音乐会', '周末去爬山'])[1 + n % 5] || ' ' || n
  ELSE 'I like ' || (ARRAY['tea', 'coffee', 'bread', 'soup', 'jazz', 'opera', 'chess'])[1 + n % 7] || ' by the '
    || (ARRAY['train', 'window', 'garden', 'river', 'hotel'])[1 + n / 7 % 5] || ' ' || n END AS said) AS worded;
ANALYZE prefmem.users, prefmem.preferences;
INSERT INTO prefmem.preference_embeddings (user_id, preference_id, model_id, embedding, language, kind, is_active,
  needs_consent, hub_en, hub_zh)
SELECT p.user_id, p.preference_id, 1, l2_normalize(CAST(ARRAY(
    SELECT CAST(random() - 0.5 + 0 * length(p.statement) AS real) FROM generate_series(1, :dimensions)
  ) AS halfvec)), p.language, p.kind, true, false, 0, 0
FROM prefmem.preferences p WHERE p.user_id = :user_id;
INSERT INTO prefmem.preference_terms (user_id, lexeme, preference_id, frequency, length)
SELECT p.user_id, u.lexeme, p.preference_id, cardinality(u.positions), length(p.search_vector)
FROM prefmem.preferences p CROSS JOIN unnest(p.search_vector) u WHERE p.user_id = :user_id;
INSERT INTO prefmem.user_stats (user_id, scope, model_id, language, row_count, total_length, vector_count, memory_mean)
SELECT p.user_id, 'preference', 1, p.language, count(*), sum(length(p.search_vector)), count(*),
  avg(CAST(e.embedding AS vector))
FROM prefmem.preferences p JOIN prefmem.preference_embeddings e USING (user_id, preference_id)
WHERE p.user_id = :user_id GROUP BY p.user_id, p.language
"""


def fill(database: Database, user_id: str, rows: int, *, chinese: float = 0.4, dimensions: int = 32) -> None:
    """Give a new user so many preferences, as the owner; everything that a search reads is there."""
    values = {"user_id": user_id, "rows": rows, "chinese": chinese, "dimensions": dimensions}
    with database.engine.begin() as connection:
        for statement in _FILL.split(";\n"):
            used = {name: value for name, value in values.items() if f":{name}" in statement}
            connection.execute(text(statement), used)


def vacuum(database: Database) -> None:
    """Vacuum what a search reads until every page of it is known to be visible: an older snapshot of another
    connection (autovacuum's, say) keeps pages from being marked, and index-only scans then visit the table."""
    tables = ("preference_embeddings", "preference_terms", "preferences")
    hidden = "SELECT relpages - relallvisible FROM pg_class WHERE oid = CAST(:table AS regclass)"
    until = time.monotonic() + 120
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        for table in tables:
            while True:
                connection.execute(text(f"VACUUM (FREEZE, ANALYZE) prefmem.{table}"))
                if not connection.scalar(text(hidden), {"table": f"prefmem.{table}"}) or time.monotonic() > until:
                    break
                time.sleep(0.1)
