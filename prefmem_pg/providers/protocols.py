"""The seams behind which models stand: extractor, judge, embedder, reranker."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.preferences import Candidate, Kind, Polarity, Verdict

Vectors = NDArray[np.float32]
"""Shape (number of texts, dimensions), each row of length 1."""


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
