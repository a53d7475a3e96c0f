"""The working memory of a session: read before a recall, kept after it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from prefmem_pg.db.session import Database
from prefmem_pg.db.sessions import Shown
from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.preferences import Candidate
from prefmem_pg.domain.search import Recall, SearchHit
from prefmem_pg.domain.sessions import Session
from prefmem_pg.providers.offline.judge import OfflineJudge
from prefmem_pg.providers.protocols import Chunk, Comparison, Statement
from prefmem_pg.steps.screen import classify

SESSION_MESSAGES: Final = 60
"""How far back a session is read for goals and for what was stated: some thirty turns of each side."""
SESSION_HOURS: Final = 24
"""How long after its last recall a session keeps what it has shown."""
SESSION_SHOWN: Final = 5
"""How many of the session's own preferences a recall shows, those nearest to the question first."""
MATTERS: Final = 0.5
"""A preference that was shown already is shown again when it scores so much: as near as a right answer usually is."""
_STATED: Final = ("explicit", "fact")


@dataclass(frozen=True, slots=True)
class Choice:
    """What a recall shows, and what it leaves out: shown in this session already, or contradicted by what was said."""

    shown: tuple[SearchHit, ...]
    known: tuple[UUID, ...] = ()
    contradicted: tuple[UUID, ...] = ()

    def left_out(self) -> dict[str, list[str]]:
        """Return the ids that are not shown, by why."""
        found = {"known": self.known, "contradicted": self.contradicted}
        return {why: [str(one) for one in ids] for why, ids in found.items() if ids}


def read_session(database: Database, user_id: str, session_id: str, *, now: datetime | None) -> Session:
    """Return the session as of a time; one that nobody has heard of is empty."""
    from prefmem_pg.providers.offline.session_goals import current_goals  # its patterns take time to compile

    at = now or datetime.now(UTC)
    with database.transaction(user_id=user_id) as repositories:
        last = repositories.sessions.list_last(user_id, session_id, now=at, limit=SESSION_MESSAGES)
        messages = repositories.messages.list_by_ids(user_id, [one.message_id for one in last])
        recalled = repositories.sessions.read_recalled(user_id, session_id, now=at)
        may_use_sensitive = repositories.preferences.may_use_sensitive(user_id)
        zone = repositories.messages.time_zones([user_id]).get(user_id, "UTC")

    unread = {one.message_id for one in last if one.is_unread}
    stated = _stated(user_id, messages, unread, time_zone=zone)
    return Session(
        user_id=user_id,
        session_id=session_id,
        messages=tuple(messages),
        goals=tuple(one for one in current_goals(messages, now=at) if may_use_sensitive or _is_free(one.text)),
        said=tuple(one for one in stated if may_use_sensitive or _is_free(one.statement, one.topic)),
        recalled={one.preference_id: one.version for one in recalled},
        raised=frozenset(one.preference_id for one in recalled if one.is_raised),
    )


def choose(session: Session, hits: Sequence[SearchHit], *, repeat: bool = False) -> Choice:
    """Return what of the hits is shown: not what the session knows, nor what the user has just contradicted.

    Safety facts, hits that answer the question and rows that have changed are shown again; with ``repeat`` all are.
    """
    shown, known, contradicted = [], [], []
    for hit in hits:
        row = hit.preference
        if not row.is_safety and _is_contradicted(session, hit):
            contradicted.append(row.preference_id)
        elif not repeat and _is_known(session, hit):
            known.append(row.preference_id)
        else:
            shown.append(hit)
    return Choice(tuple(shown), tuple(known), tuple(contradicted))


def keep_session(database: Database, session: Session, recall: Recall, *, now: datetime | None) -> None:
    """Store what was shown and what the user is after; the session ends a day later. An unknown user gets nothing."""
    at = now or datetime.now(UTC)
    raised = session.raised | {hit.preference.preference_id for hit in recall.raised}
    with database.transaction(user_id=session.user_id) as repositories:
        if repositories.preferences.hold_user(session.user_id) is None:
            return
        # Forgetting takes the user's row as well: a goal is not written back after its message was forgotten.
        ids = [goal.message_id for goal in session.goals]
        there = {m.message_id for m in repositories.messages.list_by_ids(session.user_id, ids)} if ids else set()
        repositories.sessions.keep(
            session.user_id,
            session.session_id,
            goals=[goal for goal in session.goals if goal.message_id in there],
            shown=[_as_shown(hit, raised) for hit in (*recall.raised, *recall.hits)],
            now=at,
            expires_at=at + timedelta(hours=SESSION_HOURS),
        )


def _as_shown(hit: SearchHit, raised: frozenset[UUID]) -> Shown:
    row = hit.preference
    return Shown(row.preference_id, row.version, is_raised=row.preference_id in raised)


def _stated(user_id: str, messages: Sequence[Message], unread: set[UUID], *, time_zone: str) -> list[Candidate]:
    """Return what the user states about themselves in messages that no extraction has read; the last word counts."""
    if not unread:
        return []
    from prefmem_pg.providers.offline.extractor import OfflineExtractor  # its patterns take time to compile

    chunk = Chunk(user_id=user_id, dialog_id=messages[-1].dialog_id, messages=tuple(messages), time_zone=time_zone)
    found = [
        one
        for one in OfflineExtractor().extract(chunk)
        if one.kind in _STATED and all(span.message_id in unread for span in one.evidence)
    ]
    return [one for place, one in enumerate(found) if not any(_contradicts(later, one) for later in found[place + 1 :])]


def _is_free(statement: str, topic: str | None = None) -> bool:
    """Say whether a statement may be told without consent."""
    sensitivity, is_safety = classify(statement, topic)
    return sensitivity == "none" or is_safety


def _contradicts(later: Candidate, earlier: Candidate) -> bool:
    existing = Statement(text=earlier.statement, kind=earlier.kind, polarity=earlier.polarity, topic=earlier.topic)
    return _changes(later, existing)


def _is_contradicted(session: Session, hit: SearchHit) -> bool:
    row = hit.preference
    existing = Statement(text=row.statement or "", kind=row.kind, polarity=row.polarity, topic=row.topic)
    return any(_changes(said, existing) for said in session.said)


def _is_known(session: Session, hit: SearchHit) -> bool:
    row = hit.preference
    return not row.is_safety and hit.score < MATTERS and session.recalled.get(row.preference_id) == row.version


def _changes(said: Candidate, existing: Statement) -> bool:
    candidate = Statement(text=said.statement, kind=said.kind, polarity=said.polarity, topic=said.topic)
    [verdict] = OfflineJudge().compare([Comparison(candidate=candidate, existing=existing)])
    return verdict.relation == "changed"
