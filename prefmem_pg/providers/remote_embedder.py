"""An embedding model behind a service: batches, long texts, retries, the ledger and a cache around its requests."""

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from prefmem_pg.domain.text import clean_text
from prefmem_pg.domain.tokens import count_tokens
from prefmem_pg.errors import CallWithheld, InvalidAnswer, PrefmemError, ProviderError
from prefmem_pg.providers.metering import JSON, Made, Meter, PlannedCall, Share, Unmetered, unusable, usable
from prefmem_pg.providers.pieces import batches, halve, pool, split_text, unit_rows
from prefmem_pg.providers.protocols import Vectors
from prefmem_pg.providers.retry import RetryPolicy, with_retries
from prefmem_pg.providers.services import EmbeddingService, Side
from prefmem_pg.providers.serving import served
from prefmem_pg.providers.vector_cache import VectorCache

VECTORS: Final = "vectors"
SHORTEST_HALVED: Final = 200
"""Characters of a text that is not halved any more when the provider says that it is too long."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A text or a part of one: of which text, for whom, how many tokens at most, and what is stored of it."""

    text: str
    place: int
    owner: str | None
    tokens: int
    message_ids: tuple[UUID, ...]
    preference_ids: tuple[UUID, ...]


class RemoteEmbedder:
    """An EmbeddingModel over a service. Threads may share it, and so may forked processes.

    A text that is longer than the model reads is split, and its pieces' vectors are averaged by length. Requests that
    the provider refuses are halved until the text is found that it will not take. ``cache_size`` vectors are kept by
    the hash of their text, so that a question that is asked twice is paid once.
    """

    def __init__(
        self,
        service: EmbeddingService,
        *,
        meter: Meter | None = None,
        policy: RetryPolicy | None = None,
        cache_size: int = 512,
    ) -> None:
        self.name = service.name
        self.provider = service.provider
        self.dimensions = service.dimensions
        self._service = service
        self._meter = meter or Unmetered()
        self._policy = policy or RetryPolicy()
        self._cache = VectorCache(cache_size)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return one vector of length 1 for each text, in order. Raises a ProviderError or ConfigurationError."""
        return self._embed(texts, "document")

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Return one vector of length 1 for each question, in order; raises as embed_documents() does."""
        return self._embed(texts, "query")

    def _embed(self, texts: Sequence[str], side: Side) -> Vectors:
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        whom, count = served(), len(texts)
        owners = whom.owners(count)
        # No service takes an empty text; a space means as little.
        cleaned = [clean_text(text) if text.strip() else " " for text in texts]
        keys = [hashlib.sha256(f"{side}\0{text}".encode()).digest() for text in cleaned]
        found = self._cache.find(keys)
        wanted = {key: place for place, key in reversed(list(enumerate(keys))) if key not in found}
        pieces = [
            _Piece(part, place, owners[place], count_tokens(part) + 8, *whom.shown(place, count))
            for place in sorted(wanted.values())
            for part in split_text(cleaned[place], self._service.sizes.text_tokens)
        ]
        vectors = self._embed_pieces(pieces, side)
        made = {
            keys[place]: pool(
                np.stack([vectors[i] for i, piece in enumerate(pieces) if piece.place == place]),
                [piece.tokens for piece in pieces if piece.place == place],
            )[0]
            for place in wanted.values()
        }
        self._cache.add(made)
        found |= made
        return np.stack([found[key] for key in keys])

    def _embed_pieces(self, pieces: Sequence[_Piece], side: Side) -> list[NDArray[np.float32]]:
        vectors: list[NDArray[np.float32]] = []
        for places in batches(pieces, [piece.tokens for piece in pieces], self._service.sizes):
            vectors += list(self._ask(tuple(pieces[place] for place in places), side))
        return vectors

    def _ask(self, pieces: tuple[_Piece, ...], side: Side) -> Vectors:
        """Return the pieces' vectors; what the provider refuses is asked in halves, down to the one at fault."""
        try:
            return with_retries(lambda: self._attempt(pieces, side), self._policy, also=(InvalidAnswer,))
        except ProviderError as exc:
            if exc.retryable or isinstance(exc, InvalidAnswer | CallWithheld):
                raise
            if len(pieces) > 1:
                middle = len(pieces) // 2
                return np.concatenate([self._ask(pieces[:middle], side), self._ask(pieces[middle:], side)])
            [piece] = pieces
            if len(piece.text) <= SHORTEST_HALVED:
                raise
            parts = tuple(replace(piece, text=text, tokens=count_tokens(text) + 8) for text in halve(piece.text))
            return pool(np.concatenate([self._ask((part,), side) for part in parts]), [part.tokens for part in parts])

    def _attempt(self, pieces: tuple[_Piece, ...], side: Side) -> Vectors:
        owners = list(dict.fromkeys(piece.owner for piece in pieces))
        parts = [[place for place, piece in enumerate(pieces) if piece.owner == owner] for owner in owners]
        shares = tuple(self._share([pieces[place] for place in places], side) for places in parts)
        planned = PlannedCall(
            purpose="embed", provider=self.provider, model=self.name, shares=shares, items=("input", VECTORS)
        )

        def attempt() -> Made[Vectors | PrefmemError]:
            answer = self._service.ask([piece.text for piece in pieces], side)
            if isinstance(answer.vectors, PrefmemError):
                return unusable(answer.vectors, answer.usage, planned)
            vectors = unit_rows(answer.vectors)
            return Made(vectors, answer.usage, [{VECTORS: _as_json(vectors[places])} for places in parts])

        def replay(responses: Sequence[JSON]) -> Vectors | PrefmemError:
            vectors = np.empty((len(pieces), self.dimensions), dtype=np.float32)
            for places, response in zip(parts, responses, strict=True):
                vectors[places] = _from_json(response[VECTORS], len(places), self.dimensions)
            return vectors

        return usable(self._meter.run(planned, attempt, replay))

    def _share(self, pieces: Sequence[_Piece], side: Side) -> Share:
        """Return the part of a call that holds these pieces of one user."""
        return Share(
            pieces[0].owner,
            self._service.request([piece.text for piece in pieces], side),
            sum(piece.tokens for piece in pieces),
            tuple(dict.fromkeys(one for piece in pieces for one in piece.message_ids)),
            tuple(dict.fromkeys(one for piece in pieces for one in piece.preference_ids)),
        )


def _as_json(vectors: Vectors) -> list[str]:
    """Return vectors as JSON that brings back the same bits."""
    return [base64.b64encode(vector.astype("<f4").tobytes()).decode() for vector in vectors]


def _from_json(stored: Sequence[str], count: int, dimensions: int) -> Vectors:
    rows = [np.frombuffer(base64.b64decode(vector), dtype="<f4") for vector in stored]
    if len(rows) != count or any(len(row) != dimensions for row in rows):
        raise InvalidAnswer("the stored answer is of other texts or dimensions")
    return np.stack(rows).astype(np.float32)
