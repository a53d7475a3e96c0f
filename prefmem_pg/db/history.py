"""The repository of what explains a preference: its versions, evidence and usage."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import RowMapping, text
from sqlalchemy.orm import Session

from prefmem_pg.db.rows import as_json_parameter, as_preference, preference_columns, recordset
from prefmem_pg.domain.preferences import Evidence, EvidenceSpan, Preference, Version
from prefmem_pg.errors import NotFound

_VERSION_COLUMNS: Final = {
    "user_id": "text",
    "version_id": "uuid",
    "preference_id": "uuid",
    "version": "integer",
    "event": "text",
    "state_before": "jsonb",
    "state_after": "jsonb",
    "actor": "text",
    "reason": "text",
    "details": "jsonb",
    "run_id": "uuid",
    "at": "timestamptz",
}
_BY_ID: Final = "WHERE user_id = :user_id AND version_id = :id"
_EVIDENCE_COLUMNS: Final = {
    "user_id": "text",
    "preference_id": "uuid",
    "message_id": "uuid",
    "start_offset": "integer",
    "end_offset": "integer",
    "quote": "text",
    "run_id": "uuid",
}
_EVIDENCE: Final = """
SELECT e.preference_id, e.message_id, e.start_offset, e.end_offset, e.quote, m.role, m.occurred_at, m.dialog_id
FROM prefmem.preference_evidence e
JOIN prefmem.messages m ON m.user_id = e.user_id AND m.message_id = e.message_id
WHERE e.user_id = :user_id AND e.preference_id = ANY(:ids)
ORDER BY e.preference_id, m.occurred_at, e.message_id, e.start_offset
"""


class HistoryRepository:
    """Versions, evidence and usage of one user's preferences, inside the caller's transaction; it never commits."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def add_versions(self, versions: Sequence[Version]) -> None:
        if versions:
            rows = [{name: getattr(version, name) for name in _VERSION_COLUMNS} for version in versions]
            self._insert("preference_versions", _VERSION_COLUMNS, rows)

    def list_versions(self, user_id: str, preference_id: UUID) -> list[Version]:
        """Return the changes of a preference, oldest first."""
        names = ", ".join(_VERSION_COLUMNS)
        statement = (
            f"SELECT {names} FROM prefmem.preference_versions WHERE user_id = :user_id AND preference_id = :id"
            " ORDER BY at, version, version_id"
        )
        rows = self.session.execute(text(statement), {"user_id": user_id, "id": preference_id})
        return [Version(**row) for row in rows.mappings()]

    def get_version(self, user_id: str, version_id: UUID) -> Version:
        """Return a change; NotFound when this user has none of that id."""
        statement = f"SELECT {', '.join(_VERSION_COLUMNS)} FROM prefmem.preference_versions {_BY_ID}"
        row = self.session.execute(text(statement), {"user_id": user_id, "id": version_id}).mappings().one_or_none()
        if row is None:
            raise NotFound(f"user {user_id} has no version {version_id}")
        return Version(**row)

    def list_made_together(self, user_id: str, version: Version, anchor: UUID) -> list[Version]:
        """Return what one decision changed: the versions of a row and of those that it replaced, oldest first."""
        statement = (
            f"SELECT {', '.join(_VERSION_COLUMNS)} FROM prefmem.preference_versions"
            " WHERE user_id = :user_id AND at = :at"
            " AND (preference_id = :anchor OR state_after ->> 'superseded_by' = CAST(:anchor AS text))"
            " ORDER BY version, version_id"
        )
        values = {"user_id": user_id, "at": version.at, "anchor": anchor}
        return [Version(**row) for row in self.session.execute(text(statement), values).mappings()]

    def list_taken_apart(self, user_id: str) -> set[frozenset[UUID]]:
        """Return pairs of preferences of which one had ended with the other until that was undone."""
        statement = (
            "SELECT DISTINCT m.preference_id, CAST(m.state_after ->> 'superseded_by' AS uuid)"
            " FROM prefmem.preference_versions v"
            " CROSS JOIN LATERAL jsonb_array_elements_text(v.details -> 'undone') AS undone"
            " JOIN prefmem.preference_versions m ON m.user_id = v.user_id AND m.version_id = CAST(undone AS uuid)"
            " WHERE v.user_id = :user_id AND m.event IN ('merge', 'supersede')"
            " AND m.state_after ->> 'superseded_by' IS NOT NULL"
        )
        return {frozenset(row) for row in self.session.execute(text(statement), {"user_id": user_id})}

    def list_as_of(self, user_id: str, at: datetime) -> list[Preference]:
        """Return the preferences that were activated at a time, as they were then, newest first."""
        statement = f"SELECT {preference_columns('p')} FROM prefmem.preferences_as_of(:user_id, :at) p"
        rows = self.session.execute(text(statement), {"user_id": user_id, "at": at})
        return [as_preference(row) for row in rows.mappings()]

    def add_evidence(
        self, user_id: str, spans: Sequence[tuple[UUID, EvidenceSpan]], *, run_id: UUID | None
    ) -> dict[UUID, int]:
        """Store (preference, span) pairs; return how many were new for each preference. Idempotent."""
        if not spans:
            return {}
        rows = [
            {
                "user_id": user_id,
                "preference_id": preference_id,
                "message_id": span.message_id,
                "start_offset": span.start,
                "end_offset": span.end,
                "quote": span.quote,
                "run_id": run_id,
            }
            for preference_id, span in spans
        ]
        names = ", ".join(_EVIDENCE_COLUMNS)
        statement = (
            f"WITH added AS (INSERT INTO prefmem.preference_evidence ({names})"
            f" SELECT {names} FROM {recordset(_EVIDENCE_COLUMNS)}"
            " ON CONFLICT (user_id, preference_id, message_id, start_offset) DO NOTHING RETURNING preference_id)"
            " SELECT preference_id, count(*) AS added FROM added GROUP BY preference_id"
        )
        result = self.session.execute(text(statement), {"rows": as_json_parameter(rows)})
        return {row.preference_id: row.added for row in result}

    def drop_evidence(self, user_id: str, spans: Sequence[tuple[UUID, tuple[UUID, int]]]) -> None:
        """Delete evidence: (preference, (message, start)) each."""
        columns = {"preference_id": "uuid", "message_id": "uuid", "start_offset": "integer"}
        rows = [{"preference_id": pid, "message_id": mid, "start_offset": start} for pid, (mid, start) in spans]
        statement = (
            f"DELETE FROM prefmem.preference_evidence e USING {recordset(columns)}"
            " WHERE e.user_id = :user_id AND e.preference_id = r.preference_id AND e.message_id = r.message_id"
            " AND e.start_offset = r.start_offset"
        )
        self.session.execute(text(statement), {"user_id": user_id, "rows": as_json_parameter(rows)})

    def list_evidence(self, user_id: str, preference_ids: Sequence[UUID]) -> dict[UUID, list[Evidence]]:
        """Return the evidence of each preference in order of time; those without any are absent."""
        if not preference_ids:
            return {}
        found: dict[UUID, list[Evidence]] = {}
        rows = self.session.execute(text(_EVIDENCE), {"user_id": user_id, "ids": list(preference_ids)})
        for row in rows.mappings():
            found.setdefault(row["preference_id"], []).append(_as_evidence(row))
        return found

    def count_use(self, user_id: str, uses: Mapping[UUID, int], *, at: datetime) -> None:
        """Add to how many searches have returned each of these preferences; those that are gone are left out."""
        if not uses:
            return
        columns = {"preference_id": "uuid", "uses": "integer"}
        statement = (
            "INSERT INTO prefmem.preference_usage AS u (user_id, preference_id, access_count, last_accessed_at)"
            f" SELECT p.user_id, p.preference_id, r.uses, CAST(:at AS timestamptz) FROM {recordset(columns)}"
            " JOIN prefmem.preferences p ON p.user_id = :user_id AND p.preference_id = r.preference_id"
            " ORDER BY p.preference_id"
            " ON CONFLICT (user_id, preference_id) DO UPDATE SET access_count = u.access_count + excluded.access_count,"
            " last_accessed_at = greatest(u.last_accessed_at, excluded.last_accessed_at)"
        )
        rows = [{"preference_id": preference_id, "uses": count} for preference_id, count in uses.items()]
        self.session.execute(text(statement), {"user_id": user_id, "rows": as_json_parameter(rows), "at": at})

    def _insert(self, table: str, columns: dict[str, str], rows: Sequence[dict[str, Any]]) -> None:
        names = ", ".join(columns)
        statement = f"INSERT INTO prefmem.{table} ({names}) SELECT {names} FROM {recordset(columns)}"
        self.session.execute(text(statement), {"rows": as_json_parameter(rows)})


def _as_evidence(row: RowMapping) -> Evidence:
    return Evidence(
        preference_id=row["preference_id"],
        message_id=row["message_id"],
        start=row["start_offset"],
        end=row["end_offset"],
        quote=row["quote"],
        role=row["role"],
        occurred_at=row["occurred_at"],
        dialog_id=row["dialog_id"],
    )
