"""The repository of embedding models, vectors, and the statistics that ranking reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import text

from prefmem_pg.db.embedding_models import ModelRows
from prefmem_pg.db.rows import as_json_parameter, as_vector_text, from_vector_text, recordset

Scope = Literal["preference", "message"]

QUESTION_DECAY: Final = 0.98
"""What a question keeps of its weight when the next one comes: it stands for about the last 50 questions."""
PRIOR_WEIGHT: Final = 10
"""How many texts the shipped mean counts for; flat from 3 to 10 in measurements, worse above."""

_PREFERENCE_COLUMNS: Final = {"owner_id": "uuid", "embedding": "text", "hub_en": "real", "hub_zh": "real"}
_ADD_PREFERENCES: Final = f"""
INSERT INTO prefmem.preference_embeddings
  (user_id, preference_id, model_id, embedding, language, kind, is_active, needs_consent, hub_en, hub_zh, in_hnsw)
SELECT p.user_id, p.preference_id, :model_id, CAST(r.embedding AS halfvec), p.language, p.kind,
  p.status = 'activated', p.sensitivity <> 'none' AND NOT p.is_safety, r.hub_en, r.hub_zh,
  -- A user who is large for one model is so for the next: their rows are in its index when it is built.
  coalesce((
    SELECT bool_or(s.in_hnsw) FROM prefmem.user_stats s
    WHERE s.user_id = :user_id AND s.scope = 'preference'), false)
FROM {recordset(_PREFERENCE_COLUMNS)}
JOIN prefmem.preferences p ON p.user_id = :user_id AND p.preference_id = r.owner_id AND p.statement IS NOT NULL
ORDER BY p.preference_id
ON CONFLICT (user_id, preference_id, model_id) DO UPDATE SET
  embedding = excluded.embedding, language = excluded.language, kind = excluded.kind, is_active = excluded.is_active,
  needs_consent = excluded.needs_consent, hub_en = excluded.hub_en, hub_zh = excluded.hub_zh
"""
_REFRESH_COPIES: Final = """
UPDATE prefmem.preference_embeddings e
SET language = p.language, kind = p.kind, is_active = p.status = 'activated',
  needs_consent = p.sensitivity <> 'none' AND NOT p.is_safety
FROM prefmem.preferences p
WHERE e.user_id = :user_id AND p.user_id = :user_id AND e.preference_id = ANY(:ids)
  AND p.preference_id = e.preference_id
"""
_MESSAGE_COLUMNS: Final = {"user_id": "text", "owner_id": "uuid", "embedding": "text", "language": "text"}
_ADD_MESSAGES: Final = f"""
INSERT INTO prefmem.message_embeddings (user_id, message_id, model_id, embedding, language)
SELECT m.user_id, m.message_id, :model_id, CAST(r.embedding AS halfvec), r.language
FROM {recordset(_MESSAGE_COLUMNS)}
JOIN prefmem.messages m ON m.user_id = r.user_id AND m.message_id = r.owner_id
ORDER BY m.user_id, m.message_id
ON CONFLICT (user_id, message_id, model_id) DO NOTHING
"""
_STATS_COLUMNS: Final = {
    "language": "text",
    "row_count": "bigint",
    "total_length": "bigint",
    "vector_count": "bigint",
    "memory_mean": "text",
}
# Counts are added, those of rows to every model that is at work: they hold for any. A mean replaces the one that was
# read under the same lock.
_STORE_STATS: Final = f"""
INSERT INTO prefmem.user_stats AS s
  (user_id, scope, model_id, language, row_count, total_length, vector_count, memory_mean, updated_at)
SELECT :user_id, :scope, k.model_id, r.language, r.row_count, r.total_length,
  CASE WHEN k.model_id = :model_id THEN r.vector_count ELSE 0 END,
  CASE WHEN k.model_id = :model_id THEN CAST(r.memory_mean AS vector) END, :at
FROM {recordset(_STATS_COLUMNS)}
CROSS JOIN prefmem.embedding_models k
WHERE k.state <> 'retired' OR k.model_id = :model_id
ORDER BY r.language, k.model_id
ON CONFLICT (user_id, scope, model_id, language) DO UPDATE SET
  row_count = greatest(s.row_count + excluded.row_count, 0),
  total_length = greatest(s.total_length + excluded.total_length, 0),
  vector_count = s.vector_count + excluded.vector_count,
  memory_mean = coalesce(excluded.memory_mean, s.memory_mean),
  updated_at = excluded.updated_at
RETURNING s.model_id
"""
# mean' = (decay * (mean * (n + prior) - prior * shipped) + e + prior * shipped) / (decay * n + 1 + prior)
# :pushed is e + prior * (1 - decay) * shipped; pgvector multiplies element by element only.
# A mean stands for question_count questions and PRIOR_WEIGHT more; each new one takes the older ones' weight down.
_LEARN_QUESTIONS: Final = f"""
INSERT INTO prefmem.user_stats AS s
  (user_id, scope, model_id, language, question_count, question_mean, updated_at)
VALUES (:user_id, :scope, :model_id, :language, :weight, CAST(:first AS vector), :at)
ON CONFLICT (user_id, scope, model_id, language) DO UPDATE SET
  question_count = :kept * s.question_count + :weight,
  question_mean =
    coalesce(s.question_mean, CAST(:shipped AS vector)) * CAST(array_fill(CAST(
      :kept * (s.question_count + {PRIOR_WEIGHT})
      / (:kept * s.question_count + :weight + {PRIOR_WEIGHT}) AS real), ARRAY[:dimensions]) AS vector)
    + CAST(:pushed AS vector) * CAST(array_fill(CAST(
      1 / (:kept * s.question_count + :weight + {PRIOR_WEIGHT}) AS real), ARRAY[:dimensions]) AS vector),
  updated_at = excluded.updated_at
"""
_MISSING_PREFERENCES: Final = """
SELECT p.user_id, p.preference_id AS owner_id, p.statement AS content
FROM prefmem.preferences p
WHERE p.status <> 'deleted' AND (CAST(:user_id AS text) IS NULL OR p.user_id = :user_id)
  AND (CAST(:after_user AS text) IS NULL OR (p.user_id, p.preference_id) > (:after_user, :after_id))
  AND (CAST(:ids AS uuid[]) IS NULL OR p.preference_id = ANY(:ids))
  AND NOT EXISTS (
    SELECT FROM prefmem.preference_embeddings e
    WHERE e.user_id = p.user_id AND e.preference_id = p.preference_id AND e.model_id = :model_id)
ORDER BY p.user_id, p.preference_id LIMIT :limit
"""
_MISSING_MESSAGES: Final = """
SELECT m.user_id, m.message_id AS owner_id, m.content, m.author, m.role, m.occurred_at
FROM prefmem.messages m
WHERE m.role IN ('user', 'assistant', 'other') AND (CAST(:user_id AS text) IS NULL OR m.user_id = :user_id)
  AND (CAST(:after_user AS text) IS NULL OR (m.user_id, m.message_id) > (:after_user, :after_id))
  AND (CAST(:ids AS uuid[]) IS NULL OR m.message_id = ANY(:ids))
  AND NOT EXISTS (
    SELECT FROM prefmem.message_embeddings e
    WHERE e.user_id = m.user_id AND e.message_id = m.message_id AND e.model_id = :model_id)
ORDER BY m.user_id, m.message_id LIMIT :limit
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPreferenceVector:
    """A vector to store for a preference, with its hubness for questions in English and in Chinese."""

    preference_id: UUID
    vector: NDArray[np.float32]
    hub_en: float
    hub_zh: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryMean:
    """The mean of a user's memories in one language (already drawn to the shipped mean), and of how many."""

    mean: NDArray[np.float32]
    count: int


@dataclass(slots=True)
class StatsChange:
    """What a transaction changes in the statistics of one language."""

    row_count: int = 0
    total_length: int = 0
    vector_count: int = 0
    memory_mean: NDArray[np.float32] | None = None


class EmbeddingRepository(ModelRows):
    """Models, vectors and statistics, inside the caller's transaction; it never commits."""

    def add_preference_vectors(self, user_id: str, vectors: Sequence[NewPreferenceVector], *, model_id: int) -> None:
        """Store vectors of preferences that are there; a vector that is there already is replaced."""
        if not vectors:
            return
        rows = [
            {
                "owner_id": item.preference_id,
                "embedding": as_vector_text(item.vector),
                "hub_en": item.hub_en,
                "hub_zh": item.hub_zh,
            }
            for item in vectors
        ]
        values = {"user_id": user_id, "model_id": model_id, "rows": as_json_parameter(rows)}
        self.session.execute(text(_ADD_PREFERENCES), values)

    def drop_preference_vectors(self, user_id: str, preference_ids: Sequence[UUID]) -> None:
        """Delete the vectors of preferences, of every model: their statements have changed."""
        if preference_ids:
            statement = (
                "DELETE FROM prefmem.preference_embeddings WHERE user_id = :user_id AND preference_id = ANY(:ids)"
            )
            self.session.execute(text(statement), {"user_id": user_id, "ids": list(preference_ids)})

    def refresh_copies(self, user_id: str, preference_ids: Sequence[UUID]) -> None:
        """Bring the copies beside the vectors up to date with their preferences, for every model."""
        if preference_ids:
            self.session.execute(text(_REFRESH_COPIES), {"user_id": user_id, "ids": list(preference_ids)})

    def add_message_vectors(self, rows: Sequence[Mapping[str, Any]], *, model_id: int) -> None:
        """Store vectors of messages: rows of user_id, owner_id, vector and language. Idempotent."""
        if rows:
            given = [{**row, "embedding": as_vector_text(row["vector"]), "vector": None} for row in rows]
            values = {"model_id": model_id, "rows": as_json_parameter(given)}
            self.session.execute(text(_ADD_MESSAGES), values)

    def read_memory_means(self, user_id: str, *, scope: Scope, model_id: int) -> dict[str, MemoryMean]:
        """Return the mean of each language that has vectors."""
        statement = (
            "SELECT language, vector_count, memory_mean::text AS mean FROM prefmem.user_stats"
            " WHERE user_id = :user_id AND scope = :scope AND model_id = :model_id AND memory_mean IS NOT NULL"
        )
        rows = self.session.execute(text(statement), {"user_id": user_id, "scope": scope, "model_id": model_id})
        return {r.language: MemoryMean(mean=from_vector_text(r.mean), count=r.vector_count) for r in rows}

    def change_stats(
        self, user_id: str, changes: Mapping[str, StatsChange], *, scope: Scope, model_id: int, at: datetime
    ) -> set[int]:
        """Add to the counts of each language and set its mean, under the lock of the user's row.

        Return the models whose counts it changed: those that are at work, as of now.
        """
        rows = [
            {
                "language": language,
                "row_count": change.row_count,
                "total_length": change.total_length,
                "vector_count": change.vector_count,
                "memory_mean": None if change.memory_mean is None else as_vector_text(change.memory_mean),
            }
            for language, change in changes.items()
        ]
        if not rows:
            return set()
        values = {"user_id": user_id, "scope": scope, "model_id": model_id, "at": at}
        return set(self.session.scalars(text(_STORE_STATS), {**values, "rows": as_json_parameter(rows)}))

    def learn_questions(
        self,
        user_id: str,
        vectors: NDArray[np.float32],
        shipped: NDArray[np.float32],
        *,
        language: str,
        scope: Scope,
        model_id: int,
        at: datetime,
    ) -> None:
        """Let questions, one a row and oldest first, move the user's running mean of questions in their language.

        It is what letting them move it one by one would make of it.
        """
        weights = QUESTION_DECAY ** np.arange(len(vectors) - 1, -1, -1)
        weight, kept = float(weights.sum()), QUESTION_DECAY ** len(vectors)
        pushed = weights @ vectors + (1 - kept) * PRIOR_WEIGHT * shipped
        self.session.execute(
            text(_LEARN_QUESTIONS),
            {
                "user_id": user_id,
                "scope": scope,
                "model_id": model_id,
                "language": language,
                "weight": weight,
                "kept": kept,
                "first": as_vector_text((pushed + kept * PRIOR_WEIGHT * shipped) / (weight + PRIOR_WEIGHT)),
                "pushed": as_vector_text(pushed),
                "shipped": as_vector_text(shipped),
                "dimensions": vectors.shape[1],
                "at": at,
            },
        )

    def list_missing(
        self,
        scope: Scope,
        *,
        model_id: int,
        user_id: str | None,
        after: tuple[str, UUID] | None,
        limit: int,
        ids: Sequence[UUID] | None = None,
    ) -> list[Mapping[str, Any]]:
        """Return rows (of those in ``ids``) without a vector of the model, by (user_id, owner_id) after the key."""
        statement = _MISSING_PREFERENCES if scope == "preference" else _MISSING_MESSAGES
        values = {
            "model_id": model_id,
            "user_id": user_id,
            "after_user": after[0] if after else None,
            "after_id": after[1] if after else None,
            "limit": limit,
            "ids": None if ids is None else list(ids),
        }
        return [dict(row) for row in self.session.execute(text(statement), values).mappings()]
