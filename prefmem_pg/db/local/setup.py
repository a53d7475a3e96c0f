"""The database, the roles and the extensions of a fresh embedded server."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from psycopg import Connection

DATABASE: Final = "prefmem"
OWNER: Final = "prefmem_owner"

# Stands in the database's comment: raise the number when set_up() makes something new.
_COMMENT = "What users prefer, kept by prefmem_pg (set-up 1)"
_EXTENSIONS = ("vector", "pg_trgm")


def connect(socket_folder: Path, *, user: str, database: str) -> "Connection":
    """Open a connection in autocommit."""
    import psycopg

    return psycopg.connect(
        host=str(socket_folder), port=5432, user=user, dbname=database, autocommit=True, connect_timeout=10
    )


def is_set_up(socket_folder: Path) -> bool:
    """Say whether set_up() has finished here before; asked as the owner, not as superuser."""
    import psycopg

    try:
        with connect(socket_folder, user=OWNER, database=DATABASE) as connection:
            row = connection.execute(
                "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = current_database()"
            ).fetchone()
    except psycopg.OperationalError:
        return False
    return row is not None and row[0] == _COMMENT


def set_up(socket_folder: Path) -> None:
    """Make what is missing. Idempotent; the only place that works as superuser."""
    from prefmem_pg.db.driver_errors import translated_errors

    with translated_errors(), connect(socket_folder, user="postgres", database="postgres") as superuser:
        _make_roles(superuser)
        _make_database(superuser)
        _make_extensions(socket_folder)
        superuser.execute(f"COMMENT ON DATABASE {DATABASE} IS '{_COMMENT}'")


def _make_roles(superuser: "Connection") -> None:
    from prefmem_pg.db.roles import WORKING_ROLES

    known = {row[0] for row in superuser.execute("SELECT rolname FROM pg_roles")}
    for role in (OWNER, *WORKING_ROLES):
        verb = "ALTER" if role in known else "CREATE"
        # LOGIN for all: who may reach the socket is decided by the mode of its folder.
        superuser.execute(f"{verb} ROLE {role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS NOREPLICATION")
    # Since PostgreSQL 16 membership alone does not allow SET ROLE; without INHERIT the owner's own rights stay apart.
    superuser.execute(f"GRANT {', '.join(WORKING_ROLES)} TO {OWNER} WITH SET TRUE, INHERIT FALSE")


def _make_database(superuser: "Connection") -> None:
    if superuser.execute("SELECT FROM pg_database WHERE datname = %s", [DATABASE]).fetchone() is None:
        superuser.execute(
            f"CREATE DATABASE {DATABASE} OWNER {OWNER} TEMPLATE template0 ENCODING 'UTF8'"
            " LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LC_COLLATE 'C' LC_CTYPE 'C.UTF-8'"
        )


def _make_extensions(socket_folder: Path) -> None:
    """Make each extension as the owner where it is trusted, so that most of it is the owner's to alter and restore."""
    with connect(socket_folder, user="postgres", database=DATABASE) as superuser:
        for extension in _EXTENSIONS:
            trusted = superuser.execute(
                "SELECT bool_or(trusted) FROM pg_available_extension_versions WHERE name = %s", [extension]
            ).fetchone()
            superuser.execute(f"SET ROLE {OWNER}" if trusted == (True,) else "RESET ROLE")
            superuser.execute(f"CREATE EXTENSION IF NOT EXISTS {extension}")
