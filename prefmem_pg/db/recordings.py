"""The repository of recorded runs: which dialogs were read with their answers kept."""

from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.orm import Session

_RUNS: Final = """
SELECT r.user_id, r.run_id, r.dialog_id, r.prompt_version, u.time_zone
FROM prefmem.extraction_runs r
JOIN prefmem.users u ON u.user_id = r.user_id
WHERE r.state = 'done' AND (CAST(:user_id AS text) IS NULL OR r.user_id = :user_id)
  AND EXISTS (
    SELECT FROM prefmem.llm_calls c
    WHERE c.user_id = r.user_id AND c.run_id = r.run_id AND c.purpose = 'extract' AND c.response IS NOT NULL)
ORDER BY r.started_at DESC, r.user_id, r.run_id LIMIT :limit
"""
# Of answers to the same request the one that a replay would find.
_ANSWERS: Final = """
SELECT a.response
FROM (
  SELECT DISTINCT ON (request_hash) response, at, call_id
  FROM prefmem.llm_calls
  WHERE user_id = :user_id AND run_id = :run_id AND purpose = 'extract' AND response IS NOT NULL
  ORDER BY request_hash, outcome = 'ok' DESC, at DESC, call_id DESC
) a
ORDER BY a.at, a.call_id
"""


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """A run of extraction whose answers are stored."""

    user_id: str
    run_id: UUID
    dialog_id: str
    prompt_version: str | None
    time_zone: str


class RecordingRepository:
    """Recorded runs, inside the caller's transaction; it never commits."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def list_runs(self, *, user_id: str | None, limit: int) -> list[RecordedRun]:
        """Return the last runs with stored answers, the newest first."""
        rows = self.session.execute(text(_RUNS), {"user_id": user_id, "limit": limit}).mappings()
        return [RecordedRun(**row) for row in rows]

    def list_read(self, user_id: str, run_id: UUID) -> list[UUID]:
        """Return the messages that a run has read."""
        statement = "SELECT message_id FROM prefmem.messages WHERE user_id = :user_id AND read_by_run_id = :run_id"
        return list(self.session.scalars(text(statement), {"user_id": user_id, "run_id": run_id}))

    def list_answers(self, user_id: str, run_id: UUID) -> list[Any]:  # Any: JSON
        """Return the stored answers of a run, in order."""
        return list(self.session.scalars(text(_ANSWERS), {"user_id": user_id, "run_id": run_id}))
