"""The repository of the ledger: calls to providers, before and after they are made, and what answers are stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.orm import Session

from prefmem_pg.db.rows import as_json_parameter, recordset
from prefmem_pg.domain.prices import Tokens

_LOCK: Final = int.from_bytes(sha256(b"prefmem ledger").digest()[:8], "big", signed=True)
FORGOTTEN_AFTER: Final = "10 minutes"
"""A call that has been under way for longer belongs to a process that is no more."""

_COUNTS: Final = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
_SHARE: Final = {
    "user_id": "text",
    "request_hash": "bytea",
    **dict.fromkeys(_COUNTS, "integer"),
    "cost_usd": "numeric",
}
_KNOWN: Final = "SELECT user_id FROM prefmem.users WHERE user_id = ANY(:ids)"
_ADD: Final = f"""
INSERT INTO prefmem.llm_calls (user_id, call_id, purpose, provider, model, prompt_version, request_hash, input_tokens,
  output_tokens, outcome, cost_usd, run_id, is_batch, at)
SELECT u.user_id, :call_id, :purpose, :provider, :model, :prompt_version, r.request_hash, r.input_tokens,
  r.output_tokens, 'running', r.cost_usd, :run_id, :is_batch, clock_timestamp()
FROM {recordset(_SHARE)} JOIN prefmem.users u ON u.user_id = r.user_id
ORDER BY u.user_id
"""
_ADD_BATCH: Final = f"""
INSERT INTO prefmem.llm_calls (user_id, call_id, purpose, provider, model, prompt_version, request_hash, input_tokens,
  output_tokens, outcome, cost_usd, run_id, is_batch, at)
SELECT u.user_id, r.call_id, :purpose, :provider, :model, :prompt_version, r.request_hash, r.input_tokens,
  r.output_tokens, 'running', r.cost_usd, r.run_id, true, clock_timestamp()
FROM {recordset({**_SHARE, "call_id": "uuid", "run_id": "uuid"})} JOIN prefmem.users u ON u.user_id = r.user_id
ORDER BY u.user_id, r.call_id
"""
_ADD_SHARED: Final = f"""
INSERT INTO prefmem.llm_shared_calls (call_id, purpose, provider, model, prompt_version, request_hash, input_tokens,
  output_tokens, outcome, cost_usd, at)
SELECT :call_id, :purpose, :provider, :model, :prompt_version, (array_agg(r.request_hash))[1], sum(r.input_tokens),
  sum(r.output_tokens), 'running', sum(r.cost_usd), clock_timestamp()
FROM {recordset(_SHARE)}
HAVING count(*) > 0
"""
_OUTCOME: Final = {**_SHARE, "request": "jsonb", "response": "jsonb"}
# A request that is there already is the mark of an erasure that came while the call was under way.
_END: Final = f"""
UPDATE prefmem.llm_calls c
SET {", ".join(f"{name} = r.{name}" for name in (*_COUNTS, "cost_usd"))},
  {", ".join(f"{name} = CASE WHEN c.request IS NULL THEN r.{name} END" for name in ("request", "response"))},
  outcome = :outcome, latency_ms = :latency_ms
FROM {recordset(_OUTCOME)}
WHERE c.user_id = r.user_id AND c.call_id = :call_id
"""
_END_SHARED: Final = f"""
UPDATE prefmem.llm_shared_calls c
SET {", ".join(f"{name} = r.{name}" for name in (*_COUNTS, "cost_usd"))}, outcome = :outcome, latency_ms = :latency_ms
FROM (
  SELECT {", ".join(f"sum({name}) AS {name}" for name in (*_COUNTS, "cost_usd"))} FROM {recordset(_SHARE)}
) r
WHERE c.call_id = :call_id
"""
_BOTH: Final = """
(SELECT call_id, provider, outcome, input_tokens + output_tokens + cache_write_tokens AS tokens, cost_usd, at,
    is_batch
  FROM prefmem.llm_calls
  UNION ALL
  SELECT call_id, provider, outcome, input_tokens + output_tokens + cache_write_tokens, cost_usd, at, false
  FROM prefmem.llm_shared_calls) c
"""
_LOAD: Final = f"""
SELECT count(DISTINCT call_id) FILTER (WHERE outcome = 'running') AS running,
  count(DISTINCT call_id) FILTER (WHERE at > clock_timestamp() - interval '1 minute') AS calls,
  coalesce(sum(tokens) FILTER (WHERE at > clock_timestamp() - interval '1 minute'), 0) AS tokens
FROM {_BOTH}
WHERE provider = :provider AND NOT is_batch AND at > clock_timestamp() - interval '{FORGOTTEN_AFTER}'
"""
_TODAY: Final = "at >= date_trunc('day', clock_timestamp(), 'UTC')"
_FIND_RESPONSE: Final = """
SELECT response FROM prefmem.llm_calls
WHERE user_id = :user_id AND request_hash = :hash AND response IS NOT NULL
ORDER BY outcome = 'ok' DESC, at DESC, call_id DESC LIMIT 1
"""
# Any call that held the item, in whatever company: which texts travel together depends on what came before.
_FIND_ITEM: Final = """
SELECT c.response -> :answers -> CAST(i.place - 1 AS integer) AS answer
FROM prefmem.llm_calls c
CROSS JOIN LATERAL jsonb_array_elements_text(c.request -> :asked) WITH ORDINALITY AS i (item, place)
WHERE c.user_id = :user_id AND c.provider = :provider AND c.model = :model AND c.response ? :answers
  AND c.request - :asked = CAST(:rest AS jsonb) AND i.item = :item
ORDER BY c.at DESC, c.call_id DESC, i.place LIMIT 1
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRow:
    """A user's share of a call, None for nobody's. ``request`` and ``response`` are JSON to keep, None for neither."""

    user_id: str | None
    request_hash: bytes
    tokens: Tokens
    cost_usd: Decimal | None
    request: Any = None  # JSON
    response: Any = None  # JSON


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCall:
    """A call that is about to be made."""

    call_id: UUID
    purpose: str
    provider: str
    model: str
    prompt_version: str | None
    run_id: UUID | None
    is_batch: bool


@dataclass(frozen=True, slots=True)
class SentCall:
    """A call that is under way: who was asked what, and the most that it may take and cost."""

    provider: str
    model: str
    request_hash: bytes
    tokens: Tokens
    cost_usd: Decimal | None


@dataclass(frozen=True, slots=True)
class Load:
    """What a provider is being asked: calls under way, and calls and tokens of the last minute. Without batches."""

    running: int
    calls: int
    tokens: int


class CallRepository:
    """The ledger, inside the caller's transaction; it never commits."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def lock_ledger(self) -> None:
        """Let one process at a time decide whether it may call, until the end of the transaction."""
        self.session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})

    def read_load(self, provider: str) -> Load:
        row = self.session.execute(text(_LOAD), {"provider": provider}).one()
        return Load(row.running, row.calls, int(row.tokens))

    def spent_today(self) -> Decimal:
        """Return what all calls of this day (UTC) cost, those under way by the most that they may."""
        return Decimal(self.session.scalar(text(f"SELECT coalesce(sum(cost_usd), 0) FROM {_BOTH} WHERE {_TODAY}")) or 0)

    def spent_today_by_user(self, user_ids: Sequence[str]) -> dict[str, Decimal]:
        statement = (
            "SELECT user_id, coalesce(sum(cost_usd), 0) AS spent FROM prefmem.llm_calls"
            f" WHERE user_id = ANY(:ids) AND {_TODAY} GROUP BY user_id"
        )
        return {r.user_id: r.spent for r in self.session.execute(text(statement), {"ids": list(user_ids)})}

    def usual_cost(self, provider: str, model: str, purpose: str) -> Decimal | None:
        """Return what the last answered calls of a sort have cost on average, without batches; None: there is none."""
        statement = (
            "SELECT avg(c.cost_usd) FROM (SELECT cost_usd FROM prefmem.llm_calls WHERE provider = :provider"
            " AND model = :model AND purpose = :purpose AND outcome = 'ok' AND NOT is_batch AND cost_usd IS NOT NULL"
            " ORDER BY at DESC, call_id LIMIT 1000) c"
        )
        found = self.session.scalar(text(statement), {"provider": provider, "model": model, "purpose": purpose})
        return None if found is None else Decimal(found)

    def list_known(self, user_ids: Sequence[str]) -> set[str]:
        """Return those of the users that are stored."""
        return set(self.session.scalars(text(_KNOWN), {"ids": list(user_ids)})) if user_ids else set()

    def add(self, call: NewCall, rows: Sequence[CallRow]) -> None:
        """Note a call that is about to be made; rows without a user are one row of nobody."""
        values = {
            "call_id": call.call_id,
            "purpose": call.purpose,
            "provider": call.provider,
            "model": call.model,
            "prompt_version": call.prompt_version,
        }
        owned, shared = _apart(rows)
        if owned:
            more = {"run_id": call.run_id, "is_batch": call.is_batch, "rows": as_json_parameter(map(_as_row, owned))}
            self.session.execute(text(_ADD), {**values, **more})
        if shared:
            self.session.execute(text(_ADD_SHARED), {**values, "rows": as_json_parameter(map(_as_row, shared))})

    def end(self, call_id: UUID, rows: Sequence[CallRow], *, outcome: str, latency_ms: int) -> None:
        """Note how a call ended. Users who were erased meanwhile stay erased."""
        values = {"call_id": call_id, "outcome": outcome, "latency_ms": latency_ms}
        owned, shared = _apart(rows)
        if owned:
            self.session.execute(text(_END), {**values, "rows": as_json_parameter(map(_as_row, owned))})
        if shared:
            self.session.execute(text(_END_SHARED), {**values, "rows": as_json_parameter(map(_as_row, shared))})

    def add_batch(self, calls: Sequence[tuple[NewCall, CallRow]]) -> None:
        """Note items of one batch that are about to be sent, each a call of one user."""
        first = calls[0][0]
        values = {
            "purpose": first.purpose,
            "provider": first.provider,
            "model": first.model,
            "prompt_version": first.prompt_version,
        }
        rows = [{**_as_row(row), "call_id": call.call_id, "run_id": call.run_id} for call, row in calls]
        self.session.execute(text(_ADD_BATCH), {**values, "rows": as_json_parameter(rows)})

    def find_running(self, user_id: str, call_id: UUID) -> SentCall | None:
        """Return a call that has not ended; None when it has, or its user is gone."""
        statement = (
            "SELECT provider, model, request_hash, input_tokens, output_tokens, cost_usd FROM prefmem.llm_calls"
            " WHERE user_id = :user_id AND call_id = :call_id AND outcome = 'running' FOR UPDATE"
        )
        row = self.session.execute(text(statement), {"user_id": user_id, "call_id": call_id}).one_or_none()
        if row is None:
            return None
        tokens = Tokens(input=row.input_tokens, output=row.output_tokens)
        return SentCall(row.provider, row.model, row.request_hash, tokens, row.cost_usd)

    def was_answered(self, user_id: str, request_hash: bytes, *, since: datetime | None) -> bool:
        """Say whether this request of a user has had an answer of use, or was declined; ``since`` None: ever."""
        statement = (
            "SELECT EXISTS (SELECT 1 FROM prefmem.llm_calls WHERE user_id = :user_id AND request_hash = :hash"
            " AND outcome IN ('ok', 'refused') AND (CAST(:since AS timestamptz) IS NULL OR at > :since))"
        )
        return bool(self.session.scalar(text(statement), {"user_id": user_id, "hash": request_hash, "since": since}))

    def find_response(self, user_id: str, request_hash: bytes) -> Any | None:  # Any: JSON
        """Return the last stored answer to a request: of those that were of use, if there are any."""
        return self.session.scalar(text(_FIND_RESPONSE), {"user_id": user_id, "hash": request_hash})

    def find_item(
        self, user_id: str, *, provider: str, model: str, request: Mapping[str, Any], items: tuple[str, str], item: str
    ) -> Any | None:  # Any: JSON
        """Return the last stored answer to one item of a request that is otherwise the same."""
        asked, answers = items
        rest = {name: value for name, value in request.items() if name != asked}
        values = {"user_id": user_id, "provider": provider, "model": model, "asked": asked, "answers": answers}
        return self.session.scalar(
            text(_FIND_ITEM), {**values, "rest": as_json_parameter([rest])[1:-1], "item": storable(item)}
        )


def storable(value: Any) -> Any:  # Any: JSON
    """Return JSON that jsonb can hold: NUL bytes and lone surrogates replaced by U+FFFD."""
    if isinstance(value, str):
        joined = value.replace("\0", "\N{REPLACEMENT CHARACTER}")
        return joined.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, Mapping):
        return {storable(name): storable(inner) for name, inner in value.items()}
    return [storable(inner) for inner in value] if isinstance(value, list | tuple) else value


def _apart(rows: Sequence[CallRow]) -> tuple[list[CallRow], list[CallRow]]:
    return [row for row in rows if row.user_id is not None], [row for row in rows if row.user_id is None]


def _as_row(row: CallRow) -> dict[str, Any]:  # Any: columns by name
    return {
        "user_id": row.user_id,
        "request_hash": row.request_hash,
        "input_tokens": row.tokens.input,
        "output_tokens": row.tokens.output,
        "cache_read_tokens": row.tokens.cache_read,
        "cache_write_tokens": row.tokens.cache_write,
        "cost_usd": row.cost_usd,
        "request": storable(row.request),
        "response": storable(row.response),
    }
