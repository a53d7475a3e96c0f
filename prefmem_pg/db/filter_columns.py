"""Comparisons with columns of preferences and messages as SQL."""

import struct
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Final

from prefmem_pg.db.models import MessageRow, PreferenceRow
from prefmem_pg.domain.filter_conditions import Column, ColumnType, Comparison

SIGNS: Final = {"eq": "=", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="}

_SQL_TYPES: Final[dict[ColumnType, str]] = {
    "text": "text",
    "id": "text",
    "real": "real",
    "integer": "numeric",
    "boolean": "boolean",
    "time": "timestamptz",
    "uuid": "uuid",
    "texts": "text[]",
}
# By name alone: to ask a column that is never null costs nothing.
_NULLABLE: Final = {
    column.name for table in (PreferenceRow, MessageRow) for column in table.__table__.columns if column.nullable
}


def column_condition(column: Column, comparison: Comparison, alias: str, bind: Callable[[Any], str]) -> str:
    """Return a condition that is true or false; Any: values that the driver binds."""
    name = f"{alias}.{column.name}"
    if comparison.operator == "exists":
        return f"({name} IS {'NOT NULL' if comparison.operand else 'NULL'})"
    if comparison.operand is None:
        return f"({name} IS NULL)"
    if column.type == "texts":
        condition = _texts_condition(name, comparison, bind)
    else:
        condition = _single_condition(name, column.type, comparison, bind)
    # Not coalesce(): an index on the column can still serve the comparison.
    return f"({name} IS NOT NULL AND {condition})" if column.name in _NULLABLE else f"({condition})"


def _single_condition(name: str, kind: ColumnType, comparison: Comparison, bind: Callable[[Any], str]) -> str:
    operator, operand = comparison.operator, comparison.operand
    sql_type = _SQL_TYPES[kind]
    if operator == "in":
        return f"{name} = ANY(CAST({bind([_bound(kind, item) for item in operand])} AS {sql_type}[]))"
    value = f"CAST({bind(_bound(kind, operand))} AS {sql_type})"
    if operator == "contains":
        return f"strpos({name}, {value}) > 0"
    if operator == "icontains":
        return f"strpos(lower({name}), lower({value})) > 0"
    if operator == "like":
        return f"{name} LIKE {value}"
    # Ordered by code point, whatever the locale of the database.
    ordered = f'{name} COLLATE "C"' if sql_type == "text" and operator != "eq" else name
    return f"{ordered} {SIGNS[operator]} {value}"


def _texts_condition(name: str, comparison: Comparison, bind: Callable[[Any], str]) -> str:
    operator, operand = comparison.operator, comparison.operand
    if operator == "icontains":
        value = f"lower(CAST({bind(operand)} AS text))"
        return f"EXISTS (SELECT FROM unnest({name}) AS i(item) WHERE lower(i.item) = {value})"
    items = [operand] if isinstance(operand, str) else list(operand)
    sign = {"eq": "=", "in": "&&", "contains": "@>"}[operator]
    return f"{name} {sign} CAST({bind(items)} AS text[])"


def _bound(kind: ColumnType, value: Any) -> Any:
    if kind == "real":
        # The columns hold 0 to 1 in four bytes: 0.7 there is not 0.7 in eight, so the operand is rounded likewise.
        return struct.unpack("f", struct.pack("f", min(max(value, -1), 2)))[0]
    if kind == "integer":
        return Decimal(repr(value))  # a float would be cast to numeric by its first 15 digits
    return value
