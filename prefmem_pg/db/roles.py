"""The roles that the schema's policies and grants name."""

from typing import Final

from psycopg import errors as pg
from psycopg import sql
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from prefmem_pg.errors import ConfigurationError

WORKING_ROLES: Final = ("prefmem_app", "prefmem_pipeline", "prefmem_analyst", "prefmem_analyst_text")
"""Roles that work on the data; none of them owns anything. The owner is prefmem_owner, or whoever runs upgrade."""


def roles_sql(owner: str = "prefmem_owner") -> str:
    """Return the SQL that makes the roles, for a DBA to run before the first upgrade or a restore. Idempotent."""
    lines = ["-- Run as a superuser, or as a role with CREATEROLE. Running it again changes nothing."]
    for role in (owner, *WORKING_ROLES):
        login = "LOGIN" if role == owner else "NOLOGIN"
        lines.append(
            f"DO $prefmem$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = {sql.Literal(role).as_string()}) "
            f"THEN CREATE ROLE {_quoted(role)} {login}; END IF; END $prefmem$;"
        )
    # Since PostgreSQL 16 CREATEROLE alone does not allow SET ROLE; INHERIT FALSE keeps the owner's own rights apart.
    lines.append(f"GRANT {', '.join(WORKING_ROLES)} TO {_quoted(owner)} WITH SET TRUE, INHERIT FALSE;")
    return "\n".join(lines) + "\n"


def ensure_roles(connection: Connection) -> None:
    """Make the working roles where they are missing, and let the current role take them on.

    Raises ConfigurationError with what a DBA has to run when the current role may not.
    """
    owner = connection.scalar(text("SELECT current_user"))
    state = connection.execute(
        text(
            "SELECT wanted, to_regrole(wanted) IS NULL AS is_missing,"
            " CASE WHEN to_regrole(wanted) IS NULL THEN false ELSE pg_has_role(current_user, wanted, 'SET') END AS may"
            " FROM unnest(CAST(:roles AS text[])) AS wanted"
        ),
        {"roles": list(WORKING_ROLES)},
    ).all()
    statements = [f"CREATE ROLE {row.wanted} NOLOGIN" for row in state if row.is_missing]
    statements += [
        f"GRANT {row.wanted} TO {_quoted(str(owner))} WITH SET TRUE, INHERIT FALSE" for row in state if not row.may
    ]
    try:
        for statement in statements:
            with connection.begin_nested():
                connection.exec_driver_sql(statement)
    except DBAPIError as exc:
        if isinstance(exc.orig, pg.InsufficientPrivilege):
            raise ConfigurationError(
                f"role {owner} may not make or take on the roles of prefmem;"
                " ask a DBA to run what this prints: prefmem roles --sql"
            ) from exc
        raise


def _quoted(role: str) -> str:
    return sql.Identifier(role).as_string()
