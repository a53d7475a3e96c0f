"""What batches cost: set aside item by item before they are sent, and settled by what has come back."""

from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from prefmem_pg.db.batches import BatchItem
from prefmem_pg.db.calls import CallRow, NewCall
from prefmem_pg.db.session import Database, Repositories
from prefmem_pg.errors import BudgetExceeded
from prefmem_pg.providers.metered_chat import answer_as_json, planned_chat
from prefmem_pg.providers.metering import PlannedCall
from prefmem_pg.providers.protocols import BatchModel, ChatAnswer, ChatRequest, Usage
from prefmem_pg.providers.serving import serving
from prefmem_pg.steps.call_rows import as_tokens, find_forgotten, find_price, first_rows, make_ticket
from prefmem_pg.steps.spending import NO_BUDGETS, Budgets, check_budgets, tally


@dataclass(frozen=True, slots=True)
class Asked:
    """An item of a batch, what is asked of it, and the call that it will be."""

    item: BatchItem
    request: ChatRequest
    planned: PlannedCall


@dataclass(frozen=True, slots=True)
class Reserved:
    """An item that a budget has room for: its row in the ledger, and the most that it may cost."""

    asked: Asked
    call: NewCall
    row: CallRow
    most: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchLedger:
    """The ledger of batches: a row for each item, under the item's id, from before it is sent.

    It stands there as running, at the most that it may cost, so that budgets count what is on its way.
    """

    database: Database
    budgets: Budgets = NO_BUDGETS
    keeps: bool = False

    def admit(
        self,
        repositories: Repositories,
        model: BatchModel,
        asked: Sequence[Asked],
        refused: MutableMapping[str, BudgetExceeded],
    ) -> list[Reserved]:
        """Return the items that budgets have room for, in their order; add to ``refused`` the users who have to wait.

        Holds the ledger until the transaction ends. After the first item of a user that has to wait, all of that
        user's do: dialogs are read in order. Raises ConfigurationError when a budget needs a price that is missing.
        """
        repositories.calls.lock_ledger()
        price = find_price(repositories, model.provider, model.name, self.budgets)
        known = repositories.calls.list_known(sorted({one.item.user_id for one in asked}))
        run, day, users = tally().spent, Decimal(0), {}
        if self.budgets.day_usd is not None:
            day = repositories.calls.spent_today()
        if self.budgets.user_usd is not None:
            users = repositories.calls.spent_today_by_user(sorted(known))

        admitted: list[Reserved] = []
        for one in asked:
            user_id = one.item.user_id
            if user_id in refused or user_id not in known:
                continue
            ticket = make_ticket(one.planned, known, price, one.item.run_id, call_id=one.item.item_id)
            [(row, cost)] = first_rows(ticket)
            try:
                check_budgets(self.budgets, [(user_id, cost)], run=run, day=day, users=users)
            except BudgetExceeded as exc:
                refused[user_id] = exc
                continue
            run, day, users = run + cost, day + cost, {**users, user_id: users.get(user_id, Decimal(0)) + cost}
            admitted.append(Reserved(one, ticket.call, row, cost))
        return admitted

    def settle(
        self,
        item: BatchItem,
        *,
        outcome: str,
        answer: ChatAnswer | None = None,
        question: ChatRequest | None = None,
        may_be_paid: bool = False,
    ) -> None:
        """Note how an item has ended and what it has cost: nothing without an answer. Only the first time counts.

        ``question`` is what would be asked today in its place: it is recorded only when it is what was asked. With
        ``may_be_paid`` an item without an answer stays at the most that it may have cost; so does one whose answer does
        not tell its tokens.
        """
        usage = answer.usage if answer else Usage(is_told=not may_be_paid)
        with self.database.transaction(user_id=None) as repositories:
            sent = repositories.calls.find_running(item.user_id, item.item_id)
            if sent is None:
                return
            tokens, cost = sent.tokens, sent.cost_usd
            if usage.is_told:
                tokens, price = as_tokens(usage), repositories.prices.find(sent.provider, sent.model)
                cost = None if price is None else price.cost(tokens, is_batch=True)
            row = CallRow(user_id=item.user_id, request_hash=sent.request_hash, tokens=tokens, cost_usd=cost)
            if self.keeps and answer is not None and question is not None:
                with serving(item.user_id, message_ids=item.message_ids):
                    planned = planned_chat(question, provider=sent.provider, model=sent.model)
                [share] = planned.shares
                is_same = planned.request_hash(share) == sent.request_hash
                if is_same and not find_forgotten(repositories, [share]):
                    row = replace(row, request=share.request, response=answer_as_json(answer))
            repositories.calls.end(item.item_id, [row], outcome=outcome, latency_ms=0)
