"""The repository of extraction: what is unread, what was run, and which candidates wait."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.orm import Session

from prefmem_pg.db.rows import as_json_parameter, recordset
from prefmem_pg.domain.ids import new_id
from prefmem_pg.domain.preferences import Candidate
from prefmem_pg.domain.states import candidate_as_json, candidate_from_json

_USERS: Final = """
SELECT DISTINCT user_id
FROM prefmem.messages
WHERE (:again OR read_by_run_id IS NULL) AND (CAST(:user_id AS text) IS NULL OR user_id = :user_id)
  AND (CAST(:after AS text) IS NULL OR user_id > :after)
ORDER BY user_id
LIMIT :limit
"""
_DIALOGS: Final = """
SELECT m.user_id, m.dialog_id, count(*) AS unread, max(u.time_zone) AS time_zone
FROM prefmem.messages m
JOIN prefmem.users u ON u.user_id = m.user_id
WHERE m.user_id = ANY(:user_ids) AND (:again OR m.read_by_run_id IS NULL)
  AND (CAST(:dialog_id AS text) IS NULL OR m.dialog_id = :dialog_id)
  AND (CAST(:since AS timestamptz) IS NULL OR m.occurred_at >= :since)
  AND (CAST(:until AS timestamptz) IS NULL OR m.occurred_at < :until)
GROUP BY m.user_id, m.dialog_id
ORDER BY m.user_id, min(m.occurred_at), m.dialog_id
"""
_RUN_COLUMNS: Final = {
    "user_id": "text",
    "run_id": "uuid",
    "dialog_id": "text",
    "input_hash": "bytea",
    "extractor": "text",
    "extractor_version": "text",
    "model": "text",
    "prompt_version": "text",
    "pass": "smallint",
    "state": "text",
    "attempts": "integer",
    "counts": "jsonb",
    "error": "text",
    "started_at": "timestamptz",
    "finished_at": "timestamptz",
}
_ADD_RUNS: Final = f"""
INSERT INTO prefmem.extraction_runs AS x ({", ".join(_RUN_COLUMNS)})
SELECT {", ".join(f"r.{name}" for name in _RUN_COLUMNS)} FROM {recordset(_RUN_COLUMNS)}
ON CONFLICT (user_id, input_hash, extractor_version, pass) DO UPDATE SET
  state = excluded.state, attempts = x.attempts + excluded.attempts, counts = excluded.counts, error = excluded.error,
  started_at = excluded.started_at, finished_at = excluded.finished_at
WHERE x.state <> 'done'
RETURNING x.input_hash, x.run_id
"""


@dataclass(frozen=True, slots=True)
class UnreadDialog:
    """A dialog with messages to read. ``unread`` counts them."""

    user_id: str
    dialog_id: str
    unread: int
    time_zone: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRun:
    """One execution of extraction on one stretch of messages. ``attempts`` is 0 when nobody answered, else 1."""

    run_id: UUID
    dialog_id: str
    input_hash: bytes
    extractor: str
    extractor_version: str
    model: str | None
    prompt_version: str | None
    pass_: int
    state: str
    attempts: int
    counts: Mapping[str, int]
    error: str | None
    started_at: datetime
    finished_at: datetime | None


class RunRepository:
    """Runs and waiting candidates, inside the caller's transaction; it never commits."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def list_users(self, *, user_id: str | None, again: bool, after: str | None, limit: int) -> list[str]:
        """Return users with unread messages (``again``: with any), in order of their ids after the given one."""
        values = {"user_id": user_id, "again": again, "after": after, "limit": limit}
        return list(self.session.scalars(text(_USERS), values))

    def list_dialogs(
        self,
        user_ids: Sequence[str],
        *,
        dialog_id: str | None,
        since: datetime | None,
        until: datetime | None,
        again: bool,
    ) -> list[UnreadDialog]:
        """Return the users' dialogs with unread messages (``again``: with any) in since <= occurred_at < until.

        User by user, each user's in order of time.
        """
        values = {
            "user_ids": list(user_ids),
            "dialog_id": dialog_id,
            "since": since,
            "until": until,
            "again": again,
        }
        return [UnreadDialog(**row) for row in self.session.execute(text(_DIALOGS), values).mappings()]

    def count_unread(self, user_id: str, message_ids: Sequence[UUID]) -> int:
        """Return how many of the messages are still unread."""
        statement = (
            "SELECT count(*) FROM prefmem.messages"
            " WHERE user_id = :user_id AND message_id = ANY(:ids) AND read_by_run_id IS NULL"
        )
        return int(self.session.scalar(text(statement), {"user_id": user_id, "ids": list(message_ids)}) or 0)

    def unread_ids(
        self, user_id: str, dialog_id: str, *, since: datetime | None, until: datetime | None, again: bool
    ) -> list[UUID]:
        """Return the ids of the dialog's unread messages (``again``: of all) in the period, in order of time.

        Those whose answer is on its way in a batch are left out.
        """
        statement = (
            "SELECT message_id FROM prefmem.messages m WHERE user_id = :user_id AND dialog_id = :dialog_id"
            " AND (:again OR read_by_run_id IS NULL)"
            " AND (CAST(:since AS timestamptz) IS NULL OR occurred_at >= :since)"
            " AND (CAST(:until AS timestamptz) IS NULL OR occurred_at < :until)"
            " AND NOT EXISTS (SELECT 1 FROM prefmem.llm_batch_items i WHERE i.user_id = :user_id"
            " AND i.state = 'waiting' AND m.message_id = ANY(i.message_ids[i.first_new + 1 :]))"
            " ORDER BY occurred_at, message_id"
        )
        values = {"user_id": user_id, "dialog_id": dialog_id, "since": since, "until": until, "again": again}
        return list(self.session.scalars(text(statement), values))

    def time_zone(self, user_id: str) -> str:
        """Return the user's time zone; UTC for one who is gone."""
        statement = "SELECT time_zone FROM prefmem.users WHERE user_id = :user_id"
        return str(self.session.scalar(text(statement), {"user_id": user_id}) or "UTC")

    def last_pass(self, user_id: str, dialog_id: str) -> int:
        """Return the highest pass that the dialog has been through, 0 for none."""
        statement = "SELECT max(pass) FROM prefmem.extraction_runs WHERE user_id = :user_id AND dialog_id = :dialog_id"
        return int(self.session.scalar(text(statement), {"user_id": user_id, "dialog_id": dialog_id}) or 0)

    def add_runs(self, user_id: str, runs: Sequence[NewRun]) -> dict[bytes, UUID]:
        """Store runs; return the run id by input hash of those that were not done before."""
        if not runs:
            return {}
        rows = [
            {**{name: getattr(run, "pass_" if name == "pass" else name, None) for name in _RUN_COLUMNS}}
            | {"user_id": user_id, "counts": dict(run.counts)}
            for run in runs
        ]
        result = self.session.execute(text(_ADD_RUNS), {"rows": as_json_parameter(rows)})
        return {row.input_hash: row.run_id for row in result}

    def attempts(self, user_id: str, input_hash: bytes, *, extractor_version: str, pass_: int) -> int:
        """Return how often this input was tried without success."""
        statement = (
            "SELECT attempts FROM prefmem.extraction_runs WHERE user_id = :user_id AND input_hash = :hash"
            " AND extractor_version = :version AND pass = :pass AND state <> 'done'"
        )
        values = {"user_id": user_id, "hash": input_hash, "version": extractor_version, "pass": pass_}
        return int(self.session.scalar(text(statement), values) or 0)

    def mark_read(self, user_id: str, message_ids: Sequence[UUID], *, run_id: UUID) -> None:
        """Mark messages as read by a run; one that was read before keeps its first run."""
        statement = (
            "UPDATE prefmem.messages SET read_by_run_id = :run_id"
            " WHERE user_id = :user_id AND message_id = ANY(:ids) AND read_by_run_id IS NULL"
        )
        self.session.execute(text(statement), {"user_id": user_id, "ids": list(message_ids), "run_id": run_id})

    def add_waiting(
        self,
        user_id: str,
        candidates: Sequence[Candidate],
        *,
        error: str,
        run_id: UUID | None,
        counts: bool = True,
    ) -> None:
        """Keep candidates that could not be decided; the same one waits once, with the attempts that count."""
        columns = {"candidate_id": "uuid", "payload": "jsonb", "payload_hash": "bytea"}
        rows = []
        for candidate in candidates:
            payload = candidate_as_json(candidate)
            digest = hashlib.sha256(json.dumps(payload, sort_keys=True, ensure_ascii=False).encode()).digest()
            rows.append({"candidate_id": new_id(), "payload": payload, "payload_hash": digest})
        statement = (
            "INSERT INTO prefmem.candidates AS c"
            " (user_id, candidate_id, payload, payload_hash, attempts, error, run_id)"
            " SELECT :user_id, r.candidate_id, r.payload, r.payload_hash, :attempts, :error, :run_id"
            f" FROM {recordset(columns)}"
            " ON CONFLICT (user_id, payload_hash) DO UPDATE SET attempts = c.attempts + excluded.attempts,"
            " error = excluded.error, updated_at = excluded.created_at"
        )
        values = {"user_id": user_id, "error": error, "run_id": run_id, "attempts": int(counts)}
        values["rows"] = as_json_parameter(rows)
        self.session.execute(text(statement), values)

    def list_waiting(self, *, user_id: str | None, limit: int) -> list[tuple[str, UUID, int, Candidate]]:
        """Return (user_id, candidate_id, attempts, candidate) of those that wait, oldest first."""
        statement = (
            "SELECT user_id, candidate_id, attempts, payload FROM prefmem.candidates WHERE state = 'waiting'"
            " AND (CAST(:user_id AS text) IS NULL OR user_id = :user_id) ORDER BY created_at, candidate_id LIMIT :limit"
        )
        rows = self.session.execute(text(statement), {"user_id": user_id, "limit": limit})
        return [(r.user_id, r.candidate_id, r.attempts, candidate_from_json(r.payload)) for r in rows]

    def drop_candidates(self, user_id: str, candidate_ids: Sequence[UUID]) -> int:
        """Delete candidates that wait no longer; return how many were still there."""
        statement = (
            "DELETE FROM prefmem.candidates WHERE user_id = :user_id AND candidate_id = ANY(:ids)"
            " RETURNING candidate_id"
        )
        return len(self.session.scalars(text(statement), {"user_id": user_id, "ids": list(candidate_ids)}).all())

    def park_candidate(self, user_id: str, candidate_id: UUID, *, attempts: int) -> bool:
        """Give up a candidate that has failed so often; say whether it has."""
        statement = (
            "UPDATE prefmem.candidates SET state = 'parked'"
            " WHERE user_id = :user_id AND candidate_id = :id AND attempts >= :attempts RETURNING candidate_id"
        )
        values = {"user_id": user_id, "id": candidate_id, "attempts": attempts}
        return self.session.scalar(text(statement), values) is not None

    def adopt_calls(self, user_id: str, run_ids: Mapping[UUID, UUID]) -> None:
        """Let the calls that were made for a try count for the run that it turned out to be a further try of."""
        for tried, kept in run_ids.items():
            statement = "UPDATE prefmem.llm_calls SET run_id = :kept WHERE user_id = :user_id AND run_id = :tried"
            self.session.execute(text(statement), {"user_id": user_id, "tried": tried, "kept": kept})

    def counts(self) -> dict[str, Any]:
        """Return how many rows each kind of work has: exact numbers, failed apart from unread."""
        statement = (
            "SELECT (SELECT count(*) FROM prefmem.messages WHERE read_by_run_id IS NULL) AS unread_messages,"
            " (SELECT count(*) FROM prefmem.candidates WHERE state = 'waiting') AS waiting_candidates,"
            " (SELECT count(*) FROM prefmem.candidates WHERE state = 'parked') AS parked_candidates,"
            " (SELECT count(*) FROM prefmem.extraction_runs WHERE state = 'failed') AS failed_runs,"
            " (SELECT count(*) FROM prefmem.extraction_runs WHERE state = 'parked') AS parked_runs"
        )
        return dict(self.session.execute(text(statement)).mappings().one())
