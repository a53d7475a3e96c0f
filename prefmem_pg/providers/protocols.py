"""The seams behind which models stand: chat, extractor, judge, embedder, reranker, summarizer, query builder."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol, runtime_checkable
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.preferences import Candidate, Kind, Polarity, Verdict
from prefmem_pg.domain.sessions import BuiltQuery

Vectors = NDArray[np.float32]
"""Shape (number of texts, dimensions), each row of length 1."""


Stop = Literal["end", "truncated", "refused", "paused", "unknown"]
"""Why a model stopped: it was done, ran out of tokens, declined, paused, or did not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """One question to a chat model, to be answered by JSON of a schema.

    ``system`` is the fixed part, equal in many requests, which a provider may cache; ``text`` is what changes.
    ``purpose`` (extract, judge, consolidate, summarize, expand, profile) and ``prompt_version`` are for the records.
    """

    purpose: str
    system: str
    text: str
    schema: Mapping[str, Any]  # a JSON schema
    schema_name: str
    max_tokens: int
    prompt_version: str | None = None
    language: str = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one call. ``input_tokens`` are those neither read from the provider's cache nor written to it.

    ``is_told`` False: the provider has answered without saying how many, or has said what cannot be.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    is_told: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatAnswer:
    """What a chat model answered, not yet looked into: ``text`` may be cut, empty, or no JSON.

    ``detail`` says why it declined, where the provider tells. Latency is in milliseconds.
    """

    text: str
    stop: Stop
    model: str
    usage: Usage = Usage()
    detail: str | None = None
    request_id: str | None = None
    latency_ms: int = 0


@runtime_checkable
class ChatModel(Protocol):
    """Answers requests, one call a request. ``name`` is the model's, ``provider`` who runs it."""

    name: str
    provider: str

    def complete(self, request: ChatRequest) -> ChatAnswer:
        """Make one attempt and return what came back, whatever it is worth; retrying is the caller's part.

        Raises ProviderUnavailable, ConfigurationError (key, model name, address) or another ProviderError when there
        is no answer at all. ``providers.chat.asking.ask`` reads the answer, and raises for those of no use.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchResult:
    """The end of one item of a batch: an answer, or what became of it instead."""

    item_id: str
    state: Literal["succeeded", "errored", "expired", "canceled"]
    answer: ChatAnswer | None = None
    error: str | None = None
    is_lasting: bool = False
    """The provider will give the same error again: the request itself is at fault."""
    is_too_long: bool = False
    """The request was too long: the same about less text may succeed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmittedBatch:
    """A batch as the provider lists it; ``items`` counts its requests."""

    provider_batch_id: str
    items: int
    created_at: datetime
    has_ended: bool


@runtime_checkable
class BatchModel(Protocol):
    """A chat model that also takes many requests at once, answers within hours, and charges less for it."""

    name: str
    provider: str

    def submit(self, requests: Mapping[str, ChatRequest]) -> str:
        """Hand in requests by item id; return the provider's id of the batch."""
        ...

    def list_since(self, at: datetime) -> Sequence[SubmittedBatch]:
        """Return the batches that the provider took since a time: how one is found whose id never arrived here."""
        ...

    def has_ended(self, provider_batch_id: str) -> bool:
        """Say whether all results are there."""
        ...

    def results(self, provider_batch_id: str) -> Sequence[BatchResult]:
        """Return the results of a batch that has ended, in any order; NotFound when the provider has none any more."""
        ...

    def delete(self, provider_batch_id: str) -> None:
        """Delete the batch at the provider; one that is gone is no error."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A stretch of one dialog for the extractor.

    ``messages`` are in order of time. Those before ``first_new`` are context: they yield no candidates.
    ``language`` is that of the user's turns ("zh", "en" …); ``time_zone`` is the user's (IANA).
    """

    user_id: str
    dialog_id: str
    messages: tuple[Message, ...]
    first_new: int = 0
    language: str = "en"
    time_zone: str = "UTC"


@runtime_checkable
class PreferenceExtractor(Protocol):
    """Finds candidates in a chunk. ``name`` and ``version`` go into the run; ``model`` too, when there is one."""

    name: str
    version: str
    model: str | None

    def extract(self, chunk: Chunk) -> Sequence[Candidate]:
        """Return the candidates in order of their evidence; each names evidence in the chunk's new messages.

        Raises a ProviderError when there is no usable answer; an empty list means that there is nothing.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What a judge sees of a candidate or of an existing preference."""

    text: str
    kind: Kind = "explicit"
    polarity: Polarity = "positive"
    language: str = "en"
    topic: str | None = None
    entities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One question to a judge: how does ``candidate`` stand to ``existing``? ``similarity`` is their raw cosine."""

    candidate: Statement
    existing: Statement
    similarity: float | None = None


@runtime_checkable
class Judge(Protocol):
    """Says how a candidate stands to existing statements."""

    name: str
    version: str

    def compare(self, comparisons: Sequence[Comparison]) -> Sequence[Verdict]:
        """Return one verdict for each comparison, in their order. Raises a ProviderError when it cannot."""
        ...


@runtime_checkable
class EmbeddingModel(Protocol):
    """Turns texts into vectors of length 1. ``name`` is the model's, unique with ``dimensions``."""

    name: str
    provider: str
    dimensions: int

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return one vector for each stored text, in order. Raises a ProviderError when it cannot."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Return one vector for each question, in order. Raises a ProviderError when it cannot."""
        ...


@runtime_checkable
class RerankModel(Protocol):
    """Orders documents by how well they answer a query."""

    name: str

    def rerank(self, query: str, documents: Sequence[str]) -> Sequence[float]:
        """Return one relevance in 0..1 for each document, in their order. Raises a ProviderError when it cannot."""
        ...


@runtime_checkable
class QueryBuilder(Protocol):
    """Says what to search for a message that leans on what was said before it."""

    name: str

    def build(self, message: str, turns: Sequence[Message]) -> BuiltQuery:
        """Return the query; ``turns`` are the last of the session, oldest first. Raises a ProviderError on failure."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """What a summarizer reads: the messages of one dialog, or of one user's day, in order of time.

    Only what users, assistants and other people said is in it; what may not be told without consent is left out.
    """

    scope: Literal["dialog", "day"]
    messages: tuple[Message, ...]
    language: str = "en"
    time_zone: str = "UTC"


@dataclass(frozen=True, slots=True, kw_only=True)
class Abstract:
    """A summary as a summarizer gives it: its text, and the passage's messages that it is drawn from, in its order."""

    text: str
    message_ids: tuple[UUID, ...]


@runtime_checkable
class Summarizer(Protocol):
    """Tells a passage in few words, in its language. ``name`` and ``version`` decide what is summarized anew."""

    name: str
    version: str

    def summarize(self, passage: Passage) -> Abstract | None:
        """Return the abstract; None when there is nothing to tell. Raises a ProviderError when it cannot."""
        ...
