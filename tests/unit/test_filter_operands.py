"""Operands of filters: what fits a field, and how large a filter may be."""

from datetime import UTC, datetime, timedelta, timezone
from enum import Enum
from typing import Any
from uuid import UUID

import pytest

from prefmem_pg.db.filters import compile_filter
from prefmem_pg.domain.filters import SearchFilter
from prefmem_pg.errors import InvalidFilter

NOW = datetime(2026, 5, 1, 9, tzinfo=UTC)


def nested(levels: int) -> dict[str, Any]:
    expression: dict[str, Any] = {"kind": "fact"}
    for _ in range(levels):
        expression = {"not": expression}
    return expression


def nested_value(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "given",
    [
        {"statement": 5},
        {"statement": {"contains": ["a"]}},
        {"statement": {"gt": None}},
        {"kind": "facts"},
        {"status": {"ne": "active"}},
        {"confidence": "0.5"},
        {"confidence": True},
        {"confidence": {"contains": 1}},
        {"confidence": float("nan")},
        {"version": {"lt": float("inf")}},
        {"version": {"like": "1%"}},
        {"is_safety": 1},
        {"is_safety": "true"},
        {"is_safety": {"gt": False}},
        {"preference_id": "not-a-uuid"},
        {"preference_id": {"gt": str(UUID(int=1))}},
        {"created_at": "2026-05"},
        {"created_at": "1 May 2026"},
        {"created_at": "2026-05-01T25:00:00"},
        {"created_at": "2026-05-01T09"},
        {"created_at": "2026-02-30T09:00:00Z"},
        {"created_at": datetime(2026, 5, 1)},  # noqa: DTZ001 the zone is what is missing
        {"created_at": 1_777_000_000},
        {"created_at": datetime.min.replace(tzinfo=timezone(timedelta(hours=9)))},
        {"created_at": {"between": [NOW]}},
        {"created_at": {"between": {NOW, NOW + timedelta(1)}}},
        {"topic": {"in": [None]}},
        {"topic": {"exists": "yes"}},
        {"tags": {"contains": []}},
        {"tags": {"like": "a%"}},
        {"tags": {"eq": [1]}},
        {"session_id": "a\x00b"},
        {"session_id": "\ud800"},
        {"statement": {"like": "abc\\"}},
        {"metadata.x": float("nan")},
        {"metadata.x": {"gte": float("-inf")}},
        {"metadata.x": {"gt": True}},
        {"metadata.x": {"gt": None}},
        {"metadata.x": {"lt": [1]}},
        {"metadata.x": {"between": [1, "b"]}},
        {"metadata.x": {"contains": []}},
        {"metadata.x": {"contains": [[1]]}},
        {"metadata.x": {"contains": {"a": 1}}},
        {"metadata.x": {"icontains": 5}},
        {"metadata.x": {"like": "\\\\\\"}},
        {"metadata.x": {"eq": object()}},
        {"metadata.x": {"eq": {1: 2}}},
        {"metadata.x": UUID(int=1)},
        {"metadata.x": 10**400},
        {"metadata.x": 10**5000},
    ],
)
def test_an_operand_that_does_not_fit_its_field_is_refused(given: Any) -> None:
    with pytest.raises(InvalidFilter):
        compile_filter(given)


@pytest.mark.parametrize(
    "given",
    [
        nested(9),
        nested(1_000),
        {"or": [{"kind": "fact"}] * 201},
        {"kind": {"in": ["fact"] * 1_001}},
        {"and": [{}] * 1_001},
        {"statement": {"contains": "火" * 10_001}},
        {"statement": {"in": ["x" * 10_000] * 101}},
        {"metadata.x": {"eq": nested_value(9)}},
        {"metadata.x": {"eq": nested_value(100_000)}},
        {"metadata.x": {"eq": {f"k{number}": 1 for number in range(1_001)}}},
        {"metadata." + "a" * 10_001: 1},
    ],
)
def test_b79_deep_and_huge_filters_are_refused(given: Any) -> None:
    with pytest.raises(InvalidFilter):
        compile_filter(given)
    with pytest.raises(InvalidFilter):
        SearchFilter(where=given)


def test_b79_a_part_that_stands_in_itself_many_times_is_refused() -> None:
    bomb: dict[str, Any] = {"and": [{}] * 500}
    for _ in range(6):
        bomb = {"and": [bomb] * 500}

    with pytest.raises(InvalidFilter, match="groups"):
        compile_filter(bomb)


@pytest.mark.parametrize(
    "given",
    [
        nested(8),
        {"or": [{"kind": "fact"}] * 200},
        {"kind": {"in": ["fact"] * 1_000}},
        {"statement": {"contains": "火" * 10_000}},
        {"metadata.x": {"eq": nested_value(8)}},
    ],
)
def test_what_stays_within_the_limits_is_accepted(given: Any) -> None:
    assert compile_filter(given).values


def test_an_enum_that_is_a_text_is_taken_by_its_value() -> None:
    class Kind(str, Enum):  # noqa: UP042 whose str() is not its value
        FACT = "fact"

    assert compile_filter({"kind": Kind.FACT}).values == {"f0": "fact"}
    assert type(compile_filter({"kind": Kind.FACT}).values["f0"]) is str


def test_a_message_does_not_repeat_what_the_caller_searched_for() -> None:
    with pytest.raises(InvalidFilter) as caught:
        compile_filter({"confidence": {"gte": "my secret 秘密"}})

    assert "secret" not in str(caught.value)
    assert "秘密" not in str(caught.value)
