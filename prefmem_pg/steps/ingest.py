"""Anything conversational -> clean messages, stored once."""

import hashlib
import logging
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from prefmem_pg.db.messages import AddedMessages
from prefmem_pg.db.session import Database, Repositories
from prefmem_pg.domain.ids import new_id
from prefmem_pg.domain.messages import Message, NewMessage
from prefmem_pg.errors import Conflict
from prefmem_pg.steps.screen import screen_message

log = logging.getLogger(__name__)

_DEFAULT: Final = "default:"
WRITERS: Final = 2
"""Batches that are stored at once, each on a connection of its own."""
BATCH_MESSAGES: Final = 5_000
"""Messages a transaction: what a kill can cost is one batch, which the next run stores."""
ROUNDS: Final = 3
"""How often a batch starts over because one of its users was erased while it was being stored."""


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
    """The messages as they were prepared, and what became of them by their place.

    ``erased`` were forgotten, or their user was: they are not stored.
    """

    messages: Sequence[Message]
    result: AddedMessages
    erased: tuple[int, ...] = ()


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
    equal messages over several calls for one file. What a tombstone matches is left out; ``allow_erased`` lifts the
    tombstone instead, of these messages and of their users.
    """
    prepare = _Preparation(iter(messages), ordinals or OrdinalCounter(), source)
    store = partial(_store, database, user_id=user_id, model_id=model_id, allow_erased=allow_erased)
    batch = prepare()
    if len(batch) < BATCH_MESSAGES:
        if batch:
            yield store(batch)
        return
    # Threads store batches side by side while this one reads and screens the next: the server has several cores, and
    # screening costs a third of what storing does. What became of them is told in their order. A batch that names a
    # message of one under way waits for it, so that the one that came first is the one that stays.
    with ThreadPoolExecutor(max_workers=WRITERS) as writers:
        running = deque([(writers.submit(store, batch), _keys(batch))])
        while batch := prepare():
            keys = _keys(batch)
            while len(running) > WRITERS or any(not keys.isdisjoint(under_way) for _, under_way in running):
                yield running.popleft()[0].result()
            running.append((writers.submit(store, batch), keys))
        while running:
            yield running.popleft()[0].result()


def _keys(batch: Sequence[Message]) -> frozenset[tuple[str, str]]:
    return frozenset((message.user_id, message.external_id) for message in batch)


@dataclass(frozen=True, slots=True)
class _Preparation:
    """Takes the next batch from where messages come from, screens it and gives it ids."""

    messages: Iterator[NewMessage]
    ordinals: OrdinalCounter
    source: str

    def __call__(self) -> list[Message]:
        now = datetime.now(UTC)
        screened = [screen_message(message) for message in islice(self.messages, BATCH_MESSAGES)]
        return [self._as_stored(message, now) for message in screened]

    def _as_stored(self, message: NewMessage, now: datetime) -> Message:
        occurred_at = message.occurred_at or now
        return Message(
            user_id=message.user_id,
            message_id=new_id(),
            dialog_id=message.dialog_id or _default_dialog_id(message.session_id, occurred_at, "UTC"),
            session_id=message.session_id,
            role=message.role,
            author=message.author,
            content=message.content,
            occurred_at=occurred_at,
            occurred_at_is_assumed=message.occurred_at is None,
            ingested_at=now,
            source=self.source,
            external_id=message.external_id or self.ordinals.external_id(message),
            agent_id=message.agent_id,
            mem_cube_id=message.mem_cube_id,
            metadata=message.metadata,
        )


def _store(
    database: Database, batch: list[Message], *, user_id: str | None, model_id: int, allow_erased: bool
) -> IngestedBatch:
    """Store a batch in one transaction; once more when it met an erasure on its way."""
    is_full = len(batch) == BATCH_MESSAGES
    for left in reversed(range(ROUNDS)):
        try:
            rows = batch
            if is_full:
                # Apart and short: batches that are stored side by side share dialogs, and would wait for each other.
                with database.transaction(user_id=user_id) as repositories:
                    rows = _in_their_dialogs(repositories, batch)
                    refused = frozenset(_refused(repositories, rows, allow_erased=allow_erased))
                    kept = [message for place, message in enumerate(rows) if place not in refused]
                    repositories.messages.add_dialogs(kept)
            with database.transaction(user_id=user_id) as repositories:
                if not is_full:
                    rows = _in_their_dialogs(repositories, batch)
                stored = _add(
                    repositories, rows, model_id=model_id, allow_erased=allow_erased, dialogs_are_there=is_full
                )
            break
        except Conflict:
            if not left:
                raise
    if stored.erased:
        log.warning("erased messages were left out", extra={"count": len(stored.erased)})
    return stored


def _in_their_dialogs(repositories: Repositories, batch: list[Message]) -> list[Message]:
    """Return the messages; those in the dialog of a day in that of the day as their users count it."""
    by_day = {m.user_id for m in batch if m.session_id is None and m.dialog_id.startswith(_DEFAULT)}
    zones = repositories.messages.time_zones(sorted(by_day)) if by_day else {}
    return [_on_users_day(message, zones) for message in batch] if zones else batch


def _refused(repositories: Repositories, rows: Sequence[Message], *, allow_erased: bool) -> list[int]:
    """Return the places of what a tombstone matches; ``allow_erased`` lifts it instead."""
    if allow_erased:
        repositories.erasures.lift(rows)
    return repositories.erasures.find_erased(rows)


def _add(
    repositories: Repositories,
    rows: Sequence[Message],
    *,
    model_id: int,
    allow_erased: bool,
    dialogs_are_there: bool,
) -> IngestedBatch:
    held = frozenset(repositories.preferences.hold_users(list({message.user_id for message in rows})))
    erased = _refused(repositories, rows, allow_erased=allow_erased)
    refused = frozenset(erased)
    places = [place for place in range(len(rows)) if place not in refused]
    kept = [rows[place] for place in places]
    result = repositories.messages.add_many(kept, model_id=model_id, dialogs_are_there=dialogs_are_there)
    # New users are held from here on: an erasure has either ended or waits, and one that came first shows.
    new = [message for message in kept if message.user_id not in held]
    if new and repositories.erasures.find_erased(new):
        raise Conflict("users or messages were erased while they were being stored")
    earlier = {places[place]: message_id for place, message_id in result.earlier.items()}
    conflicts = tuple(places[place] for place in result.conflicts)
    return IngestedBatch(rows, AddedMessages(result.added, earlier, conflicts), tuple(erased))


def _on_users_day(message: Message, zones: Mapping[str, str]) -> Message:
    """Return the message in the dialog of its day as the user counts days, if it is in a dialog of a day at all."""
    zone = zones.get(message.user_id, "UTC")
    if message.dialog_id != _default_dialog_id(None, message.occurred_at, "UTC") or zone == "UTC":
        return message
    return replace(message, dialog_id=_default_dialog_id(None, message.occurred_at, zone))


def _default_dialog_id(session_id: str | None, occurred_at: datetime, zone: str) -> str:
    """Return the dialog of a message that names none: its session, or the user's day on which it was said."""
    if session_id is not None:
        return f"{_DEFAULT}{session_id}"
    try:
        day = occurred_at.astimezone(ZoneInfo(zone)).date()
    except (ZoneInfoNotFoundError, ValueError):
        day = occurred_at.date()
    return f"{_DEFAULT}{day.isoformat()}"
