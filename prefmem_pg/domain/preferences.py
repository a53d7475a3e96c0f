"""Preferences: candidates, stored rows, evidence, decisions and versions."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal, get_args
from uuid import UUID

from prefmem_pg.domain.messages import Metadata

Kind = Literal["explicit", "implicit", "fact", "goal", "experience"]
Status = Literal["activated", "resolving", "rejected", "archived", "superseded", "deleted"]
Polarity = Literal["positive", "negative", "neutral"]
Sensitivity = Literal["none", "health", "finance", "identity"]
Action = Literal["added", "duplicate", "updated", "superseded", "rejected", "review"]
Event = Literal["add", "update", "merge", "supersede", "archive", "restore", "delete", "approve", "reject"]
Relation = Literal["same", "richer", "changed", "different", "unsure"]

KINDS: Final[tuple[str, ...]] = get_args(Kind)
STATUSES: Final[tuple[str, ...]] = get_args(Status)
POLARITIES: Final[tuple[str, ...]] = get_args(Polarity)
SENSITIVITIES: Final[tuple[str, ...]] = get_args(Sensitivity)
EVENTS: Final[tuple[str, ...]] = get_args(Event)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceSpan:
    """The piece of a message that supports a preference: ``content[start:end] == quote``, in characters."""

    message_id: UUID
    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A preference that was found and not yet decided.

    ``statement`` is one atomic, self-contained sentence in the user's language. ``context`` is the short summary
    or the reason around it. ``confidence`` and ``importance`` lie in 0..1. ``valid_from`` is when it became true.
    """

    statement: str
    kind: Kind = "explicit"
    polarity: Polarity = "positive"
    language: str = "en"
    context: str = ""
    topic: str | None = None
    entities: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    confidence: float = 0.8
    importance: float = 0.5
    sensitivity: Sensitivity = "none"
    is_safety: bool = False
    is_pinned: bool = False
    evidence: tuple[EvidenceSpan, ...] = ()
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    source: str = "api"
    dialog_id: str | None = None
    session_id: str | None = None
    agent_id: str | None = None
    mem_cube_id: str | None = None
    metadata: Metadata = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """A stored preference. ``statement`` is None only when status is ``deleted``."""

    user_id: str
    preference_id: UUID
    kind: Kind
    statement: str | None
    context: str
    polarity: Polarity
    topic: str | None
    entities: tuple[str, ...]
    tags: tuple[str, ...]
    language: str
    confidence: float
    importance: float
    sensitivity: Sensitivity
    is_safety: bool
    is_pinned: bool
    status: Status
    superseded_by: UUID | None
    mention_count: int
    valid_from: datetime
    valid_to: datetime | None
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None
    source: str
    dialog_id: str | None
    session_id: str | None
    agent_id: str | None
    mem_cube_id: str | None
    version: int
    run_id: UUID | None
    metadata: Metadata


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a judge says of a candidate against one existing statement.

    ``same``: adds nothing. ``richer``: the same thing, said more fully. ``changed``: the user changed their mind.
    ``different``: another thing. ``unsure``: cannot tell. ``certainty`` lies in 0..1.
    """

    relation: Relation
    reason: str
    certainty: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What the store did with a candidate. ``preference`` is the row that now stands for it."""

    action: Action
    preference: Preference | None
    reason: str
    superseded: tuple[Preference, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One change of a preference, with the whole state before and after (None: there was or is none)."""

    user_id: str
    version_id: UUID
    preference_id: UUID
    version: int
    event: Event
    state_before: dict[str, Any] | None
    state_after: dict[str, Any] | None
    actor: str
    reason: str
    details: dict[str, Any]
    run_id: UUID | None
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A stored evidence span with what surrounds it, for explanations."""

    preference_id: UUID
    message_id: UUID
    start: int
    end: int
    quote: str
    role: str
    occurred_at: datetime
    dialog_id: str
