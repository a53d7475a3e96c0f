"""The indexes that each embedding model has of its own; no revision makes them."""

import hashlib
from typing import Final

from sqlalchemy import Connection, text

COVERING_DIMENSIONS: Final = 1_200
"""A covering index entry must stay under about 2,700 bytes; a halfvec takes two for each dimension."""

INDEXED_LANGUAGES: Final = ("en", "zh")
"""Languages that have an HNSW index of their own; rows in others are compared. The rows of one language lie together,
so that a common index passed thousands of one before it came to the other: 2,300 of 40,000 rows for the first 86."""
LINKS: Final = 24
BUILD_CANDIDATES: Final = 128
"""m and ef_construction of the HNSW indexes. With pgvector's 16 and 64 some clusters of the graph are cut off: among
50,000 rows most questions found their ten best and some found none (recall@10 .959, worst 0); with these all found
all, for half as much more time to build. Among 100,000 that takes an ef_search of 200 (1.0; with 100 .970, worst 0)."""
BUILT_AT_ONCE: Final = 100_000
"""Rows of a table up to which ``upgrade`` builds an index itself: for some ten seconds nobody can write."""

# A table that was never analysed, as after a restore, has -1 rows: then its size tells, at 2 kB for a row.
_ROWS: Final = (
    "SELECT greatest(reltuples, pg_relation_size(oid) / 2048) FROM pg_class WHERE oid = CAST(:table AS regclass)"
)
_THERE: Final = """
SELECT c.relname, obj_description(c.oid, 'pg_class') AS note
FROM pg_class c
WHERE c.relnamespace = to_regnamespace('prefmem') AND c.relkind = 'i' AND c.relname ~ :pattern
"""
# By language: each is read by itself, with the mean of its own.
_EXACT: Final = {
    "preference": ("language, preference_id", "kind, needs_consent, hub_en, hub_zh", " AND is_active"),
    "message": ("message_id", "language", ""),
    "summary": ("summary_id", "language", ""),
}


def create_model_indexes(connection: Connection, *, model_id: int, dimensions: int) -> None:
    """Create the exact and the HNSW indexes of a model on each table of vectors; drop those of an older version.

    Exact: a b-tree of one user's rows that covers the vector, read index-only. HNSW: over the rows of large users
    only, since it makes every insert dear, and by language for preferences. It blocks writers while it builds, so a
    table with many rows is left to ``reindex``, which does not; until then searches go the other ways.
    """
    wanted = model_index_statements(model_id=model_id, dimensions=dimensions)
    there: dict[str, str | None] = {
        row.relname: row.note for row in connection.execute(text(_THERE), {"pattern": f"^ix_model_{model_id}_"})
    }
    for name in sorted(there.keys() - wanted.keys()):
        connection.execute(text(f"DROP INDEX prefmem.{name}"))
    for name, statement in wanted.items():
        if name in there and there[name] == index_note(statement):
            continue
        if (connection.scalar(text(_ROWS), {"table": f"prefmem.{_table(name)}"}) or 0) > BUILT_AT_ONCE:
            continue
        connection.execute(text(f"DROP INDEX IF EXISTS prefmem.{name}"))
        connection.execute(text(statement))
        connection.execute(text(note_statement(name, statement)))


def index_note(statement: str) -> str:
    """Return what an index's comment says of its definition, so that a changed one is noticed."""
    return f"Made by prefmem upgrade or reindex; definition {hashlib.sha256(statement.encode()).hexdigest()[:16]}"


def note_statement(name: str, statement: str) -> str:
    return f"COMMENT ON INDEX prefmem.{name} IS '{index_note(statement)}'"


def model_index_statements(*, model_id: int, dimensions: int) -> dict[str, str]:
    """Return the CREATE INDEX of each index by its name."""
    statements = {}
    for owner, (key, copies, condition) in _EXACT.items():
        table = f"prefmem.{owner}_embeddings"
        included = f"embedding, {copies}" if dimensions <= COVERING_DIMENSIONS else copies
        exact = f"ix_model_{model_id}_{owner}_exact"
        statements[exact] = (
            f"CREATE INDEX {exact} ON {table} (user_id, {key}) INCLUDE ({included})"
            f" WHERE model_id = {model_id}{condition}"
        )
        for language in INDEXED_LANGUAGES if owner == "preference" else (None,):
            hnsw = f"ix_model_{model_id}_{owner}_hnsw" + (f"_{language}" if language else "")
            only = f" AND language = '{language}'" if language else ""
            statements[hnsw] = (
                f"CREATE INDEX {hnsw} ON {table} USING hnsw ((embedding::halfvec({dimensions})) halfvec_ip_ops)"
                f" WITH (m = {LINKS}, ef_construction = {BUILD_CANDIDATES})"
                f" WHERE model_id = {model_id}{condition} AND in_hnsw{only}"
            )
    return statements


def _table(index: str) -> str:
    """Return the table of vectors that an index of ours is on: ix_model_<number>_<owner>_<what>."""
    return index.split("_")[3] + "_embeddings"
