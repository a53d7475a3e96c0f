"""The tree that a filter is read into: comparisons, joined by all, any and not.

Every condition is true or false, never unknown: a comparison with a value that is not there is false.
"""

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, get_args

ColumnType = Literal["text", "id", "real", "integer", "boolean", "time", "uuid", "texts"]
"""``text`` is compared as the store cleans it (NFC), ``id`` exactly as the caller gave it."""

Operator = Literal["eq", "gt", "gte", "lt", "lte", "in", "contains", "icontains", "like", "exists"]
"""What is left after reading: ``ne`` and ``nin`` become Not, ``between`` becomes gte and lte."""

ORDERINGS: Final = frozenset({"gt", "gte", "lt", "lte"})
OPERATORS: Final[tuple[str, ...]] = (*get_args(Operator), "ne", "nin", "between")


@dataclass(frozen=True, slots=True)
class Column:
    """A column of preferences. ``choices`` lists the values of an enum, and is empty for every other column."""

    name: str
    type: ColumnType
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MetadataPath:
    """A value inside the metadata, by the keys that lead to it; whole numbers also count elements of an array."""

    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A field against an operand that was checked to fit it."""

    field: Column | MetadataPath
    operator: Operator
    operand: Any  # Any: a value of the column's type, a tuple of such, or a JSON value


@dataclass(frozen=True, slots=True)
class AllOf:
    """True when every condition is; of none: true."""

    conditions: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """True when a condition is; of none: false."""

    conditions: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class Not:
    """True when the condition is false."""

    condition: "Condition"


Condition: TypeAlias = Comparison | AllOf | AnyOf | Not


def names_column(condition: Condition, name: str) -> bool:
    """Say whether any comparison of the tree looks at this column."""
    if isinstance(condition, Comparison):
        return isinstance(condition.field, Column) and condition.field.name == name
    if isinstance(condition, Not):
        return names_column(condition.condition, name)
    return any(names_column(part, name) for part in condition.conditions)
