"""The repository of preferences: read, compared, written with their postings."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import text

from prefmem_pg.db.neighbours import NeighbourRows
from prefmem_pg.db.rows import (
    PREFERENCE_COLUMNS,
    as_json_parameter,
    as_preference,
    preference_columns,
    recordset,
)
from prefmem_pg.domain.preferences import Preference
from prefmem_pg.domain.states import preference_as_json
from prefmem_pg.domain.text import statement_hash
from prefmem_pg.errors import Conflict, NotFound

_STORED: Final = {**PREFERENCE_COLUMNS, "statement_hash": "bytea"}
_SELECT: Final = f"SELECT {preference_columns('p')} FROM prefmem.preferences p"

_ADD_TERMS: Final = """
WITH measured AS MATERIALIZED (
  SELECT p.preference_id, p.search_vector,
    (SELECT coalesce(sum(cardinality(positions)), 0)::integer FROM unnest(p.search_vector)) AS length
  FROM prefmem.preferences p
  WHERE p.user_id = :user_id AND p.preference_id = ANY(:ids) AND p.status = 'activated'
),
added AS (
  INSERT INTO prefmem.preference_terms (user_id, lexeme, preference_id, frequency, length)
  SELECT :user_id, u.lexeme, m.preference_id, cardinality(u.positions), m.length
  FROM measured m CROSS JOIN LATERAL unnest(m.search_vector) u
  WHERE octet_length(u.lexeme) <= 255
  ORDER BY u.lexeme, m.preference_id
  ON CONFLICT (user_id, lexeme, preference_id) DO UPDATE SET
    frequency = excluded.frequency, length = excluded.length
)
SELECT preference_id, length FROM measured
"""
_DROP_TERMS: Final = """
WITH measured AS MATERIALIZED (
  SELECT p.preference_id, p.search_vector,
    (SELECT coalesce(sum(cardinality(positions)), 0)::integer FROM unnest(p.search_vector)) AS length
  FROM prefmem.preferences p
  WHERE p.user_id = :user_id AND p.preference_id = ANY(:ids) AND p.status = 'activated'
),
dropped AS (
  DELETE FROM prefmem.preference_terms t
  USING (SELECT m.preference_id, u.lexeme FROM measured m CROSS JOIN LATERAL unnest(m.search_vector) u) x
  WHERE t.user_id = :user_id AND t.lexeme = x.lexeme AND t.preference_id = x.preference_id
)
SELECT preference_id, length FROM measured
"""


class PreferenceRepository(NeighbourRows):
    """Preferences of users, inside the caller's transaction; it never commits.

    Vectors, versions and evidence have repositories of their own; what keeps them in step is steps/decide.py.
    """

    def find(self, user_id: str, preference_id: UUID) -> Preference | None:
        return next(iter(self.list_by_ids(user_id, [preference_id])), None)

    def get(self, user_id: str, preference_id: UUID) -> Preference:
        """Return the preference; NotFound when this user has none of that id."""
        preference = self.find(user_id, preference_id)
        if preference is None:
            raise NotFound(f"user {user_id} has no preference {preference_id}")
        return preference

    def list_by_ids(self, user_id: str, preference_ids: Sequence[UUID]) -> list[Preference]:
        """Return those of the preferences that are this user's, in order of their ids."""
        statement = f"{_SELECT} WHERE p.user_id = :user_id AND p.preference_id = ANY(:ids) ORDER BY p.preference_id"
        rows = self.session.execute(text(statement), {"user_id": user_id, "ids": list(preference_ids)})
        return [as_preference(row) for row in rows.mappings()]

    def list_current(self, user_id: str, *, limit: int) -> list[Preference]:
        """Return the newest preferences that are activated."""
        statement = (
            f"SELECT {preference_columns('p')} FROM prefmem.preferences p WHERE p.user_id = :user_id"
            " AND p.status = 'activated' ORDER BY p.valid_from DESC, p.preference_id DESC LIMIT :limit"
        )
        rows = self.session.execute(text(statement), {"user_id": user_id, "limit": limit}).mappings()
        return [as_preference(row) for row in rows]

    def list_page(
        self,
        user_id: str,
        *,
        condition: str,
        values: Mapping[str, Any],
        after: tuple[datetime, UUID] | None,
        limit: int,
    ) -> list[Preference]:
        """Return up to ``limit`` preferences that meet a compiled condition, newest first, after the given key."""
        where = f"p.user_id = :user_id AND ({condition})"
        parameters: dict[str, Any] = {**values, "user_id": user_id, "limit": limit}
        if after is not None:
            where += " AND (p.created_at, p.preference_id) < (:after_at, :after_id)"
            parameters |= {"after_at": after[0], "after_id": after[1]}
        statement = f"{_SELECT} WHERE {where} ORDER BY p.created_at DESC, p.preference_id DESC LIMIT :limit"
        return [as_preference(row) for row in self.session.execute(text(statement), parameters).mappings()]

    def count(self, user_id: str, *, condition: str, values: Mapping[str, Any]) -> int:
        statement = f"SELECT count(*) FROM prefmem.preferences p WHERE p.user_id = :user_id AND ({condition})"
        return int(self.session.scalar(text(statement), {**values, "user_id": user_id}) or 0)

    def list_ids(self, user_id: str, *, condition: str, values: Mapping[str, Any]) -> list[UUID]:
        """Return the ids of all preferences that meet a compiled condition, in order."""
        statement = (
            f"SELECT p.preference_id FROM prefmem.preferences p WHERE p.user_id = :user_id AND ({condition})"
            " ORDER BY p.preference_id"
        )
        return list(self.session.scalars(text(statement), {**values, "user_id": user_id}))

    def insert_many(self, preferences: Sequence[Preference]) -> None:
        """Store new rows; a Conflict when an activated row has the same statement."""
        names = ", ".join(_STORED)
        statement = f"INSERT INTO prefmem.preferences ({names}) SELECT {names} FROM {recordset(_STORED)}"
        self.session.execute(text(statement), {"rows": as_json_parameter(map(_stored, preferences))})

    def update_many(self, preferences: Sequence[Preference], *, expected: Mapping[UUID, int]) -> None:
        """Overwrite rows that are there, each only at the version expected; Conflict when one has moved on."""
        if not preferences:
            return
        changed = [name for name in _STORED if name not in ("user_id", "preference_id", "created_at")]
        assignments = ", ".join(f"{name} = r.{name}" for name in changed)
        columns = {**_STORED, "expected": "integer"}
        statement = (
            f"UPDATE prefmem.preferences p SET {assignments} FROM {recordset(columns)}"
            " WHERE p.user_id = :user_id AND r.user_id = p.user_id AND p.preference_id = r.preference_id"
            " AND p.version = r.expected RETURNING p.preference_id"
        )
        rows = [_stored(p) | {"expected": expected[p.preference_id]} for p in preferences]
        values = {"rows": as_json_parameter(rows), "user_id": preferences[0].user_id}
        done = set(self.session.scalars(text(statement), values))
        stale = [str(p.preference_id) for p in preferences if p.preference_id not in done]
        if stale:
            raise Conflict(f"preference {', '.join(stale)} has changed meanwhile; read it again")

    def link_superseded(self, user_id: str, links: Mapping[UUID, UUID]) -> None:
        """Say which preference replaced which: old id to new id."""
        if not links:
            return
        rows = [{"preference_id": old, "superseded_by": new} for old, new in links.items()]
        statement = (
            "UPDATE prefmem.preferences p SET superseded_by = r.superseded_by"
            f" FROM {recordset({'preference_id': 'uuid', 'superseded_by': 'uuid'})}"
            " WHERE p.user_id = :user_id AND p.preference_id = r.preference_id"
        )
        self.session.execute(text(statement), {"user_id": user_id, "rows": as_json_parameter(rows)})

    def grow(self, user_id: str, mentions: Mapping[UUID, int], *, at: datetime) -> None:
        """Count further mentions of preferences: each takes a fifth off what is missing to full confidence.

        No new version: the statement stays as it was, and a person's edit must not conflict with a repetition.
        """
        rows = [{"preference_id": pid, "mentions": count} for pid, count in mentions.items() if count]
        if not rows:
            return
        statement = (
            "UPDATE prefmem.preferences p SET mention_count = p.mention_count + r.mentions, updated_at = :at,"
            " confidence = 1 - (1 - p.confidence) * power(CAST(0.8 AS real), r.mentions)"
            f" FROM {recordset({'preference_id': 'uuid', 'mentions': 'integer'})}"
            " WHERE p.user_id = :user_id AND p.preference_id = r.preference_id"
        )
        self.session.execute(text(statement), {"user_id": user_id, "at": at, "rows": as_json_parameter(rows)})

    def add_terms(self, user_id: str, preference_ids: Sequence[UUID]) -> dict[UUID, int]:
        """Write the postings of those that are activated; return their lengths in lexemes."""
        return self._lengths(_ADD_TERMS, user_id, preference_ids)

    def drop_terms(self, user_id: str, preference_ids: Sequence[UUID]) -> dict[UUID, int]:
        """Delete the postings of those that are activated, before they change; return their lengths in lexemes."""
        return self._lengths(_DROP_TERMS, user_id, preference_ids)

    def _lengths(self, statement: str, user_id: str, preference_ids: Sequence[UUID]) -> dict[UUID, int]:
        if not preference_ids:
            return {}
        rows = self.session.execute(text(statement), {"user_id": user_id, "ids": list(preference_ids)})
        return {row.preference_id: row.length for row in rows}


def _stored(preference: Preference) -> dict[str, Any]:
    digest = None if preference.statement is None else statement_hash(preference.statement)
    return preference_as_json(preference) | {"statement_hash": digest}
