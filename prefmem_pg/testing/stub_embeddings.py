"""A stub of embeddings and reranking as Voyage AI and OpenAI speak them."""

import base64
import hashlib
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from prefmem_pg.testing.stub_messages import tokens_of
from prefmem_pg.testing.stub_server import Received, Reply, StubServer, json_reply


class EmbeddingsStub(StubServer):
    """Answers ``…/embeddings`` and ``…/rerank``; results come in reverse order, with their indexes.

    A vector is fixed by its text, and not of length 1. The relevance of a document is the share of the query's words
    and Chinese characters that it has. ``longest`` refuses texts of more characters, as a small model does.
    ``tokens`` counts what it has answered.
    """

    def __init__(
        self, *, dimensions: int = 16, longest: int | None = None, faults: Iterable[Reply | None] = ()
    ) -> None:
        self.dimensions = dimensions
        self.longest = longest
        self.tokens = 0
        super().__init__(self._answer, faults=faults)

    @property
    def calls(self) -> list[dict[str, Any]]:
        """The bodies of all requests, in the order of their arrival."""
        return [received.body for received in self.requests]

    def _answer(self, received: Received) -> Reply:
        path = received.path.split("?")[0]
        if path.endswith("/embeddings"):
            return self._embed(received.body)
        if path.endswith("/rerank"):
            return self._rerank(received.body)
        return json_reply({"detail": "Not Found", "error": {"message": "not found"}}, status=404)

    def _embed(self, body: dict[str, Any]) -> Reply:
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        if not texts or any(not text or len(text) > (self.longest or len(text)) for text in texts):
            message = "the input is empty or too long"
            return json_reply({"detail": message, "error": {"message": message}}, status=400)
        dimensions = body.get("output_dimension") or body.get("dimensions") or self.dimensions
        in_base64 = body.get("encoding_format") == "base64"
        items = [
            {"object": "embedding", "index": place, "embedding": _shown(vector_of(text, dimensions), in_base64)}
            for place, text in enumerate(texts)
        ]
        return self._counted({"object": "list", "data": items[::-1], "model": body["model"]}, texts)

    def _rerank(self, body: dict[str, Any]) -> Reply:
        asked = _words(body["query"])
        items = [
            {"index": place, "relevance_score": len(asked & _words(document)) / max(len(asked), 1)}
            for place, document in enumerate(body["documents"])
        ]
        items.sort(key=lambda item: -item["relevance_score"])
        texts = [*body["documents"], *[body["query"]] * len(body["documents"])]
        return self._counted({"object": "list", "data": items, "model": body["model"]}, texts)

    def _counted(self, answer: dict[str, Any], texts: list[str]) -> Reply:
        tokens = sum(tokens_of(text) for text in texts)
        self.tokens += tokens
        return json_reply({**answer, "usage": {"prompt_tokens": tokens, "total_tokens": tokens}}, x_request_id="r-1")


def vector_of(text: str, dimensions: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return the vector that the stub has for a text; its length is not 1."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    return (3 * np.random.default_rng(seed).normal(size=dimensions)).astype(np.float32)


def _shown(vector: np.ndarray[Any, np.dtype[np.float32]], in_base64: bool) -> str | list[float]:
    return base64.b64encode(vector.astype("<f4").tobytes()).decode() if in_base64 else vector.tolist()


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z0-9]+|[\u4e00-\u9fff]", text.lower()))
