"""Whatever stands in a field name, an operator, a value or a key of the metadata never becomes part of the SQL."""

import re
from typing import Any

import pytest

from prefmem_pg.db.filters import compile_filter, compile_message_filter
from prefmem_pg.domain.filter_conditions import OPERATORS
from prefmem_pg.domain.filter_fields import COLUMNS, MESSAGE_COLUMNS
from prefmem_pg.errors import InvalidFilter
from tests.filter_strategies import HOSTILE

MARKED = [f"{text}ZQX" for text in [*HOSTILE, "'; DROP TABLE prefmem.users; --", "x' OR '1'='1' --", '"']]
FIELDS = [*COLUMNS, "metadata.key", 'metadata.a["b.c"]']


def accepted(given: Any, compile_it: Any = compile_filter) -> bool:
    """Say whether a filter is accepted, having checked that nothing of it stands in its SQL."""
    try:
        compiled = compile_it(given)
    except InvalidFilter:
        return False
    assert "ZQX" not in compiled.condition
    parameters = set(re.findall(r"(?<![:\w]):(\w+)", compiled.condition))
    assert parameters == set(compiled.values)
    return True


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("field", FIELDS)
def test_no_value_stands_in_the_sql(field: str, operator: str) -> None:
    taken = [accepted({field: {operator: operand}}) for text in MARKED for operand in (text, [text], [text, text])]

    is_free_text = field.startswith("metadata") or (
        COLUMNS[field].type in ("text", "id") and not COLUMNS[field].choices
    )
    if is_free_text and operator != "exists":
        assert any(taken)


@pytest.mark.parametrize("hostile", MARKED)
def test_no_name_and_no_operator_of_the_callers_is_accepted(hostile: str) -> None:
    for given in ({hostile: "x"}, {f"kind{hostile}": "x"}, {"kind": {hostile: "x"}}, {"metadata.a": {hostile: 1}}):
        assert not accepted(given)
        assert not accepted({"or": [{"not": given}]})
        assert not accepted(given, compile_message_filter)


@pytest.mark.parametrize("hostile", MARKED)
def test_a_key_of_the_metadata_is_a_value(hostile: str) -> None:
    assert accepted({"metadata": {hostile: hostile}})
    assert accepted({"metadata": {hostile: {"contains": [hostile]}}})


@pytest.mark.parametrize("field", MESSAGE_COLUMNS)
def test_no_value_stands_in_the_sql_over_messages(field: str) -> None:
    taken = [accepted({field: text}, compile_message_filter) for text in MARKED]

    assert any(taken) == (MESSAGE_COLUMNS[field].type in ("text", "id") and not MESSAGE_COLUMNS[field].choices)
