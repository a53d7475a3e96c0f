"""A chat model whose every attempt goes through the ledger."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from prefmem_pg.domain.tokens import count_tokens
from prefmem_pg.providers.chat.asking import outcome_of
from prefmem_pg.providers.metering import JSON, Made, Meter, PlannedCall, only_share
from prefmem_pg.providers.protocols import ChatAnswer, ChatModel, ChatRequest, Usage

FRAME_TOKENS: Final = 50
"""What a protocol puts around the texts of a request."""


class MeteredChat:
    """A ChatModel around another: records, pays, holds back and replays its calls."""

    def __init__(self, model: ChatModel, meter: Meter) -> None:
        self.name = model.name
        self.provider = model.provider
        self._model = model
        self._meter = meter

    def complete(self, request: ChatRequest) -> ChatAnswer:
        """Make one attempt; see ChatModel. Raises BudgetExceeded or NotRecorded when none is made."""

        def attempt() -> Made[ChatAnswer]:
            answer = self._model.complete(request)
            return Made(answer, answer.usage, [answer_as_json(answer)], outcome_of(answer, request.schema))

        def replay(responses: Sequence[JSON]) -> ChatAnswer:
            [response] = responses
            return answer_from_json(response)

        return self._meter.run(planned_chat(request, provider=self.provider, model=self.name), attempt, replay)


def planned_chat(request: ChatRequest, *, provider: str, model: str, is_batch: bool = False) -> PlannedCall:
    """Return the call that a request will be, for the user who is served here."""
    body = {
        "system": request.system,
        "text": request.text,
        "schema": request.schema,
        "max_tokens": request.max_tokens,
    }
    schema = json.dumps(request.schema, ensure_ascii=False)
    tokens = sum(map(count_tokens, (request.system, request.text, schema))) + FRAME_TOKENS
    return PlannedCall(
        purpose=request.purpose,
        provider=provider,
        model=model,
        shares=(only_share(body, tokens),),
        most_output_tokens=request.max_tokens,
        prompt_version=request.prompt_version,
        is_batch=is_batch,
    )


def answer_as_json(answer: ChatAnswer) -> JSON:
    """Return an answer as JSON that brings it back."""
    return asdict(answer)


def answer_from_json(stored: JSON) -> ChatAnswer:
    return ChatAnswer(**{**stored, "usage": Usage(**stored["usage"])})
