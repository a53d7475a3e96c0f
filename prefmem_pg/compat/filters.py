"""Filters as mem0 and MemOS document them, in the words of this package.

Their operators, groups, "*" and ways to write times are understood by every filter here; what differs is the names of
fields. Sources: docs.mem0.ai/platform/features/v2-memory-filters and .../open-source/features/metadata-filtering;
memos-docs.openmem.net/memos_cloud/features/basic/filters and MemOS' Milvus translator.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from prefmem_pg.domain.filters import Expression
from prefmem_pg.errors import InvalidFilter

_Field = Callable[[str, Any], Expression]  # Any: JSON

_COMMON: Final = ("user_id", "agent_id", "session_id", "dialog_id", "mem_cube_id", "status", "tags", "topic")
_TIMES: Final = ("created_at", "updated_at")
_KINDS: Final = {"explicit_preference": "explicit", "implicit_preference": "implicit"}


def from_mem0(filters: Mapping[str, Any]) -> Expression:
    """Return mem0's ``filters`` as an expression for ``search``, ``list_preferences`` and ``delete_many``.

    ``run_id`` is the session, ``memory`` and ``keywords`` are the statement, ``categories`` the topic and the tags,
    ``timestamp`` is created_at; ``memory_ids`` are preference ids. Every other name is a key of the metadata, as in
    the open source edition. An operator that does not exist is InvalidFilter, when the expression is used.
    """
    return _translated(filters, _mem0_field, skips_null=False)


def from_memos(filter: Mapping[str, Any]) -> Expression:
    """Return MemOS' ``filter`` likewise.

    ``preference_type`` is the kind, ``preference`` the statement, ``memory`` and ``original_text`` the context, ``id``
    the preference's; names with ``info.`` or ``metadata.`` before them, and all others, are keys of the metadata. A
    condition whose value is null is left out, as there. ``icontains`` means what its name says.
    """
    return _translated(filter, _memos_field, skips_null=True)


def _translated(given: object, field: _Field, *, skips_null: bool) -> Expression:
    if not isinstance(given, Mapping):
        raise InvalidFilter(f"a filter is an object, not a {type(given).__name__}")
    parts: list[Expression] = []
    for name, value in given.items():
        if not isinstance(name, str):
            raise InvalidFilter(f"the keys of a filter are texts, not of type {type(name).__name__}")
        if name.lower().lstrip("$") in ("and", "or", "not"):
            parts.append({name: _group(value, field, skips_null=skips_null)})
        elif value is not None or not skips_null:
            parts.append(field(name, value))
    return parts[0] if len(parts) == 1 else {"and": parts}


def _group(given: object, field: _Field, *, skips_null: bool) -> object:
    if isinstance(given, list | tuple):
        return [_translated(part, field, skips_null=skips_null) for part in given]
    return _translated(given, field, skips_null=skips_null)


def _mem0_field(name: str, value: Any) -> Expression:  # Any: JSON
    if name in (*_COMMON, *_TIMES, "metadata"):
        return {name: value}
    if name == "categories":
        return _category(value)
    ours = {"run_id": "session_id", "memory": "statement", "keywords": "statement", "timestamp": "created_at"}
    return {ours[name]: value} if name in ours else _other(name, value, "memory_ids")


def _memos_field(name: str, value: Any) -> Expression:  # Any: JSON
    name = name.removeprefix("metadata.")
    if name in (*_COMMON, *_TIMES):
        return {name: value}
    if name == "preference_type":
        return {"kind": _renamed(value)}
    ours = {"preference": "statement", "memory": "context", "original_text": "context"}
    return {ours[name]: value} if name in ours else _other(name.removeprefix("info."), value, "id")


def _other(name: str, value: Any, ids: str) -> Expression:  # Any: JSON
    return {"preference_id": value} if name == ids else {"metadata": {name: value}}


def _category(value: Any) -> Expression:  # Any: JSON
    """Return what asks for a category: a whole tag or the topic, and for ``contains`` a part of the topic too."""
    if not isinstance(value, Mapping):
        tags = value if isinstance(value, list | tuple) or value == "*" else {"contains": value}
        return {"or": [{"topic": value}, {"tags": tags}]}
    parts: list[Expression] = []
    for word, operand in value.items():
        if word in ("ne", "nin"):
            parts.append({"not": _category({"eq" if word == "ne" else "in": operand})})
        else:
            parts.append(
                {"or": [{"topic": {word: operand}}, {"tags": {"contains" if word == "eq" else word: operand}}]}
            )
    return {"and": parts}


def _renamed(value: Any) -> Any:  # Any: JSON
    if isinstance(value, str):
        return _KINDS.get(value, value)
    if isinstance(value, list | tuple):
        return [_renamed(item) for item in value]
    if isinstance(value, Mapping):
        return {word: _renamed(operand) for word, operand in value.items()}
    return value
