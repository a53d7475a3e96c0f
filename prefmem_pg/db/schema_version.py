"""The revision that this code needs, and the check at the door."""

from typing import Final

import psycopg.errors
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.orm import Session

from prefmem_pg.errors import SchemaOutOfDate

# Kept as a constant: asking Alembic costs half a second of imports. A test compares it with the revisions.
HEAD_REVISION: Final = "0005"

_NOT_THERE: Final = "the database has no schema prefmem; run: prefmem upgrade"


def check_schema(session: Session) -> None:
    """Raise SchemaOutOfDate unless the database is at the revision that this code needs, or at one that serves it."""
    try:
        with session.begin_nested():
            revision = session.scalar(text("SELECT version_num FROM prefmem.alembic_version"))
    except ProgrammingError as exc:
        if isinstance(exc.orig, (psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName)):
            raise SchemaOutOfDate(_NOT_THERE) from exc
        raise
    if revision is None:
        raise SchemaOutOfDate(_NOT_THERE)
    if revision < HEAD_REVISION:
        raise SchemaOutOfDate(f"database is at {revision}, code needs {HEAD_REVISION}; run: prefmem upgrade")
    if revision > HEAD_REVISION and not _works_here(session):
        refuse_newer(revision)


def _works_here(session: Session) -> bool:
    """Say whether a newer schema still serves this code: the newer package says so in a function."""
    try:
        with session.begin_nested():
            oldest = session.scalar(text("SELECT prefmem.works_with()"))
    except ProgrammingError as exc:
        if isinstance(exc.orig, psycopg.errors.UndefinedFunction):
            return False
        raise
    return oldest is not None and oldest <= HEAD_REVISION


def refuse_newer(revision: str | None) -> None:
    """Raise SchemaOutOfDate when the database is at a revision that this code does not know."""
    if revision is not None and revision > HEAD_REVISION:
        raise SchemaOutOfDate(
            f"database is at {revision}, newer than this code, which knows {HEAD_REVISION}; install a newer prefmem-pg"
        )
