"""Reading filters: what is accepted, what is refused, and what of the caller's reaches the SQL."""

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from prefmem_pg.db.filters import CompiledFilter, compile_filter
from prefmem_pg.db.models import MessageRow, PreferenceRow
from prefmem_pg.domain.filter_conditions import AllOf, AnyOf, Comparison, MetadataPath, Not
from prefmem_pg.domain.filter_fields import COLUMNS, MESSAGE_COLUMNS, find_field
from prefmem_pg.domain.filters import SearchFilter, read_filter
from prefmem_pg.errors import InvalidFilter
from tests.filter_strategies import HOSTILE

NOW = datetime(2026, 5, 1, 9, tzinfo=UTC)


def test_every_column_is_a_field_but_those_that_are_not_the_callers_to_filter() -> None:
    assert set(COLUMNS) == set(PreferenceRow.__table__.columns.keys()) - {
        "statement_hash",
        "search_vector",
        "metadata",
    }


def test_every_field_of_a_message_filter_is_a_column() -> None:
    assert set(MESSAGE_COLUMNS) < set(MessageRow.__table__.columns.keys())


@pytest.mark.parametrize("given", [None, {}, SearchFilter(), {"and": []}, {"not": {"or": []}}, SearchFilter(where={})])
def test_no_filter_compiles_to_true(given: Any) -> None:
    assert compile_filter(given) == CompiledFilter("true", {})


@pytest.mark.parametrize("given", [{"or": []}, {"$or": []}, SearchFilter(ids=[]), {"kind": []}, {"not": {}}])
def test_b73_what_nothing_can_meet_compiles_to_false(given: Any) -> None:
    assert compile_filter(given).condition == "false"


def test_alias_and_prefix_name_the_table_and_the_parameters() -> None:
    compiled = compile_filter({"kind": "fact", "version": {"gt": 1}}, alias="x", prefix="q")

    assert compiled.condition == "((x.kind = CAST(:q0 AS text)) AND (x.version > CAST(:q1 AS numeric)))"
    assert compiled.values == {"q0": "fact", "q1": 1}


@pytest.mark.parametrize("hostile", [*HOSTILE, "p.kind", "f0"])
def test_b69_no_text_of_the_caller_stands_in_the_sql(hostile: str) -> None:
    harmless = compile_filter({'metadata["key"]': {"like": "word"}, "topic": "word", "tags": ["word"]})
    path = f"metadata[{json.dumps(hostile)}]"

    compiled = compile_filter({path: {"like": hostile + "x"}, "topic": hostile, "tags": [hostile]})

    assert compiled.condition == harmless.condition


@pytest.mark.parametrize("name", ["p; DROP TABLE x", "", "p.q", "a b"])
def test_b69_an_alias_that_is_no_identifier_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="identifiers"):
        compile_filter(None, alias=name)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"age": {"gte": 18}}, "no field 'age'"),
        ({"kinds": ["fact"]}, "did you mean 'kind'"),
        ({"metadata": {"user_id": "u-2"}}, "write metadata.user_id"),
        ({"metadata": {"gte": 2}}, "write metadata.gte"),
        ({"metadata": {"age": {"gtt": 18}}}, "no operator 'gtt'"),
        ({"metadata": {}}, "filtered by key"),
        ({"metadata": "red"}, "filtered by key"),
        ({"statement_hash": "x"}, "no field"),
        ({"search_vector": "x"}, "no field"),
        ({"kind; --": "x"}, "no field"),
        ({"年龄": 3}, "no field '年龄'"),
        ({"metadata.age": {"gtt": 18}}, "no operator 'gtt'"),
        ({"metadata.age": {"gte": 1, "$lt": 3}}, "no operator '\\$lt'"),
        ({"metadata.age": {"user": {"id": 1}}}, "no operator 'user'"),
        ({"metadata.age": {}}, "without an operator"),
        ({"metadata.age": {3: 4}}, "no operator of type int"),
        ({"xor": []}, "no field 'xor'"),
        ({"or": [{"kind": "fact"}, {"nope": 1}]}, "no field 'nope'"),
        ({"not": {"kind": {"is": 1}}}, "no operator"),
        ({3: 4}, "keys of a filter are texts"),
        ("kind = 'fact'", "expression is an object"),
        ([{"kind": "fact"}], "expression is an object"),
        ({"or": ["kind"]}, "expression is an object"),
        ({"and": {"kind": "fact"}}, "takes a list"),
        ({"or": "kind"}, "takes a list"),
    ],
)
def test_b71_what_is_not_known_is_refused(given: Any, says: str) -> None:
    with pytest.raises(InvalidFilter, match=says):
        compile_filter(given)


@pytest.mark.parametrize(
    "given",
    [
        {"kind": {"in": "fact"}},
        {"tags": "vegan"},
        {"tags": {"in": "vegan"}},
        {"metadata.x": {"in": "abc"}},
        {"metadata.x": {"between": "ab"}},
        {"metadata.x": {"in": {"a": 1}}},
        {"kind": {"in": b"fact"}},
    ],
)
def test_a_string_is_never_taken_for_a_list(given: Any) -> None:
    with pytest.raises(InvalidFilter, match="list"):
        compile_filter(given)


@pytest.mark.parametrize("name", ["kinds", "tags", "topics", "ids", "session_ids", "languages"])
def test_a_keyword_that_takes_a_list_refuses_a_string_where_it_is_given(name: str) -> None:
    with pytest.raises(InvalidFilter, match="takes a list, not a text"):
        SearchFilter(**{name: "fact"})


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("metadata.a", ("a",)),
        ("metadata.a.b.0", ("a", "b", "0")),
        ('metadata["a.b"]', ("a.b",)),
        ('metadata.a["b.c"].d', ("a", "b.c", "d")),
        ('metadata["q\\"]"]["火锅"]', ('q"]', "火锅")),
        ('metadata[""]', ("",)),
        ("metadata.饮食.口味🌶", ("饮食", "口味🌶")),
        ("metadata.x' = 'y' OR '1'='1' --", ("x' = 'y' OR '1'='1' --",)),
        ("metadata.user_id", ("user_id",)),
        ("metadata.cafe\u0301", ("caf\u00e9",)),
    ],
)
def test_a_path_names_its_keys(name: str, steps: tuple[str, ...]) -> None:
    assert find_field(name) == MetadataPath(steps)


@pytest.mark.parametrize(
    "name",
    [
        "metadata.",
        "metadata..a",
        "metadata.a.",
        "metadata[0]",
        "metadata.a[b]",
        'metadata["a"',
        'metadata["a"]b',
        "metadata['a']",
    ],
)
def test_a_path_that_cannot_be_read_is_refused(name: str) -> None:
    with pytest.raises(InvalidFilter, match="cannot read the path"):
        find_field(name)


@pytest.mark.parametrize("word", ["and", "AND", "$and"])
def test_groups_have_three_spellings(word: str) -> None:
    assert read_filter({word: [{"kind": "fact"}]}) == AllOf((Comparison(COLUMNS["kind"], "eq", "fact"),))


def test_several_keys_of_one_object_must_all_hold() -> None:
    condition = read_filter({"kind": "fact", "not": {"version": 1}, "mention_count": {"gte": 2, "lt": 5}})

    assert condition == AllOf(
        (
            Comparison(COLUMNS["kind"], "eq", "fact"),
            Not(Comparison(COLUMNS["version"], "eq", 1)),
            AllOf((Comparison(COLUMNS["mention_count"], "gte", 2), Comparison(COLUMNS["mention_count"], "lt", 5))),
        )
    )


def test_a_list_of_negations_lets_none_of_them_hold() -> None:
    fact, goal = (Comparison(COLUMNS["kind"], "eq", kind) for kind in ("fact", "goal"))

    assert read_filter({"NOT": [{"kind": "fact"}, {"kind": "goal"}]}) == Not(AnyOf((fact, goal)))


def test_a_star_asks_whether_a_value_is_there_and_eq_for_the_star() -> None:
    path = MetadataPath(("x",))

    assert read_filter({"metadata.x": "*"}) == Comparison(path, "exists", True)
    assert read_filter({"metadata.x": {"eq": "*"}}) == Comparison(path, "eq", "*")


def test_a_list_of_values_means_any_of_them() -> None:
    assert read_filter({"kind": ["fact", "goal"]}) == Comparison(COLUMNS["kind"], "in", ("fact", "goal"))


def test_between_includes_both_ends() -> None:
    low, high = (Comparison(COLUMNS["version"], operator, end) for operator, end in (("gte", 1), ("lte", 3)))

    assert read_filter({"version": {"between": [1, 3]}}) == AllOf((low, high))


def test_times_become_utc() -> None:
    expected = Comparison(COLUMNS["created_at"], "gte", NOW)

    for time in (NOW, "2026-05-01T11:00:00+02:00", "2026-05-01 09:00Z", NOW.astimezone(timezone(timedelta(hours=8)))):
        assert read_filter({"created_at": {"gte": time}}) == expected
        assert read_filter(SearchFilter(created_after=time)) == AllOf((expected,))


def test_a_text_without_zone_is_utc_and_a_day_its_first_instant() -> None:
    for text in ("2026-05-01", "2026-05-01 00:00", "2026-05-01T00:00:00", "2026-05-01T00:00:00Z"):
        start = Comparison(COLUMNS["created_at"], "gte", datetime(2026, 5, 1, tzinfo=UTC))
        assert read_filter({"created_at": {"gte": text}}) == start


def test_an_object_of_metadata_is_its_keys() -> None:
    given = {"metadata": {"source": "email", "année": {"gte": 2022}, "shape": {"eq": {"a": 1}}}}

    assert read_filter(given) == read_filter(
        {"metadata.source": "email", "metadata.année": {"gte": 2022}, "metadata.shape": {"eq": {"a": 1}}}
    )


def test_the_same_instance_compiles_to_the_same_condition_again() -> None:
    given = SearchFilter(kinds={"fact"}, metadata={"城市": "北京", "n": 5.0}, where={"topic": None})

    assert compile_filter(given) == compile_filter(given)
    assert compile_filter(given).condition.count("AND") == 3
