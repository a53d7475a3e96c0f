"""The words of sensitive subjects: looked for by their first letters, found as if each had been tried."""

import re
from pathlib import Path

import pytest

from prefmem_pg.steps import safety, sensitive_words
from prefmem_pg.steps.screen import classify
from prefmem_pg.steps.sensitive_words import ANY_SENSITIVE, SENSITIVE, Words, words

CORPUS = Path(__file__).parents[2] / "training" / "corpus"
LISTS = {
    name: value
    for module in (sensitive_words, safety)
    for name, value in vars(module).items()
    if isinstance(value, Words)
}
SAID = [
    "i am a quaker with hives",
    "my 401(k) and my salary",
    "绿卡还没下来，还有房贷 💸",
    "我对花生过敏 and lactose intolerant",
    "technical debt",
    "巨蟹座",
]


def one_by_one(given: Words) -> re.Pattern[str]:
    """Return the patterns as they stand, each tried at each place."""
    han = re.compile("[\u3400-\u9fff]")
    english = "|".join(p for p in given.patterns if not han.search(p))
    chinese = [p for p in given.patterns if han.search(p)]
    return re.compile("|".join([rf"(?<![a-z0-9])(?:{english})(?![a-z0-9])", *chinese]))


@pytest.mark.parametrize("name", LISTS)
def test_a_list_finds_what_each_of_its_patterns_finds(name: str) -> None:
    lines = [line for path in sorted(CORPUS.glob("*.txt")) for line in path.read_text(encoding="utf-8").splitlines()]
    said = SAID + [line.lower() for line in lines[::20]]
    each = one_by_one(LISTS[name])

    assert [bool(LISTS[name].search(text)) for text in said] == [bool(each.search(text)) for text in said]


def test_the_list_of_all_subjects_hides_none() -> None:
    for subject in SENSITIVE.values():
        assert set(subject.patterns) <= set(ANY_SENSITIVE.patterns)
    assert ANY_SENSITIVE.search("i am a quaker")
    assert not ANY_SENSITIVE.search("i like green tea 绿茶 🍵")


@pytest.mark.parametrize("statement", ["I am a Quaker", "I was raised evangelical", "Raised Methodist", "我是回族 🙂"])
def test_words_that_stand_beside_each_other_in_the_list_are_two(statement: str) -> None:
    assert classify(statement) == ("identity", False)


def test_brackets_classes_and_escapes_are_no_end_of_a_pattern() -> None:
    found = words(r"a(?:b|c)d|[x|y)]z|e\|f|gh?|i+j", "红(?:茶|酒)|绿[茶|酒]")
    for text in ("abd", "acd", "xz", "|z", "e|f", "g", "gh", "iij", "我喝红酒", "绿茶"):
        assert found.search(text), text
    for text in ("ab", "c", "d", "z", "e", "f", "h", "j", "红", "茶", "酒"):
        assert not found.search(text), text
