"""The COPY path of preferences: rows, versions, postings and vectors of one user, many at a time."""

import json
import struct
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final
from uuid import UUID

import numpy as np
import psycopg
from numpy.typing import NDArray
from psycopg.adapt import Dumper
from psycopg.pq import Format
from sqlalchemy import text
from sqlalchemy.orm import Session

from prefmem_pg.db.rows import PREFERENCE_COLUMNS
from prefmem_pg.domain.preferences import Preference
from prefmem_pg.domain.states import encode_preference

STALE_SHARE: Final = 1.0
STALE_ROWS: Final = 1_000
"""Statistics are stale when this share and this many rows have come since: autovacuum takes a minute to notice, and
until then the foreign keys of a table that was empty are checked by reading all of it for each new row."""
_TABLES: Final = ("users", "preferences", "preference_versions", "preference_embeddings", "preference_terms")

# What the driver can write in binary without being told types; the INSERT casts.
_WIDER: Final = {"real": "float8", "integer": "float8", "text[]": "text"}
_ADDED: Final = {
    "statement_hash": "bytea",
    "version_id": "uuid",
    "state": "jsonb",
    "reason": "text",
    "embedding": "halfvec",
    "hub_en": "float8",
    "hub_zh": "float8",
}
_STAGED: Final = {name: _WIDER.get(kind, kind) for name, kind in PREFERENCE_COLUMNS.items()} | _ADDED
_WIDENED: Final = tuple(name for name, kind in PREFERENCE_COLUMNS.items() if kind in ("real", "integer"))
_read_columns: Final = attrgetter(*PREFERENCE_COLUMNS)
_STORED: Final = (*PREFERENCE_COLUMNS, "statement_hash")
_CASTS: Final = {name: f"CAST(s.{name} AS text[])" for name, kind in PREFERENCE_COLUMNS.items() if kind == "text[]"}
# toast_tuple_target: rows are read once, right away; compressing them costs more than it saves.
_STAGE: Final = (
    "DROP TABLE IF EXISTS pg_temp.staged_preferences; CREATE TEMPORARY TABLE staged_preferences"
    f" ({', '.join(f'{name} {kind}' for name, kind in _STAGED.items())})"
    " WITH (toast_tuple_target = 8160) ON COMMIT DROP"
).encode()
# The postings are sorted and the rows joined in memory; the planner knows nothing of the temporary table by itself.
_BEFORE_STORING: Final = b"SET LOCAL work_mem = '64MB'; ANALYZE pg_temp.staged_preferences (preference_id)"
_STORE: Final = f"""
WITH added AS (
  INSERT INTO prefmem.preferences ({", ".join(_STORED)})
  SELECT {", ".join(_CASTS.get(name, f"s.{name}") for name in _STORED)} FROM pg_temp.staged_preferences s
  ON CONFLICT (user_id, statement_hash) WHERE status = 'activated' DO NOTHING
  RETURNING preference_id, search_vector, status
),
measured AS MATERIALIZED (
  SELECT preference_id, search_vector,
    (SELECT coalesce(sum(cardinality(positions)), 0)::integer FROM unnest(search_vector)) AS length
  FROM added
  WHERE status = 'activated'
),
terms AS (
  INSERT INTO prefmem.preference_terms (user_id, lexeme, preference_id, frequency, length)
  SELECT :user_id, u.lexeme, m.preference_id, cardinality(u.positions), m.length
  FROM measured m CROSS JOIN LATERAL unnest(m.search_vector) u
  WHERE octet_length(u.lexeme) <= 255
  ORDER BY u.lexeme, m.preference_id
),
versions AS (
  INSERT INTO prefmem.preference_versions
    (user_id, version_id, preference_id, version, event, state_after, actor, reason, details, run_id, at)
  SELECT s.user_id, s.version_id, s.preference_id, s.version, 'add', s.state, :actor, s.reason,
    CAST(:details AS jsonb), s.run_id, s.created_at
  FROM pg_temp.staged_preferences s JOIN added USING (preference_id)
),
embeddings AS (
  INSERT INTO prefmem.preference_embeddings
    (user_id, preference_id, model_id, embedding, language, kind, is_active, needs_consent, hub_en, hub_zh, in_hnsw)
  SELECT s.user_id, s.preference_id, :model_id, s.embedding, s.language, s.kind, s.status = 'activated',
    s.sensitivity <> 'none' AND NOT s.is_safety, s.hub_en, s.hub_zh, (
      SELECT coalesce(bool_or(u.in_hnsw), false) FROM prefmem.user_stats u
      WHERE u.user_id = :user_id AND u.scope = 'preference' AND u.model_id = :model_id)
  FROM pg_temp.staged_preferences s JOIN added USING (preference_id)
  WHERE s.embedding IS NOT NULL
)
SELECT a.preference_id, m.length FROM added a LEFT JOIN measured m USING (preference_id)
"""
_KNOWN: Final = """
SELECT DISTINCT p.statement_hash
FROM unnest(CAST(:hashes AS bytea[])) AS h(statement_hash)
JOIN prefmem.preferences p ON p.user_id = :user_id AND p.statement_hash = h.statement_hash
  AND p.status IN ('activated', 'resolving', 'rejected', 'archived')
"""
_ROWS: Final = "SELECT greatest(reltuples, 0) FROM pg_class WHERE oid = CAST('prefmem.preferences' AS regclass)"


class Json(bytes):
    """A jsonb in its binary form."""

    @classmethod
    def of(cls, text: bytes) -> "Json":
        """Return it for JSON text."""
        return cls(b"\x01" + text)


_NO_METADATA: Final = Json.of(b"{}")


def bulk_row(
    preference: Preference, digest: bytes, version_id: UUID, reason: str, vector: NDArray[np.float32] | None
) -> tuple[Any, ...]:  # Any: what the driver writes
    """Return a new preference with its first version and vector as COPY writes them; all but the hubs, which come last.

    ``digest`` is the statement's hash, ``reason`` the version's. ``vector`` None: it is embedded later.
    """
    values = dict(zip(PREFERENCE_COLUMNS, _read_columns(preference), strict=True))
    values["entities"] = _array(preference.entities)
    values["tags"] = _array(preference.tags)
    for name in _WIDENED:
        values[name] = float(values[name])
    values["metadata"] = Json.of(json.dumps(preference.metadata).encode()) if preference.metadata else _NO_METADATA
    state = Json.of(encode_preference(preference))
    return (*values.values(), digest, version_id, state, reason, None if vector is None else _half(vector))


class BulkRepository:
    """Many new preferences of one user, inside the caller's transaction and under the user's lock; never commits."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def find_known(self, user_id: str, hashes: Sequence[bytes]) -> set[bytes]:
        """Return the hashes of statements that the user has, current, waiting, rejected or archived."""
        found = self.session.scalars(text(_KNOWN), {"user_id": user_id, "hashes": list(hashes)})
        return {bytes(value) for value in found}

    def stage(self, rows: Iterable[tuple[tuple[Any, ...], tuple[float, float]]]) -> None:
        """Bring to the server what ``bulk_row`` made, each with its hubness for English and for Chinese questions.

        COPY is refused under row-level security, hence the temporary table between.
        """
        driver = self.session.connection().connection.driver_connection
        assert isinstance(driver, psycopg.Connection), "prefmem_pg needs the psycopg driver"
        with driver.cursor() as cursor:
            for kind in (_Half, Json):
                cursor.adapters.register_dumper(kind, _BytesDumper)
            cursor.execute(_STAGE)
            statement = f"COPY pg_temp.staged_preferences ({', '.join(_STAGED)}) FROM STDIN (FORMAT binary)"
            with cursor.copy(statement) as copy:
                for row, hubs in rows:
                    copy.write_row(row + hubs)
            cursor.execute(_BEFORE_STORING)

    def store_staged(self, user_id: str, *, model_id: int, actor: str, details: Mapping[str, Any]) -> dict[UUID, int]:
        """Store what was staged with all that belongs to it; return each row's length in lexemes, 0 when not searched.

        A row whose very statement is current already is left out. ``actor`` and ``details`` (JSON) are the versions'.
        """
        values = {"user_id": user_id, "model_id": model_id, "actor": actor, "details": json.dumps(details)}
        stored = self.session.execute(text(_STORE), values)
        return {row.preference_id: row.length or 0 for row in stored}

    def count_estimated(self) -> int:
        """Return how many preferences the planner believes that there are."""
        return int(self.session.scalar(text(_ROWS)) or 0)


def tables_of_preferences() -> tuple[str, ...]:
    """Return the tables that a load of preferences fills."""
    return _TABLES


class _Half(bytes):
    """A halfvec in pgvector's binary form."""


class _BytesDumper(Dumper):
    format = Format.BINARY

    def dump(self, obj: bytes) -> bytes:
        return obj


def _array(texts: Sequence[str]) -> str:
    """Return texts as PostgreSQL reads an array."""
    quoted = ('"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"' for text in texts)
    return "{" + ",".join(quoted) + "}" if texts else "{}"


def _half(vector: NDArray[np.float32]) -> _Half:
    return _Half(struct.pack(">HH", len(vector), 0) + vector.astype(">f2").tobytes())
