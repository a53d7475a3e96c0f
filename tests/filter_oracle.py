"""The semantics of filters once more, in plain Python: what SQL must agree with."""

import re
import struct
from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from prefmem_pg.domain.filter_conditions import Column, MetadataPath
from prefmem_pg.domain.filter_fields import find_field
from prefmem_pg.domain.filter_operands import ZONED_TIME
from prefmem_pg.domain.filters import SearchFilter

MISSING = object()

KEYWORDS: dict[str, tuple[str, str]] = {
    "kinds": ("kind", "in"),
    "statuses": ("status", "in"),
    "topics": ("topic", "in"),
    "polarities": ("polarity", "in"),
    "languages": ("language", "in"),
    "tags": ("tags", "in"),
    "entities": ("entities", "in"),
    "sources": ("source", "in"),
    "dialog_ids": ("dialog_id", "in"),
    "session_ids": ("session_id", "in"),
    "agent_ids": ("agent_id", "in"),
    "mem_cube_ids": ("mem_cube_id", "in"),
    "sensitivities": ("sensitivity", "in"),
    "ids": ("preference_id", "in"),
    "is_safety": ("is_safety", "eq"),
    "is_pinned": ("is_pinned", "eq"),
    "min_confidence": ("confidence", "gte"),
    "min_importance": ("importance", "gte"),
    "created_after": ("created_at", "gte"),
    "created_before": ("created_at", "lt"),
    "updated_after": ("updated_at", "gte"),
    "updated_before": ("updated_at", "lt"),
}
ORDERINGS: dict[str, Callable[[Any, Any], bool]] = {
    "gt": lambda a, b: a > b,
    "gte": lambda a, b: a >= b,
    "lt": lambda a, b: a < b,
    "lte": lambda a, b: a <= b,
}


def matches(given: SearchFilter | Mapping[str, Any] | None, row: Mapping[str, Any]) -> bool:
    """Say whether a row (columns by name, Python values) meets a well-formed filter."""
    if given is None:
        return True
    if not isinstance(given, SearchFilter):
        return all(_holds(name, value, row) for name, value in given.items())
    asked = [(column, operator, getattr(given, name)) for name, (column, operator) in KEYWORDS.items()]
    valid_at = None if given.valid_at is None else _instant(given.valid_at)
    return (
        all(_test(column, operator, value, row) for column, operator, value in asked if value is not None)
        and (
            valid_at is None
            or (row["valid_from"] <= valid_at and (row["valid_to"] is None or row["valid_to"] > valid_at))
        )
        and all(
            _metadata_test(_lookup(row["metadata"], (key,)), "eq", value)
            for key, value in (given.metadata or {}).items()
        )
        and matches(given.where, row)
    )


def _holds(name: str, value: Any, row: Mapping[str, Any]) -> bool:
    word = name.lower().removeprefix("$")
    if word == "and":
        return all(matches(item, row) for item in value)
    if word == "or":
        return any(matches(item, row) for item in value)
    if word == "not":
        return not any(matches(item, row) for item in (value if isinstance(value, list) else [value]))
    if isinstance(value, Mapping):
        return all(_test(name, operator, operand, row) for operator, operand in value.items())
    if isinstance(value, list):
        return _test(name, "in", value, row)
    return _test(name, "exists", True, row) if value == "*" else _test(name, "eq", value, row)


def _test(name: str, operator: str, operand: Any, row: Mapping[str, Any]) -> bool:
    if operator == "ne":
        return not _test(name, "eq", operand, row)
    if operator == "nin":
        return not _test(name, "in", operand, row)
    if operator == "between":
        return _test(name, "gte", operand[0], row) and _test(name, "lte", operand[1], row)
    field = find_field(name)
    if isinstance(field, MetadataPath):
        return _metadata_test(_lookup(row["metadata"], field.steps), operator, operand)
    return _column_test(field, row[name], operator, operand)


def _column_test(column: Column, value: Any, operator: str, operand: Any) -> bool:
    if operator == "exists":
        return (value is not None) is operand
    if operator == "eq" and operand is None:
        return value is None
    if value is None:
        return False
    if column.type == "texts":
        return _list_test(list(value), operator, operand)
    read = {"time": _instant, "uuid": _uuid, "real": _real}.get(column.type, lambda item: item)
    if operator == "in":
        return any(read(value) == read(item) for item in operand)
    return _text_or_order(read(value), operator, read(operand))


def _text_or_order(value: Any, operator: str, operand: Any) -> bool:
    if operator == "eq":
        return bool(value == operand)
    if operator == "contains":
        return operand in value
    if operator == "icontains":
        return fold(operand) in fold(value)
    if operator == "like":
        return like(value, operand)
    return ORDERINGS[operator](value, operand)


def _list_test(value: list[str], operator: str, operand: Any) -> bool:
    if operator == "eq":
        return value == list(operand)
    if operator == "in":
        return any(item in operand for item in value)
    if operator == "contains":
        return all(item in value for item in ([operand] if isinstance(operand, str) else operand))
    return any(fold(item) == fold(operand) for item in value)


def _metadata_test(value: Any, operator: str, operand: Any) -> bool:
    if operator == "exists":
        return (value is not MISSING) is operand
    if value is MISSING:
        return False
    if operator == "eq":
        return _stored_instant(value) == operand if isinstance(operand, datetime) else same_json(value, operand)
    if operator == "in":
        own = [value, *(value if isinstance(value, list) else [])]
        return any(same_json(item, other) for item in own for other in operand)
    if operator in ORDERINGS:
        return _metadata_order(value, operator, operand)
    if isinstance(value, list):
        if operator == "contains":
            asked = operand if isinstance(operand, list) else [operand]
            return all(any(same_json(item, other) for item in value) for other in asked)
        return operator == "icontains" and any(isinstance(i, str) and fold(i) == fold(operand) for i in value)
    if isinstance(value, str) and isinstance(operand, str):
        return _text_or_order(value, operator, operand)
    return False


def _metadata_order(value: Any, operator: str, operand: Any) -> bool:
    if isinstance(operand, datetime) or (isinstance(operand, str) and re.fullmatch(ZONED_TIME, operand)):
        stored = _stored_instant(value)
        return stored is not None and ORDERINGS[operator](stored, _instant(operand))
    if isinstance(operand, str):
        return isinstance(value, str) and ORDERINGS[operator](value, operand)
    return _is_number(value) and ORDERINGS[operator](Decimal(repr(value)), Decimal(repr(operand)))


def _lookup(value: Any, steps: tuple[str, ...]) -> Any:
    for step in steps:
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif (
            isinstance(value, list) and re.fullmatch(r"\s*[+-]?[0-9]+", step) and -len(value) <= int(step) < len(value)
        ):
            value = value[int(step)]
        else:
            return MISSING
    return value


def same_json(a: Any, b: Any) -> bool:
    """Equal as JSON: true is not 1, 5 is 5.0."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same_json(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same_json, a, b))
    if _is_number(a) and _is_number(b):
        return Decimal(repr(a)) == Decimal(repr(b))
    return type(a) is type(b) and a == b


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def fold(text: str) -> str:
    """Lower each letter by itself, as the database does."""
    return "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)


def like(text: str, pattern: str) -> bool:
    parts = re.findall(r"\\.|.", pattern, re.DOTALL)
    wild = {"%": ".*", "_": "."}
    regex = "".join(wild.get(part) or re.escape(part[1:] if part[0] == "\\" else part) for part in parts)
    return re.fullmatch(regex, text, re.DOTALL) is not None


def _instant(value: datetime | str) -> datetime:
    return datetime.fromisoformat(value) if isinstance(value, str) else value


def _stored_instant(value: Any) -> datetime | None:
    if not isinstance(value, str) or not re.fullmatch(ZONED_TIME, value):
        return None
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return None


def _uuid(value: UUID | str) -> UUID:
    return UUID(value) if isinstance(value, str) else value


def _real(value: float) -> float:
    """Round as a column of four bytes does; beyond 0 to 1, which it holds, all values compare alike."""
    return float(struct.unpack("f", struct.pack("f", sorted((-9, value, 9))[1]))[0])
