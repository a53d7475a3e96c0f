"""Says whether a sentence tells that a stored goal has been reached, in English and Chinese. Pure.

A stored goal ends by its own verb in the past ("run a marathon", "I ran the marathon"), by a word of completion beside
what it is about ("finished my thesis", "雅思考过了"), and a journey by having been made ("back from Rome",
"北京之行结束了"). A step on the way ("booked the flights to Rome", "finished chapter three") ends nothing.
"""

import re
from typing import Final

from prefmem_pg.domain.text import fold
from prefmem_pg.domain.withdrawals import Reached
from prefmem_pg.providers.offline.destinations import destination
from prefmem_pg.providers.offline.judge_text import stem
from prefmem_pg.providers.offline.mask import mask
from prefmem_pg.providers.offline.questions import asks
from prefmem_pg.providers.offline.reached_words import (
    ACTED,
    ALONE,
    AWAY,
    BEEN_THERE,
    COMPLETED,
    COMPLETED_ZH,
    DONE_ZH,
    LEARNED,
    LEMMAS,
    NOT,
    OF_MAKING,
    ON_THE_WAY,
    PEOPLE,
    QUANTITY,
    RESULTS,
    UNSAID,
    UNSAID_ZH,
)
from prefmem_pg.providers.offline.sentences import sentences
from prefmem_pg.providers.protocols import Chunk

LEAST_SHARE: Final = 0.5
"""Share of the words that a goal is about, from which on a sentence is about the same."""
SHORT_GOAL: Final = 2
LONGEST: Final = 300
"""A longer sentence tells too many things to end one of them."""
_READ_CHARACTERS: Final = 2_000
_VERBS: Final = (frozenset(LEMMAS.values()) | ON_THE_WAY) - {"see"}
_I: Final = re.IGNORECASE
_OF_THE_USER: Final = re.compile(r"^(?:the )?(?:user )?(?:wants|plans|hopes|intends|would like|is planning) to\b", _I)
_PLANNING: Final = re.compile(r"^(?:(?:the )?user is )?(?=(?:planning|organi[sz]ing|booking) )", _I)
"""How models word a goal."""


def find_reached(chunk: Chunk) -> list[Reached]:
    """Return the sentences of the chunk's new user messages that may tell of a goal that was reached, in order."""
    found = []
    for place, message in enumerate(chunk.messages):
        if place < chunk.first_new or message.role != "user":
            continue
        said = frozenset(one.message_id for one in chunk.messages[:place])
        for span in sentences(mask(message.content[:_READ_CHARACTERS])):
            if _may_tell(_plain(span.text)):
                quote = message.content[span.start : span.end]
                found.append(
                    Reached(
                        message_id=message.message_id, start=span.start, quote=quote, at=message.occurred_at, said=said
                    )
                )
    return found


def reaches(said: str, goal: str) -> bool:
    """Say whether a sentence of the user tells that a goal has been reached; in doubt it does not."""
    text, wanted = _plain(said), _PLANNING.sub("I'm ", _OF_THE_USER.sub("I want to", goal))
    if not _may_tell(text):
        return False
    if place := destination(wanted):
        return bool(re.search(BEEN_THERE.format(place=re.escape(fold(place))), text, _I))
    goal = fold(goal)
    return _is_enough(text, goal) and (_reaches_english(text, goal) or _reaches_chinese(text, goal))


def _may_tell(text: str) -> bool:
    """Say whether a sentence tells, of the user's own, that something has come to its end."""
    return bool(0 < len(text) <= LONGEST and _TELLS.search(text)) and not (
        asks(text) or NOT.search(text) or PEOPLE.search(text)
    )


def _reaches_english(text: str, goal: str) -> bool:
    verbs = {_lemma(word) for word in re.findall(r"[a-z]+", goal)}
    said = [match for match in ACTED.finditer(text) if match["verb"] in LEMMAS or match["verb"] not in UNSAID]
    acted = {match.end(): _lemma(match["verb"]) for match in said}
    if learned := LEARNED.search(text):
        return "learn" in verbs and _lemma(learned["verb"]) in verbs
    about = _words(goal)
    if not about:
        return not verbs.isdisjoint(ALONE) and not (verbs & ALONE).isdisjoint(acted.values())
    if len(about & _words(text)) / len(about) < LEAST_SHARE:
        return False
    ends = verbs - ON_THE_WAY | {RESULTS[verb] for verb in verbs if verb in RESULTS}
    if any(verb in ends and _is_done_to(text[end:], about) for end, verb in acted.items()):
        return True
    return bool(COMPLETED.search(text)) and not (verbs & OF_MAKING and re.search(r"\b(?:an?|another) \w+", text))


def _is_done_to(rest: str, about: frozenset[str]) -> bool:
    """Say whether a verb was done to what a goal is about: not for it, and not to "dog food" for a dog."""
    words = AWAY.split(rest, maxsplit=1)[0].split()
    return any(
        _words(word) & about and (not _words(following) or _words(following) & about)
        for word, following in zip(words, [*words[1:], ""], strict=True)
    )


def _reaches_chinese(text: str, goal: str) -> bool:
    done = {verb for match in DONE_ZH.finditer(text) for verb in match.groups() if verb and verb in goal}
    if _pairs(goal).isdisjoint(_pairs(text)):
        # "买房" is its verb and its thing: "房子买好了".
        short = UNSAID_ZH.sub("", goal)
        return len(short) == SHORT_GOAL and short[0] in done and short[1] in text
    return bool(done or COMPLETED_ZH.search(text))


def _is_enough(text: str, goal: str) -> bool:
    """Say whether the quantity of a goal is told, where it has one: "lost 2 kg" does not reach "lose 5 kg"."""
    wanted, told = (set(QUANTITY.findall(re.sub(r"20\d\d", "", one))) for one in (goal, text))
    return not wanted or bool(wanted & told) or (not told and bool(re.search(r"\bgoal|\btarget|目标", text)))


def _plain(text: str) -> str:
    return fold(text.replace("’", "'"))


def _lemma(word: str) -> str:
    return LEMMAS.get(word, stem(word))


def _words(text: str) -> frozenset[str]:
    """Return the stems of what a text is about, without the words of wishing and of times."""
    words = re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)*", text)
    return frozenset(stem(word) for word in words if word not in UNSAID and _lemma(word) not in _VERBS)


def _pairs(text: str) -> frozenset[str]:
    """Return the pairs of characters, and the Latin words, that a Chinese text is about."""
    plain = UNSAID_ZH.sub(" ", text)
    pairs = (run[i : i + 2] for run in re.findall(r"[\u4e00-\u9fff]+", plain) for i in range(len(run) - 1))
    return frozenset({*re.findall(r"[a-z]{2,}\d*|\d{2,}", plain), *pairs})


_TELLS: Final = re.compile(
    rf"\b(?:{'|'.join(LEMMAS)}|\w+ed|back|over|done|behind|born|ours|mine|been|learnt|know|is|are|was|were)\b|[了啦]|{COMPLETED_ZH.pattern}"
    r"|结束|回来|玩得",
    _I,
)
"""Words of an end: a quick look, before anything is compared."""
