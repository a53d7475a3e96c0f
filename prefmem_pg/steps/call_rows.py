"""What the ledger's rows of a call hold: before it is made the most that it may cost, afterwards what it did cost."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any
from uuid import UUID

from prefmem_pg.db.calls import CallRow, NewCall
from prefmem_pg.db.session import Repositories
from prefmem_pg.domain.ids import new_id
from prefmem_pg.domain.prices import Price, Tokens
from prefmem_pg.errors import ConfigurationError
from prefmem_pg.providers.metering import Made, PlannedCall, Share, split_tokens
from prefmem_pg.providers.protocols import Usage
from prefmem_pg.steps.spending import Budgets


@dataclass(frozen=True, slots=True)
class Ticket:
    """A call that may be made: what was noted of it."""

    call: NewCall
    planned: PlannedCall
    owners: tuple[str | None, ...]
    price: Price | None
    most: Decimal


def find_price(repositories: Repositories, provider: str, model: str, budgets: Budgets) -> Price | None:
    """Return the price of a model, None when none is known; ConfigurationError when a budget needs one."""
    price = repositories.prices.find(provider, model)
    if price is None and budgets.has_any:
        raise ConfigurationError(
            f"a budget is set and no price is known for {provider}/{model};"
            f" enter it: prefmem prices {provider} {model} --input DOLLARS --output DOLLARS"
        )
    return price


def role_of(planned: PlannedCall) -> str | None:
    """Return whom the transaction around a call is opened for; None: for all users."""
    users = {share.user_id for share in planned.shares}
    if len(users) > 1:
        return None
    return next(iter(users), None) or "-"  # nobody's rows are under no policy


def make_ticket(
    planned: PlannedCall,
    known: set[str],
    price: Price | None,
    run_id: UUID | None,
    *,
    call_id: UUID | None = None,
) -> Ticket:
    """Return what is to be noted of a call; what is for users who are not ``known`` is nobody's."""
    call = NewCall(
        call_id=call_id or new_id(),
        purpose=planned.purpose,
        provider=planned.provider,
        model=planned.model,
        prompt_version=planned.prompt_version,
        run_id=run_id,
        is_batch=planned.is_batch,
    )
    owners = tuple(share.user_id if share.user_id in known else None for share in planned.shares)
    ticket = Ticket(call, planned, owners, price, Decimal(0))
    most = sum((cost for _, cost in first_rows(ticket)), Decimal(0))
    return Ticket(call, planned, owners, price, most)


def first_rows(ticket: Ticket) -> list[tuple[CallRow, Decimal]]:
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


def last_rows(ticket: Ticket, made: Made[Any], *, keeps: bool) -> list[CallRow]:  # Any: whatever was answered
    """Return each share's row after the call: its part of the tokens, and with ``keeps`` what a replay needs.

    An answer whose tokens nobody tells stays at its most.
    """
    planned = ticket.planned
    costs = [(row.tokens, row.cost_usd) for row, _ in first_rows(ticket)]
    if made.usage.is_told:
        costs = [(tokens, _cost(ticket, tokens)) for tokens in _split(made.usage, planned.shares)]
    rows = []
    for share, owner, response, (tokens, cost) in zip(
        planned.shares, ticket.owners, made.responses, costs, strict=True
    ):
        is_kept = keeps and owner is not None and response is not None
        rows.append(
            CallRow(
                user_id=owner,
                request_hash=planned.request_hash(share),
                tokens=tokens,
                cost_usd=cost,
                request=share.request if is_kept else None,
                response=response if is_kept else None,
            )
        )
    return rows


def _cost(ticket: Ticket, tokens: Tokens) -> Decimal | None:
    return None if ticket.price is None else ticket.price.cost(tokens, is_batch=ticket.planned.is_batch)


def _split(usage: Usage, shares: Sequence[Share]) -> list[Tokens]:
    """Return each share's part of the tokens, by what it asked."""
    weights, whole = [share.tokens for share in shares], as_tokens(usage)
    parts = {field.name: split_tokens(getattr(whole, field.name), weights) for field in fields(Tokens)}
    return [Tokens(**{name: part[place] for name, part in parts.items()}) for place in range(len(shares))]


def as_tokens(usage: Usage) -> Tokens:
    return Tokens(
        input=usage.input_tokens,
        output=usage.output_tokens,
        cache_read=usage.cache_read_tokens,
        cache_write=usage.cache_write_tokens,
    )


def find_forgotten(repositories: Repositories, shares: Sequence[Share]) -> set[str]:
    """Return the users of whom something that was shown is gone: since it was read, maybe before the call began.

    Holds the users' rows, so that an erasure that comes now waits, and then finds what is recorded.
    """
    owned = [(share.user_id, share) for share in shares if share.user_id is not None]
    held = set(repositories.preferences.hold_users(sorted({user_id for user_id, _ in owned})))
    return {
        user_id
        for user_id, share in owned
        if user_id not in held
        or len(repositories.messages.list_by_ids(user_id, share.message_ids)) < len(set(share.message_ids))
        or _count_told(repositories, user_id, share.preference_ids) < len(set(share.preference_ids))
    }


def _count_told(repositories: Repositories, user_id: str, preference_ids: Sequence[UUID]) -> int:
    return sum(1 for row in repositories.preferences.list_by_ids(user_id, preference_ids) if row.statement)
