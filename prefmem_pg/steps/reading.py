"""Chunks -> what an extractor finds in them, or why nothing could be found. No transaction is open here."""

import hashlib
import logging
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal
from uuid import UUID

from prefmem_pg.domain.ids import new_id
from prefmem_pg.domain.preferences import Candidate
from prefmem_pg.domain.withdrawals import Reached, Withdrawal
from prefmem_pg.errors import (
    CallWithheld,
    ConfigurationError,
    PrefmemError,
    ProviderRefused,
    ProviderUnavailable,
    Truncated,
    described,
)
from prefmem_pg.providers.offline.follow_ups import FollowUp, find_follow_ups
from prefmem_pg.providers.offline.reached import find_reached
from prefmem_pg.providers.offline.withdrawals import find_withdrawals
from prefmem_pg.providers.protocols import Chunk, PreferenceExtractor
from prefmem_pg.providers.serving import serving
from prefmem_pg.steps.chunks import OVERLAP_MESSAGES
from prefmem_pg.steps.ground import ground

log = logging.getLogger(__name__)

MOST_OUTAGES: Final = 3
"""Chunks in a row that an unavailable provider may fail before the call gives up: each was tried several times."""

Failure = Literal["unavailable", "refused", "invalid"]
"""Nobody answered (the text is not at fault); the model declined; the answer was no use, or the extractor broke."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A chunk with what was found in it, or why nothing could be found. ``refused`` counts candidates by reason."""

    chunk: Chunk
    run_id: UUID
    candidates: tuple[Candidate, ...] = ()
    refused: Mapping[str, int] = field(default_factory=dict)
    withdrawals: tuple[Withdrawal, ...] = ()
    reached: tuple[Reached, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()
    failure: Failure | None = None
    error: str | None = None

    @property
    def new_ids(self) -> list[UUID]:
        return [message.message_id for message in self.chunk.messages[self.chunk.first_new :]]

    @property
    def input_hash(self) -> bytes:
        return hash_of(self.chunk)


class Outage:
    """Notices that a provider is down, so that not every chunk is tried in vain. Shared by threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._in_a_row = 0

    def note(self, read: Read) -> None:
        with self._lock:
            self._in_a_row = self._in_a_row + 1 if read.failure == "unavailable" else 0

    @property
    def is_on(self) -> bool:
        return self._in_a_row >= MOST_OUTAGES


def hash_of(chunk: Chunk) -> bytes:
    """Return the SHA-256 of the ids and texts of a chunk's new messages."""
    new = chunk.messages[chunk.first_new :]
    return hashlib.sha256(b"".join(m.message_id.bytes + m.content.encode() for m in new)).digest()


def read_all(
    extractor: PreferenceExtractor, chunks: Sequence[Chunk], outage: Outage
) -> tuple[list[Read], PrefmemError | None]:
    """Return what was read of the chunks, in order, and what made it stop before the end.

    A wrong key, a spent budget or a missing recording fail every chunk alike: they stop the call, leave the rest
    unread and count as nobody's failure.
    """
    reads: list[Read] = []
    for chunk in chunks:
        if outage.is_on:
            break
        try:
            for read in read_chunk(extractor, chunk):
                outage.note(read)
                reads.append(read)
        except (CallWithheld, ConfigurationError) as exc:
            return reads, exc
    return reads, None


def read_chunk(extractor: PreferenceExtractor, chunk: Chunk) -> Iterator[Read]:
    """Ask the extractor; a failure of any kind stays with the chunk that caused it. What was cut is split and read."""
    run_id = new_id()
    try:
        with serving(chunk.user_id, run_id=run_id, message_ids=[one.message_id for one in chunk.messages]):
            found = extractor.extract(chunk)
    except (CallWithheld, ConfigurationError):
        raise
    except Truncated as exc:
        halves = halve(chunk)
        if not halves:
            yield failed(chunk, run_id, exc)
        for half in halves:
            yield from read_chunk(extractor, half)
        return
    except PrefmemError as exc:
        yield failed(chunk, run_id, exc)
        return
    # An extractor of the caller's own may raise anything: one bad chunk must not sink the others.
    except Exception as exc:
        log.exception("the extractor failed", extra={"extractor": extractor.name, "dialog_id": chunk.dialog_id})
        yield failed(chunk, run_id, exc)
        return
    yield as_read(extractor, chunk, run_id, found)


def as_read(extractor: PreferenceExtractor, chunk: Chunk, run_id: UUID, found: Sequence[Candidate]) -> Read:
    """Return a chunk with the candidates that its text carries."""
    sound, refused = ground(found, chunk, by_model=extractor.model is not None)
    return Read(
        chunk=chunk,
        run_id=run_id,
        candidates=tuple(sound),
        refused=refused,
        withdrawals=tuple(find_withdrawals(chunk, sound)),
        reached=tuple(find_reached(chunk)),
        follow_ups=tuple(find_follow_ups(chunk)),
    )


def failed(chunk: Chunk, run_id: UUID, exc: Exception) -> Read:
    """Return a chunk that could not be read, with the kind of failure."""
    failure: Failure = "invalid"
    if isinstance(exc, ProviderUnavailable):
        failure = "unavailable"
    elif isinstance(exc, ProviderRefused):
        failure = "refused"
    return Read(chunk=chunk, run_id=run_id, failure=failure, error=described(exc))


def halve(chunk: Chunk) -> list[Chunk]:
    """Return two chunks with half of the new messages each, and their own context; none when there is only one."""
    new = len(chunk.messages) - chunk.first_new
    if new < 2:
        return []
    middle = chunk.first_new + (new + 1) // 2
    start = max(0, middle - OVERLAP_MESSAGES)
    return [
        replace(chunk, messages=chunk.messages[:middle]),
        replace(chunk, messages=chunk.messages[start:], first_new=middle - start),
    ]
