"""The ledger at work: every attempt is noted before it is made and when it has ended, held back, or replayed."""

import logging
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Final, Literal, TypeVar

from prefmem_pg.db.session import Database, Repositories
from prefmem_pg.errors import (
    ConfigurationError,
    InvalidAnswer,
    NotRecorded,
    ProviderRefused,
    ProviderUnavailable,
    StoreError,
    Truncated,
)
from prefmem_pg.providers.metering import JSON, Made, PlannedCall, Share
from prefmem_pg.providers.protocols import Usage
from prefmem_pg.providers.serving import served
from prefmem_pg.steps.call_rows import Ticket, find_forgotten, find_price, first_rows, last_rows, make_ticket, role_of
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

    def _admit(self, planned: PlannedCall) -> Ticket:
        """Note the call as running, once limits and budgets let it; waits for limits with no transaction open."""
        give_up_at = time.monotonic() + served().patience_seconds
        run = tally()
        while True:
            with run.lock:
                with self.database.transaction(user_id=self._role(planned)) as repositories:
                    ticket = self._may_call(repositories, planned)
                    if ticket is not None:
                        repositories.calls.add(ticket.call, [row for row, _ in first_rows(ticket)])
                if ticket is not None:
                    run.add(ticket.most)
                    return ticket
            if time.monotonic() > give_up_at:
                raise ProviderUnavailable(f"{planned.provider}: its limits have let no call through for long")
            time.sleep(LOOK_AGAIN_SECONDS * (0.5 + random.random()))

    def _may_call(self, repositories: Repositories, planned: PlannedCall) -> Ticket | None:
        """Return the ticket of a call, None when it has to wait; raises BudgetExceeded or ConfigurationError."""
        users = sorted({share.user_id for share in planned.shares if share.user_id is not None})
        limits = self.limits.get(planned.provider)
        if limits is not None or self.budgets.day_usd is not None or self.budgets.user_usd is not None:
            repositories.calls.lock_ledger()
        tokens = sum(share.tokens for share in planned.shares) + planned.most_output_tokens
        if limits is not None and must_wait(repositories.calls.read_load(planned.provider), tokens, limits):
            return None
        price = find_price(repositories, planned.provider, planned.model, self.budgets)
        ticket = make_ticket(planned, repositories.calls.list_known(users), price, served().run_id)
        if self.budgets.has_any:
            check_budgets(
                self.budgets,
                [(share.user_id, cost) for share, (_, cost) in zip(planned.shares, first_rows(ticket), strict=True)],
                run=tally().spent,
                day=repositories.calls.spent_today() if self.budgets.day_usd is not None else Decimal(0),
                users=repositories.calls.spent_today_by_user(users) if self.budgets.user_usd is not None else {},
            )
        return ticket

    def _end(self, ticket: Ticket, made: Made[Any], started: float) -> None:  # Any: whatever was answered
        keeps = self.mode == "record"
        rows = last_rows(ticket, made, keeps=keeps)
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
            with self.database.transaction(user_id=role_of(ticket.planned)) as repositories:
                if keeps:
                    gone = find_forgotten(repositories, ticket.planned.shares)
                    rows = [replace(row, request=None, response=None) if row.user_id in gone else row for row in rows]
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
        return None if looks_at_all else role_of(planned)
