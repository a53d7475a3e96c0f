"""The fields of a message as callers write them: each is checked, cleaned and named in its error."""

import difflib
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any, Final, cast

from prefmem_pg.domain.messages import Metadata, NewMessage, Role
from prefmem_pg.domain.text import check_id, clean_text
from prefmem_pg.errors import InvalidInput
from prefmem_pg.importers.times import parse_time

MAX_METADATA_KEYS: Final = 100
MAX_METADATA_DEPTH: Final = 5
MAX_METADATA_BYTES: Final = 64 * 1024

ID_FIELDS: Final = ("user_id", "dialog_id", "session_id", "external_id", "agent_id", "mem_cube_id")
MESSAGE_FIELDS: Final = frozenset({*ID_FIELDS, "role", "content", "author", "name", "occurred_at", "metadata"})

# What the OpenAI and Anthropic APIs put beside role and content. Read by nobody here, and not a caller's slip.
PROVIDER_FIELDS: Final = frozenset(
    {
        "annotations",
        "audio",
        "container",
        "context_management",
        "function_call",
        "id",
        "model",
        "object",
        "reasoning_content",
        "refusal",
        "status",
        "stop_reason",
        "stop_sequence",
        "tool_call_id",
        "tool_calls",
        "type",
        "usage",
    }
)

_ROLES: Final[dict[str, Role]] = {
    "user": "user",
    "assistant": "assistant",
    "other": "other",
    "system": "system",
    "tool": "tool",
    "human": "user",
    "ai": "assistant",
    "developer": "system",
    "function": "tool",
}
_TEXT_PARTS = frozenset({"text", "input_text", "output_text"})
# White space as Python sees it, and characters that print nothing: zero width, direction marks, byte order mark.
_VISIBLE = re.compile("[^\\s\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]")


@dataclass(frozen=True, slots=True)
class LineError:
    """Why a line, or message ``index`` (from 0) of the dialog on it, cannot be used. Lines count from 1."""

    line: int
    reason: str
    index: int | None = None


def new_message(
    mapping: Mapping[str, object],
    *,
    defaults: Mapping[str, str | None] | None = None,
    default_zone: tzinfo | None = None,
) -> NewMessage:
    """Return the checked and cleaned message; secrets in it are not yet redacted.

    Takes our own fields and messages of the OpenAI and Anthropic APIs (content as a list of parts, "name" as author).
    ``defaults`` holds ids that surround the message, of the call or of the dialog: an id that the message names too
    must be the same one. Raises InvalidInput that names the field.
    """
    check_keys(mapping, MESSAGE_FIELDS | PROVIDER_FIELDS)
    ids = {name: _parse_surrounded_id(name, mapping.get(name), (defaults or {}).get(name)) for name in ID_FIELDS}
    user_id = ids.pop("user_id")
    if user_id is None:
        raise InvalidInput("user_id is missing")
    given = mapping.get("occurred_at")
    return NewMessage(
        user_id=user_id,
        role=parse_role(mapping.get("role")),
        content=parse_content(mapping.get("content")),
        author=_parse_author(mapping),
        occurred_at=None if given is None else parse_time(given, default_zone=default_zone),
        occurred_at_text="" if given is None else _time_as_given(given),
        metadata=parse_metadata(mapping.get("metadata")),
        **ids,
    )


def carries_no_text(mapping: Mapping[str, object]) -> bool:
    """Say whether this is a provider's message of tool calls, images or the like alone: valid, and nothing to keep."""
    content = mapping.get("content")
    if content is None or content == "" or content == []:
        return any(mapping.get(name) for name in ("tool_calls", "function_call", "refusal", "audio"))
    if isinstance(content, str) or not isinstance(content, Sequence):
        return False
    return all(isinstance(part, Mapping) and part.get("type") not in {None, *_TEXT_PARTS} for part in content)


def check_keys(mapping: Mapping[str, object], known: Iterable[str]) -> None:
    """Raise InvalidInput for the first key that is not known: a misspelt name would silently lose its value."""
    for key in mapping:
        if key not in known:
            shown = str(key)[:60]
            near = difflib.get_close_matches(shown, sorted(known), n=1, cutoff=0.75)
            hint = f"; did you mean {near[0]!r}?" if near else "; put fields of your own into metadata"
            raise InvalidInput(f"unknown field {shown!r}{hint}")


def parse_id(name: str, value: object) -> str | None:
    """Return the id unchanged, or None when there is none."""
    return None if value is None else check_id(name, value)


def parse_role(value: object) -> Role:
    """Return one of our roles; human, ai, developer and function are other names of four of them."""
    if value is None:
        raise InvalidInput("role is missing")
    role = _ROLES.get(value) if isinstance(value, str) else None
    if role is None:
        raise InvalidInput(f"role is unknown: {str(value)[:60]!r}; use one of {', '.join(_ROLES)}")
    return role


def parse_content(value: object) -> str:
    """Return the cleaned text: a string, or the text parts of a list joined by line ends (other parts are skipped)."""
    if value is None:
        raise InvalidInput("content is missing")
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        value = "\n".join(text for part in value if (text := _part_text(part)))
    if not isinstance(value, str):
        raise InvalidInput(f"content must be a string or a list of parts, not {type(value).__name__}")
    content = clean_text(value)
    if not _VISIBLE.search(content):
        raise InvalidInput("content is empty: there is no text in it")
    return content


def parse_metadata(value: object) -> Metadata:
    """Return a cleaned copy of a JSON object, within the limits on keys, depth and bytes; None is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidInput(f"metadata must be an object, not {type(value).__name__}")
    cleaned = cast(dict[str, Any], _clean_json(value, depth=1))
    if (keys := _count_keys(cleaned)) > MAX_METADATA_KEYS:
        raise InvalidInput(f"metadata has {keys} keys; at most {MAX_METADATA_KEYS} are allowed")
    try:
        size = len(json.dumps(cleaned, ensure_ascii=False).encode())
    except ValueError as exc:  # an integer of more digits than Python will print
        raise InvalidInput(f"metadata cannot be written as JSON: {exc}") from exc
    if size > MAX_METADATA_BYTES:
        raise InvalidInput(f"metadata has {size} bytes; at most {MAX_METADATA_BYTES} are allowed")
    return cleaned


def _parse_surrounded_id(name: str, value: object, default: str | None) -> str | None:
    own, surrounding = parse_id(name, value), parse_id(name, default)
    if own is not None and surrounding is not None and own != surrounding:
        raise InvalidInput(f"{name} of the message ({own!r}) is not that around it ({surrounding!r})")
    return surrounding if own is None else own


def _parse_author(mapping: Mapping[str, object]) -> str | None:
    value = mapping.get("author")
    if value is None:
        value = mapping.get("name")
    if value is None:
        return None
    if not isinstance(value, str):
        raise InvalidInput(f"author must be a string, not {type(value).__name__}")
    return clean_text(value).strip() or None


def _part_text(part: object) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping):
        raise InvalidInput(f"content has a part that is neither a string nor an object: {type(part).__name__}")
    if part.get("type", "text") not in _TEXT_PARTS:
        return ""
    text = part.get("text")
    if not isinstance(text, str):
        raise InvalidInput(f"content has a text part whose text is not a string: {type(text).__name__}")
    return text


def _time_as_given(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _clean_json(value: object, *, depth: int) -> object:
    if isinstance(value, str):
        return clean_text(value)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InvalidInput(f"metadata holds a number that JSON cannot hold: {value}")
        return value
    if not isinstance(value, Mapping | list | tuple):
        raise InvalidInput(f"metadata holds a value that is not JSON: {type(value).__name__}")
    if depth > MAX_METADATA_DEPTH:
        raise InvalidInput(f"metadata is nested deeper than {MAX_METADATA_DEPTH} levels")
    if isinstance(value, Mapping):
        return _clean_object(value, depth=depth)
    return [_clean_json(item, depth=depth + 1) for item in value]


def _clean_object(value: Mapping[object, object], *, depth: int) -> dict[str, object]:
    cleaned: dict[str, object] = {}
    for key, item in value.items():
        if not isinstance(key, str):
            raise InvalidInput(f"metadata has a key that is not a string: {key!r:.60}")
        name = clean_text(key)
        if name in cleaned:
            raise InvalidInput(f"metadata has the key {name[:60]!r} twice once the text is cleaned")
        cleaned[name] = _clean_json(item, depth=depth + 1)
    return cleaned


def _count_keys(value: object) -> int:
    if isinstance(value, dict):
        return len(value) + sum(_count_keys(item) for item in value.values())
    return sum(_count_keys(item) for item in value) if isinstance(value, list) else 0
