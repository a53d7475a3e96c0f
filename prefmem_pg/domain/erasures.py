"""What forgetting reports: counts, and the proof that nothing is left."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """What was erased, by table. ``messages``: the counts of preferences are of those that became ``deleted``."""

    scope: Literal["user", "messages"]
    counts: Mapping[str, int]
    at: datetime
    proof: "ErasureProof | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureProof:
    """What a verifier found. ``pieces`` is how many pieces of text were looked for.

    ``rows`` names the tables that still hold rows of the user, ``texts`` those that still hold a piece of the text.
    ``unread`` are tables that this role may not read: connect as the owner to have them searched too.
    """

    tables: int
    pieces: int
    rows: Mapping[str, int] = field(default_factory=dict)
    texts: Mapping[str, int] = field(default_factory=dict)
    unread: tuple[str, ...] = ()

    @property
    def is_clean(self) -> bool:
        return not self.rows and not self.texts
