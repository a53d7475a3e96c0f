"""A finding: a stretch of the message with the cue that it holds, before it becomes a candidate."""

from dataclasses import dataclass

from prefmem_pg.domain.preferences import Polarity
from prefmem_pg.providers.offline.cue import Cue


@dataclass(frozen=True, slots=True)
class Finding:
    """``lead`` is what the stretch leaves out ("I ", "Coffee: "); ``reason`` is the place of its because-clause.

    ``said_as`` is the statement where the stretch alone is no sentence: "my husband Rui" is said as "my husband is
    called Rui". ``polarity`` is what the sentence model makes of it; None leaves that to the cue and its words.
    """

    start: int
    end: int
    cue: Cue
    lead: str = ""
    reason: tuple[int, int] | None = None
    is_safety: bool = False
    said_as: str = ""
    polarity: Polarity | None = None
