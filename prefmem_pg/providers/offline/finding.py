"""A finding: a stretch of the message with the cue that it holds, before it becomes a candidate."""

from dataclasses import dataclass

from prefmem_pg.providers.offline.cue import Cue


@dataclass(frozen=True, slots=True)
class Finding:
    """``lead`` is a subject that the stretch leaves out ("I "); ``reason`` is the place of its because-clause."""

    start: int
    end: int
    cue: Cue
    lead: str = ""
    reason: tuple[int, int] | None = None
    is_safety: bool = False
