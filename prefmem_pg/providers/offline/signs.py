"""Corrects the sign of a cue by the words of the statement: what the cue alone cannot tell."""

import re
from typing import Final

from prefmem_pg.domain.hanzi import TO_SIMPLIFIED
from prefmem_pg.domain.preferences import Polarity
from prefmem_pg.providers.offline.cue import Cue

# Cues that say how firmly or how often, not whether: a "not" behind them turns the sign.
_FIRM: Final = frozenset(
    {
        "standing instruction",
        "standing request",
        "holds to it",
        "says how they usually do it",
        "tells the assistant how to do it always",
        "tells a habit",
        "changed their ways",
    }
)
_HABITS: Final = frozenset({"says how they usually do it", "tells a habit"})
_TURNS: Final = re.compile(
    r"(?:以后|今后|往后|从此|坚持|一律|始终|一直|永远|平时|一般|每次|都|现在|后)(?:我|就|都|也|绝对|坚决){0,2}"
    r"(?:不(?!超过|少于|低于|错|管|仅|光|只|但|过|同|断|得不|要求|是)(?:再|想|会|要|能)?[\u4e00-\u9fff]|别(?!人|的)"
    r"|戒|拒绝)"
    r"|(?:卸|退|弃|戒)(?:载|掉|订)?了|^不"
)
_CANNOT_WITHOUT: Final = re.compile(
    r"(?:没有?|离了|缺了?|少了)[^的\W]{1,6}?我?(?:就|真的|根本|完全|都)?(?:睡不着|活不了|活不下去|没法|不行)\w{0,3}$"
)
_ROUTINE: Final = re.compile(
    r"\b(?:every|each) (?:\w+ )?(?:day|week|weekday|weekend|month|morning|evening|night|\w+day)s?\b|\b(?:once|twice"
    r"|\w+ times) a "
    r"(?:day|week|month|year)\b|\bdaily\b|\bon \w+days\b|\b\w+ (?:mornings|evenings|nights|days) a week\b|\bup at\b"
    r"|每(?:个?[周月年天晚早]|周[一二三四五六日末天]|星期)|天天|[点半]才?(?:睡|起)|周[一二三四五六日末]",
    re.IGNORECASE,
)
_CHOICE: Final = re.compile(
    r"\b(?:only|always|never|prefer|love|like|enjoy|favou?rite|best|over|instead|must|need)\b|只|最|爱|喜欢|必|坚持"
    r"|非|雷打|风雨|不改",
    re.IGNORECASE,
)
_LIST_WITH_A_NO: Final = re.compile(
    r"^(?:for|about|in|with|on)\b[^,:]*[,:] (?!no\b|never\b|don't\b|not\b)\S.*, no \w+", re.IGNORECASE
)


def sign(cue: Cue, statement: str) -> Polarity:
    """Return the polarity of a statement that the cue was found in.

    A habit that is told without a word of liking or choosing is neutral ("I bake on Sundays"); a firm "not" turns a
    firm yes ("以后不住民宿了"); one "no" at the end of a list of wishes does not make a prohibition of the list.
    """
    if cue.polarity == "negative" and _CANNOT_WITHOUT.match(statement.translate(TO_SIMPLIFIED)):
        return "positive"
    if cue.polarity == "positive" and cue.reason in _FIRM and _TURNS.search(statement):
        return "negative"
    if cue.polarity == "positive" and cue.reason in _HABITS and _is_routine(statement):
        return "neutral"
    if cue.polarity == "negative" and cue.reason.startswith("tells the assistant") and _LIST_WITH_A_NO.match(statement):
        return "positive"
    return cue.polarity


def _is_routine(statement: str) -> bool:
    return bool(_ROUTINE.search(statement)) and not _CHOICE.search(statement)
