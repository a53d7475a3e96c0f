"""What a caller hands to remember() -> a checked candidate."""

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from prefmem_pg.domain.preferences import KINDS, POLARITIES, SENSITIVITIES, Candidate
from prefmem_pg.domain.text import MAX_STATEMENT_CHARACTERS, check_id, clean_text, detect_language
from prefmem_pg.errors import InvalidInput
from prefmem_pg.importers.fields import check_keys, parse_metadata
from prefmem_pg.importers.times import parse_time
from prefmem_pg.providers.offline.entities import find_entities
from prefmem_pg.providers.offline.polarity import statement_polarity
from prefmem_pg.providers.offline.topics import find_topic
from prefmem_pg.steps.screen import redact, redact_metadata

MAX_LIST_ITEMS: Final = 50
_CHOICES: Final = {"kind": KINDS, "polarity": POLARITIES, "sensitivity": SENSITIVITIES}
_TIMES: Final = ("valid_from", "valid_to", "expires_at")
_IDS: Final = ("dialog_id", "session_id", "agent_id", "mem_cube_id")
_FRACTIONS: Final = ("confidence", "importance")
_SWITCHES: Final = ("is_safety", "is_pinned")
# What is not given is found in the statement; a load that gives them saves most of its time.
_FOUND: Final[Mapping[str, Callable[[str], Any]]] = {  # Any: the value of the field
    "polarity": statement_polarity,
    "topic": find_topic,
    "entities": lambda statement: tuple(find_entities(statement)),
}
_FIELDS: Final = frozenset(
    {"statement", "context", "topic", "language", "entities", "tags", "source", "metadata"}
    | set(_CHOICES)
    | {*_TIMES, *_IDS, *_FRACTIONS, *_SWITCHES}
)


def as_candidate(item: Any, *, now: datetime) -> Candidate:  # Any: a dict or a dataclass of the caller's
    """Return the candidate that a dict or dataclass describes; only ``statement`` is required.

    Secrets are replaced and text is cleaned as for messages. What is not given is found by rule: language, polarity,
    topic and entities. Raises InvalidInput that names the field.
    """
    given = _as_mapping(item)
    check_keys(given, _FIELDS)
    statement = check_statement(given.get("statement"))
    values: dict[str, Any] = {"statement": statement, "valid_from": now, "confidence": 0.9}
    values["language"] = _language(given.get("language")) or detect_language(statement)
    for name, find in _FOUND.items():
        if given.get(name) is None:
            values[name] = find(statement)
    for name, value in given.items():
        if value is not None and name not in ("statement", "language"):
            values[name] = check_field(name, value)
    candidate = Candidate(**values)
    since, until = candidate.valid_from, candidate.valid_to
    if since is not None and until is not None and until < since:
        raise InvalidInput(f"valid_to {until.isoformat()} is before valid_from {since.isoformat()}")
    return candidate


def check_statement(value: object) -> str:
    """Return the cleaned, redacted statement; InvalidInput when it is missing, empty or too long."""
    if not isinstance(value, str):
        raise InvalidInput("statement is missing" if value is None else "statement must be a string")
    statement = _clean(value)
    if not statement:
        raise InvalidInput("statement is empty")
    if len(statement) > MAX_STATEMENT_CHARACTERS:
        raise InvalidInput(f"statement has {len(statement)} characters; at most {MAX_STATEMENT_CHARACTERS} are allowed")
    return statement


def check_field(name: str, value: object) -> object:
    """Return the checked, cleaned and redacted value of a field other than the statement; InvalidInput names it."""
    if name in _CHOICES:
        if value not in _CHOICES[name]:
            raise InvalidInput(f"{name} is {value!r}; it must be one of: {', '.join(_CHOICES[name])}")
        return value
    if name in _TIMES:
        return parse_time(value)
    if name in _IDS:
        return check_id(name, value)
    if name in _FRACTIONS:
        return _fraction(name, value)
    if name in _SWITCHES:
        if not isinstance(value, bool):
            raise InvalidInput(f"{name} must be true or false, not {value!r}")
        return value
    if name in ("entities", "tags"):
        return _texts(name, value)
    if name == "metadata":
        return redact_metadata(parse_metadata(value))
    return _text(name, value)


def _as_mapping(item: Any) -> Mapping[str, Any]:  # Any: see as_candidate
    if isinstance(item, Mapping):
        return item
    if dataclasses.is_dataclass(item) and not isinstance(item, type):
        values = {field.name: getattr(item, field.name) for field in dataclasses.fields(item)}
        if isinstance(item, Candidate):
            values.pop("evidence")
        return values
    raise InvalidInput(f"an item must be a dict or a dataclass with a statement, not {type(item).__name__}")


def _fraction(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value) or not 0 <= value <= 1:
        raise InvalidInput(f"{name} must be a number from 0 to 1, not {value!r}")
    return float(value)


def _language(value: object) -> str:
    is_code = isinstance(value, str) and value.isascii() and value.isalpha() and len(value) <= 3
    return str(value) if is_code else _text("language", value)  # a code holds no secret


def _text(name: str, value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be a string, not {type(value).__name__}")
    if len(value) > MAX_STATEMENT_CHARACTERS:
        raise InvalidInput(f"{name} has {len(value)} characters; at most {MAX_STATEMENT_CHARACTERS} are allowed")
    return _clean_topic(value) if name == "topic" else _clean(value)


def _clean(text: str) -> str:
    return redact(clean_text(text)).strip()


_clean_topic: Final = lru_cache(maxsize=1_024)(_clean)
"""A load has few topics, each many times."""


def _texts(name: str, value: object) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InvalidInput(f"{name} must be a list of strings, not {type(value).__name__}")
    if len(value) > MAX_LIST_ITEMS:
        raise InvalidInput(f"{name} has {len(value)} items; at most {MAX_LIST_ITEMS} are allowed")
    return tuple(dict.fromkeys(text for item in value if (text := _text(name, item))))
