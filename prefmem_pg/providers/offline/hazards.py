"""What must not go unsaid: conditions that users live with, and the situations in which each of them matters.

The knowledge lies in ``hazard_words/``: the words of conditions and of situations in both languages, and which concern
each other. Pure; a situation that uses none of the words is told by meaning, see ``steps/raise_unasked.py``.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, Literal

from prefmem_pg.domain.hanzi import TO_SIMPLIFIED
from prefmem_pg.providers.offline.topics import topic_words

How = Literal["substance", "taken", "state", "topical"]

_REFUSES: Final = re.compile(
    r"allerg|intoleran|sensitive|sensitivit|react|can(?:no|')?t\b|cannot|don'?t|do not|never|avoid|without|\bno\b|upset"
    r"|makes? me|\bfree\b|swell|itch|hives|rash|swollen|anaphyla|breathless|not supposed|mustn'?t|forbidden|off limits"
    r"|过敏|不耐受|不[吃喝碰沾能可]|不要|忌|戒|发痒|起疹|疹子|受不了|拉肚子|不舒服|红肿|哮喘|喘不|肿",
    re.IGNORECASE,
)
_TAKES: Final = re.compile(
    r"\b(?:tak(?:e|es|ing)|on|prescribed|using|swallow\w*)\b|吃|服|用药|在用|打|开了", re.IGNORECASE
)
_NOT_ANY_MORE: Final = re.compile(
    r"\bnot allergic|no (?:known )?allerg|isn'?t allergic|\bused to\b|\b(?:I|he|she) was (?:an? )?\w+ (?:for"
    r"|until)\b|\beats? (?:everything|anything)\b|\bno longer|not any ?more|outgrew|outgrown"
    r"|got over"
    r"|over it now|\bcured\b|don'?t have (?:any )?(?:allerg|asthma|diabet)|never had|not afraid|not scared"
    r"|\brecovered\b"
    r"|不再|已经好了|以前.{0,12}现在(?:不|没|好)|曾经|小时候.{0,12}现在(?:不|没|好)|不怎么过敏|没有.{0,4}过敏"
    r"|都不过敏|治好"
    r"|不害怕|不恐高|不晕(?:车|船|机)|什么都吃",
    re.IGNORECASE,
)
_RELATIVES: Final = (
    r"\bmy (?:\w+ )?(?P<en>wife|husband|partner|girlfriend|boyfriend|son|daughter|kid|kids|child|children|baby|mother"
    r"|father|mom|mum|dad|parents|sister|brother|grandmother|grandfather|grandma|grandpa|friend|colleague|boss|roommate"
    r"|flatmate|neighbou?r|cousin|uncle|aunt|niece|nephew|client|guest|cat|dog)(?:-in-law)?\b(?!'s)"
    r"(?: (?-i:(?P<name>[A-Z]\w+)))?"
    r"|(?:^|我|我们)(?:的|家)?(?P<zh>老婆|老公|妻子|丈夫|太太|男朋友|女朋友|对象|儿子|女儿|闺女|孩子|宝宝|婆婆|公公|岳母"
    r"|岳父|妈妈|妈|爸爸|爸|父母|爸妈|姐姐|姐|哥哥|哥|弟弟|弟|妹妹|妹|奶奶|爷爷|外婆|外公|姥姥|姥爷|朋友|闺蜜|同学|同事"
    r"|老板|室友|邻居|表妹|表弟|表姐|表哥|侄子|侄女|外甥|客户|老师|嫂子|姐夫)(?P<name_zh>[小老阿][\u4e00-\u9fff])?"
)
_OF_OTHERS: Final = re.compile(
    _RELATIVES
    + r"(?:\s+(?:is|has|can|can't|cannot|doesn't|does|gets|eats|only|never)\b|(?![和跟给送说]我)[\u4e00-\u9fff]|\s)",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(r"(?P<name>[A-Z][a-z]+) (?:is|has|can't|cannot|doesn't|only)\b(?!.*\b(?:me|my|I)\b)")
"""A statement about somebody by name alone."""
_TURNS: Final = re.compile(r"(?:\bbut|\bwhile|\bwhereas|但是?|而|不过)\W*$", re.IGNORECASE)
"""From here on a statement is about another."""
_OF_ANYTHING: Final = frozenset({"finance", "shopping", "schedule", "other"})
_ALL_TOGETHER: Final = re.compile(
    r"\b(?:family|everyone|kids|parents|all of us|guests)\b|全家|一家[人三四五]|我们一家|家人|大家|爸妈|父母|孩子"
)


@dataclass(frozen=True, slots=True)
class Condition:
    """What a user lives with; ``how`` a statement must speak of it for it to count."""

    name: str
    how: How


@dataclass(frozen=True, slots=True)
class Situation:
    """What a message plans, with the words that say so."""

    name: str
    words: str


@dataclass(frozen=True, slots=True)
class Hazard:
    """A condition of the user that a situation concerns, with the words of the message."""

    condition: str
    situation: str
    words: str


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of one condition or situation, ready to search."""

    name: str
    english: re.Pattern[str]
    chinese: re.Pattern[str]
    how: How = "state"
    plans: tuple[str, ...] = ()

    def find(self, text: str) -> str | None:
        """Return the first of the words in a text, None when it has none."""
        match = self.english.search(text) or self.chinese.search(text)
        return match.group() if match else None


def find_conditions(statement: str, message: str = "") -> list[str]:
    """Return the conditions that a statement tells of the user, or of somebody whom the message brings in.

    None when it says that it is over, or that there is none.
    """
    text = _plain(statement)
    if _NOT_ANY_MORE.search(text) or not _concerns(text, _plain(message)):
        return []
    return [words.name for words in _conditions() if words.find(text) and _is_meant(words.how, text, message)]


def find_situations(message: str) -> list[Situation]:
    """Return the situations that the words of a message announce."""
    text = _plain(message)
    return [Situation(words.name, found) for words in _situations() if (found := words.find(text))]


def names_condition(message: str, condition: str) -> bool:
    """Say whether a message speaks of a condition itself: whoever does has it in mind."""
    text = _plain(message)
    words = next(words for words in _conditions() if words.name == condition)
    return bool(words.find(text) and _is_meant(words.how, text, text))


def find_hazards(conditions: Iterable[str], situations: Iterable[Situation], message: str) -> list[Hazard]:
    """Return what concerns the user in the situations and is not spoken of in the message, the first situation each."""
    given = list(situations)
    found = []
    for condition in dict.fromkeys(conditions):
        related = _relations().get(condition, frozenset())
        situation = next((one for one in given if one.name in related), None)
        if situation is not None and not names_condition(message, condition):
            found.append(Hazard(condition, situation.name, situation.words))
    return found


def plans() -> Mapping[str, tuple[str, ...]]:
    """Return by situation the sentences that stand for it, one a language."""
    return {words.name: words.plans for words in _situations()}


def _is_meant(how: How, statement: str, message: str) -> bool:
    """Say whether a statement that has the words of a condition says it of the user."""
    if how == "substance":
        return bool(_REFUSES.search(statement))
    if how == "taken":
        return bool(_TAKES.search(statement)) and not _REFUSES.search(statement)
    return how == "state" or not _topics(statement).isdisjoint(_topics(message))


def _topics(text: str) -> set[str]:
    return {word.topic for word in topic_words(text) if word.is_thing} - _OF_ANYTHING


def _concerns(text: str, message: str) -> bool:
    """Say whether a statement is about the user, or about somebody whom the message brings in."""
    other = _OF_OTHERS.search(text) or _NAMED.match(text)
    if other is None:
        return True
    before = text[: other.start()]
    if re.search(r"\bI(?:'m| am| have| can)\b", before) and not _TURNS.search(before):
        return True
    found = other.groupdict()
    people = [found[key] for key in ("en", "zh", "name", "name_zh") if found.get(key)]
    return any(person in message for person in people) or bool(_ALL_TOGETHER.search(message))


def _plain(text: str) -> str:
    return text.replace("’", "'").translate(TO_SIMPLIFIED)


def _read(name: str) -> Iterator[list[str]]:
    path = files("prefmem_pg.providers.offline") / "hazard_words" / f"{name}.txt"
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield [part.strip() for part in line.split("|")]


def _pattern(listed: str, *, is_english: bool) -> re.Pattern[str]:
    words = sorted((word.strip() for word in listed.split(",") if word.strip()), key=lambda word: (-len(word), word))
    escaped = [re.escape(word).replace(r"\*", r"\w*") for word in words]
    joined = "|".join(escaped) or r"(?!)"
    return re.compile(rf"(?<![\w-])(?:{joined})(?![\w-])" if is_english else joined, re.IGNORECASE)


@cache
def _conditions() -> tuple[_Words, ...]:
    return tuple(
        _Words(
            name,
            _pattern(en, is_english=True),
            _pattern(zh, is_english=False),
            how,  # type: ignore[arg-type]  # one of How: a test reads the file
        )
        for name, how, en, zh in _read("conditions")
    )


@cache
def _situations() -> tuple[_Words, ...]:
    return tuple(
        _Words(name, _pattern(en, is_english=True), _pattern(zh, is_english=False), plans=(plan_en, plan_zh))
        for name, en, zh, plan_en, plan_zh in _read("situations")
    )


@cache
def _relations() -> dict[str, frozenset[str]]:
    found = {}
    for (line,) in _read("relations"):
        condition, _, situations = line.partition(" <- ")
        found[condition] = frozenset(word.strip() for word in situations.split(","))
    return found
