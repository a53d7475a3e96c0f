"""What a web page needs of a memory: statuses of errors, a preference with all that explains it, the last turns."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from prefmem_pg.domain.chats import ChatContext
from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.preferences import Evidence, Preference, Version
from prefmem_pg.domain.text import detect_language
from prefmem_pg.errors import Conflict, InvalidInput, NotFound, PrefmemError, ProviderError, StoreError
from prefmem_pg.memory import PreferenceMemory

_STATUSES: Final[tuple[tuple[type[PrefmemError], int], ...]] = (
    (NotFound, 404),
    (Conflict, 409),
    (InvalidInput, 400),
    (StoreError, 503),
    (ProviderError, 502),
)

_SAYINGS: Final = (
    ("Mind this: {} ({})", "I know: {}", "I know nothing about that yet.", "; "),
    ("请注意：{}（{}）", "我知道：{}", "这方面我还什么都不知道。", "；"),
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


def last_turns(memory: PreferenceMemory, user_id: str, session_id: str, *, limit: int = 50) -> list[Message]:
    """Return the last messages of a session, oldest first, as a chat shows them."""
    with memory.database.transaction(user_id=user_id) as repositories:
        last = repositories.sessions.list_last(user_id, session_id, now=datetime.now(UTC), limit=limit)
        return repositories.messages.list_by_ids(user_id, [one.message_id for one in last])


def answer_offline(context: ChatContext) -> str:
    """Answer without a model, in the language of the message: with what must be heard, or else with what is known."""
    mind, know, nothing, comma = _SAYINGS[detect_language(context.messages[-1]["content"]) == "zh"]
    if context.recall.raised:
        raised = context.recall.raised[0]
        return mind.format(raised.preference.statement, raised.reason)
    known = [hit.preference.statement or "" for hit in context.recall.hits[:3]]
    return know.format(comma.join(known)) if known else nothing


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
