"""The ledger at work: every attempt is noted before it is made and when it has ended, held back, or replayed."""

import logging
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Final, Literal, TypeVar
from uuid import UUID

from prefmem_pg.db.calls import CallRow, NewCall
from prefmem_pg.db.session import Database, Repositories
from prefmem_pg.domain.ids import new_id
from prefmem_pg.domain.prices import Price, Tokens
from prefmem_pg.errors import (
    ConfigurationError,
    InvalidAnswer,
    NotRecorded,
    ProviderRefused,
    ProviderUnavailable,
    StoreError,
    Truncated,
)
from prefmem_pg.providers.metering import JSON, Made, PlannedCall, Share, split_tokens
from prefmem_pg.providers.protocols import Usage
from prefmem_pg.providers.serving import served
from prefmem_pg.steps.spending import NO_BUDGETS, Budgets, ProviderLimits, check_budgets, must_wait, tally

log = logging.getLogger(__name__)

T = TypeVar("T")
Mode = Literal["live", "record", "replay"]

LOOK_AGAIN_SECONDS: Final = 0.1

_OUTCOMES: Final = (
    (ProviderUnavailable, "unavailable"),
    (ProviderRefused, "refused"),
    (Truncated, "truncated"),
    (InvalidAnswer, "invalid"),
    (ConfigurationError, "misconfigured"),
)


@dataclass(frozen=True, slots=True)
class _Ticket:
    """A call that may be made: what was noted of it."""

    call: NewCall
    planned: PlannedCall
    owners: tuple[str | None, ...]
    price: Price | None
    most: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseMeter:
    """A Meter that keeps the ledger in the database, in short transactions of its own around each attempt.

    A row stands there before anything is sent, with the most that the call may cost, so that neither a kill nor other
    processes can spend more than a budget; what it did cost replaces that. Budgets over all users, limits, and calls
    for several users need a login that may work as prefmem_pipeline.
    """

    database: Database
    mode: Mode = "live"
    budgets: Budgets = NO_BUDGETS
    limits: Mapping[str, ProviderLimits] = field(default_factory=dict)

    def run(self, planned: PlannedCall, attempt: Callable[[], Made[T]], replay: Callable[[Sequence[JSON]], T]) -> T:
        """Make the attempt and return its value, or give the stored responses to ``replay``; see Meter."""
        if self.mode == "replay":
            return replay(self._stored(planned))
        ticket = self._admit(planned)
        started = time.monotonic()
        try:
            made = attempt()
        except Exception as exc:
            outcome = next((name for kind, name in _OUTCOMES if isinstance(exc, kind)), "failed")
            self._end(ticket, Made(None, Usage(), [None] * len(planned.shares), outcome), started)
            raise
        self._end(ticket, made, started)
        return made.value

    def note(self, planned: PlannedCall, made: Made[Any], *, run_id: UUID | None) -> None:  # Any: whatever was answered
        """Note a call that was made and answered elsewhere, such as an item of a batch; no budget holds it back."""
        with self.database.transaction(user_id=_role(planned)) as repositories:
            known = repositories.calls.list_known([s.user_id for s in planned.shares if s.user_id is not None])
            ticket = _ticket(planned, known, repositories.prices.find(planned.provider, planned.model), run_id)
            rows = [row for row, _ in _first_rows(ticket)]
            repositories.calls.add(ticket.call, rows)
        self._end(ticket, made, time.monotonic())

    def check(self, planned: PlannedCall) -> None:
        """Raise what ``run`` would raise before this call, and note nothing: for work that is paid later."""
        with self.database.transaction(user_id=self._role(planned)) as repositories:
            self._may_call(repositories, planned)

    def _admit(self, planned: PlannedCall) -> _Ticket:
        """Note the call as running, once limits and budgets let it; waits for limits with no transaction open."""
        give_up_at = time.monotonic() + served().patience_seconds
        run = tally()
        while True:
            with run.lock:
                with self.database.transaction(user_id=self._role(planned)) as repositories:
                    ticket = self._may_call(repositories, planned)
                    if ticket is not None:
                        repositories.calls.add(ticket.call, [row for row, _ in _first_rows(ticket)])
                if ticket is not None:
                    run.add(ticket.most)
                    return ticket
            if time.monotonic() > give_up_at:
                raise ProviderUnavailable(f"{planned.provider}: its limits have let no call through for long")
            time.sleep(LOOK_AGAIN_SECONDS * (0.5 + random.random()))

    def _may_call(self, repositories: Repositories, planned: PlannedCall) -> _Ticket | None:
        """Return the ticket of a call, None when it has to wait; raises BudgetExceeded or ConfigurationError."""
        users = sorted({share.user_id for share in planned.shares if share.user_id is not None})
        limits = self.limits.get(planned.provider)
        if limits is not None or self.budgets.day_usd is not None or self.budgets.user_usd is not None:
            repositories.calls.lock_ledger()
        tokens = sum(share.tokens for share in planned.shares) + planned.most_output_tokens
        if limits is not None and must_wait(repositories.calls.read_load(planned.provider), tokens, limits):
            return None
        price = repositories.prices.find(planned.provider, planned.model)
        if price is None and self.budgets.has_any:
            raise ConfigurationError(
                f"a budget is set and no price is known for {planned.provider}/{planned.model};"
                f" enter it: prefmem prices {planned.provider} {planned.model} --input DOLLARS --output DOLLARS"
            )
        ticket = _ticket(planned, repositories.calls.list_known(users), price, served().run_id)
        if self.budgets.has_any:
            check_budgets(
                self.budgets,
                [(share.user_id, cost) for share, (_, cost) in zip(planned.shares, _first_rows(ticket), strict=True)],
                run=tally().spent,
                day=repositories.calls.spent_today() if self.budgets.day_usd is not None else Decimal(0),
                users=repositories.calls.spent_today_by_user(users) if self.budgets.user_usd is not None else {},
            )
        return ticket

    def _end(self, ticket: _Ticket, made: Made[Any], started: float) -> None:  # Any: whatever was answered
        keeps, message_ids = self.mode == "record", served().message_ids
        rows = _last_rows(ticket, made, keeps=keeps)
        if ticket.price is not None:
            tally().add(sum((row.cost_usd or Decimal(0) for row in rows), -ticket.most))
        latency_ms = round((time.monotonic() - started) * 1_000)
        fields = {
            "purpose": ticket.planned.purpose,
            "model": f"{ticket.planned.provider}/{ticket.planned.model}",
            "outcome": made.outcome,
            "latency_ms": latency_ms,
        }
        log.info("provider called", extra=fields)
        try:
            with self.database.transaction(user_id=_role(ticket.planned)) as repositories:
                if keeps and message_ids and _is_forgotten(repositories, ticket.owners, message_ids):
                    rows = [replace(row, request=None, response=None) for row in rows]
                repositories.calls.end(ticket.call.call_id, rows, outcome=made.outcome, latency_ms=latency_ms)
        except StoreError as exc:
            # An answer that is paid is not thrown away for its row, which stays as running and at its highest cost.
            log.warning("a call could not be noted to its end", extra={**fields, "error": type(exc).__name__})

    def _stored(self, planned: PlannedCall) -> list[JSON]:
        """Return the stored response of each share; NotRecorded when one is missing."""
        responses = []
        for share in planned.shares:
            response = self._find(planned, share)
            if response is None:
                raise NotRecorded(
                    f"replay: no stored answer to this request ({planned.purpose}, {planned.provider}/{planned.model},"
                    f" {planned.request_hash(share).hex()[:12]}); record it with PREFMEM_LLM_MODE=record"
                )
            responses.append(response)
        return responses

    def _find(self, planned: PlannedCall, share: Share) -> JSON | None:
        if share.user_id is None:
            return None
        with self.database.transaction(user_id=share.user_id) as repositories:
            found = repositories.calls.find_response(share.user_id, planned.request_hash(share))
            if found is not None or planned.items is None:
                return found
            asked, answers = planned.items
            parts = []
            for item in share.request[asked]:
                part = repositories.calls.find_item(
                    share.user_id,
                    provider=planned.provider,
                    model=planned.model,
                    request=share.request,
                    items=planned.items,
                    item=item,
                )
                if part is None:
                    return None
                parts.append(part)
            return {answers: parts}

    def _role(self, planned: PlannedCall) -> str | None:
        """Return whom the transaction is opened for; what concerns all users is the pipeline's to look at."""
        looks_at_all = planned.provider in self.limits or self.budgets.day_usd is not None
        return None if looks_at_all else _role(planned)


def _is_forgotten(repositories: Repositories, owners: Sequence[str | None], message_ids: Sequence[UUID]) -> bool:
    """Say whether a message that was shown is gone: forgotten since it was read, maybe before the call began.

    Holds the user's row, so that an erasure that comes now waits, and then finds what is recorded.
    """
    [user_id] = set(owners)  # messages are one user's
    if user_id is None or repositories.preferences.hold_user(user_id) is None:
        return True
    return len(repositories.messages.list_by_ids(user_id, message_ids)) < len(message_ids)


def _role(planned: PlannedCall) -> str | None:
    users = {share.user_id for share in planned.shares}
    if len(users) > 1:
        return None
    return next(iter(users), None) or "-"  # nobody's rows are under no policy


def _ticket(planned: PlannedCall, known: set[str], price: Price | None, run_id: UUID | None) -> _Ticket:
    call = NewCall(
        call_id=new_id(),
        purpose=planned.purpose,
        provider=planned.provider,
        model=planned.model,
        prompt_version=planned.prompt_version,
        run_id=run_id,
        is_batch=planned.is_batch,
    )
    owners = tuple(share.user_id if share.user_id in known else None for share in planned.shares)
    ticket = _Ticket(call, planned, owners, price, Decimal(0))
    most = sum((cost for _, cost in _first_rows(ticket)), Decimal(0))
    return _Ticket(call, planned, owners, price, most)


def _first_rows(ticket: _Ticket) -> list[tuple[CallRow, Decimal]]:
    """Return each share's row before the call, with the most that it may cost."""
    planned = ticket.planned
    outputs = split_tokens(planned.most_output_tokens, [share.tokens for share in planned.shares])
    rows = []
    for share, owner, output in zip(planned.shares, ticket.owners, outputs, strict=True):
        tokens = Tokens(input=share.tokens, output=output)
        cost = None if ticket.price is None else ticket.price.most(tokens, is_batch=planned.is_batch)
        row = CallRow(user_id=owner, request_hash=planned.request_hash(share), tokens=tokens, cost_usd=cost)
        rows.append((row, cost or Decimal(0)))
    return rows


def _last_rows(ticket: _Ticket, made: Made[Any], *, keeps: bool) -> list[CallRow]:  # Any: whatever was answered
    """Return each share's row after the call: its part of the tokens, and with ``keeps`` what a replay needs."""
    planned, usage = ticket.planned, made.usage
    weights = [share.tokens for share in planned.shares]
    counts = zip(
        split_tokens(usage.input_tokens, weights),
        split_tokens(usage.output_tokens, weights),
        split_tokens(usage.cache_read_tokens, weights),
        split_tokens(usage.cache_write_tokens, weights),
        strict=True,
    )
    rows = []
    for share, owner, response, parts in zip(planned.shares, ticket.owners, made.responses, counts, strict=True):
        tokens = Tokens(input=parts[0], output=parts[1], cache_read=parts[2], cache_write=parts[3])
        is_kept = keeps and owner is not None and response is not None
        rows.append(
            CallRow(
                user_id=owner,
                request_hash=planned.request_hash(share),
                tokens=tokens,
                cost_usd=None if ticket.price is None else ticket.price.cost(tokens, is_batch=planned.is_batch),
                request=share.request if is_kept else None,
                response=response if is_kept else None,
            )
        )
    return rows
