"""A mark of what the last upgrade brought about: tells without Alembic that there is nothing to do."""

import hashlib
import json
from pathlib import Path
from typing import Final

import psycopg.errors
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import ProgrammingError

from prefmem_pg.db.driver_errors import translated_errors
from prefmem_pg.db.model_indexes import model_index_statements
from prefmem_pg.db.schema_version import HEAD_REVISION
from prefmem_pg.db.search_function import search_function

_NAME: Final = "head_mark"


def head_mark(folder: Path) -> str:
    """Return a hash of everything that an upgrade brings to head: the revision, sql/ and the functions of models."""
    digest = hashlib.sha256(HEAD_REVISION.encode())
    for among in (False, True):
        digest.update(search_function(model_id=0, dimensions=0, among=among).encode())
    digest.update("".join(model_index_statements(model_id=0, dimensions=0).values()).encode())
    for path in sorted(folder.rglob("*.sql")):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def set_head_mark(connection: Connection, folder: Path) -> None:
    connection.execute(
        text(
            "INSERT INTO prefmem.settings (name, value) VALUES (:name, CAST(:value AS jsonb))"
            " ON CONFLICT (name) DO UPDATE SET value = excluded.value"
        ),
        {"name": _NAME, "value": json.dumps(head_mark(folder))},
    )


def is_at_head(engine: Engine, folder: Path) -> bool:
    """Say, as the owner, whether the last upgrade of this database was by this very version."""
    statement = (
        "SELECT (SELECT value FROM prefmem.settings WHERE name = :name) = CAST(:value AS jsonb)"
        " AND (SELECT version_num FROM prefmem.alembic_version) = :revision"
    )
    values = {"name": _NAME, "value": json.dumps(head_mark(folder)), "revision": HEAD_REVISION}
    with translated_errors(), engine.connect() as connection:
        try:
            return bool(connection.scalar(text(statement), values))
        except ProgrammingError as exc:
            if isinstance(exc.orig, (psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName)):
                return False
            raise
