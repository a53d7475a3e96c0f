"""The judge's word tables hold together: what the rules refer to exists, and no form is lost."""

import json
from functools import reduce
from pathlib import Path

import pytest

from prefmem_pg.providers.offline.judge_idioms import _MONTH, _idioms, _month, plain
from prefmem_pg.providers.offline.judge_lexicon import Meaning, axes, kinds_of, lexicon
from prefmem_pg.providers.offline.judge_reading import MARKERS
from prefmem_pg.providers.offline.judge_scope import BOUNDS, CONTEXTS
from prefmem_pg.providers.offline.judge_text import normalise, stem, tokens


def meanings() -> list[Meaning]:
    return [*lexicon().english.values(), *lexicon().chinese.values()]


def concepts() -> set[str]:
    return {name for meaning in meanings() for name, _, _ in meaning.concepts}


def test_every_exclusive_value_is_a_concept_of_the_tables() -> None:
    assert {name for pair in axes().always | axes().weighed for name in pair} - concepts() == set()


def test_every_kind_and_its_general_concept_are_in_the_tables() -> None:
    named = set(kinds_of()) | {general for names in kinds_of().values() for general in names}
    assert named - concepts() == set()


def test_every_concept_that_the_rules_name_is_in_the_tables() -> None:
    assert (MARKERS | CONTEXTS | {"allergy", "answer"}) - concepts() == set()


def test_every_role_in_the_tables_is_known() -> None:
    read = {"drop", "filler", "like", "dislike", "negate", "without", "allergy", "past", "habit", "only", "reject"}
    read |= {
        "prefer_over",
        "framed",
        "because",
        "and",
        "but",
        "often",
        "sometimes",
        "rarely",
        "never",
        "verb",
        "choose",
        "best",
        "now",
        "indifferent",
    }
    assert {role for meaning in meanings() for role in meaning.roles} - read - {"person", "marker"} == set(BOUNDS)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("hiking", "hike"),
        ("movies", "movie"),
        ("running", "run"),
        ("loved", "love"),
        ("parties", "party"),
        ("dishes", "dish"),
        ("mornings", "morning"),
    ],
)
def test_inflected_forms_meet(left: str, right: str) -> None:
    assert stem(left) == stem(right)


@pytest.mark.parametrize(
    ("left", "right"), [("plane", "plan"), ("wine", "win"), ("note", "not"), ("quite", "quit"), ("hardly", "hard")]
)
def test_words_that_differ_by_a_letter_stay_apart(left: str, right: str) -> None:
    assert stem(left) != stem(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("at 10 pm", "22:00"),
        ("ten in the morning", "10 a.m."),
        ("晚上十点半", "22:30"),
        ("下午3点", "3 pm"),
        ("凌晨一点", "1 am"),
        ("noon", "12 pm"),
        ("1,000", "1000"),
        ("三十五公里", "35公里"),
        ("两百块", "200块"),
    ],
)
def test_numbers_and_times_meet_across_spellings(left: str, right: str) -> None:
    marks = [[t for t in tokens(normalise(text)) if t.startswith("#")] for text in (left, right)]
    assert marks[0] == marks[1] != []


@pytest.mark.parametrize("text", ["早一点", "一点都不", "一个人", "b12", "gpt4", "C#"])
def test_what_only_looks_like_a_number_is_none(text: str) -> None:
    assert not any(t.startswith("#") for t in tokens(normalise(text)))


def test_the_idioms_that_a_text_is_spared_would_not_have_changed_it() -> None:
    lines = (Path(__file__).parents[2] / "golden" / "pairs.jsonl").read_text(encoding="utf-8").splitlines()
    said = {text.casefold() for line in map(json.loads, lines) for text in line.values() if isinstance(text, str)}

    assert len(said) > 150
    for text in said | {"", "2024 🍵", "下班后 coffee", "三月份 once a day"}:
        tried = reduce(lambda left, idiom: idiom[0].sub(idiom[1], left), _idioms(), text)
        assert plain(text) == _MONTH.sub(_month, tried)
