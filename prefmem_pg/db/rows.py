"""Rows as one JSON parameter: many rows go in by one statement, whatever their number."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import RowMapping

from prefmem_pg.domain.preferences import Preference

PREFERENCE_COLUMNS: Final = {
    "user_id": "text",
    "preference_id": "uuid",
    "kind": "text",
    "statement": "text",
    "context": "text",
    "polarity": "text",
    "topic": "text",
    "entities": "text[]",
    "tags": "text[]",
    "language": "text",
    "confidence": "real",
    "importance": "real",
    "sensitivity": "text",
    "is_safety": "boolean",
    "is_pinned": "boolean",
    "status": "text",
    "superseded_by": "uuid",
    "mention_count": "integer",
    "valid_from": "timestamptz",
    "valid_to": "timestamptz",
    "created_at": "timestamptz",
    "updated_at": "timestamptz",
    "expires_at": "timestamptz",
    "source": "text",
    "dialog_id": "text",
    "session_id": "text",
    "agent_id": "text",
    "mem_cube_id": "text",
    "version": "integer",
    "run_id": "uuid",
    "metadata": "jsonb",
}
"""Columns of a Preference in the order of its fields, with their types."""


def recordset(columns: Mapping[str, str], *, parameter: str = "rows") -> str:
    """Return the FROM item that turns the JSON parameter into rows of these columns."""
    typed = ", ".join(f"{name} {kind}" for name, kind in columns.items())
    return f"jsonb_to_recordset(CAST(:{parameter} AS jsonb)) AS r({typed})"


def as_json_parameter(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return the rows as text for ``recordset``; ids and times as text, bytes as hexadecimal."""
    return json.dumps(list(rows), default=_as_text, ensure_ascii=False)


def preference_columns(alias: str) -> str:
    """Return the columns of a Preference, of the table with this alias."""
    return ", ".join(f"{alias}.{name}" for name in PREFERENCE_COLUMNS)


def as_preference(row: RowMapping | Mapping[str, Any]) -> Preference:
    """Return the Preference of a row that has (at least) its columns."""
    return _as_preference({name: row[name] for name in PREFERENCE_COLUMNS})


def as_leading_preference(row: Sequence[Any]) -> Preference:  # Any: a row of the driver
    """Return the Preference whose columns a row begins with, in their order: quicker than by their names."""
    return _as_preference(dict(zip(PREFERENCE_COLUMNS, row, strict=False)))


def _as_preference(values: dict[str, Any]) -> Preference:  # Any: the columns of a Preference
    values["entities"], values["tags"] = tuple(values["entities"]), tuple(values["tags"])
    return Preference(**values)


def as_vector_text(vector: NDArray[np.floating[Any]] | Sequence[float]) -> str:
    """Return a vector as pgvector reads it."""
    return "[" + ",".join(map(repr, np.asarray(vector, dtype=np.float32).tolist())) + "]"


def from_vector_text(value: object) -> NDArray[np.float32]:
    """Return the vector that a text column or pgvector's own types hold."""
    if isinstance(value, str):
        return np.fromstring(value.strip("[]"), dtype=np.float32, sep=",")
    return np.asarray(value, dtype=np.float32)


def _as_text(value: object) -> str:
    return "\\x" + value.hex() if isinstance(value, bytes) else str(value)
