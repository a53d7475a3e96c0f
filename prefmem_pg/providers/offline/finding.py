"""A finding: a stretch of the message with the cue that it holds, before it becomes a candidate."""

from dataclasses import dataclass, replace

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


def of_danger(before: Finding, cue: Cue, end: int) -> list[Finding]:
    """Return what becomes of a finding that "I'm allergic" follows: the danger, which takes the place of an avoidance
    ("no peanuts, I'm allergic") and stands beside a liking ("I love peanuts, but I'm allergic").
    """
    danger = replace(before, end=end, cue=cue, is_safety=True, polarity=None)
    return [before, danger] if before.cue.polarity == "positive" else [danger]
