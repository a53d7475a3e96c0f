"""Anything conversational -> clean messages, stored once."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from prefmem_pg.db.messages import AddedMessages
from prefmem_pg.db.session import Database
from prefmem_pg.domain.ids import new_id
from prefmem_pg.domain.messages import Message, NewMessage
from prefmem_pg.steps.screen import screen_message

BATCH_MESSAGES: Final = 5_000
"""Messages a transaction: what a kill can cost is one batch, which the next run stores."""


@dataclass
class OrdinalCounter:
    """Numbers equal messages of one call or file, so that a repeated "ok" is two messages and a re-run is none."""

    seen: Counter[bytes] = field(default_factory=Counter)

    def external_id(self, message: NewMessage) -> str:
        """Return a SHA-256 over what makes the message itself, with its ordinal among equal ones."""
        parts = (
            message.user_id,
            message.dialog_id or "",
            message.session_id or "",
            message.role,
            message.author or "",
            message.occurred_at_text,
            message.content,
        )
        digest = hashlib.sha256("\x1f".join(parts).encode()).digest()
        self.seen[digest] += 1
        return hashlib.sha256(digest + str(self.seen[digest]).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class IngestedBatch:
    """The messages as they were prepared, and what became of them by their place."""

    messages: Sequence[Message]
    result: AddedMessages


def ingest(
    database: Database,
    messages: Iterable[NewMessage],
    *,
    user_id: str | None,
    source: str,
    model_id: int,
    allow_erased: bool = False,
    ordinals: OrdinalCounter | None = None,
) -> Iterator[IngestedBatch]:
    """Store messages in batches, a transaction each, and yield what became of each batch. Idempotent.

    Secrets are replaced first: before anything is hashed, compared or stored. With ``user_id`` the work is done as
    the app under row-level security, with None as the pipeline for many users. ``ordinals`` carries the numbering of
    equal messages over several calls for one file.
    """
    prepare = _Preparation(iter(messages), ordinals or OrdinalCounter())
    # While the server stores a batch, a thread screens the next: screening costs half of what storing does.
    with ThreadPoolExecutor(max_workers=1) as thread:
        batch = prepare()
        while batch:
            coming = thread.submit(prepare) if len(batch) == BATCH_MESSAGES else None
            yield _store(database, batch, user_id=user_id, source=source, model_id=model_id)
            batch = coming.result() if coming is not None else []


@dataclass(frozen=True, slots=True)
class _Preparation:
    """Takes the next batch from the source: screened messages, each with its external id."""

    source: Iterator[NewMessage]
    ordinals: OrdinalCounter

    def __call__(self) -> list[tuple[NewMessage, str]]:
        screened = [screen_message(message) for message in islice(self.source, BATCH_MESSAGES)]
        return [(message, message.external_id or self.ordinals.external_id(message)) for message in screened]


def _store(
    database: Database, batch: Sequence[tuple[NewMessage, str]], *, user_id: str | None, source: str, model_id: int
) -> IngestedBatch:
    now = datetime.now(UTC)
    need_a_day = {message.user_id for message, _ in batch if message.dialog_id is None and message.session_id is None}

    with database.transaction(user_id=user_id) as repositories:
        zones = repositories.messages.time_zones(sorted(need_a_day)) if need_a_day else {}
        rows = [
            _as_stored(message, external_id, source=source, zone=zones.get(message.user_id, "UTC"), now=now)
            for message, external_id in batch
        ]
        result = repositories.messages.add_many(rows, model_id=model_id)
    return IngestedBatch(rows, result)


def default_dialog_id(message: NewMessage, *, occurred_at: datetime, zone: str) -> str:
    """Return the dialog of a message that names none: its session, or the user's day on which it was said."""
    if message.session_id is not None:
        return f"default:{message.session_id}"
    try:
        day = occurred_at.astimezone(ZoneInfo(zone)).date()
    except (ZoneInfoNotFoundError, ValueError):
        day = occurred_at.date()
    return f"default:{day.isoformat()}"


def _as_stored(message: NewMessage, external_id: str, *, source: str, zone: str, now: datetime) -> Message:
    occurred_at = message.occurred_at or now
    return Message(
        user_id=message.user_id,
        message_id=new_id(),
        dialog_id=message.dialog_id or default_dialog_id(message, occurred_at=occurred_at, zone=zone),
        session_id=message.session_id,
        role=message.role,
        author=message.author,
        content=message.content,
        occurred_at=occurred_at,
        occurred_at_is_assumed=message.occurred_at is None,
        ingested_at=now,
        source=source,
        external_id=external_id,
        agent_id=message.agent_id,
        mem_cube_id=message.mem_cube_id,
        metadata=message.metadata,
    )
