"""Raw COPY of synthetic users into the search tables: quick to fill, and a floor for bulk loads."""

from collections.abc import Iterable

import numpy as np
import psycopg
from pgvector import HalfVector
from pgvector.psycopg import register_vector

from benchmarks.server import DIMENSIONS
from benchmarks.synthetic import PREFERENCE_COLUMNS, PREFERENCE_TYPES, SyntheticUser, preference_rows
from prefmem_pg.db.model_indexes import model_index_statements

_TERMS = """
WITH given AS MATERIALIZED (
  SELECT user_id, preference_id, search_vector,
    (SELECT sum(cardinality(positions)) FROM unnest(search_vector)) AS length
  FROM prefmem.preferences WHERE user_id = ANY(%s)
)
INSERT INTO prefmem.preference_terms (user_id, lexeme, preference_id, frequency, length)
SELECT user_id, lexeme, preference_id, cardinality(positions), length
FROM given CROSS JOIN unnest(search_vector) ORDER BY user_id, lexeme, preference_id
"""
_STATS = """
INSERT INTO prefmem.user_stats
  (user_id, scope, model_id, language, row_count, total_length, vector_count, memory_mean,
   question_count, question_mean, in_hnsw)
SELECT p.user_id, 'preference', 1, p.language, count(*),
  sum((SELECT sum(cardinality(positions)) FROM unnest(p.search_vector))), count(*), avg(CAST(e.embedding AS vector)),
  50, avg(CAST(e.embedding AS vector)), bool_and(e.in_hnsw)
FROM prefmem.preferences p JOIN prefmem.preference_embeddings e USING (user_id, preference_id)
WHERE p.user_id = ANY(%s) GROUP BY p.user_id, p.language
"""


def connect(url: str) -> psycopg.Connection:
    """Return a connection as the owner, who sees every row, with pgvector's types."""
    connection = psycopg.connect(url.replace("postgresql+psycopg://", "postgresql://"))
    register_vector(connection)
    return connection


def load_users(connection: psycopg.Connection, users: Iterable[SyntheticUser], *, large_from: int) -> int:
    """Load users with everything that search reads, those with ``large_from`` rows into the HNSW index; vacuum.

    The index is built after the rows are in: into a standing one some hundred rows a second go.
    """
    hnsw = {
        name: statement
        for name, statement in model_index_statements(model_id=1, dimensions=DIMENSIONS).items()
        if "_preference_hnsw" in name
    }
    analyzed = 0
    for name in hnsw:
        connection.execute(f"DROP INDEX IF EXISTS prefmem.{name}")
    total = 0
    for user in users:
        copy_preferences(connection, user)
        if total + len(user.ids) > 2 * analyzed:
            # Else foreign keys are checked by a plan for an empty table: every row of the user for each new one.
            connection.execute("ANALYZE prefmem.users, prefmem.preferences")
            analyzed = total + len(user.ids)
        copy_vectors(connection, user, in_hnsw=len(user.ids) >= large_from)
        connection.execute(_TERMS, ([user.user_id],))
        connection.execute(_STATS, ([user.user_id],))
        total += len(user.ids)
    connection.execute("SET LOCAL maintenance_work_mem = '512MB'")
    for statement in hnsw.values():
        connection.execute(statement)
    connection.commit()
    connection.autocommit = True
    connection.execute("VACUUM ANALYZE")
    connection.autocommit = False
    return total


def copy_preferences(connection: psycopg.Connection, user: SyntheticUser) -> None:
    connection.execute("INSERT INTO prefmem.users (user_id) VALUES (%s)", (user.user_id,))
    statement = f"COPY prefmem.preferences ({PREFERENCE_COLUMNS}) FROM STDIN (FORMAT binary)"
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        copy.set_types(PREFERENCE_TYPES)
        for row in preference_rows(user):
            copy.write_row(row)


def copy_vectors(connection: psycopg.Connection, user: SyntheticUser, *, in_hnsw: bool) -> None:
    statement = (
        "COPY prefmem.preference_embeddings (user_id, preference_id, model_id, embedding, language, kind, is_active,"
        " needs_consent, hub_en, hub_zh, in_hnsw) FROM STDIN (FORMAT binary)"
    )
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        copy.set_types(["text", "uuid", "int2", "halfvec", "text", "text", "bool", "bool", "float4", "float4", "bool"])
        halves = user.vectors.astype(np.float16)
        for place, key in enumerate(user.ids):
            language = user.languages[place]
            row = (
                user.user_id,
                key,
                1,
                HalfVector(halves[place]),
                language,
                "explicit",
                True,
                False,
                0.3,
                0.3,
                in_hnsw,
            )
            copy.write_row(row)
