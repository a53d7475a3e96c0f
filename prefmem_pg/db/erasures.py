"""The repository of erasure: forgetting by the functions of sql/, and the tombstones that it leaves."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final, Protocol
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.orm import Session

from prefmem_pg.db.rows import as_json_parameter, recordset

# The marks are computed once a row, before the join: in the join's condition they would be once a pair of rows.
_MARKED: Final = f"""
WITH given AS MATERIALIZED (
  SELECT r.place, r.user_id, r.source, r.external_id
  FROM {recordset({"place": "integer", "user_id": "text", "source": "text", "external_id": "text"})}
),
users AS MATERIALIZED (
  SELECT user_id, prefmem.erasure_mark('user', user_id) AS mark
  FROM (SELECT DISTINCT user_id FROM given) g
  WHERE EXISTS (SELECT FROM prefmem.erasures WHERE scope = 'user')
),
messages AS MATERIALIZED (
  SELECT
    place, prefmem.erasure_mark('message', CAST(jsonb_build_array(user_id, source, external_id) AS text)) AS mark
  FROM given
  WHERE EXISTS (SELECT FROM prefmem.erasures WHERE scope = 'message')
)
"""
_FIND: Final = f"""{_MARKED}
SELECT g.place FROM given g JOIN users u USING (user_id)
JOIN prefmem.erasures e ON e.scope = 'user' AND e.subject_hmac = u.mark
UNION
SELECT m.place FROM messages m JOIN prefmem.erasures e ON e.scope = 'message' AND e.subject_hmac = m.mark
ORDER BY place
"""
_LIFT: Final = f"""{_MARKED}
DELETE FROM prefmem.erasures e
WHERE (e.scope, e.subject_hmac) IN (
  SELECT 'user', mark FROM users UNION ALL SELECT 'message', mark FROM messages)
"""


class MessageKey(Protocol):
    """What a tombstone knows of a message: a stored message, or as much of one that is not."""

    @property
    def user_id(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def external_id(self) -> str: ...


class ErasureRepository:
    """Erasure and tombstones, inside the caller's transaction; it never commits."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def forget_user(self, user_id: str) -> dict[str, int]:
        """Erase everything of a user and leave a tombstone; return the rows that went, by table. Idempotent."""
        return self._counts("SELECT prefmem.forget_user(:user_id)", user_id=user_id)

    def forget_messages(self, user_id: str, message_ids: Sequence[UUID]) -> dict[str, int]:
        """Erase messages, what rests on them alone and what tells of them; leave tombstones. Idempotent."""
        statement = "SELECT prefmem.forget_messages(:user_id, CAST(:ids AS uuid[]))"
        return self._counts(statement, user_id=user_id, ids=list(message_ids))

    def blank_preferences(self, user_id: str, preference_ids: Sequence[UUID], *, actor: str, reason: str) -> int:
        """Delete preferences for good and return how many; those deleted before and other users' do not count."""
        statement = "SELECT prefmem.blank_preferences(:user_id, CAST(:ids AS uuid[]), :actor, :reason)"
        values = {"user_id": user_id, "ids": list(preference_ids), "actor": actor, "reason": reason}
        return int(self.session.scalar(text(statement), values) or 0)

    def find_erased(self, messages: Sequence[MessageKey]) -> list[int]:
        """Return the places of messages that a tombstone matches, in order."""
        return list(self.session.scalars(text(_FIND), {"rows": _keys(messages)}))

    def lift(self, messages: Sequence[MessageKey]) -> int:
        """Remove the tombstones that match these messages or their users; return how many there were."""
        result: Any = self.session.execute(text(_LIFT), {"rows": _keys(messages)})  # Any: rowcount is a cursor's
        return int(result.rowcount)

    def _counts(self, statement: str, **values: object) -> dict[str, int]:
        found = self.session.scalar(text(statement), values)
        counts: dict[str, int] = json.loads(found) if isinstance(found, str) else dict(found or {})
        return counts


def _keys(messages: Iterable[MessageKey]) -> str:
    return as_json_parameter(
        {"place": place, "user_id": m.user_id, "source": m.source, "external_id": m.external_id}
        for place, m in enumerate(messages)
    )
