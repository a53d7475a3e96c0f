"""Claude through Anthropic's own client: single messages and batches, one attempt a call."""

import os
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from prefmem_pg.errors import ConfigurationError, NotFound, ProviderError, ProviderUnavailable, Truncated
from prefmem_pg.providers.http_status import Address, error_of
from prefmem_pg.providers.protocols import (
    BatchResult,
    ChatAnswer,
    ChatRequest,
    Stop,
    SubmittedBatch,
    Usage,
)
from prefmem_pg.providers.services import read_count

if TYPE_CHECKING:
    from anthropic import Anthropic

TIMEOUT_SECONDS: Final = 60.0
"""How long an answer may take. The client's own ten minutes would let one lost connection hold up everything."""

_STOPS: Final[Mapping[str, Stop]] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "max_tokens": "truncated",
    "model_context_window_exceeded": "truncated",
    "refusal": "refused",
    "pause_turn": "paused",
}
_LASTING: Final = ("invalid_request_error", "request_too_large")
_TOO_LONG: Final = "prompt is too long"
_NO_CREDIT: Final = "credit balance"


class Claude:
    """A model of Anthropic's, by messages one by one or in batches. Thread-safe, and safe to share over a fork.

    Answers are held to the schema by the API itself, and the fixed part of a request is marked for its cache.
    """

    provider: str = "claude"

    def __init__(
        self,
        model: str,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
    ) -> None:
        """Without a key or an address, the client takes those of its own variables, ANTHROPIC_API_KEY and so on."""
        self.name = model
        self._api_key = api_key
        self._base_url = base_url
        self._timeout_seconds = timeout_seconds
        self._lock = threading.Lock()
        self._client_of: tuple[int, Anthropic] | None = None
        self._address = Address(
            provider=self.provider,
            model=model,
            key_setting="ANTHROPIC_API_KEY",
            model_setting="PREFMEM_CLAUDE_MODEL",
            url_setting="ANTHROPIC_BASE_URL",
        )

    def __repr__(self) -> str:
        return f"Claude({self.name!r})"

    def complete(self, request: ChatRequest) -> ChatAnswer:
        """Make one attempt; see ChatModel."""
        started = time.monotonic()
        with self._translated():
            message = self._client().messages.create(**self._body(request))
        latency = round((time.monotonic() - started) * 1000)
        if not hasattr(message, "stop_reason"):  # what the client makes of HTML, or of JSON of another kind
            raise ProviderUnavailable(
                "Anthropic answered with something that is no message; is ANTHROPIC_BASE_URL right?"
            )
        if (error := getattr(message, "error", None)) is not None:
            kind = str(error.get("type")) if isinstance(error, Mapping) else "of no kind"
            what = f"Anthropic answered an error as a success ({kind})"
            raise ProviderError(what) if kind in _LASTING else ProviderUnavailable(what)
        return self._answer(message, latency_ms=latency)

    def submit(self, requests: Mapping[str, ChatRequest]) -> str:
        """Hand in a batch; see BatchModel."""
        items = [{"custom_id": item_id, "params": self._body(request)} for item_id, request in requests.items()]
        with self._translated():
            batch_id = self._client().messages.batches.create(requests=items).id  # type: ignore[arg-type]
        if not batch_id:
            raise ProviderUnavailable("Anthropic took a batch without giving it an id")
        return batch_id

    def list_since(self, at: datetime) -> Sequence[SubmittedBatch]:
        """Return the recent batches, the newest first; see BatchModel."""
        found = []
        with self._translated():
            for batch in self._client().messages.batches.list(limit=100):
                if batch.created_at < at:
                    break
                counts = batch.request_counts
                items = counts.processing + counts.succeeded + counts.errored + counts.canceled + counts.expired
                found.append(
                    SubmittedBatch(
                        provider_batch_id=batch.id,
                        items=items,
                        created_at=batch.created_at,
                        has_ended=batch.processing_status == "ended",
                    )
                )
        return found

    def has_ended(self, provider_batch_id: str) -> bool:
        """Say whether all results are there; NotFound when the provider does not know the batch."""
        with self._translated(of_batch=provider_batch_id):
            batch = self._client().messages.batches.retrieve(provider_batch_id)
            if batch.archived_at is not None:
                raise NotFound(f"Anthropic keeps the results of batch {provider_batch_id} no longer")
            return batch.processing_status == "ended"

    def results(self, provider_batch_id: str) -> Sequence[BatchResult]:
        """Return the results in the order of the provider; see BatchModel."""
        with self._translated(of_batch=provider_batch_id):
            return [self._result(one) for one in self._client().messages.batches.results(provider_batch_id)]

    def delete(self, provider_batch_id: str) -> None:
        """Delete the batch at the provider; one that is gone is no error."""
        try:
            with self._translated(of_batch=provider_batch_id):
                self._client().messages.batches.delete(provider_batch_id)
        except NotFound:
            return

    def close(self) -> None:
        """Close the connections; a later call opens them anew."""
        with self._lock:
            if self._client_of is not None and self._client_of[0] == os.getpid():
                self._client_of[1].close()
            self._client_of = None

    def _client(self) -> "Anthropic":
        with self._lock:
            if self._client_of is None or self._client_of[0] != os.getpid():
                self._client_of = (os.getpid(), self._make_client())
            return self._client_of[1]

    def _make_client(self) -> "Anthropic":
        try:
            from anthropic import Anthropic
        except ImportError as exc:
            raise ConfigurationError("Claude needs the extra: pip install 'prefmem-pg[claude]'") from exc
        # Retrying is done in one place for all providers; the client's own would multiply with it, and would sleep for
        # as long as a retry-after says.
        return Anthropic(api_key=self._api_key, base_url=self._base_url, timeout=self._timeout_seconds, max_retries=0)

    def _body(self, request: ChatRequest) -> dict[str, Any]:  # Any: the arguments of the client, JSON in the end
        fixed = {"type": "text", "text": request.system, "cache_control": {"type": "ephemeral"}}
        return {
            "model": self.name,
            "max_tokens": request.max_tokens,
            "system": [fixed],
            "messages": [{"role": "user", "content": request.text}],
            "output_config": {"format": {"type": "json_schema", "schema": dict(request.schema)}},
        }

    def _answer(self, message: Any, *, latency_ms: int = 0) -> ChatAnswer:  # Any: a Message, or an object that is not
        blocks = getattr(message, "content", None) or []
        text = "".join(_text(block, "text") for block in blocks if getattr(block, "type", "") == "text")
        usage = getattr(message, "usage", None)
        asked, said = read_count(usage, "input_tokens"), read_count(usage, "output_tokens")
        return ChatAnswer(
            text=text,
            stop=_STOPS.get(_text(message, "stop_reason"), "unknown"),
            model=_text(message, "model") or self.name,
            usage=Usage(
                input_tokens=asked or 0,
                output_tokens=said or 0,
                cache_read_tokens=read_count(usage, "cache_read_input_tokens") or 0,
                cache_write_tokens=read_count(usage, "cache_creation_input_tokens") or 0,
                is_told=asked is not None and said is not None,
            ),
            detail=_text(getattr(message, "stop_details", None), "category") or None,
            request_id=getattr(message, "_request_id", None),
            latency_ms=latency_ms,
        )

    def _result(self, one: Any) -> BatchResult:  # Any: a line of the results
        result = one.result
        if result.type == "succeeded":
            return BatchResult(item_id=one.custom_id, state="succeeded", answer=self._answer(result.message))
        if result.type in ("expired", "canceled"):
            return BatchResult(item_id=one.custom_id, state=result.type, error=f"{result.type} at the provider")
        error = getattr(result, "error", None)
        details = getattr(error, "error", error)
        kind = getattr(details, "type", None) or "unknown"
        if kind == "not_found_error":
            return BatchResult(item_id=one.custom_id, state="errored", error=self._no_model())
        return BatchResult(
            item_id=one.custom_id,
            state="errored",
            error=f"the provider could not answer: {kind}",
            is_lasting=kind in _LASTING,
            is_too_long=kind == "request_too_large" or _TOO_LONG in str(getattr(details, "message", "")),
        )

    def _no_model(self) -> str:
        return f"Anthropic has no model {self.name!r}; see PREFMEM_CLAUDE_MODEL"

    @contextmanager
    def _translated(self, *, of_batch: str | None = None) -> Iterator[None]:
        """Raise the client's errors as ours. What the provider wrote is left out: it may quote the request."""
        self._client()
        import anthropic

        try:
            yield
        except anthropic.APIStatusError as exc:
            raise self._by_status(exc, of_batch) from exc
        except anthropic.APITimeoutError as exc:
            raise ProviderUnavailable(f"Anthropic did not answer within {self._timeout_seconds:g} seconds") from exc
        except anthropic.APIConnectionError as exc:
            raise ProviderUnavailable("Anthropic cannot be reached, or hung up; see ANTHROPIC_BASE_URL") from exc
        except TypeError as exc:
            if "authentication" in str(exc):  # the client says so at its first call only
                raise ConfigurationError("ANTHROPIC_API_KEY is not set") from exc
            raise
        # A body that is cut or no JSON: the client lets the parser's error through, or stumbles over what it parsed.
        except (anthropic.AnthropicError, ValueError, AttributeError, RecursionError) as exc:
            raise ProviderUnavailable(f"Anthropic's answer cannot be read ({type(exc).__name__})") from exc

    def _by_status(self, exc: Any, of_batch: str | None) -> Exception:  # Any: APIStatusError, imported late
        status, said = exc.status_code, str(exc)
        if status == 404 and of_batch is not None:
            return NotFound(f"Anthropic has no batch {of_batch}")
        if status == 400 and _TOO_LONG in said:
            return Truncated(f"the request is too long for {self.name} (HTTP {status})")
        if status == 400 and _NO_CREDIT in said:
            status = 402
        return error_of(self._address, status, retry_after=exc.response.headers.get("retry-after"))


def _text(holder: object, name: str) -> str:
    value = getattr(holder, name, None)
    return value if isinstance(value, str) else ""
