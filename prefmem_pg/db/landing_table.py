"""A landing table: others insert JSON lines into a table of theirs; each is taken in once."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import psycopg.errors
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from prefmem_pg.db.driver_errors import translated_errors
from prefmem_pg.errors import ConfigurationError

SHAPE: Final = "(line_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, line text NOT NULL, error text)"
"""What a landing table must have; further columns are its owner's."""


@dataclass(frozen=True, slots=True)
class LandedLine:
    """A row: ``line_id`` is whatever its table has for a key, ``line`` None or blank holds nothing."""

    line_id: Any  # of any type that has an order
    line: str | None


@dataclass(frozen=True, slots=True)
class ClaimedLines:
    """Lines that this transaction holds: no other process gets them until it ends."""

    connection: Connection
    table: str
    lines: Sequence[LandedLine]

    def settle(self, errors: Mapping[Any, str]) -> None:
        """Delete the lines that were taken in; those with an error, by line_id, are kept with it and not read again."""
        taken = [one.line_id for one in self.lines if one.line_id not in errors]
        if taken:
            self.connection.execute(text(f"DELETE FROM {self.table} WHERE line_id = ANY(:ids)"), {"ids": taken})
        if errors:
            statement = (
                f"UPDATE {self.table} t SET error = e.error"
                " FROM unnest(:ids, CAST(:errors AS text[])) AS e (line_id, error) WHERE t.line_id = e.line_id"
            )
            self.connection.execute(text(statement), {"ids": list(errors), "errors": list(errors.values())})


@contextmanager
def claimed_lines(engine: Engine, table: str, *, after: LandedLine | None, limit: int) -> Iterator[ClaimedLines]:
    """Hold the next lines without an error, in the order of their ids, as the login role; a kill lets them go.

    Lines that another process holds are passed over. Raises ConfigurationError when there is no such table.
    """
    with translated_errors(), engine.begin() as connection:
        name = _qualified(connection, table)
        statement = (
            f"SELECT line_id, CAST(line AS text) AS line FROM {name} WHERE error IS NULL"
            f"{'' if after is None else ' AND line_id > :after'}"
            " ORDER BY line_id LIMIT :limit FOR UPDATE SKIP LOCKED"
        )
        values = {"limit": limit} if after is None else {"limit": limit, "after": after.line_id}
        with _shape_needed(table):
            rows = connection.execute(text(statement), values).all()
        yield ClaimedLines(connection, name, [LandedLine(row.line_id, row.line) for row in rows])


def find_mark(engine: Engine, table: str) -> str | None:
    """Return a text that changes whenever other lines wait, corrected ones too; None when none does.

    Raises as claimed_lines.
    """
    with translated_errors(), engine.connect() as connection:
        name = _qualified(connection, table)
        statement = (
            # The transaction that wrote a row tells a corrected line from what it was.
            "SELECT count(*) AS lines, max(CAST(CAST(xmin AS text) AS bigint)) AS written"
            f" FROM {name} WHERE error IS NULL"
        )
        with _shape_needed(table):
            found = connection.execute(text(statement)).one()
    return f"{found.lines}-{found.written}" if found.lines else None


def _qualified(connection: Connection, table: str) -> str:
    """Return the name as the server quotes it: it is parsed there, and nothing else of it gets into a statement."""
    statement = text(
        "SELECT format('%I.%I', n.nspname, c.relname) FROM pg_catalog.pg_class c"
        " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass(:name)"
    )
    try:
        found = connection.scalar(statement, {"name": table})
    except DBAPIError as exc:
        if isinstance(exc.orig, (psycopg.errors.InvalidName, psycopg.errors.SyntaxError)):
            raise ConfigurationError(f"{table!r} is no name of a table") from exc
        raise
    if found is None:
        raise ConfigurationError(f"there is no landing table {table!r} that this role may see; make it with {SHAPE}")
    return str(found)


@contextmanager
def _shape_needed(table: str) -> Iterator[None]:
    try:
        yield
    except DBAPIError as exc:
        if isinstance(exc.orig, psycopg.errors.UndefinedColumn):
            raise ConfigurationError(f"the landing table {table!r} needs the columns {SHAPE}") from exc
        raise
