"""Hits in another order than that of their scores: a reranker's, or one in which each adds something new."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from prefmem_pg.db.directions import list_directions
from prefmem_pg.db.session import Database
from prefmem_pg.domain.search import SearchHit
from prefmem_pg.errors import InvalidAnswer, InvalidInput, ProviderError
from prefmem_pg.providers.protocols import RerankModel
from prefmem_pg.steps.limits import MAX_LIMIT

POOL: Final = 50
"""How many hits are looked at, if more are not asked for: a reranker is paid by the document."""

Vector = NDArray[np.float32]


def check_diversity(diversity: float) -> float:
    """Return the number; InvalidInput unless it lies in 0..1."""
    if isinstance(diversity, bool) or not isinstance(diversity, int | float) or not 0 <= diversity <= 1:
        raise InvalidInput(f"diversity must be a number from 0 to 1, not {diversity!r}")
    return float(diversity)


def pool_size(limit: int, *, is_reordered: bool) -> int:
    """Return how many hits to search for when ``limit`` are wanted."""
    return min(max(limit, POOL), MAX_LIMIT) if is_reordered else limit


def rerank_hits(hits: Sequence[SearchHit], query: str, reranker: RerankModel | None) -> list[SearchHit]:
    """Return the hits in the reranker's order, each with its score by it, or in their own with a note that says why.

    They keep their order when there is no reranker, when it fails, and when its answer is not one finite number for
    each hit.
    """
    if not hits:
        return []
    if reranker is None:
        return _kept(hits, "no reranker is set up")
    try:
        scores = _checked(reranker.rerank(query, [hit.preference.statement or "" for hit in hits]), len(hits))
    except ProviderError as exc:
        return _kept(hits, str(exc))
    scored = [replace(hit, rerank_score=score) for hit, score in zip(hits, scores, strict=True)]
    return sorted(scored, key=lambda hit: (-(hit.rerank_score or 0.0), hit.preference.preference_id))


def read_directions(
    database: Database, user_id: str, hits: Sequence[SearchHit], *, model_id: int
) -> dict[UUID, Vector]:
    """Return of each hit that has a vector where it points, seen from the middle of the user's memories."""
    with database.transaction(user_id=user_id) as repositories:
        ids = [hit.preference.preference_id for hit in hits]
        return list_directions(repositories.session, user_id, ids, model_id=model_id)


def diversify(
    hits: Sequence[SearchHit], directions: Mapping[UUID, Vector], *, diversity: float, limit: int
) -> list[SearchHit]:
    """Return ``limit`` of the hits, the first of them first, each next one good and unlike those before it. Pure.

    Maximal marginal relevance (Carbonell and Goldstein 1998): (1 - diversity) x score - diversity x the highest
    cosine, of those above 0, with a hit that was taken. 0 keeps the order. A hit without a vector is like no other.
    Ties keep their order.
    """
    waiting = list(hits)
    likeness = {hit.preference.preference_id: 0.0 for hit in hits}
    taken: list[SearchHit] = []
    while waiting and len(taken) < limit:
        best = max(waiting, key=lambda hit: _worth(hit, likeness[hit.preference.preference_id], diversity))
        taken.append(best)
        waiting.remove(best)
        here = directions.get(best.preference.preference_id)
        for hit in waiting:
            there = directions.get(hit.preference.preference_id)
            if here is not None and there is not None:
                key = hit.preference.preference_id
                likeness[key] = max(likeness[key], float(here @ there))
    return taken


def _worth(hit: SearchHit, likeness: float, diversity: float) -> float:
    score = hit.score if hit.rerank_score is None else hit.rerank_score
    return (1 - diversity) * score - diversity * likeness


def _kept(hits: Sequence[SearchHit], why: str) -> list[SearchHit]:
    return [replace(hit, note=f"kept the order of the search: {why}") for hit in hits]


def _checked(scores: Sequence[float], count: int) -> list[float]:
    if len(scores) != count:
        raise InvalidAnswer(f"the reranker gave {len(scores)} scores for {count} documents")
    try:
        numbers = [float(score) for score in scores]
    except (TypeError, ValueError):
        raise InvalidAnswer("the reranker gave a score that is no number") from None
    if not all(map(math.isfinite, numbers)):
        raise InvalidAnswer("the reranker gave a score that is no finite number")
    return numbers
