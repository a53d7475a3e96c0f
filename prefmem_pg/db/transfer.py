"""The repository of whole rows: every table of users, out as JSON text and in again, never parsed on the way."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Table, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Session

from prefmem_pg.db.models import Base
from prefmem_pg.errors import Conflict

ROWS_A_FETCH: Final = 500

TABLES: Final[dict[str, Table]] = {
    table.name: table for table in Base.metadata.sorted_tables if "user_id" in table.columns
}
"""Every table of users, parents before children: from the metadata, so that a new table cannot be missed."""
REBUILT: Final[Mapping[str, str]] = {"message_terms": "messages", "preference_terms": "preferences"}
"""Postings are made from the search vector of their owner: what a dump leaves out and a load brings back."""
VECTORS: Final = frozenset({"preference_embeddings", "message_embeddings", "summary_embeddings"})

_NO_MEANS: Final = {"vector_count": "0", "memory_mean": "NULL"}
_ADD_TERMS: Final = """
WITH added AS ({insert} RETURNING user_id, {owner}, search_vector{status}),
measured AS MATERIALIZED (
  SELECT a.user_id, a.{owner}, a.search_vector,
    (SELECT coalesce(sum(cardinality(positions)), 0)::integer FROM unnest(a.search_vector)) AS length
  FROM added a {condition}
),
terms AS (
  INSERT INTO prefmem.{terms} (user_id, lexeme, {owner}, frequency, length)
  SELECT m.user_id, u.lexeme, m.{owner}, cardinality(u.positions), m.length
  FROM measured m CROSS JOIN LATERAL unnest(m.search_vector) u
  WHERE octet_length(u.lexeme) <= 255
)
SELECT count(*) FROM added
"""


def stored_columns(name: str) -> list[str]:
    """Return the columns of a table that are not generated."""
    return [column.name for column in TABLES[name].columns if column.computed is None]


class TransferRepository:
    """Rows of every table of users as JSON text, inside a pipeline's transaction; it never commits."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def freeze(self) -> None:
        """Let all that is read come from one instant. Comes first in the transaction."""
        if not self.session.connection().in_nested_transaction():
            self.session.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"))

    def list_models(self) -> list[dict[str, Any]]:  # Any: numbers and texts
        statement = "SELECT model_id, provider, name, dimensions, state FROM prefmem.embedding_models ORDER BY model_id"
        return [dict(row) for row in self.session.execute(text(statement)).mappings()]

    def count(self, name: str, user_id: str | None) -> int:
        return int(self.session.scalar(text(f"SELECT count(*) {_of(name, user_id)}"), {"user_id": user_id}) or 0)

    def read_rows(self, name: str, user_id: str | None, *, with_means: bool) -> Iterator[str]:
        """Yield each row as a JSON object, in order of the primary key, a few at a time."""
        replaced = {} if with_means or name != "user_stats" else _NO_MEANS
        columns = ", ".join(
            f'{replaced[column]} AS "{column}"' if column in replaced else f't."{column}"'
            for column in stored_columns(name)
        )
        key = ", ".join(f"t.{column.name}" for column in TABLES[name].primary_key.columns)
        statement = f"SELECT row_to_json(r)::text FROM (SELECT {columns} {_of(name, user_id)} ORDER BY {key}) r"
        rows = self.session.execute(
            text(statement), {"user_id": user_id}, execution_options={"yield_per": ROWS_A_FETCH}
        )
        yield from rows.scalars()

    def prepare(self) -> None:
        """Make room for the links between preferences, which may point at rows that come later."""
        self.session.execute(text("DROP TABLE IF EXISTS pg_temp.transfer_links"))
        self.session.execute(
            text("CREATE TEMPORARY TABLE transfer_links (user_id text, preference_id uuid, superseded_by uuid)")
        )

    def add_users(self, columns: Sequence[str], rows: Sequence[str], *, user_id: str | None) -> None:
        """Store users; a Conflict that names those who are there already."""
        given = self.user_ids(rows, user_id=user_id)
        statement = "SELECT user_id FROM prefmem.users WHERE user_id = ANY(:ids) ORDER BY user_id LIMIT 5"
        known = list(self.session.scalars(text(statement), {"ids": given}))
        if known:
            raise Conflict(f"the database holds user {', '.join(known)} already; load with replace=True, or rename")
        self.add_rows("users", columns, rows, user_id=user_id, models={})

    def user_ids(self, rows: Sequence[str], *, user_id: str | None) -> list[str]:
        """Return the users of rows of the table ``users``."""
        if user_id is not None:
            return [user_id] * len(rows)
        return [str(json.loads(row)["user_id"]) for row in rows]

    def drop_users(self, user_ids: Sequence[str]) -> None:
        """Delete everything of users, without a tombstone: what replaces it follows in the same transaction."""
        for name in reversed(TABLES):
            self.session.execute(text(f"DELETE FROM prefmem.{name} WHERE user_id = ANY(:ids)"), {"ids": list(user_ids)})

    def add_rows(
        self,
        name: str,
        columns: Sequence[str],
        rows: Sequence[str],
        *,
        user_id: str | None,
        models: Mapping[int, int],
    ) -> int:
        """Store rows under ``user_id`` (None: their own) with the models' numbers here; return how many.

        Rows of a model that is not in ``models`` are left out.
        """
        kept = [column for column in stored_columns(name) if column in columns]
        values = {"rows": f"[{','.join(rows)}]", "user_id": user_id, "models": json.dumps(models)}
        given = f"jsonb_populate_recordset(NULL::prefmem.{name}, CAST(:rows AS jsonb)) r"
        insert = (
            f"INSERT INTO prefmem.{name} ({', '.join(_quoted(column) for column in kept)})"
            f" SELECT {', '.join(_value(name, column, renames=user_id is not None) for column in kept)} FROM {given}"
        )
        if "model_id" in kept:
            insert += " WHERE jsonb_exists(CAST(:models AS jsonb), CAST(r.model_id AS text))"
        terms = next((terms for terms, owner in REBUILT.items() if owner == name), None)
        if name == "preferences":
            owner = "r.user_id" if user_id is None else "CAST(:user_id AS text)"
            self.session.execute(
                text(
                    f"INSERT INTO pg_temp.transfer_links SELECT {owner}, r.preference_id, r.superseded_by"
                    f" FROM {given} WHERE r.superseded_by IS NOT NULL"
                ),
                values,
            )
        if terms is None:
            result: Any = self.session.execute(text(insert), values)  # Any: rowcount is a cursor's
            return int(result.rowcount)
        statement = _ADD_TERMS.format(
            insert=insert,
            terms=terms,
            owner=name.removesuffix("s") + "_id",
            status=", status" if name == "preferences" else "",
            condition="WHERE a.status = 'activated'" if name == "preferences" else "",
        )
        return int(self.session.scalar(text(statement), values) or 0)

    def add_counts(self, rows: Sequence[str], *, user_id: str | None, there: int, here: int) -> None:
        """Store the counts of ``user_stats`` without the means, for another model than the one that they stood for."""
        owner = "r.user_id" if user_id is None else "CAST(:user_id AS text)"
        statement = (
            "INSERT INTO prefmem.user_stats (user_id, scope, model_id, language, row_count, total_length, updated_at)"
            f" SELECT {owner}, r.scope, :here, r.language, r.row_count, r.total_length, r.updated_at"
            " FROM jsonb_populate_recordset(NULL::prefmem.user_stats, CAST(:rows AS jsonb)) r WHERE r.model_id = :there"
            " ON CONFLICT (user_id, scope, model_id, language) DO NOTHING"
        )
        values = {"rows": f"[{','.join(rows)}]", "user_id": user_id, "there": there, "here": here}
        self.session.execute(text(statement), values)

    def link(self) -> None:
        """Say which preference replaced which, now that all of them are there."""
        self.session.execute(
            text(
                "UPDATE prefmem.preferences p SET superseded_by = l.superseded_by FROM pg_temp.transfer_links l"
                " WHERE p.user_id = l.user_id AND p.preference_id = l.preference_id"
            )
        )
        self.session.execute(text("DROP TABLE pg_temp.transfer_links"))


def _of(name: str, user_id: str | None) -> str:
    return f"FROM prefmem.{name} t" + ("" if user_id is None else " WHERE t.user_id = :user_id")


def _value(name: str, column: str, *, renames: bool) -> str:
    """Return what stands for a column of the row ``r`` that is read."""
    if column == "user_id" and renames:
        return "CAST(:user_id AS text)"
    if column == "model_id":
        return "CAST(CAST(:models AS jsonb) ->> CAST(r.model_id AS text) AS smallint)"
    if column == "superseded_by":
        return "NULL"
    if column in ("state_before", "state_after") and renames:
        return f"jsonb_set(r.{column}, '{{user_id}}', to_jsonb(CAST(:user_id AS text)))"
    described = TABLES[name].columns[column]
    if isinstance(described.type, JSONB) and not described.nullable:
        return f"coalesce(r.{_quoted(column)}, 'null')"  # JSON's null and SQL's look the same in a row as JSON
    return f"r.{_quoted(column)}"


def _quoted(column: str) -> str:
    return f'"{column}"'
