"""The repository of traces: what of a user is in any table of the catalog, known to this code or not."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from psycopg import sql
from sqlalchemy import text
from sqlalchemy.orm import Session

PIECE_CHARACTERS: Final = 12

_TABLES: Final = """
SELECT
  c.relname AS name, has_table_privilege(c.oid, 'SELECT') AS is_readable,
  bool_or(a.attname = 'user_id') AS has_user,
  coalesce(array_agg(a.attname ORDER BY a.attnum) FILTER (
    WHERE a.atttypid IN ('text'::regtype, 'varchar'::regtype, 'jsonb'::regtype, 'json'::regtype, 'text[]'::regtype,
      'tsvector'::regtype)), '{}')::text[] AS columns
FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relnamespace = to_regnamespace('prefmem') AND c.relkind IN ('r', 'p', 'm')
GROUP BY c.oid, c.relname
ORDER BY c.relname
"""
# Quotes, backslashes and control characters look different inside JSON and in a dump, so no piece has one.
_SAMPLE: Final = f"""
WITH texts AS (
  SELECT content FROM (
    SELECT content FROM prefmem.messages WHERE user_id = :user_id ORDER BY md5(CAST(message_id AS text)) LIMIT :count) m
  UNION ALL SELECT statement FROM prefmem.preferences WHERE user_id = :user_id
  UNION ALL SELECT context FROM prefmem.preferences WHERE user_id = :user_id
  UNION ALL SELECT quote FROM prefmem.preference_evidence WHERE user_id = :user_id
  UNION ALL SELECT text FROM prefmem.summaries WHERE user_id = :user_id
  UNION ALL SELECT state_before ->> 'statement' FROM prefmem.preference_versions WHERE user_id = :user_id
)
SELECT piece FROM (
  SELECT DISTINCT substr(content, 1 + place * greatest(length(content) / 3, 1), {PIECE_CHARACTERS}) AS piece
  FROM texts CROSS JOIN generate_series(0, 2) AS place
  WHERE length(content) >= {PIECE_CHARACTERS}
) cut
WHERE length(piece) = {PIECE_CHARACTERS} AND piece !~ '[[:cntrl:]"\\\\]' AND btrim(piece) = piece
ORDER BY md5(piece)
LIMIT :count
"""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the schema. ``columns`` are those that can hold text."""

    name: str
    has_user: bool
    columns: tuple[str, ...]


class TraceRepository:
    """Reads every table of the schema as a whole, in the pipeline's transaction; it changes nothing."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def list_tables(self) -> tuple[tuple[Table, ...], tuple[str, ...]]:
        """Return the tables, and the names of those that this role may not read."""
        return self._catalog

    def count_rows(self, user_id: str) -> dict[str, int]:
        """Return the number of the user's rows in each table that has a user_id column and any of them."""
        found = {}
        for table in self._catalog[0]:
            if table.has_user:
                statement = f"SELECT count(*) FROM {_name(table)} WHERE user_id = :user_id"
                found[table.name] = int(self.session.scalar(text(statement), {"user_id": user_id}) or 0)
        return {name: count for name, count in found.items() if count}

    def find_pieces(self, pieces: Sequence[str], *, except_user: str | None) -> dict[str, set[str]]:
        """Return the pieces that each table holds anywhere in its texts, apart from one user's own rows."""
        found = {}
        for table in self._catalog[0] if pieces else ():
            if not table.columns:
                continue
            columns = ", ".join(f"CAST({sql.Identifier(name).as_string(None)} AS text)" for name in table.columns)
            where = "WHERE user_id <> :user_id" if table.has_user and except_user is not None else ""
            # OFFSET 0: the texts are put together once a row, not once a row and piece.
            statement = (
                f"SELECT DISTINCT piece FROM (SELECT concat_ws(E'\\n', {columns}) AS held FROM {_name(table)} {where}"
                " OFFSET 0) r JOIN unnest(CAST(:pieces AS text[])) AS piece ON strpos(r.held, piece) > 0"
            )
            values = {"pieces": list(pieces), "user_id": except_user}
            found[table.name] = set(
                self.session.scalars(text(statement), values if where else {"pieces": list(pieces)})
            )
        return {name: held for name, held in found.items() if held}

    def sample_pieces(self, user_id: str, *, count: int) -> list[str]:
        """Return up to ``count`` different pieces of the user's text, spread over messages and preferences."""
        return list(self.session.scalars(text(_SAMPLE), {"user_id": user_id, "count": count}))

    @cached_property
    def _catalog(self) -> tuple[tuple[Table, ...], tuple[str, ...]]:
        # The owner reads settings as well, and is not under row-level security: a login as the owner becomes it again.
        owner = "SELECT pg_get_userbyid(nspowner) = session_user FROM pg_namespace WHERE nspname = 'prefmem'"
        if self.session.scalar(text(owner)):
            self.session.execute(text("SET LOCAL ROLE NONE"))
        tables, unread = [], []
        for row in self.session.execute(text(_TABLES)):
            if row.is_readable:
                tables.append(Table(row.name, bool(row.has_user), tuple(row.columns)))
            else:
                unread.append(row.name)
        return tuple(tables), tuple(unread)


def _name(table: Table) -> str:
    return sql.Identifier("prefmem", table.name).as_string(None)
