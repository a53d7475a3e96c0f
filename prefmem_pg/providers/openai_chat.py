"""Chat by OpenAI's protocol: OpenAI itself, Ollama, vLLM; one attempt a call."""

import time
from collections.abc import Mapping
from typing import Any, Final

from prefmem_pg.providers.http_status import Address
from prefmem_pg.providers.openai_http import Endpoint, OpenAIClient
from prefmem_pg.providers.protocols import ChatAnswer, ChatRequest, Stop, Usage
from prefmem_pg.providers.services import read_count

_STOPS: Final[Mapping[str, Stop]] = {"stop": "end", "length": "truncated", "content_filter": "refused"}


class OpenAIChat:
    """Asks ``{base_url}/chat/completions``, with the schema as its response format. Thread-safe."""

    provider: str = "openai"

    def __init__(self, endpoint: Endpoint, *, model: str) -> None:
        self.name = model
        self._client = OpenAIClient(endpoint)
        self._address = Address(
            provider=self.provider,
            model=model,
            key_setting="OPENAI_API_KEY",
            model_setting="PREFMEM_OPENAI_CHAT_MODEL",
            url_setting="PREFMEM_OPENAI_BASE_URL",
        )
        # OpenAI's newer models refuse the older name of the limit, and other servers know no other.
        self._limit = "max_completion_tokens" if endpoint.is_openai else "max_tokens"

    def complete(self, request: ChatRequest) -> ChatAnswer:
        """Make one attempt; see ChatModel."""
        started = time.monotonic()
        answer, request_id = self._client.post("chat/completions", self._body(request), self._address)
        latency = round((time.monotonic() - started) * 1000)
        return self._answer(answer, request_id=request_id, latency_ms=latency)

    def close(self) -> None:
        """Close the connections; a later call opens them anew."""
        self._client.close()

    def _body(self, request: ChatRequest) -> dict[str, Any]:  # Any: JSON
        return {
            "model": self.name,
            # The fixed part first: servers cache equal beginnings by themselves.
            "messages": [
                {"role": "system", "content": request.system},
                {"role": "user", "content": request.text},
            ],
            self._limit: request.max_tokens,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": request.schema_name, "strict": True, "schema": dict(request.schema)},
            },
        }

    def _answer(self, answer: Mapping[str, Any], *, request_id: str | None, latency_ms: int) -> ChatAnswer:
        choices = answer.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
        message = choice.get("message")
        message = message if isinstance(message, dict) else {}
        text, refusal = message.get("content"), message.get("refusal")
        usage = answer.get("usage")
        details = usage.get("prompt_tokens_details") if isinstance(usage, dict) else None
        asked, said = read_count(usage, "prompt_tokens"), read_count(usage, "completion_tokens")
        cached = min(read_count(details, "cached_tokens") or 0, asked or 0)
        stop: Stop = "refused" if refusal else _STOPS.get(str(choice.get("finish_reason")), "unknown")
        return ChatAnswer(
            text=text if isinstance(text, str) else "",
            stop=stop,
            model=self.name,
            usage=Usage(
                input_tokens=(asked or 0) - cached,
                output_tokens=said or 0,
                cache_read_tokens=cached,
                is_told=asked is not None and said is not None,
            ),
            request_id=request_id,
            latency_ms=latency_ms,
        )
