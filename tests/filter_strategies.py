"""Random preferences and random filters: small vocabularies, so that operands often meet what rows hold."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from hypothesis import strategies as st

from prefmem_pg.domain.filter_fields import COLUMNS
from prefmem_pg.domain.filters import SearchFilter
from prefmem_pg.domain.preferences import KINDS, POLARITIES, SENSITIVITIES, STATUSES

NOW = datetime(2026, 5, 1, 9, tzinfo=UTC)
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
random_rows = st.fixed_dictionaries(
    {
        "metadata": st.dictionaries(st.sampled_from(KEYS), values, max_size=4),
        **{name: column_values(name) | (st.none() if name in NULLABLE else st.nothing()) for name in COLUMNS},
        "user_id": st.just("u-1"),
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
