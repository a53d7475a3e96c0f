"""The repository of sessions: their last messages, and the state that ends by itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.orm import Session

from prefmem_pg.db.rows import as_json_parameter
from prefmem_pg.domain.sessions import SessionGoal

MOST_RECALLED: Final = 200
"""How many preferences a session remembers to have shown, the newest."""

_MESSAGES: Final = """
SELECT m.message_id, m.read_by_run_id IS NULL AS is_unread
FROM prefmem.dialogs d
JOIN prefmem.messages m ON m.user_id = d.user_id AND m.dialog_id = d.dialog_id
WHERE d.user_id = :user_id AND d.session_id = :session_id AND m.role IN ('user', 'assistant', 'other')
  AND m.occurred_at <= :now
ORDER BY m.occurred_at DESC, m.message_id DESC
LIMIT :limit
"""
_STATE: Final = """
SELECT recalled FROM prefmem.session_state
WHERE user_id = :user_id AND session_id = :session_id AND expires_at > :now
"""
# What was shown by two processes at once is shown by both: the lists are joined here, the newest showing of each row.
_KEEP: Final = """
INSERT INTO prefmem.session_state AS s (user_id, session_id, goals, recalled, updated_at, expires_at)
VALUES (:user_id, :session_id, CAST(:goals AS jsonb), CAST(:recalled AS jsonb), :now, :expires_at)
ON CONFLICT (user_id, session_id) DO UPDATE SET
  goals = excluded.goals,
  recalled = (
    SELECT coalesce(jsonb_agg(l.shown ORDER BY l.shown ->> 'at' DESC, l.shown ->> 'id'), '[]')
    FROM (
      SELECT d.shown FROM (
        SELECT DISTINCT ON (e.shown ->> 'id') e.shown
        FROM jsonb_array_elements(
          CASE WHEN s.expires_at > :now THEN s.recalled ELSE '[]' END || excluded.recalled) AS e(shown)
        ORDER BY e.shown ->> 'id', e.shown ->> 'at' DESC
      ) d
      ORDER BY d.shown ->> 'at' DESC, d.shown ->> 'id'
      LIMIT :most
    ) l
  ),
  updated_at = excluded.updated_at,
  expires_at = greatest(s.expires_at, excluded.expires_at)
"""
_PURGE: Final = """
DELETE FROM prefmem.session_state
WHERE expires_at <= :now AND (CAST(:user_id AS text) IS NULL OR user_id = :user_id)
RETURNING session_id
"""


@dataclass(frozen=True, slots=True)
class SessionMessage:
    """A message of a session by its id; ``is_unread``: no extraction has read it yet."""

    message_id: UUID
    is_unread: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """A preference that a session has shown, in which version, and whether it was raised unasked."""

    preference_id: UUID
    version: int
    is_raised: bool = False


class SessionRepository:
    """Sessions, inside the caller's transaction; it never commits."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def list_last(self, user_id: str, session_id: str, *, now: datetime, limit: int) -> list[SessionMessage]:
        """Return the last messages of all dialogs of the session up to a time, the newest first."""
        values = {"user_id": user_id, "session_id": session_id, "now": now, "limit": limit}
        return [SessionMessage(*row) for row in self.session.execute(text(_MESSAGES), values)]

    def read_recalled(self, user_id: str, session_id: str, *, now: datetime) -> list[Shown]:
        """Return what was shown already; nothing once the session has ended."""
        values = {"user_id": user_id, "session_id": session_id, "now": now}
        shown: Sequence[Mapping[str, Any]] = self.session.scalar(text(_STATE), values) or []  # Any: JSON
        return [Shown(UUID(one["id"]), int(one["version"]), bool(one.get("raised"))) for one in shown]

    def keep(
        self,
        user_id: str,
        session_id: str,
        *,
        goals: Sequence[SessionGoal],
        shown: Sequence[Shown],
        now: datetime,
        expires_at: datetime,
    ) -> None:
        """Store the goals of a session and add what was shown. The caller holds the user's row."""
        told = [{"text": g.text, "message_id": str(g.message_id), "stated_at": g.stated_at.isoformat()} for g in goals]
        recalled = [
            {"id": str(one.preference_id), "version": one.version, "raised": one.is_raised, "at": now.isoformat()}
            for one in shown
        ]
        values = {
            "user_id": user_id,
            "session_id": session_id,
            "goals": as_json_parameter(told),
            "recalled": as_json_parameter(recalled),
            "now": now,
            "expires_at": expires_at,
            "most": MOST_RECALLED,
        }
        self.session.execute(text(_KEEP), values)

    def purge(self, *, user_id: str | None, now: datetime) -> int:
        """Delete the state of sessions that have ended, of one user or of all; return how many."""
        return len(self.session.scalars(text(_PURGE), {"user_id": user_id, "now": now}).all())
