"""The views and functions of the folder sql/, brought to head by the hash of their text."""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psycopg.errors
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from prefmem_pg.db.search_function import search_function, search_function_name
from prefmem_pg.errors import Conflict

_PREFIX: Final = "sql_object:"
_KINDS: Final = {"functions": "FUNCTION", "views": "VIEW"}
"""In the order in which they are made: a view may call a function."""


@dataclass(frozen=True, slots=True)
class SqlObject:
    """One file of sql/: it holds one object, whose name is the file's."""

    kind: str
    name: str
    body: str

    @property
    def key(self) -> str:
        return f"{self.kind.lower()} {self.name}"

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.body.encode()).hexdigest()


def read_objects(folder: Path) -> Iterator[SqlObject]:
    """Yield the functions, then the views, by name."""
    for directory, kind in _KINDS.items():
        for path in sorted((folder / directory).glob("*.sql")):
            yield SqlObject(kind, path.stem, path.read_text(encoding="utf-8"))


def bring_objects_to_head(connection: Connection, folder: Path) -> tuple[str, ...]:
    """Make what is new or changed, drop what is gone, run the grants; return the keys of what was made or dropped.

    An object whose text is unchanged and which is still there is left alone. A changed one goes by CREATE OR REPLACE
    where PostgreSQL allows it, else it is dropped and made anew with the grants that it had; never CASCADE.
    """
    wanted = {item.key: item for item in [*read_objects(folder), *_of_models(connection)]}
    known = _known(connection)
    gone = known.keys() - wanted.keys()
    # Views go first and functions last: whatever uses a function that goes has gone or changed by then.
    touched = [*_forget(connection, "view", gone)]
    outdated: list[str] = []
    for key, item in wanted.items():
        if known.get(key) == item.digest and _signatures(connection, item.kind, item.name):
            continue
        outdated += _make(connection, item)
        _remember(connection, item)
        touched.append(key)
    _drop(connection, "FUNCTION", outdated)
    touched += _forget(connection, "function", gone)
    _run(connection, (folder / "grants.sql").read_text(encoding="utf-8"))
    return tuple(touched)


def _of_models(connection: Connection) -> Iterator[SqlObject]:
    """Yield the functions of each embedding model that can be searched; they have no files: their text names it."""
    holders = (
        "SELECT DISTINCT nspname FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace"
        " WHERE extname IN ('vector', 'pg_trgm') ORDER BY nspname"
    )
    schemas = list(connection.scalars(text(holders)))
    statement = "SELECT model_id, dimensions FROM prefmem.embedding_models WHERE state <> 'retired' ORDER BY model_id"
    for model_id, dimensions in connection.execute(text(statement)):
        for among in (False, True):
            body = search_function(model_id=model_id, dimensions=dimensions, among=among, extension_schemas=schemas)
            yield SqlObject("FUNCTION", search_function_name(model_id, among=among), body)


def drop_objects(connection: Connection) -> None:
    """Drop every view and function of sql/, so that a downgrade can change the tables; the next upgrade makes them."""
    if connection.scalar(text("SELECT to_regclass('prefmem.settings') IS NOT NULL")):
        known = _known(connection).keys()
        _forget(connection, "view", known)
        _forget(connection, "function", known)


def _forget(connection: Connection, kind: str, keys: Iterable[str]) -> list[str]:
    """Drop the objects of one kind and what is known of them; return their keys."""
    forgotten = sorted(key for key in keys if key.startswith(f"{kind} "))
    names = [key.removeprefix(f"{kind} ") for key in forgotten]
    _drop(connection, kind.upper(), [one for name in names for one in _signatures(connection, kind.upper(), name)])
    for key in forgotten:
        connection.execute(text("DELETE FROM prefmem.settings WHERE name = :name"), {"name": _PREFIX + key})
    return forgotten


def _known(connection: Connection) -> dict[str, str]:
    rows = connection.execute(
        text("SELECT name, value FROM prefmem.settings WHERE starts_with(name, :prefix)"), {"prefix": _PREFIX}
    )
    return {row.name.removeprefix(_PREFIX): row.value for row in rows}


def _remember(connection: Connection, item: SqlObject) -> None:
    connection.execute(
        text(
            "INSERT INTO prefmem.settings (name, value) VALUES (:name, CAST(:value AS jsonb))"
            " ON CONFLICT (name) DO UPDATE SET value = excluded.value"
        ),
        {"name": _PREFIX + item.key, "value": json.dumps(item.digest)},
    )


def _make(connection: Connection, item: SqlObject) -> set[str]:
    """Run the object's file; return the functions of its name with other arguments, which it replaces."""
    before = set(_signatures(connection, item.kind, item.name))
    try:
        with connection.begin_nested():
            _run(connection, item.body)
    except DBAPIError as exc:
        # The columns or the result have changed in a way that CREATE OR REPLACE cannot follow.
        if not isinstance(exc.orig, (psycopg.errors.InvalidTableDefinition, psycopg.errors.InvalidFunctionDefinition)):
            raise
        grants = _grants(connection, item.kind, item.name)
        _drop(connection, item.kind, before)
        _run(connection, item.body)
        for grant in grants:
            _run(connection, grant)
    after = set(_signatures(connection, item.kind, item.name))
    return before if after > before else set()


def _drop(connection: Connection, kind: str, signatures: Collection[str]) -> None:
    if not signatures:
        return
    listed = ", ".join(sorted(signatures))
    try:
        with connection.begin_nested():
            # In one statement, so that they may depend on each other.
            _run(connection, f"DROP {kind} {listed}")
    except DBAPIError as exc:
        if isinstance(exc.orig, psycopg.errors.DependentObjectsStillExist):
            hanging = " ".join((exc.orig.diag.message_detail or "").split())
            raise Conflict(
                f"{kind.lower()} {listed} has to go or be replaced, but something hangs on it: {hanging};"
                " drop that, upgrade, and make it again"
            ) from exc
        raise


def _signatures(connection: Connection, kind: str, name: str) -> list[str]:
    """Return the qualified name of the view, or name and arguments of every function of that name."""
    statement = (
        "SELECT CAST(oid AS regprocedure)::text FROM pg_proc"
        " WHERE pronamespace = to_regnamespace('prefmem') AND proname = :name"
        if kind == "FUNCTION"
        else "SELECT CAST(oid AS regclass)::text FROM pg_class"
        " WHERE relnamespace = to_regnamespace('prefmem') AND relname = :name AND relkind = 'v'"
    )
    return list(connection.scalars(text(statement), {"name": name}))


def _grants(connection: Connection, kind: str, name: str) -> list[str]:
    """Return the GRANTs to others than the owner that an object has."""
    catalog, column, oid = (
        ("pg_proc", "proacl", "regprocedure") if kind == "FUNCTION" else ("pg_class", "relacl", "regclass")
    )
    rows = connection.execute(
        text(
            f"SELECT c.oid::{oid}::text AS object, a.privilege_type, a.is_grantable,"
            f" CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END AS grantee"
            f" FROM {catalog} c CROSS JOIN LATERAL aclexplode(c.{column}) a"
            f" WHERE c.oid = ANY(CAST(:signatures AS {oid}[])) AND a.grantee <> a.grantor"
        ),
        {"signatures": _signatures(connection, kind, name)},
    )
    noun = "FUNCTION" if kind == "FUNCTION" else "TABLE"
    return [
        f"GRANT {row.privilege_type} ON {noun} {row.object} TO {row.grantee}"
        + (" WITH GRANT OPTION" if row.is_grantable else "")
        for row in rows
    ]


def _run(connection: Connection, script: str) -> None:
    """Run SQL as it stands, several statements too: a colon or a percent sign in it is no parameter."""
    connection.exec_driver_sql(script, execution_options={"no_parameters": True})
