"""The repository of upkeep: what waits for review, who has preferences, and what is cold."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import text
from sqlalchemy.orm import Session

from prefmem_pg.db.rows import as_preference, from_vector_text, preference_columns
from prefmem_pg.domain.preferences import Preference

_REVIEW: Final = f"""
SELECT {preference_columns("p")}
FROM prefmem.preferences p
WHERE p.status = 'resolving' AND (CAST(:user_id AS text) IS NULL OR p.user_id = :user_id)
ORDER BY p.created_at, p.user_id, p.preference_id
LIMIT :limit
"""
_SUPPORTED: Final = f"""
SELECT e.message_id, e.end_offset, {preference_columns("p")}
FROM prefmem.preference_evidence e
JOIN prefmem.preferences p ON p.user_id = e.user_id AND p.preference_id = e.preference_id
WHERE e.user_id = :user_id AND e.message_id = ANY(:ids) AND p.status = 'activated'
ORDER BY e.message_id, e.start_offset, e.preference_id
"""
_REPLACED: Final = f"""
SELECT {preference_columns("p")}
FROM prefmem.preferences p
WHERE p.user_id = :user_id AND p.superseded_by = ANY(:ids) AND p.status = 'superseded'
ORDER BY p.preference_id
"""
_GOALS: Final = f"""
SELECT {preference_columns("p")}
FROM prefmem.preferences p
WHERE p.user_id = :user_id AND p.status = 'activated' AND p.kind = 'goal'
ORDER BY p.valid_from DESC, p.preference_id DESC
LIMIT 100
"""
# The last sign of life: since when it holds, when it was last said, found, edited or brought back.
_SIGNS: Final = """
SELECT p.preference_id, p.version, p.kind, p.status, p.importance, p.confidence,
  p.is_pinned OR p.is_safety AS is_kept, p.expires_at, coalesce(u.access_count, 0) AS access_count,
  greatest(p.valid_from, u.last_accessed_at, coalesce(e.said_at, p.updated_at), v.touched_at) AS last_sign_at
FROM prefmem.preferences p
LEFT JOIN prefmem.preference_usage u ON u.user_id = p.user_id AND u.preference_id = p.preference_id
LEFT JOIN (
  SELECT e.preference_id, max(m.occurred_at) AS said_at
  FROM prefmem.preference_evidence e
  JOIN prefmem.messages m ON m.user_id = e.user_id AND m.message_id = e.message_id
  WHERE e.user_id = :user_id
  GROUP BY e.preference_id
) e ON e.preference_id = p.preference_id
LEFT JOIN (
  SELECT v.preference_id, max(v.at) AS touched_at
  FROM prefmem.preference_versions v
  WHERE v.user_id = :user_id AND v.event IN ('update', 'restore', 'approve')
  GROUP BY v.preference_id
) v ON v.preference_id = p.preference_id
WHERE p.user_id = :user_id AND p.status IN ('activated', 'resolving')
ORDER BY p.preference_id
"""
_USERS: Final = """
SELECT user_id
FROM prefmem.users u
WHERE (CAST(:after AS text) IS NULL OR user_id > :after)
  AND (NOT :with_preferences OR EXISTS (SELECT FROM prefmem.preferences p WHERE p.user_id = u.user_id))
ORDER BY user_id
LIMIT :limit
"""
_CHANGED: Final = f"""
SELECT e.embedding::text AS vector, {preference_columns("p")}
FROM prefmem.preferences p
LEFT JOIN prefmem.preference_embeddings e
  ON e.user_id = p.user_id AND e.preference_id = p.preference_id AND e.model_id = :model_id
WHERE p.user_id = :user_id AND p.status = 'activated'
  AND (CAST(:since AS timestamptz) IS NULL OR p.updated_at > :since)
  AND (CAST(:after AS uuid) IS NULL OR p.preference_id > :after)
ORDER BY p.preference_id
LIMIT :limit
"""
_SAID: Final = """
SELECT m.message_id, m.dialog_id, m.content, m.occurred_at
FROM prefmem.messages m
WHERE m.user_id = :user_id AND m.role = 'user' AND length(m.content) <= :longest
  AND m.content ILIKE ANY (:words)
ORDER BY m.occurred_at, m.message_id
LIMIT :limit
"""
# What the assistant said right before is what the user answers.
_ANSWERS: Final = """
SELECT m.message_id, m.dialog_id, m.content, m.occurred_at, o.message_id AS offer_id, o.content AS offer
FROM prefmem.messages m
CROSS JOIN LATERAL (
  SELECT b.message_id, b.role, b.content
  FROM prefmem.messages b
  WHERE b.user_id = m.user_id AND b.dialog_id = m.dialog_id
    AND (b.occurred_at, b.message_id) < (m.occurred_at, m.message_id)
  ORDER BY b.occurred_at DESC, b.message_id DESC
  LIMIT 1
) AS o
WHERE m.user_id = :user_id AND m.role = 'user' AND length(m.content) <= :longest
  AND o.role = 'assistant' AND length(o.content) <= :longest_offer
ORDER BY m.occurred_at DESC, m.message_id DESC
LIMIT :limit
"""
_MARK: Final = "prefmem.deduplicated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Watermark:
    """Up to when a user's preferences have been compared with one another, by which judge, and the revision left."""

    at: datetime
    judge: str
    revision: int


@dataclass(frozen=True, slots=True)
class Said:
    """A message of the user, as far as behaviour is read from it."""

    message_id: UUID
    dialog_id: str
    content: str
    occurred_at: datetime


@dataclass(frozen=True, slots=True)
class Answer:
    """A message of the user with what the assistant had said right before it."""

    said: Said
    offer_id: UUID
    offer: str


class UpkeepRepository:
    """What scheduled jobs read, inside the caller's transaction; it never commits."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def list_review(self, *, user_id: str | None, limit: int) -> list[Preference]:
        """Return preferences that wait for a person, oldest first, of one user or of all."""
        rows = self.session.execute(text(_REVIEW), {"user_id": user_id, "limit": limit})
        return [as_preference(row) for row in rows.mappings()]

    def list_supported(self, user_id: str, message_ids: Sequence[UUID]) -> list[tuple[Preference, UUID, int]]:
        """Return (preference, message, end of the evidence) of activated preferences that were said in the messages."""
        if not message_ids:
            return []
        rows = self.session.execute(text(_SUPPORTED), {"user_id": user_id, "ids": list(message_ids)})
        return [(as_preference(row), row["message_id"], row["end_offset"]) for row in rows.mappings()]

    def list_replaced(self, user_id: str, preference_ids: Sequence[UUID]) -> list[Preference]:
        """Return the preferences that ended when one of these took their place."""
        if not preference_ids:
            return []
        rows = self.session.execute(text(_REPLACED), {"user_id": user_id, "ids": list(preference_ids)})
        return [as_preference(row) for row in rows.mappings()]

    def list_goals(self, user_id: str) -> list[Preference]:
        """Return the newest current goals, a hundred at most."""
        rows = self.session.execute(text(_GOALS), {"user_id": user_id})
        return [as_preference(row) for row in rows.mappings()]

    def list_users(self, *, after: str | None, limit: int, with_preferences: bool) -> list[str]:
        """Return users (who have preferences), in order of their ids after the given one."""
        values = {"after": after, "limit": limit, "with_preferences": with_preferences}
        return list(self.session.scalars(text(_USERS), values))

    def list_signs(self, user_id: str) -> list[dict[str, Any]]:
        """Return what the heat of each current or waiting preference of the user is made of."""
        return [dict(row) for row in self.session.execute(text(_SIGNS), {"user_id": user_id}).mappings()]

    def list_changed(
        self, user_id: str, *, since: datetime | None, after: UUID | None, limit: int, model_id: int
    ) -> list[tuple[Preference, NDArray[np.float32] | None]]:
        """Return current preferences that changed after a time, with their vectors, in order of ids after the given."""
        values = {"user_id": user_id, "since": since, "after": after, "limit": limit, "model_id": model_id}
        rows = self.session.execute(text(_CHANGED), values).mappings()
        return [(as_preference(r), None if r["vector"] is None else from_vector_text(r["vector"])) for r in rows]

    def list_said(self, user_id: str, words: Sequence[str], *, longest: int, limit: int) -> list[Said]:
        """Return short messages of the user that hold one of the words, oldest first."""
        values = {
            "user_id": user_id,
            "words": [f"%{word}%" for word in words],
            "longest": longest,
            "limit": limit,
        }
        return [Said(*row) for row in self.session.execute(text(_SAID), values)]

    def list_last_said(self, user_id: str, *, limit: int) -> list[UUID]:
        """Return the newest messages of the user, oldest first."""
        statement = (
            "SELECT message_id FROM prefmem.messages WHERE user_id = :user_id AND role = 'user'"
            " ORDER BY occurred_at DESC, message_id DESC LIMIT :limit"
        )
        found = self.session.scalars(text(statement), {"user_id": user_id, "limit": limit}).all()
        return list(reversed(found))

    def list_answers(self, user_id: str, *, longest: int, longest_offer: int, limit: int) -> list[Answer]:
        """Return the newest short messages of the user that follow one of the assistant's, oldest first."""
        values = {"user_id": user_id, "longest": longest, "longest_offer": longest_offer, "limit": limit}
        rows = self.session.execute(text(_ANSWERS), values).all()
        return [Answer(Said(*row[:4]), row.offer_id, row.offer) for row in reversed(rows)]

    def read_watermark(self, user_id: str) -> Watermark | None:
        """Return up to when the user's preferences have been compared; None: never."""
        statement = (
            "SELECT metadata -> :mark ->> 'at' AS at, metadata -> :mark ->> 'judge' AS judge,"
            " CAST(metadata -> :mark ->> 'revision' AS bigint) AS revision"
            " FROM prefmem.users WHERE user_id = :user_id"
        )
        row = self.session.execute(text(statement), {"user_id": user_id, "mark": _MARK}).one_or_none()
        if row is None or row.at is None:
            return None
        return Watermark(at=datetime.fromisoformat(row.at), judge=row.judge, revision=row.revision)

    def set_watermark(self, user_id: str, mark: Watermark) -> None:
        statement = (
            "UPDATE prefmem.users SET metadata = metadata || jsonb_build_object(CAST(:mark AS text),"
            " jsonb_build_object('at', CAST(:at AS text), 'judge', CAST(:judge AS text),"
            " 'revision', CAST(:revision AS bigint))) WHERE user_id = :user_id"
        )
        values = {
            "user_id": user_id,
            "mark": _MARK,
            "at": mark.at.isoformat(),
            "judge": mark.judge,
            "revision": mark.revision,
        }
        self.session.execute(text(statement), values)
