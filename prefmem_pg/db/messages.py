"""The repository of messages: stored once, read in order, marked as read."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import psycopg
from sqlalchemy import RowMapping, text
from sqlalchemy.orm import Session

from prefmem_pg.db.rows import as_json_parameter, recordset
from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.text import detect_language

COPY_FROM_ROWS: Final = 1_000
"""From so many rows on COPY into a temporary table is quicker than one JSON parameter."""

_COLUMNS: Final = {
    "ordinal": "integer",
    "user_id": "text",
    "message_id": "uuid",
    "dialog_id": "text",
    "session_id": "text",
    "role": "text",
    "author": "text",
    "content": "text",
    "occurred_at": "timestamptz",
    "occurred_at_is_assumed": "boolean",
    "ingested_at": "timestamptz",
    "source": "text",
    "external_id": "text",
    "agent_id": "text",
    "mem_cube_id": "text",
    "metadata": "jsonb",
    "language": "text",
}
_TYPED: Final = ", ".join(f"{name} {kind}" for name, kind in _COLUMNS.items())

# Users and dialogs are locked in order of their ids, so that two loads never wait for each other in a circle.
_ADD_USERS: Final = """
INSERT INTO prefmem.users (user_id)
SELECT DISTINCT user_id FROM {staged} ORDER BY user_id
ON CONFLICT (user_id) DO NOTHING
"""
_ADD_DIALOGS: Final = """
INSERT INTO prefmem.dialogs AS d
  (user_id, dialog_id, session_id, source, started_at, ended_at, agent_id, mem_cube_id)
SELECT
  user_id, dialog_id, min(session_id), min(source), min(occurred_at), max(occurred_at), min(agent_id), min(mem_cube_id)
FROM {staged}
GROUP BY user_id, dialog_id
ORDER BY user_id, dialog_id
ON CONFLICT (user_id, dialog_id) DO UPDATE SET
  session_id = coalesce(d.session_id, excluded.session_id),
  started_at = least(d.started_at, excluded.started_at),
  ended_at = greatest(d.ended_at, excluded.ended_at),
  agent_id = coalesce(d.agent_id, excluded.agent_id),
  mem_cube_id = coalesce(d.mem_cube_id, excluded.mem_cube_id)
WHERE (d.session_id, d.started_at, d.ended_at, d.agent_id, d.mem_cube_id) IS DISTINCT FROM (
  coalesce(d.session_id, excluded.session_id),
  least(d.started_at, excluded.started_at),
  greatest(d.ended_at, excluded.ended_at),
  coalesce(d.agent_id, excluded.agent_id),
  coalesce(d.mem_cube_id, excluded.mem_cube_id))
"""
# Lexemes over 255 bytes are no words, and would not fit beside a long user id in an index entry.
_ADD_MESSAGES: Final = """
WITH staged AS MATERIALIZED (SELECT * FROM {staged}),
added AS (
  INSERT INTO prefmem.messages
    (user_id, message_id, dialog_id, role, author, content, occurred_at, occurred_at_is_assumed, ingested_at, source,
     external_id, metadata)
  SELECT
    user_id, message_id, dialog_id, role, author, content, occurred_at, occurred_at_is_assumed, ingested_at, source,
    external_id, metadata
  FROM staged
  ORDER BY user_id, source, external_id, ordinal
  ON CONFLICT (user_id, source, external_id) DO NOTHING
  RETURNING user_id, message_id, search_vector
),
exploded AS MATERIALIZED (
  SELECT a.user_id, a.message_id, u.lexeme, cardinality(u.positions) AS frequency
  FROM added a CROSS JOIN LATERAL unnest(a.search_vector) u
),
measured AS MATERIALIZED (
  SELECT a.user_id, a.message_id, coalesce(sum(x.frequency), 0)::integer AS length
  FROM added a LEFT JOIN exploded x USING (user_id, message_id)
  GROUP BY a.user_id, a.message_id
),
terms AS (
  INSERT INTO prefmem.message_terms (user_id, lexeme, message_id, frequency, length)
  SELECT x.user_id, x.lexeme, x.message_id, x.frequency, m.length
  FROM exploded x JOIN measured m USING (user_id, message_id)
  WHERE octet_length(x.lexeme) <= 255
  ORDER BY x.user_id, x.lexeme
)
SELECT user_id, message_id, length FROM measured
"""
# Apart and last: whoever stores messages of the same users waits for these rows, for as long as they are locked.
_COUNT: Final = """
INSERT INTO prefmem.user_stats AS s (user_id, scope, model_id, language, row_count, total_length, updated_at)
SELECT r.user_id, 'message', k.model_id, r.language, r.row_count, r.total_length, r.updated_at
FROM {counts}
CROSS JOIN prefmem.embedding_models k
WHERE k.state <> 'retired' OR k.model_id = :model_id
ORDER BY r.user_id, r.language, k.model_id
ON CONFLICT (user_id, scope, model_id, language) DO UPDATE SET
  row_count = s.row_count + excluded.row_count,
  total_length = s.total_length + excluded.total_length,
  updated_at = excluded.updated_at
"""
_COUNT_COLUMNS: Final = {
    "user_id": "text",
    "language": "text",
    "row_count": "bigint",
    "total_length": "bigint",
    "updated_at": "timestamptz",
}
_FIND_EARLIER: Final = """
SELECT staged.ordinal, m.message_id, (m.content, m.role) IS DISTINCT FROM (staged.content, staged.role) AS is_conflict
FROM {staged}
JOIN prefmem.messages m USING (user_id, source, external_id)
WHERE m.message_id <> staged.message_id
"""
_SELECT: Final = """
SELECT
  m.user_id, m.message_id, m.dialog_id, m.role, m.author, m.content, m.occurred_at, m.occurred_at_is_assumed,
  m.ingested_at, m.source, m.external_id, m.metadata, d.session_id,
  d.agent_id, d.mem_cube_id
FROM prefmem.messages m
JOIN prefmem.dialogs d USING (user_id, dialog_id)
"""


@dataclass(frozen=True, slots=True)
class AddedMessages:
    """What became of the messages given, by their place: stored now, there before, or there with other content."""

    added: int
    earlier: dict[int, UUID]
    conflicts: tuple[int, ...]


class MessageRepository:
    """Messages and their dialogs, inside the caller's transaction; it never commits."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def add_dialogs(self, messages: Sequence[Message]) -> None:
        """Store the users and dialogs of messages, or bring them up to date; their rows stay locked until the end."""
        names = ("user_id", "dialog_id", "session_id", "source", "occurred_at", "agent_id", "mem_cube_id")
        columns = {name: _COLUMNS[name] for name in names}
        values = {"rows": as_json_parameter({name: getattr(m, name) for name in names} for m in messages)}
        for statement in (_ADD_USERS, _ADD_DIALOGS):
            self.session.execute(text(statement.format(staged=recordset(columns))), values)

    def add_many(self, messages: Sequence[Message], *, model_id: int, dialogs_are_there: bool = False) -> AddedMessages:
        """Store messages with their users, dialogs and postings; one that is there already is left as it is.

        Bulk: five statements whatever the number. ``model_id`` is the active embedding model; its statistics count the
        rows, and those of any other that is at work. Messages may belong to several users only in a pipeline's
        transaction.
        """
        if not messages:
            return AddedMessages(added=0, earlier={}, conflicts=())
        rows = [_as_row(ordinal, message) for ordinal, message in enumerate(messages)]
        staged, values = self._stage(rows)
        for statement in () if dialogs_are_there else (_ADD_USERS, _ADD_DIALOGS):
            self.session.execute(text(statement.format(staged=staged)), values)
        added = self.session.execute(text(_ADD_MESSAGES.format(staged=staged)), values).all()
        self._count(rows, {row.message_id: row.length for row in added}, model_id=model_id)
        earlier: dict[int, UUID] = {}
        conflicts: list[int] = []
        if len(added) < len(rows):
            for row in self.session.execute(text(_FIND_EARLIER.format(staged=staged)), values):
                earlier[row.ordinal] = row.message_id
                if row.is_conflict:
                    conflicts.append(row.ordinal)
        return AddedMessages(added=len(added), earlier=earlier, conflicts=tuple(sorted(conflicts)))

    def list_by_ids(self, user_id: str, message_ids: Sequence[UUID]) -> list[Message]:
        """Return those of the messages that are this user's, in order of time."""
        statement = _SELECT + (
            "WHERE m.user_id = :user_id AND m.message_id = ANY(:ids) ORDER BY m.occurred_at, m.message_id"
        )
        result = self.session.execute(text(statement), {"user_id": user_id, "ids": list(message_ids)})
        return [_as_message(row) for row in result.mappings()]

    def list_dialog(self, user_id: str, dialog_id: str) -> list[Message]:
        """Return the messages of a dialog in order of time, then of their ids."""
        statement = _SELECT + (
            "WHERE m.user_id = :user_id AND m.dialog_id = :dialog_id ORDER BY m.occurred_at, m.message_id"
        )
        result = self.session.execute(text(statement), {"user_id": user_id, "dialog_id": dialog_id})
        return [_as_message(row) for row in result.mappings()]

    def list_page(
        self, user_id: str, *, dialog_id: str | None, after: tuple[datetime, UUID] | None, limit: int
    ) -> list[Message]:
        """Return up to ``limit`` messages after the key (occurred_at, message_id), in that order."""
        conditions = ["m.user_id = :user_id"]
        values: dict[str, Any] = {"user_id": user_id, "limit": limit}
        if dialog_id is not None:
            conditions.append("m.dialog_id = :dialog_id")
            values["dialog_id"] = dialog_id
        if after is not None:
            conditions.append("(m.occurred_at, m.message_id) > (:at, :id)")
            values |= {"at": after[0], "id": after[1]}
        statement = f"{_SELECT} WHERE {' AND '.join(conditions)} ORDER BY m.occurred_at, m.message_id LIMIT :limit"
        return [_as_message(row) for row in self.session.execute(text(statement), values).mappings()]

    def count(self, user_id: str, *, dialog_id: str | None = None) -> int:
        statement = "SELECT count(*) FROM prefmem.messages WHERE user_id = :user_id"
        if dialog_id is not None:
            statement += " AND dialog_id = :dialog_id"
        return int(self.session.scalar(text(statement), {"user_id": user_id, "dialog_id": dialog_id}) or 0)

    def time_zones(self, user_ids: Sequence[str]) -> dict[str, str]:
        """Return the IANA zone of each of the users that are known."""
        statement = "SELECT user_id, time_zone FROM prefmem.users WHERE user_id = ANY(:ids)"
        return {row.user_id: row.time_zone for row in self.session.execute(text(statement), {"ids": list(user_ids)})}

    def _count(self, rows: Sequence[dict[str, Any]], lengths: Mapping[UUID, int], *, model_id: int) -> None:
        """Add the rows that were stored to the statistics of their users and languages."""
        counts: dict[tuple[str, str], list[int]] = {}
        for row in rows:
            if row["message_id"] in lengths:
                count = counts.setdefault((row["user_id"], row["language"]), [0, 0])
                count[0] += 1
                count[1] += lengths[row["message_id"]]
        if counts:
            given = [
                {
                    "user_id": user_id,
                    "language": language,
                    "row_count": number,
                    "total_length": length,
                    "updated_at": rows[0]["ingested_at"],
                }
                for (user_id, language), (number, length) in counts.items()
            ]
            values = {"model_id": model_id, "rows": as_json_parameter(given)}
            self.session.execute(text(_COUNT.format(counts=recordset(_COUNT_COLUMNS))), values)

    def _stage(self, rows: Sequence[dict[str, Any]]) -> tuple[str, dict[str, Any]]:
        """Return what stands for the rows in a FROM clause, and its parameters.

        COPY is refused under row-level security, hence the temporary table between.
        """
        if len(rows) < COPY_FROM_ROWS:
            return f"jsonb_to_recordset(CAST(:rows AS jsonb)) AS staged({_TYPED})", {
                "rows": json.dumps(rows, default=str, ensure_ascii=False)
            }
        self.session.execute(text("DROP TABLE IF EXISTS pg_temp.staged_messages"))
        self.session.execute(text("SET LOCAL work_mem = '64MB'"))  # the postings are sorted in memory
        self.session.execute(text(f"CREATE TEMPORARY TABLE staged_messages ({_TYPED}) ON COMMIT DROP"))
        driver = self.session.connection().connection.driver_connection
        assert isinstance(driver, psycopg.Connection)
        names = tuple(_COLUMNS)
        with (
            driver.cursor() as cursor,
            cursor.copy(f"COPY pg_temp.staged_messages ({', '.join(names)}) FROM STDIN") as copy,
        ):
            for row in rows:
                copy.write_row([json.dumps(row[n], ensure_ascii=False) if n == "metadata" else row[n] for n in names])
        return "pg_temp.staged_messages AS staged", {}


def _as_row(ordinal: int, message: Message) -> dict[str, Any]:
    return {
        "ordinal": ordinal,
        "user_id": message.user_id,
        "message_id": message.message_id,
        "dialog_id": message.dialog_id,
        "session_id": message.session_id,
        "role": message.role,
        "author": message.author,
        "content": message.content,
        "occurred_at": message.occurred_at,
        "occurred_at_is_assumed": message.occurred_at_is_assumed,
        "ingested_at": message.ingested_at,
        "source": message.source,
        "external_id": message.external_id,
        "agent_id": message.agent_id,
        "mem_cube_id": message.mem_cube_id,
        "metadata": dict(message.metadata),
        "language": detect_language(message.content[:2_000]),
    }


def _as_message(row: RowMapping) -> Message:
    return Message(**row)
