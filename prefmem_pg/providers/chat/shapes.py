"""Reading fields of a model's JSON: coerced where only one thing can be meant, else left out. Pure."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from prefmem_pg.domain.text import clean_text
from prefmem_pg.errors import InvalidAnswer
from prefmem_pg.providers.chat.schemas import LEVELS

Fields = dict[str, Any]
"""An object of a model's; Any because JSON is."""

_NOTHING = {"", "n/a", "none", "null", "nil", "unknown", "-", "无", "没有", "未知"}
_MOST_ITEMS = 50


def objects(value: Fields, key: str) -> list[Fields]:
    """Return the objects in a list of the answer; one object stands for a list of one. InvalidAnswer for all else."""
    found = value.get(key)
    if isinstance(found, dict):
        found = [found]
    if found is None and key in value:
        return []
    if not isinstance(found, list):
        raise InvalidAnswer(f"{key} is {type(found).__name__}, not a list")
    return [item for item in found if isinstance(item, dict)]


def text(fields: Fields, key: str) -> str:
    """Return a string, cleaned, with white space folded; "" when there is none, or a word for nothing."""
    value = fields.get(key)
    if not isinstance(value, str):
        return ""
    cleaned = " ".join(clean_text(value).split())
    return "" if cleaned.casefold() in _NOTHING else cleaned


def verbatim(fields: Fields, key: str) -> str:
    """Return a string as it was written, cleaned like a stored message; "" when there is none."""
    value = fields.get(key)
    return clean_text(value) if isinstance(value, str) else ""


def choice(fields: Fields, key: str, allowed: Sequence[str], default: str) -> str:
    """Return one of the allowed words, case and white space aside; anything else is the default."""
    value = fields.get(key)
    word = value.strip().lower() if isinstance(value, str) else ""
    return word if word in allowed else default


def level(fields: Fields, key: str, default: str = "medium") -> float:
    """Return a certainty or an importance in 0..1, given as a word or as a number."""
    value = fields.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return LEVELS[choice(fields, key, tuple(LEVELS), default)]
    return min(max(float(value), 0.0), 1.0) if math.isfinite(value) else LEVELS[default]


def number(fields: Fields, key: str) -> int | None:
    """Return a whole number, also when written as text; None for all else."""
    value = fields.get(key)
    if isinstance(value, str) and value.strip().isascii() and value.strip().lstrip("#m").isdigit():
        return int(value.strip().lstrip("#m"))
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def numbers(fields: Fields, key: str) -> list[int]:
    """Return the different whole numbers of a list; one number stands for a list of one."""
    value = fields.get(key)
    items = value if isinstance(value, list) else [value]
    found = (number({"n": item}, "n") for item in items)
    return list(dict.fromkeys(one for one in found if one is not None))


def texts(fields: Fields, key: str) -> tuple[str, ...]:
    """Return the different strings of a list; one string stands for a list of one."""
    value = fields.get(key)
    return tuple(dict.fromkeys(_texts(value if isinstance(value, list) else [value])))[:_MOST_ITEMS]


def _texts(items: Sequence[object]) -> Iterator[str]:
    for item in items:
        if found := text({"t": item}, "t"):
            yield found
