"""Filters: the keyword form and the expression form, read into one tree of checked conditions.

An expression is a JSON-able dict; several keys of one dict must all hold::

    {"kind": "fact", "or": [{"topic": "food"}, {"metadata.score": {"gte": 3, "lt": 5}}]}

- ``and`` and ``or`` take a list of expressions (``{"and": []}`` holds for every row, ``{"or": []}`` for none), ``not``
  takes an expression, or a list of which none may hold. Upper case and a leading ``$`` are accepted.
- ``{"field": value}`` means eq, ``{"field": [values]}`` means in, ``{"field": "*"}`` means exists, and
  ``{"field": {"op": operand, …}}`` holds when every operator does.
- ``ne`` and ``nin`` are exactly ``not`` of eq and in, so they hold where the value is missing or null. Every other
  comparison with a missing value is false.
- ``exists`` asks whether a column is not null, or whether a key is there, be its value null. ``{"field": None}``
  asks for a null column, or for JSON's null.
- ``between`` includes both ends. ``like`` is SQL's, with ``\\`` as the escape. In ``contains`` and ``icontains`` every
  character stands for itself; ``icontains`` folds case as the database's locale does.
- Texts are ordered by code point. An ``in []`` matches nothing.
- Lists (tags, entities, arrays in metadata): ``contains`` one value, or all of several, as whole elements;
  ``icontains`` one element, ignoring case; ``in`` any of several; ``eq`` the same elements in the same order.
- ``{"metadata": {"key": …}}`` means ``{"metadata.key": …}``, for keys at the top.
- Times of columns are ISO texts or datetimes. A text without zone is UTC, and a day its first instant.
- Metadata compares like with like: numbers with numbers (5 is 5.0), texts with texts, true only with true. Whatever
  has another type does not match. Orderings take a text that is a full ISO time with zone, or a datetime, for an
  instant, and then compare it with stored texts of that form alone.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, cast
from uuid import UUID

from prefmem_pg.domain.filter_conditions import (
    OPERATORS,
    AllOf,
    AnyOf,
    Column,
    Comparison,
    Condition,
    MetadataPath,
    Not,
    Operator,
)
from prefmem_pg.domain.filter_fields import COLUMNS, MESSAGE_COLUMNS, find_field, shown
from prefmem_pg.domain.filter_operands import MAX_DEPTH, Allowance, read_list, read_operand
from prefmem_pg.domain.text import clean_text
from prefmem_pg.errors import InvalidFilter

Expression = Mapping[str, Any]  # Any: a value, a list, an operator object or an expression, checked on reading

_GROUPS: Final = {spelling: word for word in ("and", "or", "not") for spelling in (word, word.upper(), f"${word}")}
_LISTS: Final = {
    "kinds": "kind",
    "statuses": "status",
    "topics": "topic",
    "polarities": "polarity",
    "languages": "language",
    "tags": "tags",
    "entities": "entities",
    "sources": "source",
    "dialog_ids": "dialog_id",
    "session_ids": "session_id",
    "agent_ids": "agent_id",
    "mem_cube_ids": "mem_cube_id",
    "sensitivities": "sensitivity",
    "ids": "preference_id",
}
_SINGLES: Final[dict[str, tuple[str, Operator]]] = {
    "is_safety": ("is_safety", "eq"),
    "is_pinned": ("is_pinned", "eq"),
    "min_confidence": ("confidence", "gte"),
    "min_importance": ("importance", "gte"),
    "created_after": ("created_at", "gte"),
    "created_before": ("created_at", "lt"),
    "updated_after": ("updated_at", "gte"),
    "updated_before": ("updated_at", "lt"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFilter:
    """What rows must meet, all of it; None means not filtered, an empty list matches nothing.

    A list names the values that are allowed; of ``tags`` and ``entities`` a row needs any one (all of several:
    ``where={"tags": {"contains": [...]}}``). ``after`` includes its instant, ``before`` does not. ``valid_at`` keeps
    what was true at that instant. ``metadata`` maps top-level keys to the JSON value that each must equal. ``where``
    takes an expression (see the module). Raises InvalidFilter.
    """

    kinds: Collection[str] | None = None
    statuses: Collection[str] | None = None
    topics: Collection[str] | None = None
    polarities: Collection[str] | None = None
    languages: Collection[str] | None = None
    tags: Collection[str] | None = None
    entities: Collection[str] | None = None
    sources: Collection[str] | None = None
    dialog_ids: Collection[str] | None = None
    session_ids: Collection[str] | None = None
    agent_ids: Collection[str] | None = None
    mem_cube_ids: Collection[str] | None = None
    sensitivities: Collection[str] | None = None
    ids: Collection[UUID | str] | None = None
    is_safety: bool | None = None
    is_pinned: bool | None = None
    min_confidence: float | None = None
    min_importance: float | None = None
    created_after: datetime | str | None = None
    created_before: datetime | str | None = None
    updated_after: datetime | str | None = None
    updated_before: datetime | str | None = None
    valid_at: datetime | str | None = None
    metadata: Mapping[str, Any] | None = None  # Any: JSON values
    where: Expression | None = None

    def __post_init__(self) -> None:
        read_filter(self)  # a mistake shows where it was made


def read_filter(given: SearchFilter | Expression | None) -> Condition:
    """Return the conditions of either form; AllOf(()) for None. Raises InvalidFilter."""
    allowance = Allowance(COLUMNS)
    if given is None:
        return AllOf(())
    if isinstance(given, SearchFilter):
        return _read_keywords(given, allowance)
    return _read_expression(given, allowance, depth=0)


def read_message_filter(given: Expression | None) -> Condition:
    """Return the conditions of an expression over messages; AllOf(()) for None. Raises InvalidFilter."""
    if isinstance(given, SearchFilter):
        raise InvalidFilter("messages are filtered by an expression, such as {'role': 'user'}, not by a SearchFilter")
    return AllOf(()) if given is None else _read_expression(given, Allowance(MESSAGE_COLUMNS), depth=0)


def _read_keywords(given: SearchFilter, allowance: Allowance) -> Condition:
    found: list[Condition] = []
    asked: dict[str, tuple[str, Operator]] = {name: (column, "in") for name, column in _LISTS.items()} | _SINGLES
    for name, (column, operator) in asked.items():
        value = getattr(given, name)
        if value is not None:
            found.append(_compare(COLUMNS[column], operator, value, allowance))
    if given.valid_at is not None:
        since = _compare(COLUMNS["valid_from"], "lte", given.valid_at, allowance)
        until = _compare(COLUMNS["valid_to"], "gt", given.valid_at, allowance)
        found += [since, AnyOf((Comparison(COLUMNS["valid_to"], "eq", None), until))]
    if given.metadata is not None:
        found += _read_metadata(given.metadata, allowance)
    if given.where is not None:
        found.append(_read_expression(given.where, allowance, depth=0))
    return AllOf(tuple(found))


def _read_metadata(given: object, allowance: Allowance) -> list[Condition]:
    if not isinstance(given, Mapping):
        raise InvalidFilter(f"metadata takes an object of keys and values, not a {type(given).__name__}")
    return [
        _compare(MetadataPath((clean_text(_read_key(key, allowance)),)), "eq", value, allowance)
        for key, value in given.items()
    ]


def _read_expression(given: object, allowance: Allowance, *, depth: int) -> Condition:
    if not isinstance(given, Mapping):
        raise InvalidFilter(f"a filter expression is an object, not a {type(given).__name__}")
    if depth > MAX_DEPTH:
        raise InvalidFilter(f"a filter may be nested {MAX_DEPTH} levels deep at most")
    allowance.take_group()
    found: list[Condition] = []
    for name, value in given.items():
        if name in _GROUPS:
            found.append(_read_group(_GROUPS[name], value, allowance, depth=depth + 1))
        elif name == "metadata":
            found.append(_read_metadata_object(value, allowance))
        else:
            key = _read_key(name, allowance)
            found.append(_read_field(find_field(key, allowance.columns), key, value, allowance))
    return found[0] if len(found) == 1 else AllOf(tuple(found))


def _read_metadata_object(given: object, allowance: Allowance) -> Condition:
    if not isinstance(given, Mapping) or not given:
        raise InvalidFilter(
            'metadata is filtered by key: {"metadata": {"colour": "red"}} or {"metadata.colour": "red"}'
        )
    allowance.take_group()
    found: list[Condition] = []
    for name, value in given.items():
        key = _read_key(name, allowance)
        if key == "user_id" or key in OPERATORS:
            raise InvalidFilter(f"metadata has {shown(key)}; if a key of that name is meant, write metadata.{key}")
        found.append(_read_field(MetadataPath((clean_text(key),)), key, value, allowance))
    return found[0] if len(found) == 1 else AllOf(tuple(found))


def _read_group(word: str, given: object, allowance: Allowance, *, depth: int) -> Condition:
    if word == "not" and isinstance(given, Mapping):
        return Not(_read_expression(given, allowance, depth=depth))
    parts = tuple(_read_expression(item, allowance, depth=depth) for item in read_list(f"{word!r}", given))
    if word == "not":
        return Not(AnyOf(parts))
    return AllOf(parts) if word == "and" else AnyOf(parts)


def _read_field(field: Column | MetadataPath, name: str, value: object, allowance: Allowance) -> Condition:
    if isinstance(value, Mapping):
        if not value:
            raise InvalidFilter(f"{shown(name)} has an object without an operator")
        parts = [_apply(field, operator, operand, allowance) for operator, operand in value.items()]
        return parts[0] if len(parts) == 1 else AllOf(tuple(parts))
    if isinstance(value, list | tuple | set | frozenset):
        return _compare(field, "in", value, allowance)
    if isinstance(value, str) and value == "*":
        return _compare(field, "exists", True, allowance)
    return _compare(field, "eq", value, allowance)


def _apply(field: Column | MetadataPath, operator: object, operand: object, allowance: Allowance) -> Condition:
    if operator not in OPERATORS:
        raise InvalidFilter(
            f"a filter has no operator {shown(operator)}; it has {', '.join(sorted(OPERATORS))}"
            ' (an object is compared as {"eq": {...}})'
        )
    if operator == "ne":
        return Not(_compare(field, "eq", operand, allowance))
    if operator == "nin":
        return Not(_compare(field, "in", operand, allowance))
    if operator == "between":
        return _between(field, operand, allowance)
    return _compare(field, cast(Operator, operator), operand, allowance)


def _between(field: Column | MetadataPath, operand: object, allowance: Allowance) -> Condition:
    ends: Sequence[object] = () if isinstance(operand, set | frozenset) else read_list("between", operand)
    if len(ends) != 2:
        raise InvalidFilter("between takes a list of two values: the lowest and the highest")
    low = read_operand(field, "gte", ends[0], allowance)
    high = read_operand(field, "lte", ends[1], allowance)
    if isinstance(field, MetadataPath) and _kind(low) is not _kind(high):
        raise InvalidFilter("between takes two values of one kind: two numbers, two texts or two times with zone")
    allowance.take_condition()
    return AllOf((Comparison(field, "gte", low), Comparison(field, "lte", high)))


def _kind(value: object) -> type:
    return float if isinstance(value, int) else type(value)


def _compare(field: Column | MetadataPath, operator: Operator, value: object, allowance: Allowance) -> Comparison:
    allowance.take_condition()
    return Comparison(field, operator, read_operand(field, operator, value, allowance))


def _read_key(name: object, allowance: Allowance) -> str:
    if not isinstance(name, str):
        raise InvalidFilter(f"the keys of a filter are texts, not {shown(name)}")
    allowance.take_text(name)
    return str.__str__(name)
