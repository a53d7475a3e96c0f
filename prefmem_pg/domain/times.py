"""Times at the border: aware, or refused."""

from datetime import UTC, datetime

from prefmem_pg.errors import InvalidInput


def aware(name: str, value: datetime) -> datetime:
    """Return the instant in UTC; InvalidInput that names it when it is no datetime or has no zone."""
    if not isinstance(value, datetime):
        raise InvalidInput(f"{name} must be a datetime, not {type(value).__name__}")
    if value.utcoffset() is None:
        raise InvalidInput(f"{name} has no time zone: {value.isoformat()}; give one, such as datetime.now(UTC)")
    return value.astimezone(UTC)


def aware_or_none(name: str, value: datetime | None) -> datetime | None:
    """Return the instant in UTC, or None when none was given."""
    return None if value is None else aware(name, value)
