"""Ways of saying that turn a sentence around, brought to the plain form that the tables can read."""

import re
from functools import cache
from importlib.resources import files
from typing import Final

_MONTH_NAMES: Final = "january february march april may june july august september october november december"
_MONTHS: Final = _MONTH_NAMES.split()
_HAN_MONTH_NAMES: Final = "一 二 三 四 五 六 七 八 九 十 十一 十二"
_HAN_MONTHS: Final = _HAN_MONTH_NAMES.split()
_LETTER: Final = re.compile("[a-z]")
_MONTH: Final = re.compile(
    r"(?<![\d个第一二三四五六七八九十])(1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月(?:份)?(?![亮饼球末初底])"
)


def plain(text: str) -> str:
    """Return normalised text with its idioms in plain words; each pattern is tried once, in order.

    Those of a language of which the text has no letter are left out, being half of the work.
    """
    has_english, has_chinese = _LETTER.search(text) is not None, not text.isascii()
    for pattern, replacement, is_english in _idioms():
        if has_english if is_english else has_chinese:
            text = pattern.sub(replacement, text)
    return _MONTH.sub(_month, text) if has_chinese else text


@cache
def _idioms() -> tuple[tuple[re.Pattern[str], str, bool], ...]:
    """Return patterns, what takes their place, and whether they are English: none of those is without a letter."""
    path = files("prefmem_pg.providers.offline") / "judge_words" / "idioms.txt"
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    split = (line.split("\t") for line in lines)
    return tuple((re.compile(pattern), words, pattern.isascii()) for pattern, words in split)


def _month(match: re.Match[str]) -> str:
    given = match[1]
    place = int(given) - 1 if given.isdecimal() else _HAN_MONTHS.index(given)
    return f" {_MONTHS[place]} "
