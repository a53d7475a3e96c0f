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
from prefmem_pg.providers.offline.lists import find_items
from prefmem_pg.providers.offline.questions import asks
from prefmem_pg.providers.offline.sentences import sentences
from prefmem_pg.providers.offline.topics import topic_words

LONGEST_WORDS: Final = 14
LONGEST_CHARACTERS: Final = 30
"""A longer message, in English words or Chinese characters, says by itself what it is about."""
LOOKS_BACK: Final = 8
"""How many messages before it a follow-up may lean on."""
MAX_ADDED_CHARACTERS: Final = 160
LEAST_SAID: Final = 4
"""Fewer words or characters are a greeting."""
SHORT_ANSWER: Final = 80
"""A longer sentence of an answer blurs what is looked for."""

_I: Final = re.IGNORECASE
_NUMBERS: Final = {
    **dict(zip(("first", "second", "third", "fourth", "fifth", "sixth"), range(6), strict=True)),
    **dict(zip(("1st", "2nd", "3rd", "4th", "5th", "6th"), range(6), strict=True)),
    **dict(zip("一二三四五六七八九", range(9), strict=True)),
    **dict(zip("123456789", range(9), strict=True)),
    "former": 0,
    "latter": -1,
    "last": -1,
    "前": 0,
    "后": -1,
    "最后": -1,
    "两": 1,
}
_ORDINAL: Final = re.compile(
    r"\b(?:the |number |option |no\. ?)?(?P<en>first|second|third|fourth|fifth|sixth|1st|2nd|3rd|4th|5th|6th|former"
    r"|latter|last)"
    r"(?: (?:one|option|place|choice|suggestion|idea|restaurant|hotel|book|film|movie|item|link|recipe|route"
    r"|plan))?(?=\W*$|\W"
    r"+(?:then|please|instead|is|was|sounds|looks|again|and|or|near|for)\b)|\b(?:number|option"
    r"|no\.) ?(?P<digit>[1-9])\b"
    r"|第(?P<zh>[一二两三四五六七八九1-9])[个家款种部本间条项道首场套位件样趟班]?|(?P<both>[前后])者"
    r"|(?P<end>最后)(?:一?[个家款种部本间条项道首场套])",
    _I,
)
_NOUN: Final = re.compile(
    # "a function that reverses" points at nothing: "that" stands at the beginning, or behind a small word.
    r"(?:^\W*that|\b(?:is|was|are|of|about|in|at|to|for|does|do|did|with|from|near|like|and|or|on) that"
    r"|\b(?:this|those|these|the same|the other)) (?P<en>(?!one|ones|is|was|way|time|case|point|kind|sort|much"
    r"|many|morning"
    r"|evening|week|month|year|weekend|afternoon)[a-z]{3,20})\b"
    r"|[那这](?:[个家款种部本间条首位场套些座趟班道件])(?P<zh>[\u4e00-\u9fff]{1,4}?)?(?=怎么|好|贵|远|多|在|有|是|能"
    r"|可|适|开|要|几|吗|呢|的|什|如|值|评|[？?，。!！]|$)",
    _I,
)
_PRONOUN: Final = re.compile(
    # "that" and "there" only where they point: not "a function that …", "is there a …".
    r"\b(?:it|its|it's|them|they|those|these|one|ones|he|she|him|her|his|their|same)\b"
    r"|(?<!is )(?<!are )(?<!was )\bthere\b(?!'s| is| are| was)"
    r"|^\W*(?:that|this)\b|\b(?:that|this)(?=\W*$)|\b(?:is|was|of|about|for|with|like|do|does) (?:that|this)\b"
    r"|[那这](?:个|些|家|里|儿|边|款|种|本|部|样|次)|它们?|[他她]们?|那里|那边|刚才|刚刚|上面|之前(?:说|提|推荐)|前面"
    r"|同样",
    _I,
)
_POINTS: Final = re.compile(r"^\W*(?:[那这](?:里|儿|边|个|家|款)|它们?)(?![\u4e00-\u9fff]{0,2}(?:以后|之后|时候))")
"""Begins with what was named before: the words behind it do not say what that is."""
_OPENS: Final = re.compile(
    r"^\W*(?:and|or|but|what about|how about|what if|also|then|so)\b"
    r"|^\W*(?:那么?(?![个家款种部本间条首位场套些里儿边样])|还有|另外|或者|要是|如果|再)",
    _I,
)
_BARE: Final = re.compile(
    r"^\W*(?:why(?: not)?|how(?: so| much| long| far| come| often)?|when|where|which(?: one)?|who|really|since when"
    r"|more|others?"
    r"|any(?:thing)? (?:else|others?|more)|something else|what else|else|like what|such as|another(?: one)?|the same"
    r"|cheaper(?: one)?s?"
    r"|(?:is|are|was) (?:it|they|that) \w+(?: \w+)?|for example|and then|what then|(?:tell me|say) more|go on"
    r"|details?)\W*$"
    r"|^\W*(?:为什么|为啥|怎么样|怎么去|怎么走|怎么做|多少钱?|多久|多远|在哪儿?里?|几点|什么时候|哪[个家一]?个?|贵吗"
    r"|贵不贵|好吃吗|远吗|好用吗|好看吗|便宜吗"
    r"|有便宜点的吗|具体呢?|比如说?呢?|举个例子|还有吗|还有别的吗|还有呢|换一个|再来一个|别的呢?|其他的?呢?|然后呢?"
    r"|说说看|详细说说|继续|评价如何|怎么订|有折扣吗)\W*$"
    r"|^.{1,12}呢[？?]?\W*$",
    _I,
)
_NAME: Final = re.compile(r"[\u4e00-\u9fff]{2}|[A-Za-z]{4,}")
"""What a thing of a list is called in short."""
# What these words name can only be known from before.
_VAGUE: Final = frozenset({"one", "place", "option", "thing", "idea", "question", "地方", "东西", "问题", "情况"})


@dataclass(frozen=True, slots=True)
class _Added:
    """What is added to a follow-up, why, and from which message."""

    text: str
    reason: str
    message: Message


class OfflineQueryBuilder:
    """Expands follow-ups by rules, in English and Chinese; the same turns give the same query."""

    name = "offline"
    version = "2"

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
    noun = _NOUN.search(asked)
    if noun and (found := _named(noun["en"] or noun["zh"] or "", before)):
        return found
    is_bare = bool(_BARE.match(asked))
    points = bool(_POINTS.match(asked)) or (bool(_PRONOUN.search(asked)) and not _tells_enough(asked))
    if not (is_bare or points or noun or _OPENS.match(asked)):
        return None
    if is_bare or _PRONOUN.search(asked):
        return _last_thing(before) or _last_question(before) or _last_words(before)
    return _last_question(before) or _last_thing(before)


def _of_list(asked: str, before: Sequence[Message]) -> _Added | None:
    match = _ORDINAL.search(asked)
    if match is None:
        return _of_list_by_name(asked, before) if _PRONOUN.search(asked) else None
    number = next(value for value in (match["en"], match["digit"], match["zh"], match["both"], match["end"]) if value)
    place = _NUMBERS[number.lower()]
    for message in reversed(before):
        items = find_items(message.content)
        if -len(items) <= place < len(items):
            return _Added(items[place], f"thing {place % len(items) + 1} of the list before", message)
    return None


def _of_list_by_name(asked: str, before: Sequence[Message]) -> _Added | None:
    """Return the one thing of the last list that has a word of the message: "富士的那个" is "富士X-T5"."""
    for message in reversed(before):
        items = find_items(message.content)
        if not items:
            continue
        named = [item for item in items if (found := _NAME.match(item)) and found.group().lower() in asked.lower()]
        return _Added(named[0], "the thing of the list before that it names", message) if len(named) == 1 else None
    return None


def _named(noun: str, before: Sequence[Message]) -> _Added | None:
    """Return the nearest sentence before that has the noun, or else the nearest name; names stand for the sentence."""
    plain = noun.lower().rstrip("s")
    if plain and plain not in _VAGUE:
        for message, text in _told(before):
            if plain in text.lower():
                return _Added(_short(text), f"the {noun} that was named before", message)
    return _last_thing(before)


def _last_thing(before: Sequence[Message]) -> _Added | None:
    """Return the nearest sentence before that names something: by a name, or by a word for a thing."""
    for message, text in _told(before):
        if find_entities(text):
            return _Added(f"{_short(text)}{_answer_after(message, before)}", "what was named before", message)
    for message, text in _told(before):
        if any(word.is_thing for word in topic_words(text)) and not _BARE.match(text):
            return _Added(_short(text), "what was spoken of before", message)
    return None


def _last_words(before: Sequence[Message]) -> _Added | None:
    """Return the nearest short sentence before, when nothing in it is known to be a name or a thing."""
    message, text = next(_told(before), (before[-1], ""))
    is_something = len(re.findall(r"[\u4e00-\u9fff]|[A-Za-z]+", text)) >= LEAST_SAID and len(text) <= SHORT_ANSWER
    return _Added(text, "what was said before", message) if is_something else None


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
            if _tells_enough(span.text) and not _BARE.match(span.text) and not _OPENS.match(span.text):
                reason = "the question before" if asks(span.text) else "what the user said before"
                return _Added(span.text, reason, message)
    return None


def _told(before: Sequence[Message]) -> Iterator[tuple[Message, str]]:
    """Yield the sentences before, nearest first, with their messages."""
    for message in reversed(before):
        for span in reversed(list(sentences(message.content[:2_000]))):
            yield message, span.text


def _short(text: str) -> str:
    """Return the names of a sentence when it has any, else the sentence: names find, the words around them blur."""
    names = find_entities(text)
    things = [word.form for word in topic_words(text) if word.is_thing]
    return " ".join(dict.fromkeys((*names, *things))) if names else text


def _is_short(text: str) -> bool:
    if detect_language(text) == "zh":
        return len(text) <= LONGEST_CHARACTERS
    return len(text.split()) <= LONGEST_WORDS


def _tells_enough(text: str) -> bool:
    """Say whether a text names what it is about: two things, or a name."""
    things = {word.form for word in topic_words(text)} - _VAGUE
    return len(things) >= 2 or bool(find_entities(text))
