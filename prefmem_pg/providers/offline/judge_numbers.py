"""Numbers and clock times, written in digits or in words of either language, brought to one form."""

import re
from collections.abc import Sequence
from typing import Final

_SMALL: Final = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven":
    11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen":
    18, "nineteen": 19,
}  # fmt: skip
_TENS: Final = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_ENGLISH: Final = {**_SMALL, **_TENS, "one": 1, "hundred": 100, "thousand": 1000}
_DIGIT_WORD: Final = "one|two|three|four|five|six|seven|eight|nine"
_BELOW_HUNDRED: Final = rf"(?:(?:{'|'.join(_TENS)})(?:[\s-](?:{_DIGIT_WORD})\b)?|{'|'.join(_SMALL)})"
# "one" and "a" count only before hundred and thousand: "one" alone is a pronoun more often than a number.
_ENGLISH_NUMBER: Final = re.compile(
    rf"\b(?:(?:(?:one|an?|{_BELOW_HUNDRED})\s)?(?:hundred|thousand)\b(?:\s(?:and\s)?{_BELOW_HUNDRED}\b)?"
    rf"|{_BELOW_HUNDRED}\b)"
)

_HAN_DIGIT: Final = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_HAN_UNIT: Final = {"十": 10, "百": 100, "千": 1000}
_HAN_NUMERAL: Final = "[零〇一二两三四五六七八九十百千万]{1,12}"
_MEASURES: Final = (
    "点|小时|个小时|分钟|秒|岁|年|杯|公里|块|元|美元|天|次|度|层|楼|人|本|页|章|字|句|条|周|星期|个月|月|号|公斤|斤|克|毫升|升|米|厘米|寸|英寸|折|星|倍|成|个|瓶|顿|份|集|种|门|晚"
    "|家|只|辆|件|张|台|套|步|组|包|根|粒|颗|位|名|期|以内|以下|以上|左右|之内|码|英里|毫米|摄氏度|平米|平方米|遍|趟|局|封|篇|段|行|筐|罐|勺|片|%"
)
_HAN_MEASURED: Final = re.compile(f"(?<!星期)(?<!周)(?<!第)({_HAN_NUMERAL})(?=(?:{_MEASURES}))")
# "三十五" is a number without a measure too; "二三十" or "周二十点" are not.
_HAN_LONG: Final = re.compile(
    "(?<![零〇一二两三四五六七八九十百千万星期周第拜])"
    "((?:[二三四五六七八九]?十|[一二三四五六七八九]百)[零一二三四五六七八九]十?[一二三四五六七八九]?)"
)
_HAN_PERCENT: Final = re.compile(f"百分之({_HAN_NUMERAL}|\\d+)")
_ONE_OF: Final = re.compile(
    r"\b(?:one|an?)(?=\s(?:hours?|minutes?|lit(?:re|er)s?|miles?|kilomet\w+|km|pounds?|kilos?|percent|degrees?)\b)"
)
_HAN_ONE: Final = re.compile("(?<![\\d.,:])1(?=天|个(?!小时|月|星期)|次|本|份|位|件|家|只|条|张)")
# A lone 一 is an article or part of a word ("一点" is "a little") unless a true unit follows.
_ONE: Final = re.compile("小时|个小时|分钟|岁|公里|点钟|点半|星期|个月|公斤|美元|升|斤|英里|千米|度|页|句|段")

_DAY_PARTS: Final = ("凌晨", "上午", "中午", "下午", "晚上")

_AM: Final = r"(?:\s?a\.?m\b\.?| in the morning\b| in morning\b)"
_PM: Final = r"(?:\s?p\.?m\b\.?| in the (?:evening|afternoon)\b| at night\b)"
_ENGLISH_CLOCK: Final = re.compile(
    rf"\b(\d{{1,2}})(?::(\d\d))?(?:(?P<am>{_AM})|(?P<pm>{_PM})|(?P<sharp>\s?o'?clock\b))|\b(\d{{1,2}}):(\d\d)\b"
)
_HAN_CLOCK: Final = re.compile(
    r"(?P<part>凌晨|清晨|早上|早晨|早|上午|中午|下午|傍晚|晚上|夜里|夜晚|深夜|晚)?(?P<hour>\d{1,2})点(?:钟|整)?"
    r"(?P<rest>半|一刻|三刻|(?P<minute>\d{1,2})分)?"
)
_WORD_CLOCKS: Final = (
    (re.compile(r"\bnoon\b|\bmidday\b|正午"), " #c720 "),
    (re.compile(r"\bmidnight\b|午夜"), " #c0 "),
)
_OF_THE_DAY: Final = re.compile(
    r"\b(?:(?:get|wake|am|be|stay) up|wake|rise|bed|asleep|sleep|contact|call|phone|message|disturb|text|dinner"
    r"|lunch|breakfast|work)\b"
)
_BARE_HOUR: Final = re.compile(
    r"\b(at|by|before|after|until|till) ([1-9]|1[0-2])(?=$|[.,;!?)]| (?:every|each|in|on|and|or|at|daily|please"
    r"|sharp)\b)"
)
_SPOKEN_CLOCKS: Final = (
    (re.compile(r"\bhalf past (\d{1,2})\b"), r"\1:30"),
    (re.compile(r"\bquarter past (\d{1,2})\b"), r"\1:15"),
    (re.compile(r"\b(at|by|before|after|until|till) (\d{1,2}) (15|30|45)\b"), r"\1 \2:\3"),
    (re.compile(r"(?<=\d)\s?o['’]?clock (?=in the |at night|[ap]\.?m)"), " "),
)
_LOOKS_MARKED: Final = re.compile("#(?=[cn])")
_PLAIN: Final = re.compile(r"(?<![a-z0-9_#.])(\d+(?:[.,]\d+)*)(?=[^\w.]|[.](?!\d)|$|[\u3400-\u9fff]|%|[a-z]{1,4}\b)")


def mark_numbers(text: str) -> str:
    """Return text with clock times as ``#c<minute of the day>`` and other numbers as ``#n<value>``.

    ``#c600?`` is a time that may also be twelve hours later ("at ten"). Numbers inside a name ("b12") stay.
    """
    text = _LOOKS_MARKED.sub(" ", text)
    text = _ENGLISH_NUMBER.sub(_english_number, text)
    if _OF_THE_DAY.search(text):
        text = _BARE_HOUR.sub(r"\1 \2 o'clock", text)
    for pattern, clock in _SPOKEN_CLOCKS:
        text = pattern.sub(clock, text)
    text = _ONE_OF.sub("1", text)
    text = _HAN_ONE.sub("一", text)
    text = _HAN_PERCENT.sub(r"\1%", text)
    text = _HAN_MEASURED.sub(_han_number, text)
    text = _HAN_LONG.sub(_han_number, text)
    text = text.replace("%", " percent ")
    for pattern, mark in _WORD_CLOCKS:
        text = pattern.sub(mark, text)
    text = _ENGLISH_CLOCK.sub(_english_clock, text)
    text = _HAN_CLOCK.sub(_han_clock, text)
    return _PLAIN.sub(lambda m: f" #n{_plain_value(m[1])} ", text)


def same_number(left: str, right: str) -> bool:
    """Say whether two marks can mean the same number or the same time of day."""
    if left == right:
        return True
    if left[:2] != "#c" or right[:2] != "#c" or "?" not in left + right:
        return False
    return (int(left[2:].rstrip("?")) - int(right[2:].rstrip("?"))) % 720 == 0


def leaves_room(left: Sequence[tuple[str, str]], right: Sequence[tuple[str, str]]) -> bool:
    """Say whether one time bound is an "after" and the other a later "before": a window in which both hold.

    Hours before five in the morning belong to the night before.
    """
    bounds = [dict(left), dict(right)]
    for one, other in (bounds, bounds[::-1]):
        after, before = one.get("after", ""), other.get("before", "")
        if after[:2] == before[:2] == "#c" and len(one) == len(other) == 1:
            return _evening(after) < _evening(before)
    return False


def _evening(mark: str) -> int:
    minutes = int(mark[2:].rstrip("?"))
    return minutes + 1440 if minutes < 300 else minutes


def _english_number(match: re.Match[str]) -> str:
    total = 0
    for word in re.findall("[a-z]+", match[0]):
        if word in ("hundred", "thousand"):
            total = (total or 1) * _ENGLISH[word]
        else:
            total += _ENGLISH.get(word, 1 if word in ("a", "an") else 0)
    return str(total)


def _english_clock(match: re.Match[str]) -> str:
    if match[6] is not None:
        hour, minute, known = int(match[6]), int(match[7]), int(match[6]) > 12 or match[6].startswith("0")
    else:
        hour, minute = int(match[1]), int(match[2] or 0)
        known = match["sharp"] is None
        hour = hour % 12 + (12 if match["pm"] else 0) if known else hour
    return _clock(hour, minute, known=known)


def _han_clock(match: re.Match[str]) -> str:
    hour, part = int(match["hour"]), match["part"]
    if part in ("下午", "傍晚", "晚上", "夜里", "夜晚", "深夜", "晚") and hour < 12:
        hour += 12
    minute = {"半": 30, "一刻": 15, "三刻": 45}.get(match["rest"] or "", int(match["minute"] or 0))
    return _clock(hour, minute, known=part is not None or hour > 12)


def _clock(hour: int, minute: int, *, known: bool) -> str:
    return f" #c{(hour * 60 + minute) % 1440}{'' if known else '?'} "


def _plain_value(digits: str) -> str:
    """Read 1,000 and 1.50 as people write them; the text of a number too strange to read is its value."""
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+", digits):
        digits = digits.replace(",", "")
    whole = digits.lstrip("0") if "." not in digits else digits.strip("0")
    return whole.rstrip(".").replace(",", ".") or "0"


def _han_number(match: re.Match[str]) -> str:
    is_hour = match.string.startswith("点", match.end()) and match.string[: match.start()].endswith(_DAY_PARTS)
    if match[1] == "一" and not is_hour and not _ONE.match(match.string, match.end()):
        return match[1]
    total, section, digit = 0, 0, 0
    for char in match[1]:
        if char == "万":
            total, section, digit = (total + section + digit or 1) * 10_000, 0, 0
        elif char in _HAN_UNIT:
            section, digit = section + (digit or 1) * _HAN_UNIT[char], 0
        else:
            digit = _HAN_DIGIT[char]
    return str(total + section + digit)
