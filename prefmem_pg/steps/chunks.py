"""Unread messages of a dialog -> chunks for the extractor. Pure."""

from collections.abc import Iterator, Sequence
from typing import Final
from uuid import UUID

from prefmem_pg.db.runs import UnreadDialog
from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.text import detect_language
from prefmem_pg.providers.protocols import Chunk

CHUNK_MESSAGES: Final = 10
OVERLAP_MESSAGES: Final = 2


def cut_chunks(messages: Sequence[Message], unread: frozenset[UUID]) -> Iterator[tuple[tuple[Message, ...], int]]:
    """Yield (messages, index of the first new one): stretches of unread messages, ten each, with two before as context.

    Cut from the first unread one; a read message between unread ones ends a chunk, since new ones must be in a row.
    """
    place = 0
    while place < len(messages):
        if messages[place].message_id not in unread:
            place += 1
            continue
        end = place
        while end < len(messages) and end - place < CHUNK_MESSAGES and messages[end].message_id in unread:
            end += 1
        start = max(0, place - OVERLAP_MESSAGES)
        yield tuple(messages[start:end]), place - start
        place = end


def as_chunk(dialog: UnreadDialog, messages: tuple[Message, ...], first_new: int) -> Chunk:
    """Return the chunk of these messages, in the language of what the user says in them."""
    said = " ".join(message.content[:500] for message in messages if message.role == "user")
    return Chunk(
        user_id=dialog.user_id,
        dialog_id=dialog.dialog_id,
        messages=messages,
        first_new=first_new,
        language=detect_language(said),
        time_zone=dialog.time_zone,
    )
