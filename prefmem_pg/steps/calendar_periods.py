"""Days, weeks, months and years as half-open periods of time, in the zone of the time that is given. Pure."""

from datetime import UTC, datetime, timedelta
from typing import Final, Literal

Period = tuple[datetime, datetime, float]
"""From (included), to (excluded), both UTC, and how much being in it counts."""
Unit = Literal["day", "week", "month", "year"]

AFTERWARDS_WEIGHT: Final = 0.5
"""What comes right after a named period counts half: what happened is often told later."""
_DAYS_AFTER_A_DAY: Final = 7


def begin(at: datetime, unit: Unit, *, back: int = 0) -> datetime:
    """Return when the unit around ``at`` begins, or the one that many units earlier; a week begins on Monday.

    Raises OverflowError or ValueError outside the years 1 to 9999.
    """
    midnight = at.replace(hour=0, minute=0, second=0, microsecond=0)
    if unit == "day":
        return midnight - timedelta(days=back)
    if unit == "week":
        return midnight - timedelta(days=midnight.weekday() + 7 * back)
    if unit == "year":
        return midnight.replace(year=midnight.year - back, month=1, day=1)
    months = midnight.year * 12 + midnight.month - 1 - back
    return midnight.replace(year=months // 12, month=months % 12 + 1, day=1)


def named(at: datetime, unit: Unit, *, back: int = 0) -> list[Period]:
    """Return the unit around ``at``, or the one that many units earlier, and at half the weight what comes after it.

    After a day that is a week, after a week or month as much again, after a year nothing. Empty outside the years 1
    to 9999.
    """
    try:
        start = begin(at, unit, back=back)
        end = begin(start, unit, back=-1)
        if unit == "year":
            return [_utc(start, end, 1.0)]
        after = end + timedelta(days=_DAYS_AFTER_A_DAY) if unit == "day" else begin(end, unit, back=-1)
        return [_utc(start, end, 1.0), _utc(end, after, AFTERWARDS_WEIGHT)]
    except (OverflowError, ValueError):
        return []


def until_now(now: datetime, unit: Unit, *, count: int) -> list[Period]:
    """Return the last so many days, weeks, months or years up to the end of today; the first is taken whole."""
    try:
        start = begin(now, "day", back=7 * count) if unit == "week" else begin(now, unit, back=count)
        return [_utc(start, begin(now, "day", back=-1), 1.0)]
    except (OverflowError, ValueError):
        return []


def date(now: datetime, year: int | None, month: int, day: int) -> list[Period]:
    """Return a day; without a year it is the last one that has come. Empty for a day that does not exist."""
    try:
        at = now.replace(year=year or now.year, month=month, day=day)
        if year is None and at > now:
            at = at.replace(year=now.year - 1)
    except ValueError:
        return []
    return named(at, "day")


def month(now: datetime, year: int | None, month: int, *, has_ended: bool = False) -> list[Period]:
    """Return a month; without a year it is the last one that has begun, or that ``has_ended``."""
    if year is None:
        year = now.year if month < now.month + (not has_ended) else now.year - 1
    try:
        return named(now.replace(year=year, month=month, day=1), "month")
    except ValueError:
        return []


def year(now: datetime, year: int) -> list[Period]:
    """Return a year; empty when there is none of that number."""
    try:
        return named(now.replace(year=year, month=1, day=1), "year")
    except ValueError:
        return []


def weekday(now: datetime, number: int, *, weeks_back: int | None = None) -> list[Period]:
    """Return a day of the week (Monday is 0): the last one before today, or that of a week so many weeks ago."""
    try:
        if weeks_back is not None:
            return named(begin(now, "week", back=weeks_back) + timedelta(days=number), "day")
        return named(now - timedelta(days=(now.weekday() - number - 1) % 7 + 1), "day")
    except OverflowError:
        return []


def weekend(now: datetime, *, weeks_back: int) -> list[Period]:
    """Return Saturday and Sunday of a week so many weeks ago."""
    try:
        saturday = begin(now, "week", back=weeks_back) + timedelta(days=5)
        monday = saturday + timedelta(days=2)
        return [_utc(saturday, monday, 1.0), _utc(monday, monday + timedelta(days=7), AFTERWARDS_WEIGHT)]
    except OverflowError:
        return []


def _utc(start: datetime, end: datetime, weight: float) -> Period:
    return start.astimezone(UTC), end.astimezone(UTC), weight
