"""Rows with every column of a preference, put to a filter in a real PostgreSQL."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from sqlalchemy import text

from prefmem_pg.db.filters import compile_filter
from prefmem_pg.db.rows import PREFERENCE_COLUMNS, as_json_parameter, recordset
from prefmem_pg.db.session import Database
from prefmem_pg.domain.filters import SearchFilter
from tests.filter_oracle import matches
from tests.filter_strategies import NOW

Given = SearchFilter | Mapping[str, Any] | None


def row(**values: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "user_id": "u-1",
        "preference_id": uuid4(),
        "kind": "explicit",
        "statement": "I like tea",
        "context": "",
        "polarity": "positive",
        "topic": None,
        "entities": (),
        "tags": (),
        "language": "en",
        "confidence": 0.8,
        "importance": 0.5,
        "sensitivity": "none",
        "is_safety": False,
        "is_pinned": False,
        "status": "activated",
        "superseded_by": None,
        "mention_count": 1,
        "valid_from": NOW,
        "valid_to": None,
        "created_at": NOW,
        "updated_at": NOW,
        "expires_at": None,
        "source": "api",
        "dialog_id": None,
        "session_id": None,
        "agent_id": None,
        "mem_cube_id": None,
        "version": 1,
        "run_id": None,
        "metadata": {},
    }
    assert values.keys() <= fields.keys()
    return fields | values


def found(database: Database, filters: list[Given], rows: list[dict[str, Any]]) -> list[list[bool | None]]:
    """Return for each filter what its condition is for each row; checks that no negation is NULL either."""
    compiled = [compile_filter(each, prefix=f"f{number}_") for number, each in enumerate(filters)]
    columns = ", ".join(f"{c.condition}, NOT {c.condition}" for c in compiled)
    source = f"(SELECT * FROM {recordset({**PREFERENCE_COLUMNS, 'ordinal': 'integer'})}) p"
    values = {name: value for each in compiled for name, value in each.values.items()}
    values["rows"] = as_json_parameter(each | {"ordinal": ordinal} for ordinal, each in enumerate(rows))
    with database.transaction(user_id=None) as repositories:
        statement = text(f"SELECT {columns} FROM {source} ORDER BY p.ordinal")
        answers = [tuple(each) for each in repositories.session.execute(statement, values)]
    assert all(each[i] is (not each[i + 1]) for each in answers for i in range(0, 2 * len(filters), 2))
    return [[each[2 * number] for each in answers] for number in range(len(filters))]


def which(database: Database, each: Given, rows: list[dict[str, Any]]) -> list[int]:
    """Return the places of the rows that pass, and check that plain Python says the same."""
    answer = found(database, [each], rows)[0]
    assert answer == [matches(each, candidate) for candidate in rows]
    return [place for place, passes in enumerate(answer) if passes]
