"""Operands of a filter, checked against the field that they are compared with."""

import math
import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from prefmem_pg.domain.filter_conditions import ORDERINGS, Column, ColumnType, MetadataPath, Operator
from prefmem_pg.domain.text import clean_text
from prefmem_pg.errors import InvalidFilter

MAX_DEPTH: Final = 8
MAX_CONDITIONS: Final = 200
MAX_ITEMS: Final = 1_000
MAX_CHARACTERS: Final = 10_000
MAX_TOTAL_CHARACTERS: Final = 1_000_000

ZONED_TIME: Final = (
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)?"
    r"(Z|[+-](0[0-9]|1[0-5])(:?[0-5][0-9])?)"
)
"""A full ISO 8601 time with its zone, as Python and PostgreSQL both write regular expressions."""

_ZONED_TIME = re.compile(ZONED_TIME)
_TIME = re.compile(
    rf"{ZONED_TIME}|[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}([T ][0-9]{{2}}:[0-9]{{2}}(:[0-9]{{2}}(\.[0-9]{{1,6}})?)?)?"
)
_OPERATORS: Final[dict[ColumnType, frozenset[str]]] = {
    "text": frozenset({"eq", "in", "exists", "contains", "icontains", "like", *ORDERINGS}),
    "id": frozenset({"eq", "in", "exists", "contains", "icontains", "like", *ORDERINGS}),
    "real": frozenset({"eq", "in", "exists", *ORDERINGS}),
    "integer": frozenset({"eq", "in", "exists", *ORDERINGS}),
    "time": frozenset({"eq", "in", "exists", *ORDERINGS}),
    "boolean": frozenset({"eq", "in", "exists"}),
    "uuid": frozenset({"eq", "in", "exists"}),
    "texts": frozenset({"eq", "in", "exists", "contains", "icontains"}),
}


@dataclass(slots=True)
class Allowance:
    """What a filter may name, and what it has used up so far: one for the whole filter, so that parts add up."""

    columns: Mapping[str, Column]
    conditions: int = 0
    groups: int = 0
    characters: int = 0

    def take_condition(self) -> None:
        self.conditions += 1
        if self.conditions > MAX_CONDITIONS:
            raise InvalidFilter(f"a filter may hold {MAX_CONDITIONS} conditions at most")

    def take_group(self) -> None:
        self.groups += 1
        if self.groups > MAX_ITEMS:
            raise InvalidFilter(f"a filter may hold {MAX_ITEMS:,} groups of conditions at most")

    def take_text(self, text: str) -> None:
        if len(text) > MAX_CHARACTERS:
            raise InvalidFilter(f"a text of {len(text):,} characters; a filter takes {MAX_CHARACTERS:,} at most")
        self.characters += len(text)
        if self.characters > MAX_TOTAL_CHARACTERS:
            raise InvalidFilter(f"the texts of a filter may hold {MAX_TOTAL_CHARACTERS:,} characters together at most")


def read_operand(field: Column | MetadataPath, operator: Operator, value: object, allowance: Allowance) -> Any:
    """Return the operand in the form that is compared, or raise InvalidFilter.

    Lists become tuples, texts are cleaned as the store cleans them, times become aware UTC, ids UUIDs.
    """
    if operator == "exists":
        if not isinstance(value, bool):
            raise InvalidFilter(f"exists takes true or false, not {_kind(value)}")
        return value
    if isinstance(field, MetadataPath):
        return _metadata_operand(operator, value, allowance)
    if operator not in _OPERATORS[field.type]:
        raise InvalidFilter(f"{field.name} cannot be compared by {operator}")
    if operator == "eq" and value is None:
        return None
    return _column_operand(field, operator, value, allowance)


def read_list(what: str, value: object) -> Sequence[object]:
    """Return the items of a list; a string, which Python would also walk through, is InvalidFilter."""
    if isinstance(value, str | bytes | bytearray | Mapping) or not isinstance(value, Sequence | Set):
        raise InvalidFilter(f"{what} takes a list, not {_kind(value)}")
    if len(value) > MAX_ITEMS:
        raise InvalidFilter(f"{what} has {len(value):,} items; a filter takes {MAX_ITEMS:,} at most")
    return list(value)


def _column_operand(column: Column, operator: Operator, value: object, allowance: Allowance) -> Any:
    def read(item: object) -> Any:
        read_value = _READERS[column.type]
        read_item = read_value(column.name, item, allowance)
        if column.choices and operator in {"eq", "in"} and read_item not in column.choices:
            raise InvalidFilter(f"{column.name} is one of {', '.join(column.choices)}, never {read_item[:60]!r}")
        return read_item

    if operator == "in" or (column.type == "texts" and operator == "eq"):
        return tuple(read(item) for item in read_list(f"{operator} on {column.name}", value))
    if column.type == "texts" and operator == "contains" and not isinstance(value, str):
        return _not_empty(tuple(read(item) for item in read_list(f"contains on {column.name}", value)))
    operand = read(value)
    return _check_pattern(operand) if operator == "like" else operand


def _metadata_operand(operator: Operator, value: object, allowance: Allowance) -> Any:
    if operator == "eq":
        return read_time("metadata", value) if isinstance(value, datetime) else read_json(value, allowance)
    if operator == "in":
        return tuple(read_json(item, allowance) for item in read_list("in on metadata", value))
    if operator == "contains":
        if isinstance(value, str | int | float | None):
            return read_json(value, allowance)
        return _not_empty(tuple(_scalar(item, allowance) for item in read_list("contains on metadata", value)))
    if operator in {"icontains", "like"}:
        text = _read_text("metadata", value, allowance)
        return _check_pattern(text) if operator == "like" else text
    if isinstance(value, str | datetime):
        return _time_or_text(value, allowance)
    return _read_number("metadata", value, allowance)


def _time_or_text(value: str | datetime, allowance: Allowance) -> datetime | str:
    """Return what an ordering in metadata compares: instants when the text is a full time with zone, else texts."""
    if isinstance(value, str) and not _ZONED_TIME.fullmatch(value):
        return _read_text("metadata", value, allowance)
    return read_time("metadata", value)


def _not_empty(items: tuple[Any, ...]) -> tuple[Any, ...]:
    """Refuse to ask for all of nothing: it would hold for every row, which nobody means."""
    if not items:
        raise InvalidFilter("contains takes at least one value")
    return items


def _check_pattern(pattern: str) -> str:
    if (len(pattern) - len(pattern.rstrip("\\"))) % 2:
        raise InvalidFilter("a like pattern must not end with a single backslash: it escapes the character behind it")
    return pattern


def read_json(value: object, allowance: Allowance, *, depth: int = 0) -> Any:
    """Return a JSON value with its texts cleaned; InvalidFilter for what JSON cannot hold."""
    if depth > MAX_DEPTH:
        raise InvalidFilter(f"a value in a filter may be nested {MAX_DEPTH} levels deep at most")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _read_text("metadata", value, allowance)
    if isinstance(value, int | float):
        return _read_number("metadata", value, allowance)
    allowance.take_group()
    if isinstance(value, Mapping):
        if len(value) > MAX_ITEMS:
            raise InvalidFilter(f"an object has {len(value):,} keys; a filter takes {MAX_ITEMS:,} at most")
        return {
            _read_text("a key of metadata", key, allowance): read_json(item, allowance, depth=depth + 1)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [read_json(item, allowance, depth=depth + 1) for item in read_list("metadata", value)]
    raise InvalidFilter(f"metadata is compared with JSON values, not {_kind(value)}")


def _scalar(value: object, allowance: Allowance) -> Any:
    if isinstance(value, list | tuple | Mapping):
        raise InvalidFilter("contains on metadata takes texts, numbers, true, false and null")
    return read_json(value, allowance)


def read_time(name: str, value: object, _: object = None) -> datetime:
    """Return the instant as aware UTC.

    A text without zone is UTC and a day its first instant, as the systems whose filters are understood here write
    them; a datetime without zone, which Python takes for local time, is InvalidFilter.
    """
    if isinstance(value, str):
        if not _TIME.fullmatch(value):
            raise InvalidFilter(f"{name} takes an ISO 8601 time such as 2026-05-01T09:00:00Z")
        try:
            read = datetime.fromisoformat(value)
        except ValueError as exc:
            raise InvalidFilter(f"{name}: not a time that exists: {exc}") from exc
        value = read if read.tzinfo else read.replace(tzinfo=UTC)
    if not isinstance(value, datetime):
        raise InvalidFilter(f"{name} takes a time, not {_kind(value)}")
    if value.utcoffset() is None:
        raise InvalidFilter(f"{name} takes a time with its zone: datetime(..., tzinfo=UTC)")
    try:
        return value.astimezone(UTC)
    except OverflowError as exc:
        raise InvalidFilter(f"{name}: a time outside the years 1 to 9999") from exc


def _read_text(name: str, value: object, allowance: Allowance) -> str:
    if not isinstance(value, str):
        raise InvalidFilter(f"{name} is compared with a text, not {_kind(value)}")
    allowance.take_text(value)
    return clean_text(str.__str__(value))  # an enum that is a str is taken by its value


def _read_id(name: str, value: object, allowance: Allowance) -> str:
    if not isinstance(value, str):
        raise InvalidFilter(f"{name} is compared with a text, not {_kind(value)}")
    allowance.take_text(value)
    if "\x00" in value or any("\ud800" <= character <= "\udfff" for character in value):
        raise InvalidFilter(f"{name} never holds a NUL byte or half of a surrogate pair")
    return str.__str__(value)


def _read_number(name: str, value: object, _: Allowance) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidFilter(f"{name} is compared with a number, not {_kind(value)}")
    if isinstance(value, int):
        if value.bit_length() > 1_024:
            raise InvalidFilter(f"{name}: a whole number of more than 308 digits")
        return int(value)
    if not math.isfinite(value):
        raise InvalidFilter(f"{name}: not a finite number")
    return float(value)


def _read_boolean(name: str, value: object, _: Allowance) -> bool:
    if not isinstance(value, bool):
        raise InvalidFilter(f"{name} is compared with true or false, not {_kind(value)}")
    return value


def _read_uuid(name: str, value: object, _: Allowance) -> UUID:
    if isinstance(value, UUID):
        return value
    try:
        if isinstance(value, str):
            return UUID(value)
    except ValueError:
        pass
    raise InvalidFilter(f"{name} is compared with a UUID, not {_kind(value)}")


def _kind(value: object) -> str:
    """Name the type of a value, in an error message that does not repeat what the value holds."""
    names = {
        str: "a text",
        bool: "true or false",
        int: "a number",
        float: "a number",
        dict: "an object",
        list: "a list",
    }
    return "null" if value is None else names.get(type(value), f"a {type(value).__name__}")


_READERS: Final[dict[ColumnType, Callable[[str, object, Allowance], Any]]] = {
    "text": _read_text,
    "texts": _read_text,
    "id": _read_id,
    "real": _read_number,
    "integer": _read_number,
    "boolean": _read_boolean,
    "time": read_time,
    "uuid": _read_uuid,
}
