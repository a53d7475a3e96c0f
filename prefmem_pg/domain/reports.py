"""What the larger calls report: counts first, then what went wrong and where."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelComparison:
    """How far two embedding models agree on sampled questions.

    ``overlap`` is the share of the old model's first ten answers that the new one also has in its first ten;
    ``same_first`` the share of questions with the same first answer.
    """

    questions: int
    overlap: float
    same_first: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ReembedReport:
    """What changing the embedding model did: vectors that were made now, and what could not be embedded."""

    provider: str
    model: str
    dimensions: int
    model_before: str = ""
    preferences: int = 0
    messages: int = 0
    summaries: int = 0
    failed: int = 0
    comparison: ModelComparison | None = None
    is_active: bool = False
    errors: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LandingReport:
    """Counts of one call of ingest_folder() or ingest_table(). ``skipped`` files were in the hands of another process.

    ``rejected`` files had faulty lines or conflicts: their other lines are stored. ``unreadable`` files stay where they
    are. ``rejected_lines`` of a table are kept there with their errors.
    """

    files: int = 0
    rejected: int = 0
    skipped: int = 0
    unreadable: int = 0
    lines: int = 0
    rejected_lines: int = 0
    messages: int = 0
    added: int = 0
    repeated: int = 0
    conflicts: int = 0
    erased: int = 0
    errors: int = 0

    def plus(self, other: "LandingReport") -> "LandingReport":
        """Return the sum of two reports."""
        return LandingReport(**{name: getattr(self, name) + getattr(other, name) for name in self.__slots__})


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadDay:
    """Messages of one day that no extraction has read yet; ``newest`` is when the last of them came in."""

    day: date
    messages: int
    newest: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Calls of providers, their tokens and what they cost."""

    calls: int
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cost_usd: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Indicators:
    """Whether the store keeps up, over all users. Times are when a message came in; costs are of today, in UTC.

    ``near_duplicates`` of ``compared`` rows say about the same as an older row of their user, over a fixed sample.
    """

    activated: int
    unread: int
    oldest_unread: datetime | None
    failed_runs: int
    parked_runs: int
    waiting_candidates: int
    parked_candidates: int
    without_vector: int
    without_evidence: int
    batches_on_way: int
    compared: int
    near_duplicates: int
    cost_today_usd: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionReport:
    """Counts of one call of extract(). ``skipped`` dialogs were taken by another process meanwhile.

    ``ungrounded`` candidates were refused because the text does not carry them; the runs count them by reason.
    ``withdrawals`` are instructions to forget that were found; what they mean is archived.
    """

    dialogs: int = 0
    messages: int = 0
    runs: int = 0
    candidates: int = 0
    added: int = 0
    duplicate: int = 0
    updated: int = 0
    superseded: int = 0
    rejected: int = 0
    review: int = 0
    waiting: int = 0
    failed: int = 0
    parked: int = 0
    skipped: int = 0
    ungrounded: int = 0
    withdrawals: int = 0
    errors: Mapping[str, str] = field(default_factory=dict)

    def plus(self, other: "ExtractionReport") -> "ExtractionReport":
        """Return the sum of two reports."""
        sums: dict[str, Any] = {  # Any: counts and the mapping of errors go to the same constructor
            name: getattr(self, name) + getattr(other, name) for name in self.__slots__ if name != "errors"
        }
        return ExtractionReport(**sums, errors={**self.errors, **other.errors})


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchReport:
    """What was handed to a provider to be answered within hours. ``silent`` chunks hold no word of the user's.

    ``released`` ones were on their way in a batch that never arrived, and go into another.
    """

    batches: int = 0
    items: int = 0
    messages: int = 0
    silent: int = 0
    released: int = 0

    def plus(self, other: "BatchReport") -> "BatchReport":
        """Return the sum of two reports."""
        return BatchReport(**{name: getattr(self, name) + getattr(other, name) for name in self.__slots__})


@dataclass(frozen=True, slots=True, kw_only=True)
class RetireReport:
    """How many preferences were archived, by cause, and how many ``sessions`` had ended, whose state is deleted."""

    users: int = 0
    expired: int = 0
    cold: int = 0
    capacity: int = 0
    sessions: int = 0

    def plus(self, other: "RetireReport") -> "RetireReport":
        """Return the sum of two reports."""
        return RetireReport(**{name: getattr(self, name) + getattr(other, name) for name in self.__slots__})


@dataclass(frozen=True, slots=True, kw_only=True)
class DeduplicationReport:
    """What became of pairs of preferences. ``skipped`` ones were changed by others meanwhile; the next run takes them.

    ``failed`` counts users for whom the judge failed.
    """

    users: int = 0
    compared: int = 0
    merged: int = 0
    superseded: int = 0
    skipped: int = 0
    failed: int = 0
    errors: Mapping[str, str] = field(default_factory=dict)

    def plus(self, other: "DeduplicationReport") -> "DeduplicationReport":
        """Return the sum of two reports."""
        sums: dict[str, Any] = {  # Any: counts and the mapping of errors go to the same constructor
            name: getattr(self, name) + getattr(other, name) for name in self.__slots__ if name != "errors"
        }
        return DeduplicationReport(**sums, errors={**self.errors, **other.errors})


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationReport:
    """``implicit`` counts behaviours that were handed to deciding, ``profile`` the entries that changed."""

    users: int = 0
    merged: int = 0
    superseded: int = 0
    implicit: int = 0
    profile: int = 0
    failed: int = 0
    errors: Mapping[str, str] = field(default_factory=dict)

    def plus(self, other: "ConsolidationReport") -> "ConsolidationReport":
        """Return the sum of two reports."""
        sums: dict[str, Any] = {  # Any: counts and the mapping of errors go to the same constructor
            name: getattr(self, name) + getattr(other, name) for name in self.__slots__ if name != "errors"
        }
        return ConsolidationReport(**sums, errors={**self.errors, **other.errors})


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfilesReport:
    """How many users were looked at, and how many entries of their profiles changed."""

    users: int = 0
    changed: int = 0

    def plus(self, other: "ProfilesReport") -> "ProfilesReport":
        """Return the sum of two reports."""
        return ProfilesReport(users=self.users + other.users, changed=self.changed + other.changed)
