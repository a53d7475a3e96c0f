"""Filters in a real PostgreSQL: cases by their numbers, each answer compared with plain Python."""

import json
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from prefmem_pg.db.filters import compile_filter, compile_message_filter
from prefmem_pg.db.preferences import PreferenceRepository
from prefmem_pg.db.session import Database
from prefmem_pg.domain.filters import SearchFilter
from prefmem_pg.domain.preferences import Preference
from tests.filter_rows import Given, found, row, which
from tests.filter_strategies import HOSTILE, NOW


def with_metadata(*values: dict[str, Any]) -> list[dict[str, Any]]:
    return [row(metadata=value) for value in values]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_b69_hostile_keys_and_values_are_bound(database: Database, hostile: str) -> None:
    path = f"metadata[{json.dumps(hostile)}]"
    rows = with_metadata({}, {hostile: hostile}, {"n": 1})

    assert which(database, {path: hostile}, rows) == [1]
    assert which(database, {path: {"icontains": hostile}}, rows) == [1]
    assert which(database, SearchFilter(metadata={hostile: hostile}), rows) == [1]
    assert which(database, {"statement": hostile}, rows) == []
    assert which(database, SearchFilter(tags=[hostile], session_ids=[hostile]), rows) == []
    with database.transaction(user_id=None) as repositories:
        assert repositories.session.scalar(text("SELECT count(*) FROM prefmem.preferences")) == 0


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ({"gte": 2022}, [1, 2]),
        ({"gte": 2022, "lt": 2024}, [1]),
        ({"in": [2021, 2024]}, [0, 2]),
        ({"nin": [2021, 2024]}, [1, 3]),
        ({"ne": 2021}, [1, 2, 3]),
        ({"between": [2021, 2022]}, [0, 1]),
        ("*", [0, 1, 2]),
        ({"exists": False}, [3]),
    ],
)
def test_b70_operators_compare_integers_in_metadata(database: Database, condition: Any, expected: list[int]) -> None:
    rows = with_metadata({"year": 2021}, {"year": 2022}, {"year": 2024}, {})

    assert which(database, {"metadata.year": condition}, rows) == expected


def test_b70_groups_join_operators_at_any_depth(database: Database) -> None:
    rows = with_metadata({"year": 2021}, {"year": 2022, "城市": "北京"}, {"year": 2024})
    late = {"metadata.year": {"gte": 2022}}
    beijing = {"metadata.城市": "北京"}

    assert which(database, {"and": [late, {"not": beijing}]}, rows) == [2]
    assert which(database, {"$or": [{"NOT": [late]}, beijing]}, rows) == [0, 1]
    assert which(database, {"OR": [{"AND": [late, beijing]}, {"not": {"or": [late]}}]}, rows) == [0, 1]
    assert which(database, {"not": [late, beijing]}, rows) == [0]


@pytest.mark.parametrize(
    ("nothing", "everything"),
    [
        ({"session_id": {"in": []}}, {"session_id": {"nin": []}}),
        ({"session_id": []}, {"not": {"session_id": []}}),
        ({"$or": []}, {"$and": []}),
        ({"metadata.a": {"in": []}}, {"metadata.a": {"nin": []}}),
        (SearchFilter(ids=[]), SearchFilter()),
        (SearchFilter(tags=[], kinds=["explicit"]), {}),
    ],
)
def test_b73_an_empty_list_matches_nothing(database: Database, nothing: Given, everything: Given) -> None:
    rows = with_metadata({"a": 1}, {})

    assert which(database, nothing, rows) == []
    assert which(database, everything, rows) == [0, 1]


@pytest.mark.parametrize(
    ("value", "expected"),
    [(True, [0]), ([True], [0]), (False, [1]), ("true", [2]), (1, [3]), ({"in": [1, True]}, [0, 3])],
)
def test_b74_booleans_match_only_booleans(database: Database, value: Any, expected: list[int]) -> None:
    rows = with_metadata({"active": True}, {"active": False}, {"active": "true"}, {"active": 1}, {})

    assert which(database, {"metadata.active": value}, rows) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"gte": 5}, [0, 1]),
        ({"lt": 10}, [0]),
        ([5], [0]),
        (5.0, [0]),
        ("abc", [2]),
        ({"lte": 1e300}, [0, 1]),
        ({"gt": "a"}, [2]),
        ({"ne": 5}, [1, 2, 3]),
    ],
)
def test_b75_numbers_compare_with_numbers_alone(database: Database, value: Any, expected: list[int]) -> None:
    rows = with_metadata({"n": 5}, {"n": 10}, {"n": "abc"}, {})

    assert which(database, {"metadata.n": value}, rows) == expected


def test_b77_containment_means_whole_elements(database: Database) -> None:
    rows = [row(tags=("a", "b"), metadata={"t": ["a", "b"]}), row(tags=("ab",), metadata={"t": ["ab", ["a"]]})]

    for name in ("tags", "metadata.t"):
        assert which(database, {name: {"contains": "a"}}, rows) == [0]
        assert which(database, {name: {"contains": ["b", "a"]}}, rows) == [0]
        assert which(database, {name: {"contains": ["a", "c"]}}, rows) == []
        assert which(database, {name: {"icontains": "AB"}}, rows) == [1]
        assert which(database, {name: {"icontains": "B"}}, rows) == [0]
        assert which(database, {name: ["a", "zzz"]}, rows) == [0]
        assert which(database, {name: {"eq": ["a"]}}, rows) == []
        assert which(database, {name: {"eq": ["a", "b"]}}, rows) == [0]
    assert which(database, SearchFilter(tags=["a", "c"]), rows) == [0]


def test_b77_an_object_is_compared_as_an_object(database: Database) -> None:
    rows = with_metadata({"o": {"k": 1, "l": 2}}, {"o": {"k": 1}}, {"o": '{"k": 1}'})

    assert which(database, {"metadata.o": {"eq": {"k": 1.0}}}, rows) == [1]
    assert which(database, SearchFilter(metadata={"o": {"k": 1}}), rows) == [1]


def test_b78_null_is_not_the_same_as_missing(database: Database) -> None:
    rows = with_metadata({"source": None, "n": 3}, {"n": 3}, {"source": "x"})

    assert which(database, {"metadata.source": None}, rows) == [0]
    assert which(database, {"metadata.source": {"ne": None}}, rows) == [1, 2]
    assert which(database, {"metadata.source": {"exists": True}}, rows) == [0, 2]
    assert which(database, {"metadata.source": {"exists": False}}, rows) == [1]
    assert which(database, {"metadata.source": {"ne": "x"}}, rows) == [0, 1]
    assert which(database, {"not": {"metadata.source": {"gt": "a"}}}, rows) == [0, 1]


def test_a_negation_of_a_null_column_holds(database: Database) -> None:
    rows = [row(topic=None), row(topic="food"), row(topic="travel")]

    assert which(database, {"topic": {"ne": "food"}}, rows) == [0, 2]
    assert which(database, {"not": {"topic": {"like": "f%"}}}, rows) == [0, 2]
    assert which(database, {"topic": {"nin": ["food"]}}, rows) == [0, 2]
    assert which(database, {"topic": None}, rows) == [0]
    assert which(database, {"topic": "*"}, rows) == [1, 2]


def test_a_negation_of_an_unnamed_author_holds_too(database: Database) -> None:
    compiled = compile_message_filter({"not": {"author": {"like": "阿%"}}})
    source = "(VALUES ('阿明'), ('Ann'), (CAST(NULL AS text))) AS p(author)"
    with database.transaction(user_id=None) as repositories:
        statement = text(f"SELECT {compiled.condition} FROM {source}")
        answers = list(repositories.session.scalars(statement, compiled.values))

    assert answers == [False, True, True]


@pytest.mark.parametrize("word", ["100%", "a_b", "C:\\tmp", "don't", '"', "a:*", "!!!", "火锅", "🍲"])
def test_b67_every_character_of_contains_stands_for_itself(database: Database, word: str) -> None:
    rows = [row(statement=f"x{word}y", metadata={"s": f"x{word}y"}), row(statement="100 aXb C:/tmp 火 !!"), row()]

    assert which(database, {"statement": {"contains": word}}, rows) == [0]
    assert which(database, {"statement": {"icontains": word.upper()}}, rows) == [0]
    assert which(database, {"metadata.s": {"contains": word}}, rows) == [0]


def test_like_is_that_of_sql_with_a_backslash_as_escape(database: Database) -> None:
    rows = [row(statement="100% tea"), row(statement="1000 tea"), row(statement="我喜欢\n火锅🍲")]

    assert which(database, {"statement": {"like": "100\\%%"}}, rows) == [0]
    assert which(database, {"statement": {"like": "100_ tea"}}, rows) == [0, 1]
    assert which(database, {"statement": {"like": "我%火锅_"}}, rows) == [2]
    assert which(database, {"statement": {"like": "TEA"}}, rows) == []


def test_case_is_folded_by_icontains_alone(database: Database) -> None:
    rows = [row(statement="Café ÉCLAIR und ЩИ 火锅"), row(statement="")]

    assert which(database, {"statement": {"icontains": "éclair UND щи"}}, rows) == [0]
    assert which(database, {"statement": {"contains": "éclair"}}, rows) == []


def test_an_operand_is_composed_as_stored_text_is_but_an_id_is_not(database: Database) -> None:
    rows = [
        row(statement="Caf\u00e9", session_id="Caf\u00e9", metadata={"caf\u00e9": "Caf\u00e9"}),
        row(session_id="Cafe\u0301"),
    ]

    assert found(database, [{"statement": {"contains": "Cafe\u0301"}}], rows) == [[True, False]]
    assert found(database, [{"metadata.cafe\u0301": "Cafe\u0301"}], rows) == [[True, False]]
    assert found(database, [SearchFilter(metadata={"cafe\u0301": "Cafe\u0301"})], rows) == [[True, False]]
    assert which(database, {"session_id": "Cafe\u0301"}, rows) == [1]


def test_a_stored_fraction_equals_what_was_stored(database: Database) -> None:
    rows = [row(confidence=0.7), row(confidence=0.69), row(confidence=0.1)]

    assert which(database, SearchFilter(min_confidence=0.7), rows) == [0]
    assert which(database, {"confidence": 0.7}, rows) == [0]
    assert which(database, {"confidence": {"in": [0.1, 5]}}, rows) == [2]
    assert which(database, {"confidence": {"gt": 1e-60, "lt": 2**1024 - 1}}, rows) == [0, 1, 2]


def test_times_include_the_start_and_exclude_the_end(database: Database) -> None:
    rows = [row(created_at=NOW + timedelta(seconds=second), valid_to=NOW) for second in (-1, 0, 1)]

    assert which(database, SearchFilter(created_after=NOW, created_before=NOW + timedelta(seconds=1)), rows) == [1]
    assert which(database, {"created_at": {"between": [NOW, "2026-05-01T11:00:01+02:00"]}}, rows) == [1, 2]
    assert which(database, {"created_at": {"eq": "2026-05-01 09:00Z"}}, rows) == [1]
    assert which(database, SearchFilter(valid_at=NOW), rows) == []


def test_valid_at_keeps_what_was_true_then(database: Database) -> None:
    day = timedelta(days=1)
    rows = [row(valid_from=NOW), row(valid_from=NOW - day, valid_to=NOW), row(valid_from=NOW - day, valid_to=NOW + day)]

    assert which(database, SearchFilter(valid_at=NOW), rows) == [0, 2]
    assert which(database, SearchFilter(valid_at=NOW - day), rows) == [1, 2]


def test_times_in_metadata_compare_as_instants_and_never_fail(database: Database) -> None:
    rows = with_metadata(
        {"at": "2026-05-01T10:00:00+08:00"},
        {"at": "2026-05-01T09:00:00Z"},
        {"at": "2026-05-01T09:00:00"},
        {"at": "2026-02-30T09:00:00Z"},
        {"at": "0000-01-01T00:00:00Z"},
        {"at": "now"},
        {"at": "infinity"},
        {"at": 5},
        {"at": ["2026-05-01T09:00:00Z"]},
        {},
    )

    assert which(database, {"metadata.at": {"gte": "2026-05-01T02:00:00Z"}}, rows) == [0, 1]
    assert which(database, {"metadata.at": {"gt": "2026-05-01T02:00:00Z"}}, rows) == [1]
    assert which(database, {"metadata.at": {"eq": NOW}}, rows) == [1]
    assert which(database, {"metadata.at": NOW + timedelta(hours=-7)}, rows) == [0]
    assert which(database, {"metadata.at": {"between": ["2026-05-01", "2026-05-02"]}}, rows) == [0, 1, 2]


def test_a_path_reaches_nested_keys_and_elements(database: Database) -> None:
    rows = with_metadata({"a": {"b": 1}}, {"a.b": 1}, {"a": [{"b": 1}]}, {"a": 1}, {"饮食": {"口味": "辣🌶"}})

    assert which(database, {"metadata.a.b": 1}, rows) == [0]
    assert which(database, {'metadata["a.b"]': 1}, rows) == [1]
    assert which(database, SearchFilter(metadata={"a.b": 1}), rows) == [1]
    assert which(database, {"metadata.a.0.b": 1}, rows) == [2]
    assert which(database, {"metadata.饮食.口味": "辣🌶"}, rows) == [4]


def preference(user_id: str, **values: Any) -> Preference:
    return Preference(**row(user_id=user_id, **values))


def test_b83_a_filter_never_leaves_the_users_own_rows(database: Database) -> None:
    users = ["u-1", "u-10", "u_1", "u%"]
    for user in users:
        with database.transaction(user_id=user) as repositories:
            repositories.preferences.lock_user(user)
            repositories.preferences.insert_many([preference(user, metadata={"user_id": "u-10"})])

    for each in ({"not": {"or": []}}, {"metadata.user_id": "u-10"}, {"or": [{"kind": "fact"}, {"status": "*"}]}):
        compiled = compile_filter(each)
        for user in users:
            with database.transaction(user_id=user) as repositories:
                page = repositories.preferences.list_page(
                    user, condition=compiled.condition, values=compiled.values, after=None, limit=50
                )
            assert [each.user_id for each in page] == [user]


def test_an_index_still_serves_a_filter_on_a_topic(database: Database) -> None:
    compiled = compile_filter(SearchFilter(topics=["topic 7"]))
    where = f"p.user_id = :user_id AND p.status = 'activated' AND {compiled.condition}"
    many = [row(user_id="u-many", statement=f"I like {n}", topic=f"topic {n % 100}") for n in range(2_000)]
    # As the owner, who alone may ANALYZE; the rows are gone with the session.
    with Session(database.engine) as session:
        repository = PreferenceRepository(session)
        repository.lock_user("u-many")
        repository.insert_many([Preference(**values) for values in many])
        session.execute(text("ANALYZE prefmem.preferences"))
        statement = text(f"EXPLAIN (COSTS off) SELECT p.statement FROM prefmem.preferences p WHERE {where}")
        plan = "\n".join(session.scalars(statement, {**compiled.values, "user_id": "u-many"}))

    assert "topic = ANY" in plan.split("Filter:")[0], plan
