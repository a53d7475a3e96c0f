"""The periods that a question names, in English and Chinese, counted from the asker's clock. Pure."""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Final

from prefmem_pg.domain.hanzi import simplify
from prefmem_pg.steps import calendar_periods as calendar
from prefmem_pg.steps.calendar_periods import Period, Unit
from prefmem_pg.steps.numerals import read_number

MOST_PERIODS: Final = 24
"""A pasted page may name hundreds of dates; each costs a comparison for every message."""

_MONTHS: Final = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_SHORT: Final = {name[:3]: n for n, name in enumerate(_MONTHS, start=1)} | {"sept": 9}
_MONTH: Final = "|".join([*_MONTHS, *sorted(_SHORT, key=len, reverse=True)])
_DAYS: Final = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_NUMBER: Final = r"(?P<number>\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|a couple of|a few)"
_HAN: Final = r"(?P<number>\d{1,4}|[一二两三四五六七八九十几]{1,3})"
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
_HAN_YEAR: Final = rf"(?:{_YEAR}|(?P<past>[今去前])|(?P<digits>[一二][〇零九][〇零一二三四五六七八九]{{2}}))年"
_UNITS: Final[dict[str, Unit]] = {
    "day": "day",
    "week": "week",
    "month": "month",
    "year": "year",
    "天": "day",
    "日": "day",
    "周": "week",
    "星期": "week",
    "礼拜": "week",
    "个星期": "week",
    "个礼拜": "week",
    "月": "month",
    "个月": "month",
    "年": "year",
}
_YEARS_BACK: Final = {"今": 0, "去": 1, "前": 2}
_HAN_WEEKDAYS: Final = {name: n for n, name in enumerate("一二三四五六日")} | {"天": 6}
_BEFORE_A_MONTH: Final = re.compile(
    r"\b(?:in|since|of|during|until|till|by|from|before|after|early|late|mid)[ -]+$", re.IGNORECASE
)

_Match = re.Match[str]
_Reader = Callable[[_Match, datetime], list[Period]]


def find_periods(question: str, now: datetime) -> list[Period]:
    """Return the periods that the question names, as seen from ``now`` in its time zone; none is the usual case.

    A month or day without a year is the last one that has come. What was read is not read again: "last March" is no
    further "March", and a bare year counts only where nothing narrower is named.
    """
    found: list[Period] = []
    rest = question = simplify(question)
    for pattern, read in _PATTERNS:
        for match in pattern.finditer(rest):
            periods = read(match, now)
            found += periods
            if periods:
                rest = rest[: match.start()] + " " * (match.end() - match.start()) + rest[match.end() :]
    if not found:
        for match in _BARE_YEAR.finditer(question):
            found += calendar.year(now, int(match[0]))
    return found[:MOST_PERIODS]


def _fixed(unit: Unit, back: int) -> _Reader:
    return lambda _, now: calendar.named(now, unit, back=back)


def _ago(match: _Match, now: datetime) -> list[Period]:
    return calendar.named(now, _UNITS[match["unit"].lower()], back=read_number(match["number"]))


def _lately(match: _Match, now: datetime) -> list[Period]:
    return calendar.until_now(now, _UNITS[match["unit"].lower()], count=read_number(match["number"]))


def _weekday(match: _Match, now: datetime) -> list[Period]:
    number = _DAYS.index(match["day"].lower())
    return calendar.weekday(now, number, weeks_back=0 if match["which"].lower() == "this" else None)


def _han_weekday(match: _Match, now: datetime) -> list[Period]:
    back = len(match["up"] or "")
    if match["day"] == "末":
        return calendar.weekend(now, weeks_back=back)
    return calendar.weekday(now, _HAN_WEEKDAYS[match["day"]], weeks_back=back)


def _weekend(match: _Match, now: datetime) -> list[Period]:
    return calendar.weekend(now, weeks_back=0 if match["which"].lower() == "this" else 1)


def _iso(match: _Match, now: datetime) -> list[Period]:
    return calendar.date(now, int(match["year"]), int(match["month"]), int(match["day"]))


def _date(match: _Match, now: datetime) -> list[Period]:
    year = int(match["year"]) if match["year"] else None
    return calendar.date(now, year, _SHORT[match["month"][:3].lower()], int(match["day"]))


def _month(match: _Match, now: datetime) -> list[Period]:
    name, which, year = match["month"], match["which"], match["year"]
    is_certain = bool(which or year or _BEFORE_A_MONTH.search(match.string[: match.start()]))
    # "May I", "we march", "Jan said", "mar the paint": a name that is a word or a person besides needs company.
    if not is_certain and (name.lower() in ("may", "march") or name.lower() in _SHORT) and name != "March":
        return []
    number = _SHORT[name[:3].lower()]
    if which and which.lower() == "this":
        return calendar.month(now, now.year, number)
    return calendar.month(now, int(year) if year else None, number, has_ended=which is not None)


def _han_year(match: _Match, now: datetime) -> int | None:
    if match["year"]:
        return int(match["year"])
    if match["past"]:
        return now.year - _YEARS_BACK[match["past"]]
    if match["digits"]:
        return int("".join(str("〇一二三四五六七八九".index(digit)) for digit in match["digits"].replace("零", "〇")))
    return None


def _han_month(match: _Match, now: datetime) -> list[Period]:
    number, year = read_number(match["month"]), _han_year(match, now)
    if not 1 <= number <= 12:
        return []
    if match["day"]:
        return calendar.date(now, year, number, read_number(match["day"]))
    return calendar.month(now, year, number)


def _whole_han_year(match: _Match, now: datetime) -> list[Period]:
    year = _han_year(match, now)
    return calendar.year(now, year) if year else []


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


# The first that fits takes its words, so the narrower stands first.
_PATTERNS: Final[list[tuple[re.Pattern[str], _Reader]]] = [
    (re.compile(rf"(?<!\d){_YEAR}[-/.](?P<month>\d\d?)[-/.](?P<day>\d\d?)(?!\d)"), _iso),
    (_compiled(rf"\b(?P<day>\d\d?)(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})\b\.?(?:,? {_YEAR})?"), _date),
    (_compiled(rf"\b(?P<month>{_MONTH})\b\.? (?P<day>\d\d?)(?:st|nd|rd|th)?\b(?:,? {_YEAR})?"), _date),
    (_compiled(rf"\b{_NUMBER} (?P<unit>day|week|month|year)s? ago\b"), _ago),
    (_compiled(rf"\b(?:last|past) {_NUMBER} (?P<unit>day|week|month|year)s?\b"), _lately),
    (_compiled(rf"\b(?P<which>last|this|past) (?P<day>{'|'.join(_DAYS)})\b"), _weekday),
    (_compiled(r"\b(?P<which>last|this|past) weekend\b"), _weekend),
    (_compiled(rf"\b(?:(?P<which>last|this) )?(?P<month>{_MONTH})\b\.?(?:,? (?:of )?{_YEAR})?"), _month),
    (_compiled(r"\bthe day before yesterday\b"), _fixed("day", 2)),
    (_compiled(r"\byesterday\b|\blast night\b"), _fixed("day", 1)),
    (_compiled(r"\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b"), _fixed("day", 0)),
    (_compiled(r"\b(?:last|the past) week\b"), _fixed("week", 1)),
    (_compiled(r"\bthis week\b"), _fixed("week", 0)),
    (_compiled(r"\b(?:last|the past) month\b"), _fixed("month", 1)),
    (_compiled(r"\bthis month\b"), _fixed("month", 0)),
    (_compiled(r"\blast year\b"), _fixed("year", 1)),
    (_compiled(r"\bthis year\b"), _fixed("year", 0)),
    (
        re.compile(
            rf"(?:{_HAN_YEAR}的?)?(?<![\d一二三四五六七八九十])(?P<month>\d\d?|[一二三四五六七八九十]{{1,2}})月份?"
            r"(?:(?P<day>\d\d?|[一二三四五六七八九十]{1,3})[日号])?"
        ),
        _han_month,
    ),
    (re.compile(rf"{_HAN}(?P<unit>天|日|周|个?星期|个?礼拜|个月|年)(?:以?前|之前)"), _ago),
    (re.compile(rf"(?:最近|过去|近)的?{_HAN}(?P<unit>天|日|周|个?星期|个?礼拜|个月|年)"), _lately),
    (re.compile(r"(?:(?P<up>上{1,2})个?|这个?|本)(?:周|星期|礼拜)(?P<day>[一二三四五六日天末])"), _han_weekday),
    (re.compile(r"大前天"), _fixed("day", 3)),
    (re.compile(r"前天|前晚"), _fixed("day", 2)),
    (re.compile(r"昨[天晚日夜]"), _fixed("day", 1)),
    (re.compile(r"今[天晚早日]"), _fixed("day", 0)),
    (re.compile(r"上上个?(?:周|星期|礼拜)"), _fixed("week", 2)),
    (re.compile(r"上个?(?:周|星期|礼拜)"), _fixed("week", 1)),
    (re.compile(r"(?:这个?|本)(?:周|星期|礼拜)"), _fixed("week", 0)),
    (re.compile(r"上上个?月"), _fixed("month", 2)),
    (re.compile(r"上个?月"), _fixed("month", 1)),
    (re.compile(r"(?:这个|本)月"), _fixed("month", 0)),
    (re.compile(_HAN_YEAR), _whole_han_year),
]
_BARE_YEAR: Final = re.compile(r"(?<!\w)(?:19|20)\d\d(?!\w)")
