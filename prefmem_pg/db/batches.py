"""The repository of provider batches: what is in flight, item by item."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final
from uuid import UUID

from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from prefmem_pg.db.driver_errors import translated_errors
from prefmem_pg.db.rows import as_json_parameter, recordset

_COLLECTING: Final = int.from_bytes(sha256(b"prefmem collects batches").digest()[:8], "big", signed=True)
_ITEM: Final = {
    "user_id": "text",
    "item_id": "uuid",
    "run_id": "uuid",
    "request_hash": "bytea",
    "message_ids": "uuid[]",
    "first_new": "integer",
}
_ADD_ITEMS: Final = f"""
INSERT INTO prefmem.llm_batch_items AS i (batch_id, {", ".join(_ITEM)})
SELECT :batch_id, {", ".join(f"r.{name}" for name in _ITEM)}
FROM {recordset(_ITEM)} JOIN prefmem.users u ON u.user_id = r.user_id
ON CONFLICT (user_id, request_hash) DO UPDATE SET
  batch_id = excluded.batch_id, item_id = excluded.item_id, run_id = excluded.run_id,
  message_ids = excluded.message_ids, first_new = excluded.first_new, state = 'waiting', error = NULL,
  updated_at = excluded.updated_at
WHERE i.state <> 'waiting'
RETURNING i.item_id
"""
_BATCH_COLUMNS: Final = "batch_id, provider_batch_id, model, prompt_version, state, created_at"


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchItem:
    """One request of a batch: the messages that it shows, in their order, and the first of them that is new."""

    user_id: str
    item_id: UUID
    run_id: UUID
    request_hash: bytes
    message_ids: tuple[UUID, ...]
    first_new: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchRow:
    """A batch as it stands. ``provider_batch_id`` None: the provider has not said that it took it."""

    batch_id: UUID
    provider_batch_id: str | None
    model: str
    prompt_version: str | None
    state: str
    created_at: datetime


@contextmanager
def collecting_alone(engine: Engine) -> Iterator[bool]:
    """Hold what one process at a time holds to collect batches; False: another one has it.

    By an open transaction, which does nothing else and keeps no row: behind a pooler, a lock of the session would stay
    with a connection of the server that goes on to another client.
    """
    options = {"isolation_level": "READ COMMITTED"}  # not the host's, which may be autocommit
    with translated_errors(), engine.connect().execution_options(**options) as connection:
        is_alone = bool(connection.scalar(text("SELECT pg_try_advisory_xact_lock(:key)"), {"key": _COLLECTING}))
        try:
            yield is_alone
        finally:
            with suppress(DBAPIError):  # a connection that was lost has given it back, and what was done is done
                connection.rollback()


class BatchRepository:
    """Batches and their items, inside the caller's transaction; it never commits."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def add(
        self,
        batch_id: UUID,
        items: Sequence[BatchItem],
        *,
        provider: str,
        purpose: str,
        model: str,
        prompt_version: str | None,
    ) -> set[UUID]:
        """Store a batch that is about to be submitted; return the ids of the items that go into it.

        Left out is what travels in another batch already, and what belongs to a user who is gone.
        """
        statement = (
            "INSERT INTO prefmem.llm_batches (batch_id, provider, purpose, model, prompt_version, state)"
            " VALUES (:batch_id, :provider, :purpose, :model, :prompt_version, 'submitting')"
        )
        values = {"batch_id": batch_id, "provider": provider, "purpose": purpose, "model": model}
        self.session.execute(text(statement), {**values, "prompt_version": prompt_version})
        rows = [{**{name: getattr(item, name) for name in _ITEM}} for item in items]
        for row in rows:
            row["message_ids"] = [str(message_id) for message_id in row["message_ids"]]
        taken = self.session.scalars(text(_ADD_ITEMS), {"batch_id": batch_id, "rows": as_json_parameter(rows)})
        return set(taken)

    def list_open(self) -> list[BatchRow]:
        """Return the batches that are not done with, the oldest first."""
        statement = (
            f"SELECT {_BATCH_COLUMNS} FROM prefmem.llm_batches WHERE state IN ('submitting', 'submitted', 'ended')"
            " ORDER BY created_at, batch_id"
        )
        return [BatchRow(**row) for row in self.session.execute(text(statement)).mappings()]

    def list_waiting(self, batch_id: UUID) -> list[BatchItem]:
        """Return the items of a batch whose answers have not been dealt with, by user, the oldest messages first."""
        statement = (
            f"SELECT {', '.join(f'i.{name}' for name in _ITEM)} FROM prefmem.llm_batch_items i"
            " LEFT JOIN prefmem.messages m ON m.user_id = i.user_id AND m.message_id = i.message_ids[i.first_new + 1]"
            " WHERE i.batch_id = :batch_id AND i.state = 'waiting'"
            " ORDER BY i.user_id, m.occurred_at NULLS LAST, i.item_id"
        )
        rows = self.session.execute(text(statement), {"batch_id": batch_id}).mappings()
        return [BatchItem(**{**row, "message_ids": tuple(row["message_ids"])}) for row in rows]

    def list_provider_ids(self) -> set[str]:
        """Return the provider's ids of all batches that are known here."""
        statement = "SELECT provider_batch_id FROM prefmem.llm_batches WHERE provider_batch_id IS NOT NULL"
        return set(self.session.scalars(text(statement)))

    def set_state(
        self,
        batch_id: UUID,
        state: str,
        *,
        provider_batch_id: str | None = None,
        error: str | None = None,
        counts: Mapping[str, int] | None = None,
    ) -> None:
        """Move a batch on; what is None stays as it is."""
        statement = (
            "UPDATE prefmem.llm_batches SET state = :state,"
            " provider_batch_id = coalesce(:provider_batch_id, provider_batch_id), error = coalesce(:error, error),"
            " submitted_at = CASE WHEN :state = 'submitted' THEN coalesce(submitted_at, now()) ELSE submitted_at END,"
            " ended_at = CASE WHEN :state IN ('ended', 'failed') THEN coalesce(ended_at, now()) ELSE ended_at END,"
            " counts = CASE WHEN CAST(:counts AS jsonb) IS NULL THEN counts ELSE CAST(:counts AS jsonb) END"
            " WHERE batch_id = :batch_id"
        )
        shown = None if counts is None else as_json_parameter([counts])[1:-1]
        values = {"batch_id": batch_id, "state": state, "provider_batch_id": provider_batch_id}
        self.session.execute(text(statement), {**values, "error": error, "counts": shown})

    def end_item(self, user_id: str, item_id: UUID, state: str, *, error: str | None = None) -> None:
        """Say what became of an item; its messages may go into another batch from now on."""
        statement = (
            "UPDATE prefmem.llm_batch_items SET state = :state, error = :error, updated_at = now()"
            " WHERE user_id = :user_id AND item_id = :item_id"
        )
        values = {"user_id": user_id, "item_id": item_id, "state": state, "error": error}
        self.session.execute(text(statement), values)

    def release(self, batch_id: UUID, state: str, *, error: str, may_be_paid: bool = False) -> int:
        """End all items of a batch that wait still; return how many there were.

        They cost nothing, unless with ``may_be_paid`` the provider may have answered: then they stay at their most.
        """
        unpaid = (
            ", input_tokens = 0, output_tokens = 0, cost_usd = CASE WHEN c.cost_usd IS NOT NULL THEN 0 END"
            if not may_be_paid
            else ""
        )
        ended = (
            f"UPDATE prefmem.llm_calls c SET outcome = :state{unpaid} FROM prefmem.llm_batch_items i"
            " WHERE i.batch_id = :batch_id AND i.state = 'waiting' AND c.user_id = i.user_id AND c.call_id = i.item_id"
            " AND c.outcome = 'running'"
        )
        self.session.execute(text(ended), {"batch_id": batch_id, "state": state})
        statement = (
            "UPDATE prefmem.llm_batch_items SET state = :state, error = :error, updated_at = now()"
            " WHERE batch_id = :batch_id AND state = 'waiting' RETURNING item_id"
        )
        values = {"batch_id": batch_id, "state": state, "error": error}
        return len(self.session.scalars(text(statement), values).all())

    def age(self, batch: BatchRow) -> timedelta:
        """Return how long ago a batch was made, by the server's clock."""
        value = self.session.scalar(text("SELECT now() - CAST(:at AS timestamptz)"), {"at": batch.created_at})
        return value if isinstance(value, timedelta) else timedelta(0)
