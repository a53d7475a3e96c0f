"""The repository of summaries: what is due, what is stored, and which messages they come from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import RowMapping, text
from sqlalchemy.orm import Session

from prefmem_pg.db.rows import as_json_parameter, as_vector_text, recordset
from prefmem_pg.domain.summaries import Summary, SummaryScope

SUMMARY_COLUMNS: Final = (
    "user_id",
    "summary_id",
    "scope",
    "dialog_id",
    "period_start",
    "period_end",
    "text",
    "language",
    "sensitivity",
    "message_ids",
    "counts",
    "created_at",
)
_SPOKEN: Final = "m.role IN ('user', 'assistant', 'other')"
# The contents of messages never change, so their ids and the user's consent say what a summary would be made from.
_HASH: Final = """sha256(convert_to(:made_by || ' ' || CAST(u.may_use_sensitive AS text) || ' '
    || string_agg(CAST(m.message_id AS text), ' ' ORDER BY m.occurred_at, m.message_id), 'UTF8'))"""
_IN_PERIOD: Final = """(CAST(:since AS timestamptz) IS NULL OR m.occurred_at >= :since)
    AND (CAST(:until AS timestamptz) IS NULL OR m.occurred_at < :until)"""
_USERS: Final = f"""
SELECT DISTINCT m.user_id
FROM prefmem.messages m
WHERE {_SPOKEN} AND {_IN_PERIOD}
  AND (CAST(:user_id AS text) IS NULL OR m.user_id = :user_id)
  AND (CAST(:after AS text) IS NULL OR m.user_id > :after)
ORDER BY m.user_id
LIMIT :limit
"""
_DIALOGS: Final = f"""
SELECT d.dialog_id, d.period_start, d.period_end, d.input_hash
FROM (
  SELECT m.dialog_id, min(m.occurred_at) AS period_start, max(m.occurred_at) AS period_end, {_HASH} AS input_hash
  FROM prefmem.messages m
  JOIN prefmem.users u ON u.user_id = m.user_id
  WHERE m.user_id = :user_id AND {_SPOKEN}
  GROUP BY m.dialog_id, u.may_use_sensitive
  HAVING bool_or({_IN_PERIOD})
) d
WHERE NOT EXISTS (
  SELECT FROM prefmem.summaries s
  WHERE s.user_id = :user_id AND s.scope = 'dialog' AND s.dialog_id = d.dialog_id AND s.input_hash = d.input_hash
)
ORDER BY d.period_start, d.dialog_id
"""
_DAYS: Final = f"""
SELECT CAST(NULL AS text) AS dialog_id, d.period_start, d.period_end, d.input_hash
FROM (
  SELECT
    date_trunc('day', m.occurred_at AT TIME ZONE u.time_zone) AT TIME ZONE u.time_zone AS period_start,
    (date_trunc('day', m.occurred_at AT TIME ZONE u.time_zone) + interval '1 day') AT TIME ZONE u.time_zone
      AS period_end,
    {_HASH} AS input_hash
  FROM prefmem.messages m
  JOIN prefmem.users u ON u.user_id = m.user_id
  WHERE m.user_id = :user_id AND {_SPOKEN} AND isfinite(m.occurred_at)
  GROUP BY 1, 2, u.may_use_sensitive
  HAVING bool_or({_IN_PERIOD})
) d
WHERE NOT EXISTS (
  SELECT FROM prefmem.summaries s
  WHERE s.user_id = :user_id AND s.scope = 'day' AND s.period_start = d.period_start AND s.input_hash = d.input_hash
)
ORDER BY d.period_start
"""
_MESSAGE_IDS: Final = f"""
SELECT m.message_id
FROM prefmem.messages m
WHERE m.user_id = :user_id AND {_SPOKEN}
  AND (CAST(:dialog_id AS text) IS NULL OR m.dialog_id = :dialog_id)
  AND (CAST(:dialog_id AS text) IS NOT NULL OR m.occurred_at >= :period_start AND m.occurred_at < :period_end)
ORDER BY m.occurred_at, m.message_id
"""
_HASH_NOW: Final = f"""
SELECT {_HASH}
FROM prefmem.messages m
JOIN prefmem.users u ON u.user_id = m.user_id
WHERE m.user_id = :user_id AND m.message_id = ANY(:ids)
GROUP BY u.may_use_sensitive
"""
# A day of another time zone goes as well: it tells of the same hours.
_DROP: Final = """
DELETE FROM prefmem.summaries
WHERE user_id = :user_id AND scope = :scope AND CASE
  WHEN :scope = 'dialog' THEN dialog_id = :dialog_id
  ELSE period_start < :period_end AND period_end > :period_start END
"""
_STORED: Final = {
    "summary_id": "uuid",
    "scope": "text",
    "dialog_id": "text",
    "period_start": "timestamptz",
    "period_end": "timestamptz",
    "text": "text",
    "language": "text",
    "sensitivity": "text",
    "message_ids": "uuid[]",
    "counts": "jsonb",
    "created_at": "timestamptz",
    "input_hash": "bytea",
}
_ADD: Final = f"""
INSERT INTO prefmem.summaries (user_id, {", ".join(_STORED)})
SELECT :user_id, {", ".join(f"r.{name}" for name in _STORED)} FROM {recordset(_STORED)}
"""
_ADD_VECTORS: Final = f"""
INSERT INTO prefmem.summary_embeddings (user_id, summary_id, model_id, embedding, language)
SELECT s.user_id, s.summary_id, :model_id, CAST(r.embedding AS halfvec), s.language
FROM {recordset({"summary_id": "uuid", "text": "text", "embedding": "text"})}
JOIN prefmem.summaries s ON s.user_id = :user_id AND s.summary_id = r.summary_id AND s.text = r.text
ORDER BY s.summary_id
ON CONFLICT (user_id, summary_id, model_id) DO NOTHING
"""
_MISSING: Final = """
SELECT s.user_id, s.summary_id, s.text
FROM prefmem.summaries s
WHERE (CAST(:user_id AS text) IS NULL OR s.user_id = :user_id) AND s.text <> ''
  AND (CAST(:after_user AS text) IS NULL OR (s.user_id, s.summary_id) > (:after_user, :after_id))
  AND NOT EXISTS (
    SELECT FROM prefmem.summary_embeddings e
    WHERE e.user_id = s.user_id AND e.summary_id = s.summary_id AND e.model_id = :model_id)
ORDER BY s.user_id, s.summary_id LIMIT :limit
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class DueSummary:
    """A dialog, or a day (``dialog_id`` None), whose summary is missing or out of date."""

    scope: SummaryScope
    dialog_id: str | None
    period_start: datetime
    period_end: datetime
    input_hash: bytes


class SummaryRepository:
    """Summaries and their vectors, inside the caller's transaction; it never commits."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def list_users(
        self, *, user_id: str | None, since: datetime | None, until: datetime | None, after: str | None, limit: int
    ) -> list[str]:
        """Return users who have spoken in since <= occurred_at < until, in order of their ids after the given one."""
        values = {"user_id": user_id, "since": since, "until": until, "after": after, "limit": limit}
        return list(self.session.scalars(text(_USERS), values))

    def list_due(
        self, user_id: str, scope: SummaryScope, *, made_by: str, since: datetime | None, until: datetime | None
    ) -> list[DueSummary]:
        """Return the dialogs or days that hold a message of the period and are not summarized as they are now.

        ``made_by`` names the summarizer and its version: another one makes everything due.
        """
        statement = _DIALOGS if scope == "dialog" else _DAYS
        values = {"user_id": user_id, "made_by": made_by, "since": since, "until": until}
        return [DueSummary(scope=scope, **row) for row in self.session.execute(text(statement), values).mappings()]

    def list_message_ids(self, user_id: str, due: DueSummary) -> list[UUID]:
        """Return the messages that the summary is about, in order of time."""
        values = {
            "user_id": user_id,
            "dialog_id": due.dialog_id,
            "period_start": due.period_start,
            "period_end": due.period_end,
        }
        return list(self.session.scalars(text(_MESSAGE_IDS), values))

    def input_hash(self, user_id: str, message_ids: Sequence[UUID], *, made_by: str) -> bytes | None:
        """Return the hash of what these messages make now; None when none of them is there."""
        values = {"user_id": user_id, "ids": list(message_ids), "made_by": made_by}
        found = self.session.scalar(text(_HASH_NOW), values)
        return None if found is None else bytes(found)

    def find_made(self, user_id: str, input_hash: bytes) -> Summary | None:
        """Return a summary of the very same messages: that of a day is often that of its only dialog."""
        statement = f"""
            SELECT {", ".join(SUMMARY_COLUMNS)} FROM prefmem.summaries
            WHERE user_id = :user_id AND input_hash = :hash ORDER BY summary_id LIMIT 1
        """
        values = {"user_id": user_id, "hash": input_hash}
        row = self.session.execute(text(statement), values).mappings().one_or_none()
        return None if row is None else as_summary(row)

    def replace(self, summary: Summary, *, input_hash: bytes) -> None:
        """Store a summary in place of what was there for the same dialog or day. The caller holds the user's lock."""
        values = {
            "user_id": summary.user_id,
            "scope": summary.scope,
            "dialog_id": summary.dialog_id,
            "period_start": summary.period_start,
            "period_end": summary.period_end,
        }
        self.session.execute(text(_DROP), values)
        row = {name: getattr(summary, name, None) for name in _STORED}
        row |= {"input_hash": input_hash, "message_ids": list(map(str, summary.message_ids))}
        row |= {"counts": dict(summary.counts)}
        self.session.execute(text(_ADD), {"user_id": summary.user_id, "rows": as_json_parameter([row])})

    def list_missing(
        self, *, model_id: int, user_id: str | None, after: tuple[str, UUID] | None, limit: int
    ) -> list[Mapping[str, Any]]:  # Any: the columns of a summary
        """Return (user_id, summary_id, text) of summaries without a vector of the model, after the given key."""
        values = {
            "model_id": model_id,
            "user_id": user_id,
            "after_user": after[0] if after else None,
            "after_id": after[1] if after else None,
            "limit": limit,
        }
        return [dict(row) for row in self.session.execute(text(_MISSING), values).mappings()]

    def add_vectors(
        self, user_id: str, vectors: Sequence[tuple[UUID, str, NDArray[np.float32]]], *, model_id: int
    ) -> None:
        """Store vectors of (summary, text, vector); of a summary that was replaced meanwhile none is stored."""
        rows = [{"summary_id": sid, "text": told, "embedding": as_vector_text(v)} for sid, told, v in vectors]
        values = {"user_id": user_id, "model_id": model_id, "rows": as_json_parameter(rows)}
        self.session.execute(text(_ADD_VECTORS), values)

    def find(self, user_id: str, summary_id: UUID) -> Summary | None:
        statement = (
            f"SELECT {', '.join(SUMMARY_COLUMNS)} FROM prefmem.summaries WHERE user_id = :user_id AND summary_id = :id"
        )
        row = self.session.execute(text(statement), {"user_id": user_id, "id": summary_id}).mappings().one_or_none()
        return None if row is None else as_summary(row)


def as_summary(row: RowMapping | Mapping[str, Any]) -> Summary:
    """Return the Summary of a row that has (at least) its columns."""
    values = {name: row[name] for name in SUMMARY_COLUMNS}
    return Summary(**values | {"message_ids": tuple(values["message_ids"])})
