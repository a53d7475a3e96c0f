"""Asking a chat model and reading its answer: why it stopped first, then what it says."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from prefmem_pg.errors import InvalidAnswer, ProviderError, ProviderRefused, Truncated
from prefmem_pg.providers.chat.decoding import decode
from prefmem_pg.providers.protocols import ChatAnswer, ChatModel, ChatRequest
from prefmem_pg.providers.retry import RetryPolicy, with_retries

Ask = Callable[[ChatRequest], dict[str, Any] | None]
"""Asks a chat model and returns its JSON object; None: this needs no asking."""

MOST_INVALID: Final = 2
"""Answers of no use before a request counts as failed: models are not always the same, but seldom much better."""


def ask(model: ChatModel, request: ChatRequest, *, policy: RetryPolicy | None = None) -> dict[str, Any]:
    """Return the JSON object that the model answers, trying again within one budget of tries and time.

    At most ``policy.retries`` + 1 calls, whatever goes wrong. Raises Truncated and ProviderRefused at once,
    InvalidAnswer after the second answer that is no use, ProviderUnavailable when the budget is spent.
    """
    invalid = 0

    def attempt() -> dict[str, Any] | ProviderError:
        nonlocal invalid
        try:
            return read_answer(model.complete(request), request.schema)
        except Truncated as exc:
            return exc  # asking the same once more would be cut once more
        except InvalidAnswer as exc:
            invalid += 1
            if invalid >= MOST_INVALID:
                return exc
            raise

    found = with_retries(attempt, policy or RetryPolicy(), also=(InvalidAnswer,))
    if isinstance(found, ProviderError):
        raise found
    return found


def read_answer(answer: ChatAnswer, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON object of an answer; raises Truncated, ProviderRefused or InvalidAnswer, which quote nothing."""
    if answer.stop == "truncated":
        raise Truncated(f"{answer.model} was cut after {answer.usage.output_tokens} tokens")
    if answer.stop == "refused":
        raise ProviderRefused(f"{answer.model} declined to answer ({answer.detail or 'no reason given'})")
    if answer.stop == "paused":
        raise InvalidAnswer(f"{answer.model} paused before it had answered")
    try:
        found = decode(answer.text, tuple(schema["required"]))
        _check_shape(found, schema.get("properties", {}))
    except InvalidAnswer as exc:
        raise InvalidAnswer(f"{answer.model}: {exc}") from exc
    return found


def outcome_of(answer: ChatAnswer, schema: Mapping[str, Any]) -> str:
    """Return the ledger's word for an answer: ok only for one that can be read."""
    try:
        read_answer(answer, schema)
    except Truncated:
        return "truncated"
    except ProviderRefused:
        return "refused"
    except InvalidAnswer:
        return "paused" if answer.stop == "paused" else "invalid"
    return "ok"


def _check_shape(found: Mapping[str, Any], properties: Mapping[str, Any]) -> None:
    """Raise InvalidAnswer where objects are asked for and something stands that none can be read from."""
    for name, wanted in properties.items():
        is_objects = wanted.get("type") == "array" and wanted["items"].get("type") == "object"
        if is_objects and not isinstance(found.get(name), list | dict | None):
            raise InvalidAnswer(f"{name} is {type(found.get(name)).__name__}, not a list")
