"""The indexes that each embedding model has of its own; no revision makes them."""

from typing import Final

from sqlalchemy import Connection, text

COVERING_DIMENSIONS: Final = 1_200
"""A covering index entry must stay under about 2,700 bytes; a halfvec takes two for each dimension."""

# By language: a large user's HNSW scan leaves out languages with few rows, which are then compared by themselves.
_EXACT: Final = {
    "preference": ("language, preference_id", "kind, needs_consent, hub_en, hub_zh", " AND is_active"),
    "message": ("message_id", "language", ""),
    "summary": ("summary_id", "language", ""),
}


def create_model_indexes(connection: Connection, *, model_id: int, dimensions: int) -> None:
    """Create the exact and the HNSW index of a model on each table of vectors, where they are missing.

    For a table with few rows: it blocks writers while it builds. Exact: a b-tree of one user's rows that covers the
    vector, read index-only. HNSW: over the rows of large users only, since it makes every insert dear.
    """
    for name, statement in model_index_statements(model_id=model_id, dimensions=dimensions).items():
        if not connection.scalar(text("SELECT to_regclass(:name) IS NOT NULL"), {"name": f"prefmem.{name}"}):
            connection.execute(text(statement))


def model_index_statements(*, model_id: int, dimensions: int) -> dict[str, str]:
    """Return the CREATE INDEX of each index by its name."""
    statements = {}
    for owner, (key, copies, condition) in _EXACT.items():
        table = f"prefmem.{owner}_embeddings"
        included = f"embedding, {copies}" if dimensions <= COVERING_DIMENSIONS else copies
        exact, hnsw = f"ix_model_{model_id}_{owner}_exact", f"ix_model_{model_id}_{owner}_hnsw"
        statements[exact] = (
            f"CREATE INDEX {exact} ON {table} (user_id, {key}) INCLUDE ({included})"
            f" WHERE model_id = {model_id}{condition}"
        )
        statements[hnsw] = (
            f"CREATE INDEX {hnsw} ON {table} USING hnsw ((embedding::halfvec({dimensions})) halfvec_ip_ops)"
            f" WHERE model_id = {model_id}{condition} AND in_hnsw"
        )
    return statements
