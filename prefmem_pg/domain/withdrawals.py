"""What the user ends in a conversation: taken back ("forget that"), or reached ("I finally ran the marathon")."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from prefmem_pg.domain.preferences import Candidate, Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A sentence of a message and its place in the dialog; ``said`` are the messages that came before."""

    message_id: UUID
    start: int
    quote: str
    at: datetime
    said: frozenset[UUID] = frozenset()

    def follows(self, message_id: UUID, start: int) -> bool:
        """Say whether this comes after a place of the same dialog."""
        return message_id in self.said or (message_id == self.message_id and start < self.start)

    def follows_all(self, candidate: Candidate) -> bool:
        """Say whether this comes after all that a candidate of the same dialog rests on."""
        return all(self.follows(span.message_id, span.start) for span in candidate.evidence)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached(Remark):
    """A sentence that tells that something has come to its end; which goals it means depends on these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawal(Remark):
    """An instruction to forget, found in a message.

    ``places`` are (message, end): what is meant was said there, before that character; the nearest place at which
    something was found counts, no other. With a ``subject`` everything about it is meant that was said before, but
    nothing that keeps the user safe, and of one ``kind`` alone when it is given.
    """

    places: tuple[tuple[UUID, int], ...] = ()
    subject: str | None = None
    kind: Kind | None = None
