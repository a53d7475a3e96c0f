"""The judge's word tables: which words mean one thing, which values exclude each other, what is a kind of what.

The tables lie in ``judge_words/``. A line ``name other = form, form, 词, 词`` says that each form stands for the
concepts on the left. On the left ``-name`` turns the sign ("vegetarian" is -meat), ``~name`` is background that
alone distinguishes nothing ("food"), and ``@role`` is what the word does to the sentence ("@negate").
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from prefmem_pg.domain.once import once
from prefmem_pg.providers.offline.judge_text import is_han, normalise, stem, tokens

TABLES: Final = (
    "grammar",
    "time_and_numbers",
    "food",
    "living",
    "places",
    "assistant_and_work",
    "attitudes",
    "doings",
    "things",
    "thesaurus",
    "everyday",
    "wordings",
)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What one form stands for: roles in the sentence, and concepts as (name, sign, is background)."""

    roles: frozenset[str]
    concepts: tuple[tuple[str, int, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Forms by their tokens; ``longest`` is the number of words, or of Han characters, of the longest form."""

    english: dict[tuple[str, ...], Meaning]
    chinese: dict[str, Meaning]
    longest: tuple[int, int]

    def match_words(self, stems: list[str]) -> tuple[int, Meaning | None]:
        """Return how many words at the start of ``stems`` make the longest known form, and its meaning."""
        for size in range(min(self.longest[0], len(stems)), 0, -1):
            meaning = self.english.get(tuple(stems[:size]))
            if meaning is not None:
                return size, meaning
        return 0, None

    def match_han(self, run: str) -> tuple[int, Meaning | None]:
        """Return how many characters at the start of ``run`` make the longest known form, and its meaning."""
        for size in range(min(self.longest[1], len(run)), 0, -1):
            meaning = self.chinese.get(run[:size])
            if meaning is not None:
                return size, meaning
        return 0, None


@dataclass(frozen=True, slots=True)
class Axes:
    """Pairs of values that exclude each other: always, unless both are only liked, or only when weighed."""

    always: frozenset[frozenset[str]]
    likable: frozenset[frozenset[str]]
    weighed: frozenset[frozenset[str]]
    binary: frozenset[frozenset[str]]


@once
def lexicon() -> Lexicon:
    """Return the word tables, read once."""
    english: dict[tuple[str, ...], Meaning] = {}
    chinese: dict[str, Meaning] = {}
    for table in TABLES:
        for left, right in _lines(table):
            meaning = _meaning(left.split())
            for form in right.split(","):
                found = tokens(normalise(form.strip()))
                if len(found) == 1 and is_han(found[0]):
                    chinese[found[0]] = _joined(chinese.get(found[0]), meaning)
                elif found and not is_han(found[0]):
                    key = tuple(stem(t) for t in found)
                    english[key] = _joined(english.get(key), meaning)
    longest = max(len(k) for k in english), max(len(k) for k in chinese)
    return Lexicon(english, chinese, longest)


@cache
def axes() -> Axes:
    """Return the exclusive values, read once."""
    always: set[frozenset[str]] = set()
    likable: set[frozenset[str]] = set()
    weighed: set[frozenset[str]] = set()
    binary: set[frozenset[str]] = set()
    for line in _text("axes"):
        mark = next(m for m in "/~?" if m in line)
        values = [v.strip() for v in line.split(mark)]
        pairs = {frozenset((a, b)) for a in values for b in values if a != b}
        {"/": always, "~": likable, "?": weighed}[mark].update(pairs)
        if len(values) == 2:
            binary.update(pairs)
    return Axes(frozenset(always), frozenset(likable), frozenset(weighed), frozenset(binary))


@cache
def kinds_of() -> dict[str, frozenset[str]]:
    """Return for each concept the more general ones that it is a kind of."""
    return _pairs("entails")


@cache
def frames_of() -> dict[str, frozenset[str]]:
    """Return for each concept the circumstances that go without saying beside it."""
    return _pairs("frames")


def _pairs(table: str) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in _text(table):
        special, general = (side.split() for side in line.split(">"))
        for name in special:
            found[name] = found.get(name, frozenset()) | frozenset(general)
    return found


@cache
def names() -> dict[str, tuple[str, str]]:
    """Return for each concept the first English and the first Chinese form that stand for it alone ("" for none)."""
    found: dict[str, tuple[str, str]] = {}
    for table in TABLES:
        for left, right in _lines(table):
            if re.fullmatch(r"~?\w+", left):
                forms = [form.strip() for form in right.split(",")]
                english = next((form for form in forms if form.isascii()), "")
                chinese = next((form for form in forms if form and is_han(form)), "")
                old = found.get(left.lstrip("~"), ("", ""))
                found[left.lstrip("~")] = (old[0] or english, old[1] or chinese)
    return found


def _joined(old: Meaning | None, new: Meaning) -> Meaning:
    """Join two readings of a form; what merely drops it gives way to whatever says more."""
    if old is None or old.roles == {"drop"}:
        return new
    if new.roles == {"drop"}:
        return old
    return Meaning(old.roles | new.roles, old.concepts or new.concepts)


def _meaning(left: list[str]) -> Meaning:
    roles = frozenset(word[1:] for word in left if word[0] == "@")
    names = [word for word in left if word[0] != "@"]
    return Meaning(roles, tuple((w.lstrip("-~"), -1 if w[0] == "-" else 1, w[0] == "~") for w in names))


def _lines(table: str) -> Iterator[tuple[str, str]]:
    for line in _text(table):
        left, _, right = line.partition("=")
        yield left.strip(), right


def _text(table: str) -> list[str]:
    path = files("prefmem_pg.providers.offline") / "judge_words" / f"{table}.txt"
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip() and line[0] != "#"]
