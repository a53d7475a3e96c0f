"""Comparisons with values in the metadata as SQL: like with like, and no row's value can make the query fail."""

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from prefmem_pg.db.filter_columns import SIGNS
from prefmem_pg.domain.filter_conditions import Comparison, MetadataPath
from prefmem_pg.domain.filter_operands import ZONED_TIME

_Bind = Callable[[Any], str]  # Any: values that the driver binds


def metadata_condition(path: MetadataPath, comparison: Comparison, alias: str, bind: _Bind) -> str:
    """Return a condition that is true or false: a missing key makes the value NULL, and coalesce() that false."""
    steps = f"CAST({bind(list(path.steps))} AS text[])"
    value = f"({alias}.metadata #> {steps})"
    text = f"({alias}.metadata #>> {steps})"
    operator, operand = comparison.operator, comparison.operand
    if operator == "exists":
        return f"({value} IS {'NOT NULL' if operand else 'NULL'})"
    if operator == "in":
        return _in(value, operand, bind)
    if operator == "contains":
        return _contains(value, text, operand, bind)
    if operator == "icontains":
        return _icontains(value, text, operand, bind)
    if operator == "like":
        return _of_type(value, "string", f"{text} LIKE CAST({bind(operand)} AS text)")
    return _compared(value, text, comparison, bind)


def _compared(value: str, text: str, comparison: Comparison, bind: _Bind) -> str:
    sign, operand = SIGNS[comparison.operator], comparison.operand
    if isinstance(operand, datetime):
        # CASE and not AND: only CASE keeps the cast from a text that is no time.
        return (
            f"(CASE WHEN jsonb_typeof({value}) = 'string' AND {text} ~ {bind(f'^({ZONED_TIME})$')}"
            f" AND pg_input_is_valid({text}, 'timestamptz')"
            f" THEN CAST({text} AS timestamptz) {sign} CAST({bind(operand)} AS timestamptz) ELSE false END)"
        )
    if sign == "=":
        return f"coalesce({value} = CAST({bind(_json(operand))} AS jsonb), false)"
    if isinstance(operand, str):
        return _of_type(value, "string", f'{text} COLLATE "C" {sign} CAST({bind(operand)} AS text)')
    return _of_type(value, "number", f"{value} {sign} CAST({bind(_json(operand))} AS jsonb)")


def _in(value: str, operand: tuple[Any, ...], bind: _Bind) -> str:
    items = f"CAST({bind([_json(item) for item in operand])} AS jsonb[])"
    return (
        f"(CASE WHEN {value} = ANY({items}) THEN true WHEN jsonb_typeof({value}) = 'array'"
        f" THEN EXISTS (SELECT FROM jsonb_array_elements({value}) AS i(item) WHERE i.item = ANY({items}))"
        " ELSE false END)"
    )


def _contains(value: str, text: str, operand: Any, bind: _Bind) -> str:
    items = list(operand) if isinstance(operand, tuple) else [operand]
    # Within an array @> compares scalars whole; read_operand lets nothing else through.
    held = f"{value} @> CAST({bind(_json(items))} AS jsonb)"
    if not isinstance(operand, str):
        return _of_type(value, "array", held)
    return (
        f"(CASE jsonb_typeof({value}) WHEN 'string' THEN strpos({text}, CAST({bind(operand)} AS text)) > 0"
        f" WHEN 'array' THEN {held} ELSE false END)"
    )


def _icontains(value: str, text: str, operand: str, bind: _Bind) -> str:
    sought = f"lower(CAST({bind(operand)} AS text))"
    return (
        f"(CASE jsonb_typeof({value}) WHEN 'string' THEN strpos(lower({text}), {sought}) > 0"
        f" WHEN 'array' THEN EXISTS (SELECT FROM jsonb_array_elements({value}) AS i(item)"
        f" WHERE jsonb_typeof(i.item) = 'string' AND lower(i.item #>> '{{}}') = {sought}) ELSE false END)"
    )


def _of_type(value: str, kind: str, condition: str) -> str:
    return f"coalesce(jsonb_typeof({value}) = '{kind}' AND {condition}, false)"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
