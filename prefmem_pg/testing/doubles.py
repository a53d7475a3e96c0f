"""Scripted doubles for the seams: they do as told, and remember what they were asked."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.preferences import Candidate, EvidenceSpan, Verdict
from prefmem_pg.errors import PrefmemError
from prefmem_pg.providers.protocols import Abstract, Chunk, Comparison, Passage, Vectors


@dataclass
class ScriptedExtractor:
    """An extractor that answers by a function of the chunk, and keeps the chunks that it was given."""

    answer: Callable[[Chunk], Sequence[Candidate]]
    name: str = "scripted"
    version: str = "1"
    model: str | None = None
    chunks: list[Chunk] = field(default_factory=list)

    def extract(self, chunk: Chunk) -> Sequence[Candidate]:
        self.chunks.append(chunk)
        return self.answer(chunk)


@dataclass
class ScriptedJudge:
    """A judge that answers by a function of each comparison, and keeps the comparisons."""

    answer: Callable[[Comparison], Verdict]
    name: str = "scripted"
    version: str = "1"
    asked: list[Comparison] = field(default_factory=list)

    def compare(self, comparisons: Sequence[Comparison]) -> Sequence[Verdict]:
        self.asked.extend(comparisons)
        return [self.answer(comparison) for comparison in comparisons]


@dataclass
class HashEmbedder:
    """An embedder whose vectors are random but fixed by the text: equal texts are near, all others far.

    ``failure`` is raised in place of an answer while it is set.
    """

    name: str = "hash"
    provider: str = "test"
    dimensions: int = 8
    failure: PrefmemError | None = None
    texts: list[str] = field(default_factory=list)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts)

    def _embed(self, texts: Sequence[str]) -> Vectors:
        if self.failure is not None:
            raise self.failure
        self.texts.extend(texts)
        vectors = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
            vectors[row] = np.random.default_rng(seed).normal(size=self.dimensions)
        norms: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return norms


@dataclass
class ScriptedReranker:
    """A reranker that scores each document by a function."""

    score: Callable[[str, str], float]
    name: str = "scripted"

    def rerank(self, query: str, documents: Sequence[str]) -> Sequence[float]:
        return [self.score(query, document) for document in documents]


@dataclass
class ScriptedSummarizer:
    """A summarizer that answers by a function of the passage, and keeps the passages that it was given."""

    answer: Callable[[Passage], Abstract | None]
    name: str = "scripted"
    version: str = "1"
    passages: list[Passage] = field(default_factory=list)

    def summarize(self, passage: Passage) -> Abstract | None:
        self.passages.append(passage)
        return self.answer(passage)


def candidate_from(message: Message, statement: str | None = None, **fields: object) -> Candidate:
    """Return a candidate whose evidence is the whole message; its statement is the message's text unless given."""
    span = EvidenceSpan(message_id=message.message_id, start=0, end=len(message.content), quote=message.content)
    return Candidate(statement=statement or message.content, evidence=(span,), **fields)  # type: ignore[arg-type]
