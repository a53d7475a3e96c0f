"""Names the topic of a statement by the words that it holds, in both languages.

The words lie in ``topic_words/``, a line ``topic = word, word`` for things and ``topic ~ word, word`` for doings.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from prefmem_pg.domain.hanzi import TO_SIMPLIFIED

TOPICS: Final[tuple[str, ...]] = (
    *("pets", "software", "communication", "drink", "food", "travel", "music", "film", "reading", "sport", "health"),
    *("family", "finance", "schedule", "work", "learning", "language", "style", "home", "shopping", "technology"),
    "other",
)
"""More telling topics come first: at equal counts the earlier one wins."""

_TOKEN: Final = re.compile(r"[a-z0-9+#]+(?:'[a-z]+)?", re.IGNORECASE)
_HAN: Final = re.compile(r"[\u4e00-\u9fff]+")


@dataclass(frozen=True, slots=True)
class TopicWord:
    """A word of the lists, found at ``start`` to ``end`` of a text; ``is_thing`` when it names something."""

    form: str
    topic: str
    is_thing: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Lists:
    english: dict[tuple[str, ...], tuple[str, bool]]
    chinese: dict[str, tuple[str, bool]]
    most_words: int
    most_characters: int


def find_topic(statement: str) -> str:
    """Return the topic that most different words of the statement speak of, "other" when none do."""
    seen: dict[str, set[str]] = {}
    for word in topic_words(statement):
        seen.setdefault(word.topic, set()).add(word.form)
    # Days and hours count once, however many: they say when a thing is done, not what is spoken of.
    counted = {topic: 1 if topic == "schedule" else len(forms) for topic, forms in seen.items()}
    return max(counted, key=lambda topic: (counted[topic], -TOPICS.index(topic)), default="other")


def topic_words(text: str) -> Iterator[TopicWord]:
    """Yield the words of the lists in a text, English then Chinese; of overlapping ones the longest."""
    plain = text.translate(TO_SIMPLIFIED)
    lists = _lists()
    yield from _english_words(plain, lists)
    for run in _HAN.finditer(plain):
        yield from _chinese_words(plain, run.start(), run.end(), lists)


def _english_words(text: str, lists: _Lists) -> Iterator[TopicWord]:
    tokens = [(match.group().lower(), match.start(), match.end()) for match in _TOKEN.finditer(text)]
    at = 0
    while at < len(tokens):
        for size in range(min(lists.most_words, len(tokens) - at), 0, -1):
            words = tuple(token for token, _, _ in tokens[at : at + size])
            form = next((form for form in _singular(words) if form in lists.english), None)
            if form:
                topic, is_thing = lists.english[form]
                yield TopicWord(" ".join(form), topic, is_thing, tokens[at][1], tokens[at + size - 1][2])
                at += size
                break
        else:
            at += 1


def _chinese_words(text: str, start: int, end: int, lists: _Lists) -> Iterator[TopicWord]:
    at = start
    while at < end:
        for size in range(min(lists.most_characters, end - at), 0, -1):
            form = text[at : at + size]
            if form in lists.chinese:
                topic, is_thing = lists.chinese[form]
                yield TopicWord(form, topic, is_thing, at, at + size)
                at += size
                break
        else:
            at += 1


def _singular(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield words
    *before, last = words
    if last.endswith("'s"):
        yield (*before, last[:-2])
    if last.endswith("ies"):
        yield (*before, last[:-3] + "y")
    if last.endswith("es"):
        yield (*before, last[:-2])
    if last.endswith("s"):
        yield (*before, last[:-1])


@cache
def _lists() -> _Lists:
    english: dict[tuple[str, ...], tuple[str, bool]] = {}
    chinese: dict[str, tuple[str, bool]] = {}
    for language in ("en", "zh"):
        path = files("prefmem_pg.providers.offline") / "topic_words" / f"{language}.txt"
        for line in path.read_text(encoding="utf-8").splitlines():
            if not line or line.startswith("#"):
                continue
            topic, mark, words = line.split(" ", 2)
            for form in filter(None, map(str.strip, words.split(","))):
                if _HAN.search(form):
                    chinese.setdefault(form, (topic, mark == "="))
                else:
                    english.setdefault(tuple(_TOKEN.findall(form.lower())), (topic, mark == "="))
    return _Lists(english, chinese, max(map(len, english)), max(map(len, chinese)))
