"""What will it cost? The requests that extraction would send, counted and priced, with nothing sent."""

from decimal import Decimal
from typing import Protocol, runtime_checkable

from prefmem_pg.db.session import Database
from prefmem_pg.domain.preferences import Candidate
from prefmem_pg.domain.prices import Tokens
from prefmem_pg.domain.spending import CostEstimate
from prefmem_pg.errors import Truncated
from prefmem_pg.providers.metered_chat import planned_chat
from prefmem_pg.providers.protocols import ChatAnswer, ChatModel, ChatRequest, Chunk, PreferenceExtractor
from prefmem_pg.providers.serving import serving
from prefmem_pg.steps.extract import Scope, cut_dialog, list_dialogs
from prefmem_pg.steps.reading import halve
from prefmem_pg.steps.spending import Budgets


@runtime_checkable
class AsksAModel(Protocol):
    """An extractor that sends one request for a chunk, which can be known beforehand and read afterwards."""

    chat: ChatModel

    def request(self, chunk: Chunk) -> ChatRequest | None: ...

    def read(self, chunk: Chunk, answer: ChatAnswer) -> list[Candidate]: ...


def estimate(database: Database, extractor: PreferenceExtractor, scope: Scope, *, budgets: Budgets) -> CostEstimate:
    """Return what reading the unread messages in scope would cost. An extractor that asks no model costs nothing."""
    dialogs = messages = chunks = calls = inputs = outputs = 0
    for dialog in list_dialogs(database, scope):
        cut, _ = cut_dialog(database, dialog, scope)
        dialogs += 1
        chunks += len(cut)
        messages += sum(len(chunk.messages) - chunk.first_new for chunk in cut)
        if isinstance(extractor, AsksAModel):
            for request in (request for chunk in cut for request in _requests(extractor, chunk)):
                with serving(dialog.user_id):
                    planned = planned_chat(request, provider=extractor.chat.provider, model=extractor.chat.name)
                calls += 1
                inputs += sum(share.tokens for share in planned.shares)
                outputs += planned.most_output_tokens
    counted = CostEstimate(
        dialogs=dialogs,
        messages=messages,
        chunks=chunks,
        calls=calls,
        most_input_tokens=inputs,
        most_output_tokens=outputs,
    )
    return _priced(database, extractor, counted, budgets) if isinstance(extractor, AsksAModel) else counted


def _requests(extractor: AsksAModel, chunk: Chunk) -> list[ChatRequest]:
    """Return what will be asked of a chunk; one that is too long is asked in halves, as reading does."""
    try:
        request = extractor.request(chunk)
    except Truncated:
        return [request for half in halve(chunk) for request in _requests(extractor, half)]
    return [] if request is None else [request]


def _priced(database: Database, extractor: AsksAModel, counted: CostEstimate, budgets: Budgets) -> CostEstimate:
    provider, model = extractor.chat.provider, extractor.chat.name
    with database.transaction(user_id=None) as repositories:
        price = repositories.prices.find(provider, model)
        usual = repositories.calls.usual_cost(provider, model, "extract")
        spent = repositories.calls.spent_today()
    tokens = Tokens(input=counted.most_input_tokens, output=counted.most_output_tokens)
    most = None if price is None else price.most(tokens)
    expected = None if usual is None else usual * counted.calls
    cost = expected if expected is not None else most
    left = [budgets.run_usd, None if budgets.day_usd is None else budgets.day_usd - spent]
    return CostEstimate(
        provider=provider,
        model=model,
        dialogs=counted.dialogs,
        messages=counted.messages,
        chunks=counted.chunks,
        calls=counted.calls,
        most_input_tokens=counted.most_input_tokens,
        most_output_tokens=counted.most_output_tokens,
        most_usd=most,
        usual_usd=expected,
        fits_budget=all(budget is None or (cost or Decimal(0)) <= budget for budget in left),
    )
