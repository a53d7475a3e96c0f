"""Indexes and constraints that are missing or invalid, and building the indexes while the database is in use."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Literal

from sqlalchemy import Connection, Engine, text
from sqlalchemy.schema import CreateIndex

from prefmem_pg.db.driver_errors import translated_errors
from prefmem_pg.db.model_indexes import index_note, model_index_statements, note_statement
from prefmem_pg.db.models import SCHEMA, Base
from prefmem_pg.errors import Conflict

FaultState = Literal["missing", "invalid", "outdated"]

_LOCK: Final = 7_305_460_211_482_360_419
"""Any number that nothing else locks."""
# What CREATE INDEX CONCURRENTLY and REINDEX CONCURRENTLY leave behind when they are stopped half-way.
_LEFTOVER: Final = re.compile(r"_cc(new|old)\d*$")
# One that is being built right now is not valid yet and nothing to mend.
_INDEXES: Final = """
SELECT c.relname, obj_description(c.oid, 'pg_class') AS note, (i.indisvalid AND i.indisready AND i.indislive)
  OR EXISTS (SELECT FROM pg_stat_progress_create_index b WHERE b.index_relid = c.oid) AS is_valid
FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relnamespace = to_regnamespace('prefmem')
"""
_CONSTRAINTS: Final = """
SELECT conname FROM pg_constraint WHERE connamespace = to_regnamespace('prefmem') AND contype <> 'n' AND convalidated
"""
_MODELS: Final = "SELECT model_id, dimensions FROM prefmem.embedding_models WHERE state = 'active'"


@dataclass(frozen=True, slots=True)
class IndexFault:
    """An index that is not there, or that PostgreSQL does not use (its building was stopped, or found a duplicate), or
    one of an embedding model that an older version made otherwise."""

    name: str
    state: FaultState


@dataclass(frozen=True, slots=True)
class ReindexReport:
    """What was done, by the names of the indexes."""

    created: tuple[str, ...]
    rebuilt: tuple[str, ...]
    dropped: tuple[str, ...]


def find_index_faults(engine: Engine) -> list[IndexFault]:
    """Return the indexes that are missing or invalid, those of the active embedding model included."""
    with translated_errors(), engine.connect() as connection:
        return _faults(connection, _wanted(connection))


def find_missing_constraints(engine: Engine) -> list[str]:
    """Return the keys, foreign keys and checks that are missing or not valid, as after a restore that stopped."""
    preparer = engine.dialect.identifier_preparer
    wanted = {
        str(preparer.format_constraint(constraint)).strip('"')
        for table in Base.metadata.tables.values()
        for constraint in table.constraints
    }
    with translated_errors(), engine.connect() as connection:
        return sorted(wanted - set(connection.scalars(text(_CONSTRAINTS))))


def reindex(
    engine: Engine, *, rebuild_all: bool = False, on_index: Callable[[str], None] | None = None
) -> ReindexReport:
    """Create the indexes that are missing and rebuild those that are invalid, while reads and writes go on.

    ``rebuild_all`` also rebuilds the valid ones of the active model. Connects as the owner. It may be stopped and run
    again. Raises Conflict when another one is at work, or when rows contradict a unique index.
    """
    done: dict[str, list[str]] = {"created": [], "rebuilt": [], "dropped": []}
    with translated_errors(), _autocommit(engine) as connection:
        wanted = _wanted(connection)
        for fault in _faults(connection, wanted):
            if on_index is not None:
                on_index(fault.name)
            done[_mend(connection, fault, wanted)].append(fault.name)
        if rebuild_all:
            of_model = (name for name in wanted if _is_of_a_model(name))
            for name in sorted(set(of_model) - {*done["created"], *done["rebuilt"]}):
                if on_index is not None:
                    on_index(name)
                _rebuild(connection, name)
                done["rebuilt"].append(name)
    return ReindexReport(**{name: tuple(names) for name, names in done.items()})


def build_model_indexes(
    engine: Engine, *, model_id: int, dimensions: int, on_index: Callable[[str], None] | None = None
) -> None:
    """Create or mend the indexes of one embedding model, while reads and writes go on; as ``reindex``."""
    with translated_errors(), _autocommit(engine) as connection:
        wanted = model_index_statements(model_id=model_id, dimensions=dimensions)
        for fault in _faults(connection, wanted):
            if fault.name.startswith(f"ix_model_{model_id}_"):
                if on_index is not None:
                    on_index(fault.name)
                _mend(connection, fault, wanted)


def _wanted(connection: Connection) -> dict[str, str]:
    """Return the CREATE INDEX of every index that should be there, by name."""
    dialect = connection.dialect
    wanted = {
        str(dialect.identifier_preparer.format_index(index)).strip('"'): str(
            CreateIndex(index).compile(dialect=dialect)
        )
        for table in Base.metadata.tables.values()
        for index in table.indexes
    }
    for model in connection.execute(text(_MODELS)):
        wanted |= model_index_statements(model_id=model.model_id, dimensions=model.dimensions)
    return wanted


def _faults(connection: Connection, wanted: dict[str, str]) -> list[IndexFault]:
    rows = list(connection.execute(text(_INDEXES)))
    found: dict[str, bool] = {row.relname: row.is_valid for row in rows}
    missing = [IndexFault(name, "missing") for name in sorted(wanted.keys() - found.keys())]
    invalid = [IndexFault(name, "invalid") for name, is_valid in sorted(found.items()) if not is_valid]
    outdated = [
        IndexFault(row.relname, "outdated")
        for row in sorted(rows, key=lambda row: str(row.relname))
        if row.is_valid and _is_of_a_model(row.relname) and row.relname in wanted
        if row.note != index_note(wanted[row.relname])
    ]
    return missing + invalid + outdated


def _mend(
    connection: Connection, fault: IndexFault, wanted: dict[str, str]
) -> Literal["created", "rebuilt", "dropped"]:
    if fault.state == "outdated":
        _run(connection, f'DROP INDEX CONCURRENTLY {SCHEMA}."{fault.name}"')
    if fault.state != "invalid":
        statement = re.sub(r"^(CREATE (UNIQUE )?INDEX) ", r"\1 CONCURRENTLY ", wanted[fault.name])
        _run(connection, statement)
        if _is_of_a_model(fault.name):
            _run(connection, note_statement(fault.name, wanted[fault.name]))
        return "created" if fault.state == "missing" else "rebuilt"
    if _LEFTOVER.search(fault.name):
        _run(connection, f'DROP INDEX CONCURRENTLY {SCHEMA}."{fault.name}"')
        return "dropped"
    _rebuild(connection, fault.name)
    return "rebuilt"


def _is_of_a_model(name: str) -> bool:
    return name.startswith("ix_model_")


def _rebuild(connection: Connection, name: str) -> None:
    _run(connection, f'REINDEX INDEX CONCURRENTLY {SCHEMA}."{name}"')


def _run(connection: Connection, statement: str) -> None:
    connection.exec_driver_sql(statement, execution_options={"no_parameters": True})


@contextmanager
def _autocommit(engine: Engine) -> Iterator[Connection]:
    """Give a connection without a transaction, as CONCURRENTLY needs it, that no other reindex has at the same time."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        if not connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": _LOCK}):
            raise Conflict("another reindex is at work on this database; wait until it has ended")
        try:
            _run(connection, "SET statement_timeout = 0")
            yield connection
        finally:
            _run(connection, "RESET statement_timeout")
            connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": _LOCK})
