"""What the user takes back in a conversation: "forget that", "that was my sister, not me"."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from prefmem_pg.domain.preferences import Candidate, Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawal:
    """An instruction to forget, found in a message.

    ``places`` are (message, end): what is meant was said there, before that character; the nearest place at which
    something was found counts, no other. With a ``subject`` everything about it is meant that was said before, but
    nothing that keeps the user safe, and of one ``kind`` alone when it is given; ``said`` are the messages of the
    dialog that came before.
    """

    message_id: UUID
    start: int
    quote: str
    at: datetime
    places: tuple[tuple[UUID, int], ...] = ()
    subject: str | None = None
    kind: Kind | None = None
    said: frozenset[UUID] = frozenset()

    def was_before(self, candidate: Candidate) -> bool:
        """Say whether a candidate of the same dialog was said before this."""
        return all(
            span.message_id in self.said or (span.message_id == self.message_id and span.start < self.start)
            for span in candidate.evidence
        )
