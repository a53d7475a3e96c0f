"""Summaries of dialogs and days: what was stored, what was found, and what a run did."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal, get_args
from uuid import UUID

from prefmem_pg.domain.preferences import Sensitivity

SummaryScope = Literal["dialog", "day"]
SUMMARY_SCOPES: Final[tuple[SummaryScope, ...]] = get_args(SummaryScope)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The abstract of a dialog or of a user's day. ``message_ids`` are the messages it is drawn from, in its order.

    It covers ``period_start`` to ``period_end``; ``dialog_id`` is None for a day. ``sensitivity`` is that of the most
    private thing in it: without the user's consent such a summary is not found.
    """

    user_id: str
    summary_id: UUID
    scope: SummaryScope
    dialog_id: str | None
    period_start: datetime
    period_end: datetime
    text: str
    language: str
    sensitivity: Sensitivity
    message_ids: tuple[UUID, ...]
    counts: Mapping[str, Any]
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryHit:
    """A summary that was found. ``score`` lies in 0..1; ``semantic`` None: it has no vector yet."""

    summary: Summary
    score: float
    semantic: float | None
    keyword: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryReport:
    """What a run wrote. ``empty`` ones held nothing to tell, ``embedded`` ones got a vector.

    ``skipped`` changed or were forgotten meanwhile; they and the ``failed`` ones are taken by the next run.
    """

    users: int = 0
    dialogs: int = 0
    days: int = 0
    empty: int = 0
    skipped: int = 0
    embedded: int = 0
    failed: int = 0
    errors: Mapping[str, str] = field(default_factory=dict)

    def plus(self, other: "SummaryReport") -> "SummaryReport":
        """Return the sum of two reports."""
        sums: dict[str, Any] = {  # Any: counts and the mapping of errors go to the same constructor
            name: getattr(self, name) + getattr(other, name) for name in self.__slots__ if name != "errors"
        }
        return SummaryReport(**sums, errors={**self.errors, **other.errors})
