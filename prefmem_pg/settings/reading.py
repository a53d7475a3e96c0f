"""Reading one variable of the environment; each says in its error what the variable may be."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Final

from prefmem_pg.errors import ConfigurationError

Environment = Mapping[str, str]

_TRUE: Final = {"1", "true", "yes", "on"}
_FALSE: Final = {"0", "false", "no", "off"}


def text(env: Environment, name: str) -> str | None:
    """Return the value, or None when the variable is unset or blank."""
    return (env.get(name) or "").strip() or None


def choice(env: Environment, name: str, allowed: tuple[str, ...]) -> str:
    """Return one of the allowed values, the first when the variable is unset."""
    value = (text(env, name) or allowed[0]).lower()
    if value not in allowed:
        raise ConfigurationError(f"{name} is {value!r}; it must be one of: {', '.join(allowed)}")
    return value


def switch(env: Environment, name: str, *, default: bool) -> bool:
    value = (env.get(name) or "").strip().lower()
    if not value:
        return default
    if value not in _TRUE | _FALSE:
        raise ConfigurationError(f"{name} is {value!r}; it must be on or off")
    return value in _TRUE


def fraction(env: Environment, name: str, *, default: float) -> float:
    raw = (env.get(name) or "").strip()
    try:
        value = float(raw) if raw else default
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise ConfigurationError(f"{name} is {raw!r}; it must be a number from 0 to 1")
    return value


def whole_number(env: Environment, name: str, *, default: int, least: int = 1) -> int:
    value = whole_number_or_none(env, name, least=least)
    return default if value is None else value


def whole_number_or_none(env: Environment, name: str, *, least: int = 1) -> int | None:
    raw = (env.get(name) or "").strip()
    if not raw:
        return None
    if not (raw.isascii() and raw.isdigit() and len(raw) < 10 and int(raw) >= least):
        floor = "above 0" if least == 1 else f"from {least} on"
        raise ConfigurationError(f"{name} is {raw!r}; it must be a whole number {floor}")
    return int(raw)


def dollars(env: Environment, name: str) -> Decimal | None:
    """Return an amount of US dollars, or None when the variable is unset."""
    raw = (env.get(name) or "").strip()
    if not raw:
        return None
    try:
        value = Decimal(raw)
    except InvalidOperation:
        value = Decimal(-1)
    if not (value.is_finite() and value >= 0):
        raise ConfigurationError(f"{name} is {raw!r}; it must be an amount of US dollars, such as 2.50")
    return value
