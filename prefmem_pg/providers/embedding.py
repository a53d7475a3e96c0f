"""Vectors as an embedder gives them, looked at before anything is done with them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from prefmem_pg.errors import InvalidAnswer
from prefmem_pg.providers.protocols import EmbeddingModel, Vectors


def embed_documents(embedder: EmbeddingModel, texts: Sequence[str]) -> Vectors:
    """Return one vector for each text. InvalidAnswer unless they are as many, as long and as finite as they must be."""
    return _checked(embedder.embed_documents(texts), embedder, len(texts))


def embed_query(embedder: EmbeddingModel, text: str) -> NDArray[np.float32]:
    """Return the vector of a question; InvalidAnswer likewise. A question without a word is asked as a space."""
    vector: NDArray[np.float32] = _checked(embedder.embed_queries([text or " "]), embedder, 1)[0]
    return vector


def _checked(given: object, embedder: EmbeddingModel, count: int) -> Vectors:
    try:
        vectors = np.asarray(given, dtype=np.float32)
    except (TypeError, ValueError) as exc:
        raise InvalidAnswer(f"the embedder {embedder.name} gave no vectors: {exc}") from exc
    if vectors.shape != (count, embedder.dimensions):
        raise InvalidAnswer(
            f"the embedder {embedder.name} gave vectors of shape {vectors.shape}, not {(count, embedder.dimensions)}"
        )
    if not np.isfinite(vectors).all():
        raise InvalidAnswer(f"the embedder {embedder.name} gave a vector that is not finite")
    return vectors
