"""The offline query builder: a short follow-up gets what it leaves unsaid from the last turns, by rules.

"What about the second one?" takes the second thing of the list before it, "那家餐厅怎么样？" the restaurant that was
named, "and for kids?" the question that it goes on with. A message that says itself what it is about stays as it is.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.sessions import BuiltQuery
from prefmem_pg.domain.text import detect_language
from prefmem_pg.providers.offline.entities import find_entities
from prefmem_pg.providers.offline.follow_up_words import (
    ATTRIBUTES,
    BARE,
    DAYS,
    GOES_ON,
    NOUN,
    NUMBERS,
    OPENS,
    ORDINAL,
    POINTS,
    PRONOUN,
    STILL,
    SUBJECTLESS,
    VAGUE,
    WHICH,
)
from prefmem_pg.providers.offline.lists import find_items
from prefmem_pg.providers.offline.questions import asks
from prefmem_pg.providers.offline.sentences import sentences
from prefmem_pg.providers.offline.summary_words import LEAD, SMALL_TALK
from prefmem_pg.providers.offline.topics import topic_words

LONGEST_WORDS: Final = 14
LONGEST_CHARACTERS: Final = 30
"""A longer message, in English words or Chinese characters, says by itself what it is about."""
LOOKS_BACK: Final = 8
"""How many messages before it a follow-up may lean on."""
MAX_ADDED_CHARACTERS: Final = 160
ANSWER_WORDS: Final = 4
ANSWER_CHARACTERS: Final = 8
LEAST_SAID: Final = 4
"""Fewer words or characters are a greeting."""
SHORT_ANSWER: Final = 80
"""A longer sentence of an answer blurs what is looked for."""

_PIECE: Final = re.compile(r"(?=([\u4e00-\u9fff]{2}))|([A-Za-z]{4,})")
"""What a thing of a list may be called in short: two characters of it, or a word."""
_BORDER: Final = re.compile(r"(?<=[\u4e00-\u9fff])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?=[\u4e00-\u9fff])")


@dataclass(frozen=True, slots=True)
class _Added:
    """What is added to a follow-up, why, and from which message."""

    text: str
    reason: str
    message: Message


class OfflineQueryBuilder:
    """Expands follow-ups by rules, in English and Chinese; the same turns give the same query."""

    name = "offline"
    version = "3"

    def build(self, message: str, turns: Sequence[Message]) -> BuiltQuery:
        """Return the message as it is to be searched; ``turns`` are those before it, oldest first. Never raises."""
        asked = message.strip()
        before = list(turns[-LOOKS_BACK:])
        if before and before[-1].role == "user" and before[-1].content.strip() == asked:
            before.pop()  # the message itself is stored already
        added = _added(asked, before) if before and _is_short(asked) else None
        if added is None:
            return BuiltQuery(asked=message, text=message)
        told = " ".join(added.text.split())[:MAX_ADDED_CHARACTERS]
        text = f"{asked}（{told}）" if detect_language(asked) == "zh" else f"{asked} ({told})"
        return BuiltQuery(asked=message, text=text, reason=added.reason, message_ids=(added.message.message_id,))


def _added(asked: str, before: Sequence[Message]) -> _Added | None:
    """Return what a follow-up leans on: a thing of a list, a thing that was named, or the question before."""
    if found := _of_list(asked, before):
        return found
    noun = NOUN.search(asked)
    if noun and (found := _named(noun["en"] or noun["zh"] or "", before)):
        return found
    is_bare = bool(BARE.match(asked))
    says_what = _tells_enough(asked)
    points = bool(POINTS.match(asked)) or (bool(PRONOUN.search(asked)) and not says_what)
    asks_of_it = not says_what and _asks_of_what_was(asked)
    goes_on = bool(OPENS.match(asked) or GOES_ON.match(asked))
    answers = _is_answer(before[-1], asked)
    if not (is_bare or points or noun or goes_on or asks_of_it or answers):
        return None
    if answers or WHICH.search(asked) or STILL.search(asked):
        return _last_question(before) or _last_request(before) or _last_thing(before) or _last_words(before)
    if is_bare or PRONOUN.search(asked):
        return _last_thing(before) or _last_question(before) or _last_words(before)
    found = _last_name(before) if asks_of_it else None
    if ORDINAL.search(asked):  # of a list that was not understood
        found = _last_thing(before)
    return found or _last_question(before) or _last_request(before) or _last_thing(before)


def _asks_of_what_was(asked: str) -> bool:
    """Say whether a message asks for what anything has, or for one of several, or tells that something still fails."""
    of_it = ATTRIBUTES.search(asked) or WHICH.search(asked) or SUBJECTLESS.match(asked)
    return bool(of_it and asks(asked)) or bool(STILL.search(asked))


def _is_answer(last: Message, asked: str) -> bool:
    """Say whether a few words answer a question of the assistant."""
    is_question = last.role == "assistant" and last.content.rstrip().endswith(("?", "？"))
    is_brief = len(asked) <= ANSWER_CHARACTERS if detect_language(asked) == "zh" else len(asked.split()) <= ANSWER_WORDS
    return is_question and is_brief and not asks(asked) and not SMALL_TALK.fullmatch(asked)


def _of_list(asked: str, before: Sequence[Message]) -> _Added | None:
    match = ORDINAL.search(asked)
    if match is None:
        return _of_list_by_name(asked, before)
    number = next(value for value in (match["en"], match["digit"], match["zh"], match["both"], match["end"]) if value)
    place = NUMBERS[number.lower()]
    for message in reversed(before):
        items = find_items(message.content)
        if -len(items) <= place < len(items):
            return _Added(items[place], f"thing {place % len(items) + 1} of the list before", message)
    return None


def _of_list_by_name(asked: str, before: Sequence[Message]) -> _Added | None:
    """Return the one thing of the last list of which the message says a part: "草堂" is "杜甫草堂"."""
    for message in reversed(before):
        items = find_items(message.content)
        if not items:
            continue
        named = [item for item in items if _pieces(item) & _pieces(asked)]
        is_said = len(named) == 1 and named[0].lower() not in asked.lower()
        return _Added(named[0], "the thing of the list before that it names", message) if is_said else None
    return None


def _pieces(text: str) -> set[str]:
    return {(han or word).lower() for han, word in _PIECE.findall(text)}


def _named(noun: str, before: Sequence[Message]) -> _Added | None:
    """Return the nearest sentence before that has the noun, or else the nearest name; names stand for the sentence."""
    plain = noun.lower().rstrip("s")
    if plain and plain not in VAGUE:
        for message, text in _told(before):
            if plain in text.lower():
                return _Added(_short(text), f"the {noun} that was named before", message)
    return _last_thing(before)


def _last_thing(before: Sequence[Message]) -> _Added | None:
    """Return the nearest sentence before that names something: by a name, or by a word for a thing."""
    if found := _last_name(before):
        return found
    for message, text in _told(before):
        if any(word.is_thing for word in topic_words(text)) and not BARE.match(text):
            return _Added(_short(text), "what was spoken of before", message)
    return None


def _last_name(before: Sequence[Message]) -> _Added | None:
    for message, text in _told(before):
        if _names(text):
            return _Added(f"{_short(text)}{_answer_after(message, before)}", "what was named before", message)
    return None


def _last_words(before: Sequence[Message]) -> _Added | None:
    """Return the nearest short sentence before, when nothing in it is known to be a name or a thing."""
    message, text = next(_told(before), (before[-1], ""))
    return _Added(text, "what was said before", message) if _is_something(text) else None


def _is_something(text: str) -> bool:
    return len(re.findall(r"[\u4e00-\u9fff]|[A-Za-z]+", text)) >= LEAST_SAID and len(text) <= SHORT_ANSWER


def _answer_after(message: Message, before: Sequence[Message]) -> str:
    """Return the first sentence of a short answer to a message: what "it" is may begin it, and be no known name."""
    last = before[-1]
    if last is message or last.role != "assistant":
        return ""
    first = next((span.text for span in sentences(last.content[:2_000])), "")
    return f" {first}" if len(first) <= SHORT_ANSWER and not find_items(last.content) else ""


def _last_question(before: Sequence[Message]) -> _Added | None:
    """Return the last question or request of the user that says itself what it is about."""
    for message in reversed(before):
        if message.role != "user":
            continue
        for span in reversed(list(sentences(message.content[:2_000]))):
            if _tells_enough(span.text) and not BARE.match(span.text) and not OPENS.match(span.text):
                reason = "the question before" if asks(span.text) else "what the user said before"
                return _Added(span.text, reason, message)
    return None


def _last_request(before: Sequence[Message]) -> _Added | None:
    """Return the last sentence of the user that says something, be it a thing that no list knows."""
    own = ((message, text) for message, text in _told(before) if message.role == "user" and not BARE.match(text))
    message, text = next(own, (before[-1], ""))
    return _Added(text, "what the user said before", message) if _is_something(text) else None


def _told(before: Sequence[Message]) -> Iterator[tuple[Message, str]]:
    """Yield the sentences before, nearest first, with their messages."""
    for message in reversed(before):
        for span in reversed(list(sentences(message.content[:2_000]))):
            if not SMALL_TALK.fullmatch(span.text):
                lead = LEAD.match(span.text)
                yield message, span.text[lead.end() :] if lead else span.text


def _short(text: str) -> str:
    """Return the names of a sentence when it has any, else the sentence: names find, the words around them blur."""
    names = _names(text)
    things = [word.form for word in topic_words(text) if word.is_thing]
    return " ".join(dict.fromkeys((*names, *things))) if names else text


def _names(text: str) -> tuple[str, ...]:
    """Return the names in a text, also where Chinese stands around them; days are none."""
    return tuple(name for name in find_entities(_BORDER.sub(" ", text)) if not DAYS.fullmatch(name))


def _is_short(text: str) -> bool:
    if detect_language(text) == "zh":
        return len(text) <= LONGEST_CHARACTERS
    return len(text.split()) <= LONGEST_WORDS


def _tells_enough(text: str) -> bool:
    """Say whether a text names what it is about: two things, or a name."""
    things = {word.form for word in topic_words(ATTRIBUTES.sub(" ", text))} - VAGUE
    return len(things) >= 2 or bool(_names(text))
