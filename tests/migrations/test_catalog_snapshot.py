"""The catalog of a migrated database against what is written down: Alembic compares less than half of it.

After an intended change write the snapshot anew and read its diff: ``PREFMEM_UPDATE_SNAPSHOT=1 make test
ARGS=tests/migrations/test_catalog_snapshot.py`` writes the file and fails once; the next run passes.
"""

import os
from pathlib import Path

import pytest
from sqlalchemy import text

from prefmem_pg.db.session import Database
from tests.catalog import describe

SNAPSHOT = Path(__file__).with_name("catalog.snapshot.txt")


def test_the_catalog_is_as_written_down(database: Database) -> None:
    with database.engine.connect() as connection:
        found = "\n".join(describe(connection))
    if os.environ.get("PREFMEM_UPDATE_SNAPSHOT") == "1":
        SNAPSHOT.write_text(found, encoding="utf-8")
        pytest.fail(f"{SNAPSHOT.name} was written; read its diff, then run again without PREFMEM_UPDATE_SNAPSHOT")

    assert found.splitlines() == SNAPSHOT.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    "mutation",
    [
        "DROP INDEX prefmem.ix_model_1_message_hnsw; CREATE INDEX ix_model_1_message_hnsw ON"
        " prefmem.preference_embeddings USING hnsw ((embedding::halfvec(384)) halfvec_l2_ops)",
        "ALTER TABLE prefmem.messages DROP CONSTRAINT ck_messages_role,"
        " ADD CONSTRAINT ck_messages_role CHECK (role IN ('user'))",
        "ALTER POLICY app_own_rows ON prefmem.messages USING (true)",
        "ALTER TABLE prefmem.messages DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE prefmem.message_terms RESET (autovacuum_vacuum_scale_factor)",
        "ALTER TABLE prefmem.preferences DROP COLUMN search_vector, ADD COLUMN search_vector tsvector"
        " GENERATED ALWAYS AS (to_tsvector('simple', statement)) STORED",
    ],
)
def test_the_snapshot_sees_what_alembic_does_not(database: Database, mutation: str) -> None:
    with database.engine.connect() as connection:
        connection.exec_driver_sql(mutation, execution_options={"no_parameters": True})
        found = "\n".join(describe(connection))
    assert found.splitlines() != SNAPSHOT.read_text(encoding="utf-8").splitlines()


def test_every_table_column_view_and_function_has_a_comment(database: Database) -> None:
    statement = """
        SELECT CAST(CAST(c.oid AS regclass) AS text) || coalesce('.' || a.attname, '')
        FROM pg_class c
        LEFT JOIN LATERAL (
          SELECT 0 AS attnum, NULL AS attname UNION ALL
          SELECT attnum, attname FROM pg_attribute
          WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND c.relkind = 'r') a ON true
        WHERE c.relnamespace = CAST('prefmem' AS regnamespace) AND c.relkind IN ('r', 'v', 'm', 'p')
          AND coalesce(col_description(c.oid, a.attnum), obj_description(c.oid, 'pg_class')) IS NULL
        UNION ALL
        SELECT CAST(CAST(oid AS regprocedure) AS text) FROM pg_proc
        WHERE pronamespace = CAST('prefmem' AS regnamespace) AND obj_description(oid, 'pg_proc') IS NULL
    """
    with database.engine.connect() as connection:
        assert list(connection.scalars(text(statement))) == []
