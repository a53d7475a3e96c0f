"""What a search returns: hits that explain themselves, and the text for a prompt."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.preferences import Evidence, Preference
from prefmem_pg.domain.sessions import BuiltQuery, SessionGoal
from prefmem_pg.domain.summaries import SummaryHit


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why a hit has its score.

    ``semantic`` is the centred cosine less the hubness (about -0.5..1; None: the row has no vector yet), ``keyword``
    the BM25 score over the weight of all the question's terms (0..1.9), ``fuzzy`` the likeness of a name (0..1), each
    before its weight. ``relevance`` is their weighted sum on a fixed map (0..1). ``factors`` multiply it (each about
    0.95..1.05): recency, importance, confidence, heat. Ranks count from 1 within their arm; None: not in it.
    """

    semantic: float | None
    keyword: float
    fuzzy: float
    relevance: float
    factors: Mapping[str, float]
    semantic_rank: int | None
    keyword_rank: int | None
    is_exact: bool
    plan: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """A preference that was found. ``score`` lies in 0..1 and is comparable between questions.

    ``rerank_score`` is the reranker's, where it had the last word; ``note`` says why it had not although it was asked.
    ``reason`` says why it is raised when nobody asked for it.
    """

    preference: Preference
    score: float
    explanation: Explanation
    evidence: tuple[Evidence, ...] = ()
    rerank_score: float | None = None
    note: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageHit:
    """A message that was found. ``score`` lies in 0..1 and is comparable between questions.

    ``semantic`` and ``keyword`` are as in Explanation. ``factors`` say what stands around it: ``neighbours`` and
    ``session`` were added for what was said beside it, ``period`` because the question names its time; ``speaker``
    multiplies the sum before (1, or 1.1 when the question names who says this).
    """

    message: Message
    score: float
    semantic: float | None
    keyword: float
    factors: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class UserHit:
    """A user who was found by a preference; ``score`` lies in 0..1 for a question, and is a cosine between rows."""

    user_id: str
    preference_id: UUID
    kind: str
    statement: str
    polarity: str
    topic: str | None
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileValue:
    """A setting with the layer that won and why."""

    key: str
    value: Any
    layer: str
    reason: str
    stated_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """What to put into a prompt: ``text`` within the budget, and what it shows, in its order.

    ``raised`` is what the user did not ask for, each with its reason. Of a session: ``query`` is what was searched for
    the message, ``said`` what the user has stated and no extraction has read, ``goals`` what they are after and
    ``turns`` its last messages, oldest first. In
    ``details`` stand ids that are left out: ``known`` ones were shown in the session, ``contradicted`` ones unsaid.
    """

    text: str
    hits: tuple[SearchHit, ...]
    profile: tuple[ProfileValue, ...] = ()
    raised: tuple[SearchHit, ...] = ()
    said: tuple[str, ...] = ()
    goals: tuple[SessionGoal, ...] = ()
    turns: tuple[Message, ...] = ()
    summaries: tuple[SummaryHit, ...] = ()
    query: BuiltQuery | None = None
    tokens: int = 0
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page of a list: ``after`` is the key of the next page, None at the end; ``total`` counts all pages."""

    items: tuple[Any, ...]  # Any: Preference or Message
    total: int
    after: str | None


@dataclass(frozen=True, slots=True)
class Erasure:
    """What an erasure removed: rows by table."""

    erasure_id: UUID
    counts: Mapping[str, int]
