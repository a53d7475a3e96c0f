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

How = Literal["substance", "state"]

_REFUSES: Final = re.compile(
    r"allerg|intoleran|sensitive|sensitivit|react|can(?:no|')?t\b|cannot|don'?t|do not|never|avoid|without|\bno\b|upset"
    r"|makes? me|\bfree\b|swell|itch|hives|rash|swollen|anaphyla|breathless|not supposed|mustn'?t|forbidden|off limits"
    r"|过敏|不耐受|不[吃喝碰沾能可]|不要|忌|戒|发痒|起疹|疹子|受不了|拉肚子|不舒服|红肿|哮喘|喘不|肿",
    re.IGNORECASE,
)
_NOT_ANY_MORE: Final = re.compile(
    r"\bnot allergic|no (?:known )?allerg|isn'?t allergic|\bused to\b|\bno longer|not any ?more|outgrew|outgrown"
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
    r"|flatmate|neighbou?r|cousin|uncle|aunt|niece|nephew|client|guest|cat|dog)\b(?!'s)"
    r"|(?:我|我们)(?:的|家)?(?P<zh>老婆|老公|妻子|丈夫|太太|男朋友|女朋友|对象|儿子|女儿|闺女|孩子|宝宝|妈妈|妈|爸爸|爸"
    r"|父母|爸妈|姐姐|姐|哥哥|哥|弟弟|弟|妹妹|妹|奶奶|爷爷|外婆|外公|朋友|同事|老板|室友|邻居|表妹|表弟|侄子|客户)"
)
_OF_OTHERS: Final = re.compile(
    _RELATIVES + r"(?:\s+(?:is|has|can|can't|cannot|doesn't|does|gets|eats)\b|.{0,3}[对吃不有怕晕]|\s)", re.IGNORECASE
)
_ALL_TOGETHER: Final = re.compile(
    r"\b(?:family|everyone|kids|parents|all of us|guests)\b|全家|一家|家人|大家|爸妈|父母|孩子"
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
    return [
        words.name for words in _conditions() if words.find(text) and (words.how == "state" or _REFUSES.search(text))
    ]


def find_situations(message: str) -> list[Situation]:
    """Return the situations that the words of a message announce."""
    text = _plain(message)
    return [Situation(words.name, found) for words in _situations() if (found := words.find(text))]


def names_condition(message: str, condition: str) -> bool:
    """Say whether a message speaks of a condition itself: whoever does has it in mind."""
    text = _plain(message)
    words = next(words for words in _conditions() if words.name == condition)
    return bool(words.find(text) and (words.how == "state" or _REFUSES.search(text)))


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


def _concerns(text: str, message: str) -> bool:
    """Say whether a statement is about the user, or about somebody whom the message brings in."""
    other = _OF_OTHERS.search(text)
    if other is None or re.search(r"\bI(?:'m| am| have| can)\b", text[: other.start()]):
        return True
    person = other["en"] or other["zh"]
    return person in message or bool(_ALL_TOGETHER.search(message))


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
            "substance" if how == "substance" else "state",
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
