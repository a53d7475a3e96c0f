"""The periods that a question names: months, years, and days counted from the asker's clock. Pure."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

Period = tuple[datetime, datetime, float]
"""From (included), to (excluded), and how much being in it counts."""

AFTERWARDS_WEIGHT: Final = 0.5
"""The month after a named one counts half: what happened is often told later."""

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
_ENGLISH: Final = re.compile(
    rf"\b(?:(?P<last>last|this) )?(?P<month>{'|'.join(_MONTHS)})\b(?:,? (?P<year>(?:19|20)\d\d))?", re.IGNORECASE
)
_CHINESE: Final = re.compile(
    r"(?:(?P<year>(?:19|20)\d\d|去|今|前)年)?(?P<month>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月(?:份)?"
)
_YEAR: Final = re.compile(r"(?<!\d)(?:(?:19|20)\d\d)(?!\d)")
_HAN_MONTHS: Final = {
    name: n
    for n, name in enumerate(["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"], start=1)
}
_YEARS_AGO: Final = {"今": 0, "去": 1, "前": 2}
_SPANS: Final = (
    (re.compile(r"\byesterday\b|昨天|昨晚", re.IGNORECASE), "day", 1),
    (re.compile(r"\btoday\b|今天", re.IGNORECASE), "day", 0),
    (re.compile(r"前天"), "day", 2),
    (re.compile(r"\blast week\b|上周|上星期|上个?礼拜", re.IGNORECASE), "week", 1),
    (re.compile(r"\bthis week\b|这周|本周", re.IGNORECASE), "week", 0),
    (re.compile(r"\blast month\b|上个?月", re.IGNORECASE), "month", 1),
    (re.compile(r"\bthis month\b|这个月|本月", re.IGNORECASE), "month", 0),
    (re.compile(r"\blast year\b|去年(?!\S{1,3}月)", re.IGNORECASE), "year", 1),
)


def find_periods(question: str, now: datetime) -> list[Period]:
    """Return the periods that the question names, as seen from ``now`` in its time zone; none is the usual case.

    A month without a year is the latest one that has begun. ``may`` only counts with a year or with in/last/this.
    """
    found: list[Period] = []
    for pattern, unit, back in _SPANS:
        if pattern.search(question):
            found.append((*_unit(now, unit, back), 1.0))
    for match in _ENGLISH.finditer(question):
        if match["month"].lower() == "may" and not (match["year"] or match["last"] or _after_in(question, match)):
            continue
        found += _month(now, int(match["year"]) if match["year"] else None, _MONTHS.index(match["month"].lower()) + 1)
    for match in _CHINESE.finditer(question):
        given = match["year"]
        year = int(given) if given and given not in _YEARS_AGO else None
        if given in _YEARS_AGO:
            year = now.year - _YEARS_AGO[given]
        month = match["month"]
        found += _month(now, year, int(month) if month.isdigit() else _HAN_MONTHS[month])
    if not found:
        found = [(*_year(now, int(match[0])), 1.0) for match in _YEAR.finditer(question)]
    return [(start.astimezone(UTC), end.astimezone(UTC), weight) for start, end, weight in found]


def _after_in(question: str, match: re.Match[str]) -> bool:
    return question[: match.start()].lower().rstrip().endswith((" in", " since", " of", " during"))


def _month(now: datetime, year: int | None, month: int) -> list[Period]:
    if year is None:
        year = now.year if month <= now.month else now.year - 1
    start = _midnight(now).replace(year=year, month=month, day=1)
    after = _next_month(start)
    return [(start, after, 1.0), (after, _next_month(after), AFTERWARDS_WEIGHT)]


def _year(now: datetime, year: int) -> tuple[datetime, datetime]:
    start = _midnight(now).replace(year=year, month=1, day=1)
    return start, start.replace(year=year + 1)


def _unit(now: datetime, unit: str, back: int) -> tuple[datetime, datetime]:
    midnight = _midnight(now)
    if unit == "day":
        start = midnight - timedelta(days=back)
        return start, start + timedelta(days=1)
    if unit == "week":
        start = midnight - timedelta(days=midnight.weekday() + 7 * back)
        return start, start + timedelta(days=7)
    if unit == "month":
        start = midnight.replace(day=1)
        for _ in range(back):
            start = (start - timedelta(days=1)).replace(day=1)
        return start, _next_month(start)
    return _year(now, now.year - back)


def _midnight(now: datetime) -> datetime:
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def _next_month(start: datetime) -> datetime:
    return (start + timedelta(days=32)).replace(day=1)
