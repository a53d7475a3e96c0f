"""Changing the embedding model, as the owner: register, switch, retire; and what of a model's rows is behind."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, cast

from sqlalchemy import Connection, CursorResult, Engine, text

from prefmem_pg.db.driver_errors import translated_errors
from prefmem_pg.db.embedding_models import MODELS, ModelRow
from prefmem_pg.db.sql_objects import bring_objects_to_head
from prefmem_pg.db.upgrade import LOCK as UPGRADE_LOCK
from prefmem_pg.db.upgrade import ModelSpec
from prefmem_pg.errors import ConfigurationError, Conflict

MAX_DIMENSIONS: Final = 4_000
"""What an HNSW index over halfvec takes."""
DELETED_AT_ONCE: Final = 5_000

_LOCK: Final = int.from_bytes(hashlib.sha256(b"prefmem reembed").digest()[:8], "big", signed=True)
_TABLES: Final = ("preference_embeddings", "message_embeddings", "summary_embeddings")
_MISSING: Final = {
    "preference": """
SELECT count(*) FROM prefmem.preferences p
WHERE p.status <> 'deleted' AND NOT EXISTS (
  SELECT FROM prefmem.preference_embeddings e
  WHERE e.user_id = p.user_id AND e.preference_id = p.preference_id AND e.model_id = :model_id)
""",
    "message": """
SELECT count(*) FROM prefmem.messages m
WHERE m.role IN ('user', 'assistant', 'other') AND NOT EXISTS (
  SELECT FROM prefmem.message_embeddings e
  WHERE e.user_id = m.user_id AND e.message_id = m.message_id AND e.model_id = :model_id)
""",
    "summary": """
SELECT count(*) FROM prefmem.summaries s
WHERE s.text <> '' AND NOT EXISTS (
  SELECT FROM prefmem.summary_embeddings e
  WHERE e.user_id = s.user_id AND e.summary_id = s.summary_id AND e.model_id = :model_id)
""",
}
_BEHIND: Final = """
SELECT
  (SELECT count(*) FROM prefmem.preference_embeddings o
   WHERE o.model_id = :old AND NOT EXISTS (
     SELECT FROM prefmem.preference_embeddings n
     WHERE n.user_id = o.user_id AND n.preference_id = o.preference_id AND n.model_id = :new))
  + (SELECT count(*) FROM prefmem.message_embeddings o
     WHERE o.model_id = :old AND NOT EXISTS (
       SELECT FROM prefmem.message_embeddings n
       WHERE n.user_id = o.user_id AND n.message_id = o.message_id AND n.model_id = :new))
  + (SELECT count(*) FROM prefmem.summary_embeddings o
     WHERE o.model_id = :old AND NOT EXISTS (
       SELECT FROM prefmem.summary_embeddings n
       WHERE n.user_id = o.user_id AND n.summary_id = o.summary_id AND n.model_id = :new))
"""


@contextmanager
def changing_models(engine: Engine) -> Iterator[None]:
    """Let nobody else change models on this database meanwhile; raises Conflict when somebody is."""
    with translated_errors(), engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        if not connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": _LOCK}):
            raise Conflict("another reembed is at work on this database; wait until it has ended")
        try:
            yield
        finally:
            connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": _LOCK})


@contextmanager
def _as_owner(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that changes the catalog: alone among upgrades, and never waiting long for a lock."""
    with translated_errors(), engine.connect() as connection, connection.begin():
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": UPGRADE_LOCK})
        connection.execute(text("SET LOCAL lock_timeout = '10s'"))
        connection.execute(text("SET LOCAL statement_timeout = 0"))
        yield connection


def check_dimensions(dimensions: int) -> None:
    if not 1 <= dimensions <= MAX_DIMENSIONS:
        raise ConfigurationError(f"a model may have 1 to {MAX_DIMENSIONS:,} dimensions, not {dimensions:,}")


def register(engine: Engine, model: ModelSpec, *, folder: Path, bank: bytes | None) -> ModelRow:
    """Give a model its number, its search functions and its place beside the active one; return its row. Idempotent.

    From then on every writer makes its vectors too. The active model stays as it is. Raises Conflict when a third
    model would be at work.
    """
    check_dimensions(model.dimensions)
    identity = {"name": model.name, "provider": model.provider, "dimensions": model.dimensions}
    with _as_owner(engine) as connection:
        rows = [ModelRow(*row) for row in connection.execute(text(f"{MODELS} ORDER BY model_id FOR UPDATE"))]
        same = next((row for row in rows if row.is_of(model.provider, model.name, model.dimensions)), None)
        if same is not None and same.state == "active":
            return same
        for row in rows:
            if row.state == "building" and row is not same:
                raise Conflict(
                    f"{row.provider}/{row.name} with {row.dimensions} dimensions is still kept beside the active model;"
                    " let it go first: prefmem reembed --retire"
                )
        if same is None:
            values = {**identity, "model_id": max((row.model_id for row in rows), default=0) + 1, "bank": bank}
            connection.execute(
                text(
                    "INSERT INTO prefmem.embedding_models (model_id, name, provider, dimensions, state, bank)"
                    " VALUES (:model_id, :name, :provider, :dimensions, 'building', :bank)"
                ),
                values,
            )
        else:
            connection.execute(
                text(
                    "UPDATE prefmem.embedding_models SET state = 'building', bank = :bank,"
                    " activated_at = CASE WHEN state = 'building' THEN activated_at END WHERE model_id = :model_id"
                ),
                {"model_id": same.model_id, "bank": bank},
            )
        bring_objects_to_head(connection, folder)
        found = connection.execute(
            text(f"{MODELS} WHERE (provider, name, dimensions) = (:provider, :name, :dimensions)"), identity
        )
        return ModelRow(*found.one())


def count_missing(engine: Engine, *, model_id: int) -> int:
    """Return how many preferences, messages and summaries have no vector of the model; reads every row."""
    with translated_errors(), engine.connect() as connection:
        return sum(
            int(connection.scalar(text(statement), {"model_id": model_id}) or 0) for statement in _MISSING.values()
        )


def count_behind(engine: Engine, *, old: int, new: int) -> int:
    """Return how many rows have a vector of the old model and none of the new one."""
    with translated_errors(), engine.connect() as connection:
        return int(connection.scalar(text(_BEHIND), {"old": old, "new": new}) or 0)


def switch(engine: Engine, *, to: int) -> None:
    """Let searches use another model from the next instant on; the one before is kept up to date beside it."""
    with _as_owner(engine) as connection:
        connection.execute(text("UPDATE prefmem.embedding_models SET state = 'building' WHERE state = 'active'"))
        switched = connection.execute(
            text(
                "UPDATE prefmem.embedding_models SET state = 'active', activated_at = clock_timestamp()"
                " WHERE model_id = :to AND state = 'building'"
            ),
            {"to": to},
        )
        if switched.rowcount != 1:
            raise Conflict(f"model {to} is not being built any more; nothing was switched")


def store_bank(engine: Engine, *, model_id: int, bank: bytes) -> None:
    """Keep what questions and statements look like to a model."""
    with translated_errors(), engine.begin() as connection:
        connection.execute(
            text("UPDATE prefmem.embedding_models SET bank = :bank WHERE model_id = :model_id"),
            {"model_id": model_id, "bank": bank},
        )


def find_previous(engine: Engine) -> ModelRow | None:
    """Return the model that searches used before the active one, as long as it is kept up to date."""
    statement = f"{MODELS} WHERE state = 'building' AND activated_at IS NOT NULL ORDER BY activated_at DESC LIMIT 1"
    with translated_errors(), engine.connect() as connection:
        row = connection.execute(text(statement)).one_or_none()
        return None if row is None else ModelRow(*row)


def seconds_since_switch(engine: Engine) -> float:
    """Return how long the active model has been active."""
    statement = (
        "SELECT extract(epoch FROM clock_timestamp() - coalesce(activated_at, created_at))"
        " FROM prefmem.embedding_models WHERE state = 'active'"
    )
    with translated_errors(), engine.connect() as connection:
        return float(connection.scalar(text(statement)) or 0.0)


def retire(engine: Engine, *, folder: Path) -> list[ModelRow]:
    """Retire every model that is not active; return all that are retired. Their functions go, their rows stay yet."""
    with _as_owner(engine) as connection:
        connection.execute(
            text("UPDATE prefmem.embedding_models SET state = 'retired', bank = NULL WHERE state = 'building'")
        )
        bring_objects_to_head(connection, folder)
        return [ModelRow(*row) for row in connection.execute(text(f"{MODELS} WHERE state = 'retired'"))]


def clean(engine: Engine, *, model_id: int) -> Iterator[int]:
    """Delete the indexes and rows of a retired model, some at a time; yield how many went. It may be stopped."""
    with translated_errors(), engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        names = connection.scalars(
            text(
                "SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace('prefmem') AND relkind = 'i'"
                " AND starts_with(relname, :prefix) ORDER BY relname"
            ),
            {"prefix": f"ix_model_{int(model_id)}_"},
        )
        for name in list(names):
            connection.exec_driver_sql(f'DROP INDEX CONCURRENTLY IF EXISTS prefmem."{name}"')
        for table in (*_TABLES, "user_stats"):
            statement = text(
                f"DELETE FROM prefmem.{table} WHERE ctid = ANY(ARRAY("
                f"SELECT ctid FROM prefmem.{table} WHERE model_id = :model_id LIMIT :limit))"
            )
            while True:
                values = {"model_id": model_id, "limit": DELETED_AT_ONCE}
                done = cast(CursorResult[Any], connection.execute(statement, values)).rowcount
                if not done:
                    break
                yield done
