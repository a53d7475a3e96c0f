"""Filters as SQL: a condition with bound values, in which no text of the caller's stands."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from prefmem_pg.db.filter_columns import column_condition
from prefmem_pg.db.filter_metadata import metadata_condition
from prefmem_pg.domain.filter_conditions import AllOf, AnyOf, Column, Comparison, Condition, Not
from prefmem_pg.domain.filters import Expression, SearchFilter, read_filter, read_message_filter

Bind = Callable[[Any], str]
"""Keeps a value and returns the parameter that stands for it in the SQL. Any: whatever the driver can bind."""

TRUE: Final = "true"
FALSE: Final = "false"


@dataclass(frozen=True, slots=True)
class CompiledFilter:
    """A condition on one alias, with named parameters for SQLAlchemy's ``text()``, and their values.

    It is "true" for no filter and "false" when nothing can match, and true or false for every row, never NULL.
    """

    condition: str
    values: dict[str, Any]  # Any: whatever the driver can bind

    def and_also(self, other: "CompiledFilter") -> "CompiledFilter":
        """Return what holds when both do; their parameters must have different prefixes."""
        return CompiledFilter(f"({self.condition}) AND ({other.condition})", self.values | other.values)


def compile_filter(given: SearchFilter | Expression | None, *, alias: str = "p", prefix: str = "f") -> CompiledFilter:
    """Compile a filter into a condition on the table ``alias``; parameters are named ``prefix`` and a number.

    Raises InvalidFilter. Both names are the program's own and become part of the SQL.
    """
    return _compile(read_filter(given), alias, prefix)


def compile_message_filter(given: Expression | None, *, alias: str = "p", prefix: str = "f") -> CompiledFilter:
    """Compile a filter expression over messages in the same way."""
    return _compile(read_message_filter(given), alias, prefix)


def _compile(condition: Condition, alias: str, prefix: str) -> CompiledFilter:
    if not (alias.isidentifier() and prefix.isidentifier()):
        raise ValueError(f"alias and prefix must be identifiers: {alias!r}, {prefix!r}")
    compiler = _Compiler(alias, prefix)
    return CompiledFilter(compiler.compile(condition), compiler.values)


@dataclass(slots=True)
class _Compiler:
    alias: str
    prefix: str
    values: dict[str, Any] = field(default_factory=dict)

    def compile(self, condition: Condition) -> str:
        match condition:
            case AllOf(parts):
                return self._join(parts, "AND", neutral=TRUE, decisive=FALSE)
            case AnyOf(parts):
                return self._join(parts, "OR", neutral=FALSE, decisive=TRUE)
            case Not(part):
                inner = self.compile(part)
                return {TRUE: FALSE, FALSE: TRUE}.get(inner, f"(NOT {inner})")
            case Comparison():
                return self._compare(condition)

    def _join(self, parts: tuple[Condition, ...], word: str, *, neutral: str, decisive: str) -> str:
        compiled = [sql for sql in map(self.compile, parts) if sql != neutral]
        if decisive in compiled:
            return decisive
        if len(compiled) < 2:
            return compiled[0] if compiled else neutral
        return "(" + f" {word} ".join(compiled) + ")"

    def _compare(self, comparison: Comparison) -> str:
        if comparison.operator == "in" and not comparison.operand:
            return FALSE
        if isinstance(comparison.field, Column):
            return column_condition(comparison.field, comparison, self.alias, self._bind)
        return metadata_condition(comparison.field, comparison, self.alias, self._bind)

    def _bind(self, value: Any) -> str:
        name = f"{self.prefix}{len(self.values)}"
        self.values[name] = value
        return f":{name}"
