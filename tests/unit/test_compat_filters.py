"""Filters as mem0 and MemOS document them mean the same here."""

from typing import Any

import pytest

from prefmem_pg.compat.filters import from_mem0, from_memos
from prefmem_pg.db.filters import compile_filter
from prefmem_pg.domain.filters import read_filter
from prefmem_pg.errors import InvalidFilter

TIME = {"created_at": {"gte": "2024-01-01T00:00:00Z"}}


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ({"AND": [{"user_id": "ana"}]}, {"user_id": "ana"}),
        ({"AND": [{"user_id": "ana"}, {"run_id": "*"}]}, {"and": [{"user_id": "ana"}, {"session_id": "*"}]}),
        ({"user_id": {"in": ["ana", "ben"]}}, {"user_id": {"in": ["ana", "ben"]}}),
        ({"AND": [{"created_at": {"gte": "2024-01-01"}}, {"agent_id": "a"}]}, {"and": [TIME, {"agent_id": "a"}]}),
        ({"timestamp": {"gte": "2024-01-01 00:00:00"}}, TIME),
        ({"keywords": {"icontains": "pizza"}}, {"statement": {"icontains": "pizza"}}),
        ({"metadata": {"source": "email"}}, {"metadata.source": "email"}),
        ({"priority": {"gte": 7}, "team": {"nin": ["a"]}},
         {"metadata.priority": {"gte": 7}, "metadata.team": {"nin": ["a"]}}),
        ({"categories": {"in": ["food", "健康"]}}, {"or": [{"topic": ["food", "健康"]}, {"tags": ["food", "健康"]}]}),
        ({"categories": "food"}, {"or": [{"topic": "food"}, {"tags": {"contains": "food"}}]}),
        (
            {"NOT": {"OR": [{"categories": {"in": ["spam"]}}, {"app_id": "x"}]}},
            {"not": {"or": [{"or": [{"topic": ["spam"]}, {"tags": ["spam"]}]}, {"metadata.app_id": "x"}]}},
        ),
        ({"NOT": [{"agent_id": "a"}, {"agent_id": "b"}]}, {"not": [{"agent_id": "a"}, {"agent_id": "b"}]}),
        ({}, {}),
    ],
)  # fmt: skip
def test_a_filter_of_mem0_is_understood(theirs: dict[str, Any], ours: dict[str, Any]) -> None:
    assert compile_filter(from_mem0(theirs)) == compile_filter(ours)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ({"user_id": "ana", "status": "activated"}, {"and": [{"user_id": "ana"}, {"status": "activated"}]}),
        ({"preference_type": "explicit_preference"}, {"kind": "explicit"}),
        ({"preference_type": {"in": ["implicit_preference"]}}, {"kind": ["implicit"]}),
        ({"or": [{"tags": {"contains": "饮食"}}, {"info.scene": "上班"}]},
         {"or": [{"tags": {"contains": "饮食"}}, {"metadata.scene": "上班"}]}),
        ({"not": {"metadata.session_id": "s"}}, {"not": {"session_id": "s"}}),
        ({"created_at": {"gte": "2024-01-01 00:00:00"}}, TIME),
        ({"created_at": {"gte": "2024-01-01T00:00:00"}, "session_id": None}, TIME),
        ({"preference": {"like": "%咖啡%"}}, {"statement": {"like": "%咖啡%"}}),
        ({"preference": {"icontains": "Café"}}, {"statement": {"icontains": "Café"}}),
        ({"mem_cube_id": {"in": []}}, {"or": []}),
        ({"and": []}, {"and": []}),
    ],
)  # fmt: skip
def test_a_filter_of_memos_is_understood(theirs: dict[str, Any], ours: dict[str, Any]) -> None:
    assert compile_filter(from_memos(theirs)) == compile_filter(ours)


@pytest.mark.parametrize("translate", [from_mem0, from_memos])
@pytest.mark.parametrize(
    "wrong",
    ["x", [{"a": 1}], {"and": "x"}, {"or": [1]}, {3: 4}, {"created_at": {"gtt": 1}}, {"priority": {"gte": [1]}},
     {"metadata": {"user_id": "ben"}} | {"user_id": {"near": 1}}, {"x' = 'y": {"or": 1, "gte": 1}, "tags": {"~": 1}}],
)  # fmt: skip
def test_what_no_system_documents_is_refused(translate: Any, wrong: Any) -> None:
    with pytest.raises(InvalidFilter):
        read_filter(translate(wrong))
