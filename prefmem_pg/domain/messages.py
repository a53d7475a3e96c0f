"""Messages: what was said, before and after it is stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal, get_args
from uuid import UUID

Role = Literal["user", "assistant", "other", "system", "tool"]
"""Who spoke; ``other`` is a person who is not the user."""

ROLES: Final[tuple[str, ...]] = get_args(Role)

Metadata = Mapping[str, Any]
"""A JSON object of the caller's; Any because JSON is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMessage:
    """A message as a caller gives it, cleaned and checked, not yet stored.

    ``occurred_at`` is aware UTC, or None when the caller gave none (then the time of ingestion is used).
    ``occurred_at_text`` is the time as the caller wrote it: part of the made-up external id.
    """

    user_id: str
    role: Role
    content: str
    dialog_id: str | None = None
    session_id: str | None = None
    author: str | None = None
    occurred_at: datetime | None = None
    occurred_at_text: str = ""
    external_id: str | None = None
    agent_id: str | None = None
    mem_cube_id: str | None = None
    metadata: Metadata = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message as it is stored. ``occurred_at_is_assumed`` says that the caller gave no time.

    session_id, agent_id and mem_cube_id are those of its dialog.
    """

    user_id: str
    message_id: UUID
    dialog_id: str
    role: Role
    content: str
    occurred_at: datetime
    ingested_at: datetime
    source: str
    external_id: str
    author: str | None = None
    session_id: str | None = None
    occurred_at_is_assumed: bool = False
    agent_id: str | None = None
    mem_cube_id: str | None = None
    metadata: Metadata = field(default_factory=dict)
