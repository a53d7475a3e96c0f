"""Whether a database has in place what the code relies on, as its own role sees it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from sqlalchemy import Connection, Engine, text

from prefmem_pg.db.driver_errors import translated_errors
from prefmem_pg.db.engine import make_engine
from prefmem_pg.db.roles import WORKING_ROLES
from prefmem_pg.db.schema_version import HEAD_REVISION
from prefmem_pg.db.upgrade import current_revision

RoleState = Literal["missing", "closed", "open"]
"""Whether a working role is there, and whether the connection's role may take it on."""

EXTENSIONS: Final = ("vector", "pg_trgm")

_SERVER = """
SELECT current_setting('server_version') AS version, current_setting('server_version_num')::integer AS number,
  r.rolname AS role, r.rolsuper AS is_superuser, r.rolbypassrls AS bypasses_rls
FROM pg_roles r WHERE r.rolname = current_user
"""
_EXTENSIONS = """
SELECT wanted, (SELECT extversion FROM pg_extension WHERE extname = wanted) AS version
FROM unnest(CAST(:names AS text[])) AS wanted
"""
_ROLES = """
SELECT wanted, CASE
  WHEN to_regrole(wanted) IS NULL THEN 'missing'
  WHEN pg_has_role(current_user, to_regrole(wanted), 'SET') THEN 'open'
  ELSE 'closed' END AS state
FROM unnest(CAST(:names AS text[])) AS wanted
"""
_OPEN_TABLES = """
SELECT c.relname FROM pg_class c
WHERE c.relnamespace = to_regnamespace('prefmem') AND c.relkind IN ('r', 'p') AND NOT c.relrowsecurity
  AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'user_id' AND NOT a.attisdropped)
ORDER BY c.relname
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """What was found. ``extensions`` maps to the installed version, None when it is not installed.

    ``tables_without_rls`` hold rows of users and no row-level security; ``revision`` None: there is no schema.
    """

    server_version: str
    server_version_number: int
    role: str
    is_superuser: bool
    bypasses_rls: bool
    extensions: Mapping[str, str | None]
    roles: Mapping[str, RoleState]
    revision: str | None
    revision_needed: str
    tables_without_rls: tuple[str, ...]


def examine(engine: Engine) -> Health:
    """Look at the server, the roles and the schema; changes nothing. Raises StoreUnavailable when it cannot connect."""
    with translated_errors(), engine.connect() as connection:
        server = connection.execute(text(_SERVER)).one()
        return Health(
            server_version=server.version,
            server_version_number=server.number,
            role=server.role,
            is_superuser=server.is_superuser,
            bypasses_rls=server.bypasses_rls,
            extensions=_pairs(connection, _EXTENSIONS, EXTENSIONS),
            roles=_pairs(connection, _ROLES, WORKING_ROLES),
            revision=current_revision(connection),
            revision_needed=HEAD_REVISION,
            tables_without_rls=tuple(connection.scalars(text(_OPEN_TABLES))),
        )


@dataclass(frozen=True, slots=True)
class Replica:
    """A server that searches are sent to. ``behind_seconds`` None: it is no replica."""

    behind_seconds: float | None


def examine_replica(url: str) -> Replica:
    """Ask a replica how far it is behind; raises StoreUnavailable when it does not answer."""
    statement = (
        "SELECT pg_is_in_recovery(), CASE WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0"
        " ELSE coalesce(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()), 0) END"
    )
    engine = make_engine(url)
    try:
        with translated_errors(), engine.connect() as connection:
            is_replica, behind = connection.execute(text(statement)).one()
            return Replica(float(behind) if is_replica else None)
    finally:
        engine.dispose()


def _pairs(connection: Connection, statement: str, names: tuple[str, ...]) -> dict[str, RoleState]:
    rows = connection.execute(text(statement), {"names": list(names)})
    return {row[0]: row[1] for row in rows}
