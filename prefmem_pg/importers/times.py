"""Times as people and exports write them, read into aware UTC."""

import math
import re
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

from prefmem_pg.errors import InvalidInput

MILLISECONDS_FROM: Final = 1e11
"""A number of at least this size is milliseconds: as seconds it would lie in the year 5138 or later, as
milliseconds in 1973, so neither reading of a plausible time is lost."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# fromisoformat takes any character as the separator and reads bare digits as dates; this says what we take.
_ISO = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d|\d{8})"
    r"(?:[Tt ](?P<clock>\d\d(?::?\d\d(?::?\d\d(?:[.,]\d{1,12})?)?)?)"
    r"(?: ?(?P<zone>[Zz]|UTC|GMT|[+-]\d\d(?::?\d\d(?::?\d\d)?)?))?)?",
    re.ASCII,
)


def parse_time(value: object, *, default_zone: tzinfo | None = None) -> datetime:
    """Return the instant as aware UTC.

    Takes ISO 8601 (with "T" or a space, "Z" or an offset), a number of seconds or milliseconds since 1970
    (``MILLISECONDS_FROM`` decides which), or a datetime. A time without zone is read in ``default_zone`` (of an hour
    that a clock shows twice, the first; a bare date is its midnight) and is InvalidInput when there is none.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float | datetime):
        raise InvalidInput(f"occurred_at must be an ISO 8601 string or a number, not {type(value).__name__}")
    try:
        moment = _read(value)
        if moment.tzinfo is None or moment.utcoffset() is None:
            if default_zone is None:
                raise InvalidInput(f"occurred_at has no zone: {str(value)[:60]!r}; add Z or an offset such as +02:00")
            moment = moment.replace(tzinfo=default_zone)
        return moment.astimezone(UTC)
    except OverflowError as exc:
        raise InvalidInput(f"occurred_at lies outside the years 1 to 9999: {_shown(value)}") from exc


def _read(value: str | float | datetime) -> datetime:
    if isinstance(value, datetime):
        return value
    if isinstance(value, str):
        return _read_iso(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidInput(f"occurred_at is not a finite number: {value}")
    if abs(value) >= MILLISECONDS_FROM:
        return _EPOCH + timedelta(milliseconds=value)
    return _EPOCH + timedelta(seconds=value)


def _read_iso(value: str) -> datetime:
    match = _ISO.fullmatch(value.strip())
    if match is None:
        raise InvalidInput(f"occurred_at is not an ISO 8601 time: {_shown(value)}")
    day, clock, zone = match.group("day", "clock", "zone")
    if len(day) == 8:
        day = f"{day[:4]}-{day[4:6]}-{day[6:]}"
    if zone in {"z", "UTC", "GMT"}:
        zone = "Z"
    try:
        return datetime.fromisoformat(f"{day}T{clock}{zone or ''}" if clock else day)
    except ValueError as exc:
        raise InvalidInput(f"occurred_at is not a time that exists: {_shown(value)} ({exc})") from exc


def _shown(value: object) -> str:
    try:
        return f"{str(value)[:60]!r}"
    except ValueError:  # an integer of more digits than Python will print
        return "a number of thousands of digits"
