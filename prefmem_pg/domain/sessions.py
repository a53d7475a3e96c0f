"""The working memory of a session: what was said last, what the user is after, and what was recalled already."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.preferences import Candidate


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionGoal:
    """What the user wants to reach in this session, in the words of the message that says so."""

    text: str
    message_id: UUID
    stated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One sitting of a user as of a moment.

    ``messages`` are the last ones of its dialogs, oldest first; ``said`` what the user states in those that were not
    extracted yet; ``recalled`` the version in which each preference was shown already, ``raised`` those raised unasked.
    """

    user_id: str
    session_id: str
    messages: tuple[Message, ...] = ()
    goals: tuple[SessionGoal, ...] = ()
    said: tuple[Candidate, ...] = ()
    recalled: Mapping[UUID, int] = field(default_factory=dict)
    raised: frozenset[UUID] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltQuery:
    """What is searched for a message: ``text`` is ``asked`` with what it leaves unsaid, from ``message_ids``."""

    asked: str
    text: str
    reason: str = "as asked"
    message_ids: tuple[UUID, ...] = ()

    @property
    def is_expanded(self) -> bool:
        return self.text != self.asked
