"""What a server has to offer before the first revision, and what a DBA has to run where it does not."""

from typing import Final

from psycopg import errors as pg
from psycopg import sql
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from prefmem_pg.db.models import SCHEMA
from prefmem_pg.errors import ConfigurationError

EXTENSIONS: Final = {"vector": "halfvec", "pg_trgm": "gtrgm"}
"""The extensions with a type that each of them brings."""

_OLDEST: Final = 16


def check_server(connection: Connection) -> None:
    """Raise ConfigurationError when the server is too old or pgvector and contrib are not installed on it."""
    version = int(connection.scalar(text("SELECT current_setting('server_version_num')")) or 0)
    if version < _OLDEST * 10_000:
        raise ConfigurationError(f"PostgreSQL {_OLDEST} or newer is needed; this server is {version // 10_000}")
    missing = [
        name
        for name in EXTENSIONS
        if not connection.scalar(text("SELECT count(*) FROM pg_available_extensions WHERE name = :n"), {"n": name})
    ]
    if missing:
        raise ConfigurationError(
            f"the server lacks the extension {' and '.join(missing)}; install pgvector and the contrib package on it"
        )


def ensure_extensions(connection: Connection) -> None:
    """Install what is missing. Raises ConfigurationError when the role may not, or cannot see what is installed."""
    for name, brings in EXTENSIONS.items():
        _run_or_ask(
            connection,
            f"CREATE EXTENSION IF NOT EXISTS {name}",
            f"may not install the extension {name}",
            f"ask a superuser to run in this database: CREATE EXTENSION {name};",
        )
        if connection.scalar(text("SELECT to_regtype(:name) IS NULL"), {"name": brings}):
            schema = connection.scalar(
                text("SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = :name"), {"name": name}
            )
            raise ConfigurationError(
                f"the extension {name} is in schema {schema}, which is not on the search_path; ask a DBA to run:"
                f' ALTER DATABASE {_database(connection)} SET search_path = "$user", public, {schema};'
            )


def ensure_schema(connection: Connection) -> None:
    """Make our schema. Raises ConfigurationError when the role may not, or when the schema is somebody else's."""
    owner = connection.scalar(
        text("SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = :name"), {"name": SCHEMA}
    )
    role = connection.scalar(text("SELECT current_user"))
    if owner is None:
        _run_or_ask(
            connection,
            f"CREATE SCHEMA {SCHEMA}",
            "may not make a schema",
            f"ask a DBA to run in this database: CREATE SCHEMA {SCHEMA} AUTHORIZATION {_quoted(str(role))};",
        )
    elif not connection.scalar(text("SELECT has_schema_privilege(:name, 'CREATE')"), {"name": SCHEMA}):
        raise ConfigurationError(f"role {role} may not change schema {SCHEMA}; upgrade as its owner, {owner}")


def _run_or_ask(connection: Connection, statement: str, refused: str, remedy: str) -> None:
    try:
        with connection.begin_nested():
            connection.execute(text(statement))
    except DBAPIError as exc:
        if isinstance(exc.orig, pg.InsufficientPrivilege):
            role = connection.scalar(text("SELECT current_user"))
            raise ConfigurationError(f"role {role} {refused} in database {_database(connection)}; {remedy}") from exc
        raise


def _database(connection: Connection) -> str:
    return _quoted(str(connection.scalar(text("SELECT current_database()"))))


def _quoted(name: str) -> str:
    return sql.Identifier(name).as_string()
