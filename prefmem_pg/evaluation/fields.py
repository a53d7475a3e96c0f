"""The fields of a dataset's record: each is checked and named in its error."""

from collections.abc import Mapping
from typing import Any

from prefmem_pg.errors import InvalidInput

Record = Mapping[str, Any]
"""A JSON object; Any because JSON is."""


def text_field(record: Record, name: str) -> str:
    """Return the text of a field; InvalidInput when it is missing, empty or no text."""
    value = record.get(name)
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"{name} must be text and not empty, not {_shown(value)}")
    return value


def optional_text(record: Record, name: str, default: str) -> str:
    """Return the text of a field, or the default when the record has none."""
    return default if record.get(name) is None else text_field(record, name)


def number_field(record: Record, name: str) -> int:
    """Return the whole number of a field; InvalidInput for anything else."""
    value = record.get(name)
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(f"{name} must be a whole number, not {_shown(value)}")
    return value


def choice_field(record: Record, name: str, choices: tuple[str, ...]) -> str:
    """Return the text of a field that must be one of the choices."""
    value = record.get(name)
    if value not in choices:
        raise InvalidInput(f"{name} must be one of {', '.join(choices)}, not {_shown(value)}")
    return str(value)


def records_field(record: Record, name: str) -> list[Record]:
    """Return the objects of a field that is a list of objects."""
    value = record.get(name)
    if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
        raise InvalidInput(f"{name} must be a list of objects, not {_shown(value)}")
    return value


def texts_field(record: Record, name: str) -> tuple[str, ...]:
    """Return the texts of a field that is a list of texts."""
    value = record.get(name)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InvalidInput(f"{name} must be a list of texts, not {_shown(value)}")
    return tuple(value)


def numbers_field(record: Record, name: str) -> tuple[int, ...]:
    """Return the whole numbers of a field that is a list of them."""
    value = record.get(name)
    if not isinstance(value, list) or not all(isinstance(item, int) and not isinstance(item, bool) for item in value):
        raise InvalidInput(f"{name} must be a list of whole numbers, not {_shown(value)}")
    return tuple(value)


def _shown(value: object) -> str:
    return "missing" if value is None else f"{type(value).__name__} {str(value)[:40]!r}"
