"""The floor of a search: one hand-tuned statement by vector alone, on a warm connection of the driver."""

from typing import Any

import numpy as np
import psycopg
from numpy.typing import NDArray
from pgvector import HalfVector

from benchmarks.server import DIMENSIONS
from prefmem_pg.db.rows import preference_columns
from prefmem_pg.db.session import EF_SEARCH

_COLUMNS = preference_columns("p")
_BEGIN = (
    "SET LOCAL ROLE prefmem_app; SET LOCAL prefmem.user_id = '{user_id}'; SET LOCAL timezone = 'UTC';"
    " SET LOCAL hnsw.iterative_scan = 'relaxed_order';"
    f" SET LOCAL hnsw.ef_search = {EF_SEARCH}"
)
_JOIN = "JOIN prefmem.preferences p ON p.user_id = %(user_id)s AND p.preference_id = {key}.preference_id"
_NEAREST = """
SELECT {columns}, b.distance
FROM (
  SELECT e.preference_id, {vector} <#> %(vector)s AS distance
  FROM prefmem.preference_embeddings e
  WHERE e.user_id = %(user_id)s AND e.model_id = 1 AND e.is_active {large}
  ORDER BY {vector} <#> %(vector)s LIMIT 10
) AS b {join}
ORDER BY b.distance
"""
_FILTERED = """
SELECT {columns}, e.embedding <#> %(vector)s AS distance
FROM prefmem.preference_embeddings e {join}
WHERE e.user_id = %(user_id)s AND e.model_id = 1 AND e.is_active AND p.topic = %(topic)s
ORDER BY distance LIMIT 10
"""


class Floor:
    """BEGIN, the settings, the statement with the same columns and join, COMMIT; nothing is built or explained."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection
        self._cursor = connection.cursor()

    def search(self, user_id: str, vector: NDArray[np.float32], *, is_large: bool, topic: str | None) -> list[Any]:
        self._cursor.execute(_BEGIN.format(user_id=user_id) + ("; SET LOCAL enable_sort = off" if is_large else ""))
        values = {"user_id": user_id, "vector": HalfVector(vector), "topic": topic}
        if topic is None:
            by = f"CAST(e.embedding AS halfvec({DIMENSIONS}))" if is_large else "e.embedding"
            statement = _NEAREST.format(
                columns=_COLUMNS,
                vector=by,
                large="AND e.in_hnsw AND e.language = 'en'" if is_large else "",
                join=_JOIN.format(key="b"),
            )
        else:
            statement = _FILTERED.format(columns=_COLUMNS, join=_JOIN.format(key="e"))
        rows = self._cursor.execute(statement, values).fetchall()
        self._connection.commit()
        return rows
