"""The fields that a filter may name: columns of preferences and paths into their metadata."""

import difflib
import json
import re
from collections.abc import Mapping
from typing import Final

from prefmem_pg.domain.filter_conditions import Column, MetadataPath
from prefmem_pg.domain.messages import ROLES
from prefmem_pg.domain.preferences import KINDS, POLARITIES, SENSITIVITIES, STATUSES
from prefmem_pg.domain.text import clean_text
from prefmem_pg.errors import InvalidFilter

COLUMNS: Final = {
    column.name: column
    for column in (
        Column("user_id", "id"),
        Column("preference_id", "uuid"),
        Column("kind", "text", KINDS),
        Column("statement", "text"),
        Column("context", "text"),
        Column("polarity", "text", POLARITIES),
        Column("topic", "text"),
        Column("entities", "texts"),
        Column("tags", "texts"),
        Column("language", "text"),
        Column("confidence", "real"),
        Column("importance", "real"),
        Column("sensitivity", "text", SENSITIVITIES),
        Column("is_safety", "boolean"),
        Column("is_pinned", "boolean"),
        Column("status", "text", STATUSES),
        Column("superseded_by", "uuid"),
        Column("mention_count", "integer"),
        Column("valid_from", "time"),
        Column("valid_to", "time"),
        Column("created_at", "time"),
        Column("updated_at", "time"),
        Column("expires_at", "time"),
        Column("source", "id"),
        Column("dialog_id", "id"),
        Column("session_id", "id"),
        Column("agent_id", "id"),
        Column("mem_cube_id", "id"),
        Column("version", "integer"),
        Column("run_id", "uuid"),
    )
}
"""Every column but metadata (by path), statement_hash and search_vector.

The call says whose rows are meant; a filter on user_id can only leave out all of them.
"""

MESSAGE_COLUMNS: Final = {
    column.name: column
    for column in (
        Column("user_id", "id"),
        Column("message_id", "uuid"),
        Column("dialog_id", "id"),
        Column("role", "text", ROLES),
        Column("author", "text"),
        Column("content", "text"),
        Column("occurred_at", "time"),
        Column("occurred_at_is_assumed", "boolean"),
        Column("ingested_at", "time"),
        Column("source", "id"),
        Column("external_id", "id"),
    )
}
"""Those of messages, with the same left out."""

_BARE_STEP = re.compile(r"\.([^.\[\]\"]+)")


def find_field(name: str, columns: Mapping[str, Column] = COLUMNS) -> Column | MetadataPath:
    """Return the field of this name, or raise InvalidFilter: a name that is no column is never taken for metadata.

    Metadata is reached by ``metadata.a.b``; a key with a dot, bracket or quote is written ``metadata.a["b.c"]``,
    with the key as a JSON string.
    """
    if name in columns:
        return columns[name]
    if name.startswith(("metadata.", "metadata[")):
        return MetadataPath(_steps(name))
    near = difflib.get_close_matches(name[:60], columns, n=1)
    hint = f"did you mean {near[0]!r}?" if near else "a key of the metadata is written metadata.<key>"
    raise InvalidFilter(f"a filter has no field {shown(name)}; {hint}")


def shown(name: object) -> str:
    """Return a name for an error message, cut: it is the caller's text."""
    return f"{name[:60]!r}" if isinstance(name, str) else f"of type {type(name).__name__}"


def _steps(name: str) -> tuple[str, ...]:
    steps: list[str] = []
    position = len("metadata")
    while position < len(name):
        if bare := _BARE_STEP.match(name, position):
            step, position = bare.group(1), bare.end()
        elif name.startswith('["', position):
            step, position = _quoted_step(name, position + 1)
        else:
            raise _unreadable(name)
        steps.append(clean_text(step))
    return tuple(steps)


def _quoted_step(name: str, start: int) -> tuple[str, int]:
    """Return the key whose JSON string starts here, and where the text goes on behind the bracket."""
    try:
        step, end = json.JSONDecoder(strict=False).raw_decode(name, start)
    except ValueError:
        raise _unreadable(name) from None
    if not name.startswith("]", end):
        raise _unreadable(name)
    return str(step), end + 1


def _unreadable(name: str) -> InvalidFilter:
    return InvalidFilter(
        f'cannot read the path {shown(name)}; write metadata.a.b, and metadata.a["b.c"] for a key with . [ ] or quotes'
    )
