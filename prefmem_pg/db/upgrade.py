"""Bring a database to head: roles, revisions, views and functions, the active model, in one transaction."""

import base64
import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, Engine, text

from prefmem_pg.db.driver_errors import translated_errors
from prefmem_pg.db.head_mark import set_head_mark
from prefmem_pg.db.model_indexes import create_model_indexes
from prefmem_pg.db.models import SCHEMA
from prefmem_pg.db.requirements import check_server, ensure_extensions, ensure_schema
from prefmem_pg.db.roles import ensure_roles
from prefmem_pg.db.schema_version import HEAD_REVISION, refuse_newer
from prefmem_pg.db.sql_objects import bring_objects_to_head

if TYPE_CHECKING:
    from alembic.config import Config

LOCK: Final = int.from_bytes(hashlib.sha256(b"prefmem upgrade").digest()[:8], "big", signed=True)
LOCK_TIMEOUT: Final = "10s"
"""A statement that waits for a lock makes everybody else wait behind it: better to give up and say so."""
# Alembic makes this table; no revision can.
_VERSION_TABLE_COMMENTS: Final = f"""
COMMENT ON TABLE {SCHEMA}.alembic_version IS 'The revision that this schema is at';
COMMENT ON COLUMN {SCHEMA}.alembic_version.version_num IS 'Number of the revision, such as 0004'
"""


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """An embedding model as the database knows it."""

    name: str
    provider: str
    dimensions: int


@dataclass(frozen=True, slots=True)
class UpgradeReport:
    """What an upgrade did. ``objects`` are the views, functions and grants that were made anew."""

    before: str | None
    after: str
    objects: tuple[str, ...]


def upgrade(engine: Engine, *, model: ModelSpec) -> UpgradeReport:
    """Bring the database to head; running it again changes nothing. Two at once: one works, the other waits.

    Connects as the owner (not superuser). ``model`` becomes the active embedding model of a database that has none.
    Raises ConfigurationError when roles, schema or extensions are missing and this role may not make them,
    SchemaOutOfDate when the database is newer than this code, and a Conflict that names what hangs on a view that has
    to be replaced.
    """
    from alembic import command  # half a second: only when there is something to upgrade

    with translated_errors(), engine.connect() as connection, connection.begin():
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
        connection.execute(text(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'"))
        connection.execute(text("SET LOCAL statement_timeout = 0"))
        check_server(connection)
        ensure_roles(connection)
        ensure_schema(connection)
        ensure_extensions(connection)
        before = current_revision(connection)
        refuse_newer(before)
        command.upgrade(alembic_config(connection), "head")
        connection.execute(text(_VERSION_TABLE_COMMENTS))
        _ensure_active_model(connection, model)
        objects = bring_objects_to_head(connection, sql_folder())
        _ensure_erasure_key(connection)
        set_head_mark(connection, sql_folder())
    return UpgradeReport(before=before, after=HEAD_REVISION, objects=objects)


def current_revision(connection: Connection) -> str | None:
    """Return the revision that the database is at, or None when the schema is not there."""
    if not connection.scalar(text("SELECT to_regclass(:name) IS NOT NULL"), {"name": f"{SCHEMA}.alembic_version"}):
        return None
    revision: str | None = connection.scalar(text(f"SELECT version_num FROM {SCHEMA}.alembic_version"))
    return revision


def alembic_config(connection: Connection | None = None) -> "Config":
    """Return Alembic's configuration; no file is needed, so it also works from an installed wheel."""
    from alembic.config import Config

    config = Config()
    # Alembic interpolates "%", a path may hold one
    config.set_main_option("script_location", str(_packaged_or_checkout("migrations")).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    if connection is not None:
        config.attributes["connection"] = connection
    return config


def sql_folder() -> Path:
    """Return the folder with the views, functions and grants."""
    return _packaged_or_checkout("sql")


def _packaged_or_checkout(name: str) -> Path:
    package = Path(__file__).resolve().parents[1]
    packaged = package / f"_{name}"
    return packaged if packaged.is_dir() else package.parent / name


def _ensure_erasure_key(connection: Connection) -> None:
    """Make the key of the tombstones: the padded inner and outer keys of HMAC-SHA-256, since SQL has only sha256()."""
    key = os.urandom(32) + bytes(32)
    padded = {
        name: base64.b64encode(bytes(byte ^ pad for byte in key)).decode()
        for name, pad in (("inner", 0x36), ("outer", 0x5C))
    }
    connection.execute(
        text(
            f"INSERT INTO {SCHEMA}.settings (name, value) VALUES ('erasure_key', CAST(:value AS jsonb))"
            " ON CONFLICT (name) DO NOTHING"
        ),
        {"value": json.dumps(padded)},
    )


def _ensure_active_model(connection: Connection, model: ModelSpec) -> None:
    connection.execute(
        text(
            f"INSERT INTO {SCHEMA}.embedding_models (model_id, name, provider, dimensions, state, activated_at)"
            f" SELECT coalesce(max(model_id), 0) + 1, :name, :provider, :dimensions, 'active', clock_timestamp()"
            f" FROM {SCHEMA}.embedding_models HAVING count(*) FILTER (WHERE state = 'active') = 0"
        ),
        {"name": model.name, "provider": model.provider, "dimensions": model.dimensions},
    )
    active = connection.execute(
        text(f"SELECT model_id, dimensions FROM {SCHEMA}.embedding_models WHERE state = 'active'")
    ).one()
    create_model_indexes(connection, model_id=active.model_id, dimensions=active.dimensions)
