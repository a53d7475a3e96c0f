"""What a web page needs of a memory: HTTP statuses of errors, and a preference with all that explains it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from prefmem_pg.domain.preferences import Evidence, Preference, Version
from prefmem_pg.errors import Conflict, InvalidInput, NotFound, PrefmemError, ProviderError, StoreError
from prefmem_pg.memory import PreferenceMemory

_STATUSES: Final[tuple[tuple[type[PrefmemError], int], ...]] = (
    (NotFound, 404),
    (Conflict, 409),
    (InvalidInput, 400),
    (StoreError, 503),
    (ProviderError, 502),
)


def http_status(error: PrefmemError) -> int:
    """Return the HTTP status that tells a client what an error means (RFC 9110); 500: nothing that it could change."""
    return next((status for kind, status in _STATUSES if isinstance(error, kind)), 500)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedMessage:
    """A message cut at what supports a preference: ``pieces`` are its text in order, each with whether it is quoted."""

    role: str
    occurred_at: datetime
    pieces: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """A preference with its history, oldest first, and the messages that it rests on."""

    preference: Preference
    versions: tuple[Version, ...]
    messages: tuple[QuotedMessage, ...]


def explain(memory: PreferenceMemory, user_id: str, preference_id: UUID | str) -> Explained:
    """Return a preference with its history and evidence; NotFound when this user has none of that id."""
    preference = memory.get(user_id, preference_id)
    versions = memory.history(user_id, preference_id)
    evidence = memory.evidence(user_id, preference_id)
    ids = list(dict.fromkeys(one.message_id for one in evidence))
    with memory.database.transaction(user_id=user_id) as repositories:
        messages = {one.message_id: one for one in repositories.messages.list_by_ids(user_id, ids)}

    quoted = tuple(
        QuotedMessage(
            role=message.role,
            occurred_at=message.occurred_at,
            pieces=cut(message.content, [one for one in evidence if one.message_id == message.message_id]),
        )
        for message in (messages[found] for found in ids if found in messages)
    )
    return Explained(preference=preference, versions=tuple(versions), messages=quoted)


def cut(content: str, evidence: Sequence[Evidence]) -> tuple[tuple[str, bool], ...]:
    """Cut a message into pieces that are evidence or not; spans that overlap become one."""
    pieces: list[tuple[str, bool]] = []
    place = 0
    for start, end in sorted((one.start, one.end) for one in evidence):
        if start > place:
            pieces.append((content[place:start], False))
        if end > place:
            begun = max(start, place)
            pieces.append((content[begun:end], True))
            place = end
    if place < len(content):
        pieces.append((content[place:], False))
    return tuple(pieces)
