"""Filters in a real PostgreSQL: every case by its number, and random ones against plain Python."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from prefmem_pg.db.filters import compile_filter
from prefmem_pg.db.rows import PREFERENCE_COLUMNS, as_json_parameter, recordset
from prefmem_pg.db.session import Database
from prefmem_pg.domain.filter_fields import COLUMNS
from prefmem_pg.domain.filters import SearchFilter
from prefmem_pg.domain.preferences import KINDS, POLARITIES, SENSITIVITIES, STATUSES, Preference
from tests.filter_oracle import matches

NOW = datetime(2026, 5, 1, 9, tzinfo=UTC)

Given = SearchFilter | Mapping[str, Any] | None


def row(**values: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "user_id": "u-1",
        "preference_id": uuid4(),
        "kind": "explicit",
        "statement": "I like tea",
        "context": "",
        "polarity": "positive",
        "topic": None,
        "entities": (),
        "tags": (),
        "language": "en",
        "confidence": 0.8,
        "importance": 0.5,
        "sensitivity": "none",
        "is_safety": False,
        "is_pinned": False,
        "status": "activated",
        "superseded_by": None,
        "mention_count": 1,
        "valid_from": NOW,
        "valid_to": None,
        "created_at": NOW,
        "updated_at": NOW,
        "expires_at": None,
        "source": "api",
        "dialog_id": None,
        "session_id": None,
        "agent_id": None,
        "mem_cube_id": None,
        "version": 1,
        "run_id": None,
        "metadata": {},
    }
    assert values.keys() <= fields.keys()
    return fields | values


def found(database: Database, filters: list[Given], rows: list[dict[str, Any]]) -> list[list[bool | None]]:
    """Return for each filter what its condition is for each row; checks that no negation is NULL either."""
    compiled = [compile_filter(each, prefix=f"f{number}_") for number, each in enumerate(filters)]
    columns = ", ".join(f"{c.condition}, NOT {c.condition}" for c in compiled)
    source = f"(SELECT * FROM {recordset({**PREFERENCE_COLUMNS, 'ordinal': 'integer'})}) p"
    values = {name: value for each in compiled for name, value in each.values.items()}
    values["rows"] = as_json_parameter(each | {"ordinal": ordinal} for ordinal, each in enumerate(rows))
    with database.transaction(user_id=None) as repositories:
        statement = text(f"SELECT {columns} FROM {source} ORDER BY p.ordinal")
        answers = [tuple(each) for each in repositories.session.execute(statement, values)]
    assert all(each[i] is (not each[i + 1]) for each in answers for i in range(0, 2 * len(filters), 2))
    return [[each[2 * number] for each in answers] for number in range(len(filters))]


def which(database: Database, each: Given, rows: list[dict[str, Any]]) -> list[int]:
    """Return the places of the rows that pass, and check that plain Python says the same."""
    answer = found(database, [each], rows)[0]
    assert answer == [matches(each, candidate) for candidate in rows]
    return [place for place, passes in enumerate(answer) if passes]


def with_metadata(*values: dict[str, Any]) -> list[dict[str, Any]]:
    return [row(metadata=value) for value in values]


HOSTILE = [
    "x' = 'y' OR '1'='1' --",
    "a'; DROP TABLE prefmem.preferences; --",
    'b"; SELECT 1; --',
    ":f0",
    "%(rows)s",
    "%s",
    "{0}",
    "$1",
    "\\",
    "火锅' OR true --",
    "🍲",
]


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
    assert which(database, {"statement": {"contains": "Cafe\u0301"}}, rows) == [0]


def test_a_stored_fraction_equals_what_was_stored(database: Database) -> None:
    rows = [row(confidence=0.7), row(confidence=0.69), row(confidence=0.1)]

    assert which(database, SearchFilter(min_confidence=0.7), rows) == [0]
    assert which(database, {"confidence": 0.7}, rows) == [0]
    assert which(database, {"confidence": {"in": [0.1, 5]}}, rows) == [2]
    assert which(database, {"confidence": {"gt": 1e-60, "lt": 10**300}}, rows) == [0, 1, 2]


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
    compiled = compile_filter(SearchFilter(topics=["food"], statuses=["activated"]))
    where = f"p.user_id = 'u-1' AND p.status = 'activated' AND {compiled.condition}"
    with database.transaction(user_id="u-1") as repositories:
        repositories.session.execute(text("SET LOCAL enable_seqscan = off"))
        statement = text(f"EXPLAIN (COSTS off) SELECT 1 FROM prefmem.preferences p WHERE {where}")
        plan = "\n".join(repositories.session.scalars(statement, compiled.values))

    assert "topic = ANY" in plan.split("Filter:")[0]


# Random rows against random filters. Small vocabularies, so that operands often meet what rows hold.

WORDS = [
    *HOSTILE,
    *("", " ", "a", "A", "ab", "aB", "a%b", "a_b", "%", "_", "\\%", "a\\b", "é", "É", "щ", "Щ", "火锅", "锅", "🍲 a"),
    *("null", "true", "5", "5.0", "*", "abc", "10", "[]", "{}", '"', "\n", "O'Brien", "metadata", "2026-05-01"),
    *("2026-05-01T09:00:00Z", "2026-05-01T17:00:00+08:00", "2026-05-01 09:00:00.5Z", "2026-05-01T09:00:00"),
    *("2026-02-30T00:00:00Z", "9999-12-31T23:59:59-10:00", "0001-01-01T00:00:00+10:00", "2026-05-01T09:00+0800"),
]
KEYS = ["a", "b", "a.b", "0", "-1", "", "火锅", "x' = 'y", ":f0", "%s", 'q"]', "user_id"]
words = st.sampled_from(WORDS) | st.text(st.sampled_from("aAbÉé%_\\'\":{}火🍲\n"), max_size=6)
numbers = st.sampled_from([0, 1, -1, 5, 5.0, 10, 0.1, 0.7, 1e23, 10**23, 1e-7, 2**53 + 1, -0.0]) | st.integers(0, 3)
scalars = st.none() | st.booleans() | numbers | words
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3),
    max_leaves=6,
)
fractions = st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.7, 0.8, 1.0])
times = st.sampled_from([NOW, NOW + timedelta(microseconds=1), NOW - timedelta(days=400), NOW + timedelta(hours=8)])
ids = st.sampled_from([UUID(int=1), UUID(int=2), UUID(int=3)])
choices = {"kind": KINDS, "polarity": POLARITIES, "sensitivity": SENSITIVITIES, "status": STATUSES}
by_type: dict[str, st.SearchStrategy[Any]] = {
    "text": words,
    "id": words,
    "texts": words,
    "real": fractions,
    "integer": st.integers(0, 5),
    "boolean": st.booleans(),
    "time": times,
    "uuid": ids,
}


def column_values(name: str) -> st.SearchStrategy[Any]:
    if name in choices:
        return st.sampled_from(choices[name])
    kind = COLUMNS[name].type
    return st.lists(words, max_size=3).map(tuple) if kind == "texts" else by_type[kind]


NULLABLE = {"statement", "topic", "superseded_by", "valid_to", "expires_at", "dialog_id", "session_id", "agent_id"}
rows = st.fixed_dictionaries(
    {
        "user_id": st.just("u-1"),
        "metadata": st.dictionaries(st.sampled_from(KEYS), values, max_size=4),
        **{name: column_values(name) | (st.none() if name in NULLABLE else st.nothing()) for name in COLUMNS},
        "mem_cube_id": st.none() | words,
        "run_id": st.none() | ids,
    }
)
patterns = (
    st.lists(words | st.sampled_from(["%", "_", "\\%", "\\\\"]), max_size=3)
    .map("".join)
    .map(lambda pattern: pattern + "\\" if (len(pattern) - len(pattern.rstrip("\\"))) % 2 else pattern)
)
ORDERED = st.sampled_from(["gt", "gte", "lt", "lte"])


def operators(one: st.SearchStrategy[Any], *extra: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """What every field takes, around the values of its type."""
    several = st.lists(one, max_size=3)
    return st.one_of(
        one,
        several,
        st.just("*"),
        st.none(),
        st.builds(lambda op, item: {op: item}, st.sampled_from(["eq", "ne"]), one | st.none()),
        st.builds(lambda op, items: {op: items}, st.sampled_from(["in", "nin"]), several),
        st.booleans().map(lambda asked: {"exists": asked}),
        *extra,
    )


def ordered(one: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.dictionaries(ORDERED, one, min_size=1, max_size=2),
        st.tuples(one, one).map(lambda ends: {"between": list(ends)}),
    )


texts_asked = st.one_of(
    st.builds(lambda op, word: {op: word}, st.sampled_from(["contains", "icontains"]), words),
    patterns.map(lambda pattern: {"like": pattern}),
)


def column_conditions(name: str) -> st.SearchStrategy[Any]:
    kind, one = COLUMNS[name].type, column_values(name)
    if kind == "texts":
        several = st.lists(words, max_size=3)
        return st.one_of(
            several,
            st.sampled_from(["*", None]),
            st.builds(lambda op, items: {op: items}, st.sampled_from(["eq", "ne", "in", "nin"]), several),
            (words | st.lists(words, min_size=1, max_size=3)).map(lambda asked: {"contains": asked}),
            words.map(lambda word: {"icontains": word}),
        )
    if kind in {"boolean", "uuid"}:
        return operators(one)
    if kind in {"text", "id"}:
        return operators(one, ordered(words), texts_asked)
    wider = one | st.sampled_from([5, 0.5, -3, 1e30, 1e-60, 2**70]) if kind in {"real", "integer"} else one
    return operators(wider, ordered(wider))


bare = st.sampled_from(["a", "b", "0", "-1", "火锅", ":f0"]).map(lambda key: f".{key}")
quoted = st.sampled_from(KEYS).map(lambda key: f"[{json.dumps(key)}]")
paths = st.lists(bare | quoted, min_size=1, max_size=3).map(lambda steps: "metadata" + "".join(steps))
plain_words = words.filter(lambda word: not word.startswith(("0", "2", "9")))
zoned = st.sampled_from(["2026-05-01T09:00:00Z", "2026-05-01 17:00:00.25+0800", "0001-01-01T00:00:00Z"]) | times
metadata_conditions = st.one_of(
    operators(scalars, ordered(numbers), ordered(plain_words), ordered(zoned), texts_asked),
    values.map(lambda value: {"eq": value}),
    times.map(lambda value: {"ne": value}),
    st.lists(values, max_size=3).map(lambda items: {"nin": items}),
    st.one_of(scalars, st.lists(scalars, min_size=1, max_size=3)).map(lambda asked: {"contains": asked}),
)
leaves = st.one_of(
    st.sampled_from(sorted(COLUMNS)).flatmap(lambda name: st.tuples(st.just(name), column_conditions(name))),
    st.tuples(paths, metadata_conditions),
).map(lambda pair: {pair[0]: pair[1]})
expressions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(
            lambda word, parts: {word: parts},
            st.sampled_from(["and", "or", "not", "AND", "$or", "NOT"]),
            st.lists(inner, max_size=3),
        ),
        inner.map(lambda part: {"not": part}),
        st.tuples(inner, inner).map(lambda pair: pair[0] | pair[1]),
    ),
    max_leaves=6,
)


def some(one: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | st.lists(one, max_size=4)


keywords = st.builds(
    SearchFilter,
    kinds=some(st.sampled_from(KINDS)),
    topics=some(words),
    tags=some(words),
    session_ids=some(words),
    ids=some(ids | ids.map(str)),
    is_safety=st.none() | st.booleans(),
    min_confidence=st.none() | fractions,
    created_after=st.none() | times,
    updated_before=st.none() | times,
    valid_at=st.none() | times,
    metadata=st.none() | st.dictionaries(st.sampled_from(KEYS), values, max_size=1),
    where=st.none() | expressions,
)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(
    filters=st.lists(expressions | keywords, min_size=4, max_size=12), candidates=st.lists(rows, min_size=2, max_size=8)
)
def test_sql_and_plain_python_agree(database: Database, filters: list[Given], candidates: list[dict[str, Any]]) -> None:
    answers = found(database, filters, candidates)

    for each, answer in zip(filters, answers, strict=True):
        assert answer == [matches(each, candidate) for candidate in candidates], each
