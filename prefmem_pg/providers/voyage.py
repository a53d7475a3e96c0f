"""Embeddings and reranking by Voyage AI, through its own SDK: one request each, without the SDK's retries."""

import logging
from collections.abc import Sequence
from typing import Any, Final

from prefmem_pg.errors import ConfigurationError, InvalidAnswer, ProviderUnavailable
from prefmem_pg.providers.http_status import Address, check_key, error_of
from prefmem_pg.providers.services import (
    EmbeddingAnswer,
    RerankAnswer,
    Side,
    Sizes,
    as_object,
    in_order,
    read_embeddings,
    read_input_usage,
)

KEY: Final = "VOYAGE_API_KEY"
TIMEOUT_SECONDS: Final = 60.0
EMBEDDING_SIZES: Final = Sizes(texts=256, tokens=100_000, text_tokens=32_000)
"""Voyage takes 1,000 texts, and 120,000 tokens for its largest models (docs.voyageai.com/docs/embeddings)."""
RERANK_SIZES: Final = Sizes(texts=1_000, tokens=600_000, text_tokens=8_000)
"""The query's tokens count once for each document (docs.voyageai.com/docs/reranker)."""


class VoyageEmbeddings:
    """An EmbeddingService: stored texts go as "document", questions as "query"."""

    provider: str = "voyage"
    sizes: Sizes = EMBEDDING_SIZES

    def __init__(self, *, model: str, dimensions: int, api_key: str | None = None, base_url: str | None = None) -> None:
        self.name = model
        self.dimensions = dimensions
        self._caller = _Caller(model, "PREFMEM_VOYAGE_MODEL", api_key, base_url)

    def request(self, texts: Sequence[str], side: Side) -> dict[str, Any]:
        return {
            "input": list(texts),
            "model": self.name,
            "input_type": side,
            "truncation": True,
            "output_dimension": self.dimensions,
            "encoding_format": "base64",
        }

    def ask(self, texts: Sequence[str], side: Side) -> EmbeddingAnswer:
        answer = self._caller.post("/embeddings", self.request(texts, side))
        return read_embeddings(answer, len(texts), self.dimensions, self._caller.who, tokens="total_tokens")


class VoyageRerank:
    """A RerankService."""

    provider: str = "voyage"
    sizes: Sizes = RERANK_SIZES

    def __init__(self, *, model: str, api_key: str | None = None, base_url: str | None = None) -> None:
        self.name = model
        self._caller = _Caller(model, "PREFMEM_VOYAGE_RERANK_MODEL", api_key, base_url)

    def request(self, query: str, documents: Sequence[str]) -> dict[str, Any]:
        return {"query": query, "documents": list(documents), "model": self.name, "truncation": True}

    def ask(self, query: str, documents: Sequence[str]) -> RerankAnswer:
        answer = self._caller.post("/rerank", self.request(query, documents))
        usage = read_input_usage(answer.get("usage"), "total_tokens")
        try:
            scores = in_order(answer.get("data"), len(documents), "relevance_score", self._caller.who)
        except InvalidAnswer as exc:
            return RerankAnswer(exc, usage)
        if not all(isinstance(score, int | float) and 0 <= score <= 1 for score in scores):
            return RerankAnswer(InvalidAnswer(f"{self._caller.who} answered a relevance outside of 0..1"), usage)
        return RerankAnswer(tuple(map(float, scores)), usage)


class _Caller:
    """Makes one request through the SDK and translates what goes wrong; no error quotes a text or the key."""

    def __init__(self, model: str, model_setting: str, api_key: str | None, base_url: str | None) -> None:
        self.who = f"voyage/{model}"
        self._key = api_key or _key_of_environment()
        check_key(self._key, KEY)
        # The SDK puts the path behind it as it stands.
        self._base_url = base_url.rstrip("/") if base_url else None
        if self._base_url and not self._base_url.startswith(("http://", "https://")):
            raise ConfigurationError("PREFMEM_VOYAGE_BASE_URL must begin with http:// or https://")
        self._address = Address(
            provider="voyage",
            model=model,
            key_setting=KEY,
            model_setting=model_setting,
            url_setting="PREFMEM_VOYAGE_BASE_URL",
        )

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Return the JSON object of the answer.

        Through the SDK's requestor and not its Client, which takes a status of 529 for success, keeps the order of the
        answer whatever its indexes say, and loses the ``retry-after``.
        """
        sdk = _sdk()
        requestor = sdk.api_resources.api_requestor.APIRequestor(self._key, self._base_url)
        try:
            response = requestor.request_raw("post", path, params=body, request_timeout=TIMEOUT_SECONDS)
        except sdk.error.Timeout as exc:
            raise ProviderUnavailable(f"{self.who}: no answer within {TIMEOUT_SECONDS:g} s") from exc
        except sdk.error.APIConnectionError as exc:
            raise ProviderUnavailable(f"{self.who}: no connection") from exc
        except ValueError as exc:  # it was sent on to what is no address
            raise ProviderUnavailable(f"{self.who}: sent on to nowhere") from exc
        if not 200 <= response.status_code < 300:
            raise error_of(self._address, response.status_code, retry_after=response.headers.get("retry-after"))
        return as_object(response.content, self.who)


def _key_of_environment() -> str:
    """Return the key that the SDK finds by itself: in VOYAGE_API_KEY, or in the file that VOYAGE_API_KEY_PATH names."""
    sdk = _sdk()
    try:
        return str(sdk.util.default_api_key()).strip()
    except (sdk.error.AuthenticationError, OSError, UnicodeDecodeError) as exc:
        raise ConfigurationError(f"Voyage needs a key: set {KEY}") from exc


def _sdk() -> Any:  # Any: the SDK's types are incomplete
    try:
        import voyageai
    except ImportError as exc:
        raise ConfigurationError("Voyage needs its SDK; run: pip install 'prefmem-pg[voyage]'") from exc
    # At DEBUG the SDK logs every text that it sends.
    log = logging.getLogger("voyage")
    if log.level == logging.NOTSET:
        log.setLevel(logging.INFO)
    return voyageai
