"""Resolves "yesterday" and its like against the time at which the message was said."""

import re
from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_ENGLISH_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBERS = {
    **dict(zip(_ENGLISH_NUMBERS, range(1, 11), strict=True)),
    **dict(zip("一二三四五六七八九十", range(1, 11), strict=True)),
    "a": 1,
    "an": 1,
    "a couple of": 2,
    "a few": 3,
    "两": 2,
    "几": 3,
}
_DAYS = {"day": 1, "week": 7, "天": 1, "周": 7, "星期": 7, "个星期": 7, "礼拜": 7, "个礼拜": 7}
_MONTHS = {"month": 1, "year": 12, "个月": 1, "年": 12}
# (days, months) back from the day on which it was said
_NAMED = {
    **dict.fromkeys(("yesterday", "last night", "昨天", "昨晚"), (1, 0)),
    **dict.fromkeys(("the day before yesterday", "前天"), (2, 0)),
    **dict.fromkeys(("last week", "上周", "上星期", "上个星期", "上礼拜", "上个礼拜"), (7, 0)),
    **dict.fromkeys(("last month", "上个月", "上月"), (0, 1)),
    **dict.fromkeys(("last year", "去年"), (0, 12)),
    **dict.fromkeys(("前年",), (0, 24)),
}
# (days, months) ahead of it, and how much of the date is written: a day, a month or a year
_AHEAD = {
    **dict.fromkeys(("tomorrow", "明天"), (1, 0, 10)),
    **dict.fromkeys(("next month", "下个月", "下月"), (0, 1, 7)),
    **dict.fromkeys(("next year", "明年"), (0, 12, 4)),
    **dict.fromkeys(("the year after next", "后年"), (0, 24, 4)),
}
_AHEAD_TIME = re.compile(
    r"\b(?:tomorrow|next (?:month|year)|the year after next)\b|明天|下个?月|明年|后年", re.IGNORECASE
)
_ENGLISH_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAYS = {
    **{name: day for day, name in enumerate(_ENGLISH_WEEKDAYS)},
    **{name: day for day, name in enumerate("一二三四五六日")},
    "天": 6,
}

_NAMED_TIME = re.compile(
    r"\b(?:the day before yesterday|yesterday|last (?:night|week|month|year))\b|昨天|昨晚|前天"
    r"|上个?(?:星期|月)(?![一二三四五六日天])|上(?:周|礼拜)(?![一二三四五六日天末])|去年|前年",
    re.IGNORECASE,
)
_AGO = re.compile(
    r"\b(\d{1,3}|a couple of|a few|an?|one|two|three|four|five|six|seven|eight|nine|ten) (day|week|month|year)s? ago\b"
    r"|(\d{1,3}|[一二三四五六七八九十两几])(天|周|个?星期|个?礼拜|个月|年)(?:以|之)?前",
    re.IGNORECASE,
)
_LAST_WEEKDAY = re.compile(
    rf"\b(?:last|since|on) ({'|'.join(_ENGLISH_WEEKDAYS)})\b|上(?:周|个?星期|个?礼拜)([一二三四五六日天])",
    re.IGNORECASE,
)
_YEAR = re.compile(
    r"\b(?:since|in|from) ((?:19|20)\d\d)\b|(?:从|自)?((?:19|20)\d\d)年(?:起|开始|以来|就)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Moment:
    """When something began, or is meant to, and where the text says so.

    ``day`` is in the user's zone; ``is_relative`` says that the words mean nothing without the message's date;
    ``is_ahead`` that the time is yet to come. ``written`` is the day, month or year that the words name.
    """

    at: datetime
    day: date
    start: int
    end: int
    is_relative: bool
    written: str = ""
    is_ahead: bool = False


def find_moment(text: str, said_at: datetime, time_zone: str) -> Moment | None:
    """Return the beginning or the time ahead that the text names, as the start of that day in ``time_zone``.

    None: it names none, or one that no calendar holds (the message itself is dated at the end of time).
    """
    try:
        return _find_moment(text, said_at, time_zone)
    except (OverflowError, ValueError):
        return None


def _find_moment(text: str, said_at: datetime, time_zone: str) -> Moment | None:
    try:
        zone = ZoneInfo(time_zone)
    except (ZoneInfoNotFoundError, ValueError):
        zone = ZoneInfo("UTC")
    today = said_at.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    if match := _NAMED_TIME.search(text):
        days, months = _NAMED[match.group().lower()]
        return _moment(_back(today, days, months), match, is_relative=True)
    if match := _AGO.search(text):
        number, unit = (match.group(1), match.group(2)) if match.group(1) else (match.group(3), match.group(4))
        count = int(number) if number.isdecimal() else _NUMBERS[number.lower()]
        unit = unit.lower()
        return _moment(_back(today, count * _DAYS.get(unit, 0), count * _MONTHS.get(unit, 0)), match, is_relative=True)
    if match := _LAST_WEEKDAY.search(text):
        return _moment(_weekday(today, match), match, is_relative=True)
    if match := _YEAR.search(text):
        return _moment(
            today.replace(year=int(match.group(1) or match.group(2)), month=1, day=1), match, is_relative=False
        )
    if match := _AHEAD_TIME.search(text):
        days, months, length = _AHEAD[match.group().lower()]
        ahead = _moment(_back(today, -days, -months), match, is_relative=True)
        return replace(ahead, written=ahead.written[:length], is_ahead=True)
    return None


def _moment(day: datetime, match: re.Match[str], *, is_relative: bool) -> Moment:
    on = day.date()
    return Moment(day.astimezone(UTC), on, match.start(), match.end(), is_relative, written=on.isoformat())


def _back(day: datetime, days: int, months: int) -> datetime:
    month = day.year * 12 + day.month - 1 - months
    year, month = month // 12, month % 12 + 1
    last = monthrange(year, month)[1]
    return day.replace(year=year, month=month, day=min(day.day, last)) - timedelta(days=days)


def _weekday(today: datetime, match: re.Match[str]) -> datetime:
    if match.group(2):  # "上周三" is the Wednesday of the week before this one
        monday = today - timedelta(days=today.weekday() + 7)
        return monday + timedelta(days=_WEEKDAYS[match.group(2)])
    days = (today.weekday() - _WEEKDAYS[match.group(1).lower()]) % 7 or 7
    return today - timedelta(days=days)
