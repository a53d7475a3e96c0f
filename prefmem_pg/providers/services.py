"""What a provider of vectors or of relevance does in one request; everything around it is done once for all of them."""

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

import numpy as np

from prefmem_pg.errors import ConfigurationError, InvalidAnswer, PrefmemError, ProviderUnavailable
from prefmem_pg.providers.protocols import Usage, Vectors

MOST_ANSWER_BYTES: Final = 64_000_000
"""2,048 vectors of 3,072 numbers in base64 are 34 MB."""

MOST_TOKENS_TOLD: Final = 1_000_000_000
"""No call has as many; the ledger's numbers end at twice of it."""

Side = Literal["document", "query"]
"""A stored text, or a question: many models embed them differently."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """The most that one request may hold: texts, tokens in all, and tokens of one text."""

    texts: int
    tokens: int
    text_tokens: int


@dataclass(frozen=True, slots=True)
class EmbeddingAnswer:
    """One vector for each text, in their order, of any length but zero; or why there are none in what was answered."""

    vectors: Vectors | PrefmemError
    usage: Usage


class EmbeddingService(Protocol):
    """Embeds texts by one request."""

    name: str
    provider: str
    dimensions: int
    sizes: Sizes

    def request(self, texts: Sequence[str], side: Side) -> Mapping[str, Any]:
        """Return what decides the answer, as JSON: model, texts, side and dimensions."""
        ...

    def ask(self, texts: Sequence[str], side: Side) -> EmbeddingAnswer:
        """Make one attempt. Raises ProviderUnavailable, ConfigurationError or another ProviderError."""
        ...


@dataclass(frozen=True, slots=True)
class RerankAnswer:
    """One relevance in 0..1 for each document, in their order; or why there are none in what was answered."""

    scores: tuple[float, ...] | PrefmemError
    usage: Usage


class RerankService(Protocol):
    """Scores documents against a query by one request."""

    name: str
    provider: str
    sizes: Sizes

    def request(self, query: str, documents: Sequence[str]) -> Mapping[str, Any]:
        """Return what decides the answer, as JSON."""
        ...

    def ask(self, query: str, documents: Sequence[str]) -> RerankAnswer:
        """Make one attempt. Raises ProviderUnavailable, ConfigurationError or another ProviderError."""
        ...


def as_object(content: bytes, who: str) -> dict[str, Any]:
    """Return the JSON object of an answer's body; raises InvalidAnswer, which does not quote it.

    ProviderUnavailable for an error that comes with a status of success, as gateways send it: the text is not at fault.
    """
    if len(content) > MOST_ANSWER_BYTES:
        raise InvalidAnswer(f"{who} answered {len(content)} bytes")
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as exc:
        kind = "HTML" if content.lstrip()[:1] == b"<" else "no JSON"
        raise InvalidAnswer(f"{who} answered {kind}") from exc
    if not isinstance(value, dict):
        raise InvalidAnswer(f"{who} answered a {type(value).__name__}, not an object")
    if value.get("error") and not value.get("choices") and not value.get("data"):
        raise ProviderUnavailable(f"{who} answered an error as a success")
    return value


def read_embeddings(
    answer: Mapping[str, Any], count: int, dimensions: int, who: str, *, tokens: str
) -> EmbeddingAnswer:
    """Return the vectors in the body of an answer, or what is wrong with them, with what it has cost all the same.

    ``tokens`` names the number of tokens in its usage.
    """
    usage = read_input_usage(answer.get("usage"), tokens)
    try:
        return EmbeddingAnswer(read_vectors(answer.get("data"), count, dimensions, who), usage)
    except (InvalidAnswer, ConfigurationError) as exc:
        return EmbeddingAnswer(exc, usage)


def read_vectors(items: object, count: int, dimensions: int, who: str) -> Vectors:
    """Return the vectors of a list of {"index", "embedding"}, in the order of their indexes.

    Raises InvalidAnswer for a wrong number, an index twice, what is no vector, or one without direction, and
    ConfigurationError for other dimensions than were asked for.
    """
    ordered = in_order(items, count, "embedding", who)
    vectors = [_as_vector(value, who) for value in ordered]
    for vector in vectors:
        if len(vector) != dimensions:
            raise ConfigurationError(f"{who} gives {len(vector)} dimensions, not {dimensions}; set its dimensions")
        if not np.isfinite(vector).all() or not vector.any():
            raise InvalidAnswer(f"{who} answered a vector without a direction")
    return np.stack(vectors) if vectors else np.empty((0, dimensions), dtype=np.float32)


def in_order(items: object, count: int, key: str, who: str) -> list[Any]:
    """Return each item's value in the order of the items' indexes, which must be 0 … count - 1."""
    if not isinstance(items, list) or len(items) != count or not all(isinstance(item, Mapping) for item in items):
        found = len(items) if isinstance(items, list) else "no"
        raise InvalidAnswer(f"{who} answered {found} results for {count} texts")
    indexes = [item.get("index", place) for place, item in enumerate(items)]
    values = {place: item.get(key) for place, item in zip(indexes, items, strict=True) if isinstance(place, int)}
    if set(values) != set(range(count)):
        raise InvalidAnswer(f"{who} answered with indexes that do not fit")
    return [values[place] for place in range(count)]


def read_count(usage: object, key: str) -> int | None:
    """Return a number of tokens; None when the provider does not tell, or tells what cannot be."""
    value = usage.get(key) if isinstance(usage, Mapping) else getattr(usage, key, None)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS_TOLD
    return value if is_count else None


def read_input_usage(usage: object, key: str) -> Usage:
    """Return the usage of a call that has no output."""
    count = read_count(usage, key)
    return Usage(input_tokens=count or 0, is_told=count is not None)


def _as_vector(value: object, who: str) -> Vectors:
    try:
        if isinstance(value, str):
            return np.frombuffer(base64.b64decode(value, validate=True), dtype="<f4").astype(np.float32)
        with np.errstate(over="ignore"):  # what becomes infinite is refused
            vector = np.asarray(value, dtype=np.float32)
    except (ValueError, TypeError, OverflowError, binascii.Error) as exc:
        raise InvalidAnswer(f"{who} answered what is no vector") from exc
    if vector.ndim != 1:
        raise InvalidAnswer(f"{who} answered what is no vector")
    return vector
