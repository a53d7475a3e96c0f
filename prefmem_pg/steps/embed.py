"""Texts without a vector -> vectors, in batches."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from typing import Any, Final
from uuid import UUID

import numpy as np

from prefmem_pg.db.embeddings import PRIOR_WEIGHT, Scope, StatsChange
from prefmem_pg.db.session import Database, Repositories
from prefmem_pg.domain.text import detect_language
from prefmem_pg.errors import CallWithheld, ProviderError, described
from prefmem_pg.providers.bank import Bank, bank_language, load_bank
from prefmem_pg.providers.embedding import embed_documents
from prefmem_pg.providers.protocols import EmbeddingModel, Vectors
from prefmem_pg.providers.serving import serving
from prefmem_pg.steps.again import again
from prefmem_pg.steps.write import add_vectors

BATCH_TEXTS: Final = 256
UNANSWERED: Final = 3
"""After so many texts in a row without an answer, each tried by itself, the provider is down."""
SCOPES: Final[tuple[Scope, ...]] = ("preference", "message")


@dataclass(frozen=True, slots=True)
class WorkingModel:
    """A model that is at work in the database: its number there, and what makes its vectors."""

    model_id: int
    embedder: EmbeddingModel

    def bank(self) -> Bank:
        return load_bank(self.embedder)


FindModels = Callable[[Collection[int]], Sequence[WorkingModel]]
"""Gives those of the models, by their numbers, that are at work and can be asked from here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedReport:
    """How many vectors were made, and what could not be embedded (kept, and tried by the next call)."""

    preferences: int = 0
    messages: int = 0
    summaries: int = 0
    failed: int = 0
    errors: Mapping[str, str] = field(default_factory=dict)


def embed_missing(
    database: Database,
    embedder: EmbeddingModel,
    bank: Callable[[], Bank],
    *,
    model_id: int,
    user_id: str | None = None,
    scopes: Sequence[Scope] = SCOPES,
    ids: Sequence[UUID] | None = None,
    on_batch: Callable[[int], None] | None = None,
) -> EmbedReport:
    """Embed whatever has no vector of the model yet (of ``ids``); return the counts. Idempotent and resumable.

    A batch whose embedding fails is tried text by text once, so that one bad text does not hold up the others. It
    stops early when the provider does not answer at all.
    """
    done: dict[str, int] = {}
    errors: dict[str, str] = {}
    for scope in scopes:
        after: tuple[str, UUID] | None = None
        while True:
            with database.transaction(user_id=user_id) as repositories:
                rows = repositories.embeddings.list_missing(
                    scope, model_id=model_id, user_id=user_id, after=after, limit=BATCH_TEXTS, ids=ids
                )
            if not rows:
                break
            after = (rows[-1]["user_id"], rows[-1]["owner_id"])

            texts = [message_text(row) if scope == "message" else row["content"] for row in rows]
            names = [f"{scope} {row['owner_id']}" for row in rows]
            embedded, failed, is_down = embed_rows(embedder, rows, texts, names=names, shown=scope)
            errors |= failed

            ready = bank()  # may ask a provider, which no transaction waits for
            for user, items in groupby(embedded, key=lambda item: item[0]["user_id"]):
                again(partial(_store, database, user, scope, list(items), bank=ready, model_id=model_id))
            done[scope] = done.get(scope, 0) + len(embedded)
            if is_down:
                return _report(done, errors)
            if on_batch is not None:
                on_batch(len(rows))
    return _report(done, errors)


def _report(done: Mapping[str, int], errors: Mapping[str, str]) -> EmbedReport:
    return EmbedReport(
        preferences=done.get("preference", 0), messages=done.get("message", 0), failed=len(errors), errors=errors
    )


def message_text(row: Mapping[str, Any]) -> str:
    """Return what is embedded of a message: the speaker and the time are part of it (recall .52 with, .21 without)."""
    return f"{row['author'] or row['role']} ({row['occurred_at']:%Y-%m-%d %H:%M}): {row['content']}"


_Row = Mapping[str, Any]


def embed_rows(
    embedder: EmbeddingModel,
    rows: Sequence[_Row],
    texts: Sequence[str],
    *,
    names: Sequence[str],
    shown: Scope | None = None,
) -> tuple[list[tuple[_Row, Vectors]], dict[str, str], bool]:
    """Return the rows with their vectors, why others failed by name, and whether nobody answers: the rest is not tried.

    Rows have a ``user_id``, for whom the call is made; ``shown`` says what their ``owner_id`` names. When a call fails
    each text is tried alone.
    """
    try:
        with _serving(rows, shown):
            return list(zip(rows, embed_documents(embedder, texts), strict=True)), {}, False
    except CallWithheld:
        raise  # a spent budget is no fault of any text
    except ProviderError:
        pass
    embedded: list[tuple[_Row, Vectors]] = []
    errors: dict[str, str] = {}
    unanswered = 0
    for row, text, name in zip(rows, texts, names, strict=True):
        try:
            with _serving([row], shown):
                embedded.append((row, embed_documents(embedder, [text])[0]))
            unanswered = 0
        except CallWithheld:
            raise
        except ProviderError as exc:
            errors[name] = described(exc)
            unanswered = unanswered + 1 if exc.retryable else 0
            if unanswered == UNANSWERED:
                return embedded, errors, True
    return embedded, errors, False


def _serving(rows: Sequence[_Row], shown: Scope | None) -> AbstractContextManager[None]:
    users, ids = [row["user_id"] for row in rows], [row["owner_id"] for row in rows] if shown else []
    return serving(
        users, message_ids=ids if shown == "message" else (), preference_ids=ids if shown == "preference" else ()
    )


def _store(
    database: Database, user_id: str, scope: Scope, items: Sequence[tuple[_Row, Vectors]], *, bank: Bank, model_id: int
) -> None:
    with database.transaction(user_id=user_id) as repositories:
        _write(repositories, user_id, scope, items, bank=bank, model_id=model_id)


def _write(
    repositories: Repositories,
    user_id: str,
    scope: Scope,
    items: Sequence[tuple[_Row, Vectors]],
    *,
    bank: Bank,
    model_id: int,
) -> None:
    if repositories.preferences.lock_known_user(user_id) is None:
        return  # erased since the texts were read
    items = _still_missing(repositories, user_id, scope, items, model_id=model_id)
    if not items:
        return
    stats: dict[str, StatsChange] = {}
    languages = {row["owner_id"]: detect_language(row["content"][:2_000]) for row, _ in items}
    if scope == "preference":
        vectors = {row["owner_id"]: vector for row, vector in items}
        add_vectors(repositories, user_id, vectors, languages, stats, bank=bank, model_id=model_id)
    else:
        rows = [
            {"user_id": user_id, "owner_id": row["owner_id"], "vector": v, "language": languages[row["owner_id"]]}
            for row, v in items
        ]
        repositories.embeddings.add_message_vectors(rows, model_id=model_id)
        _move_message_means(repositories, user_id, items, languages, stats, bank=bank, model_id=model_id)
    repositories.embeddings.change_stats(user_id, stats, scope=scope, model_id=model_id, at=datetime.now(UTC))


def _still_missing(
    repositories: Repositories, user_id: str, scope: Scope, items: Sequence[tuple[_Row, Vectors]], *, model_id: int
) -> list[tuple[_Row, Vectors]]:
    """Return the items whose texts were neither erased, reworded nor embedded by another since they were read.

    Under the user's lock: a vector that came meanwhile would be counted, and be part of the mean, twice.
    """
    ids = [row["owner_id"] for row, _ in items]
    missing = repositories.embeddings.list_missing(
        scope, model_id=model_id, user_id=user_id, after=None, limit=len(ids), ids=ids
    )
    texts = {row["owner_id"]: row["content"] for row in missing}
    return [item for item in items if texts.get(item[0]["owner_id"]) == item[0]["content"]]


def _move_message_means(
    repositories: Repositories,
    user_id: str,
    items: Sequence[tuple[_Row, Vectors]],
    languages: Mapping[UUID, str],
    stats: dict[str, StatsChange],
    *,
    bank: Bank,
    model_id: int,
) -> None:
    means = repositories.embeddings.read_memory_means(user_id, scope="message", model_id=model_id)
    for language in sorted(set(languages.values())):
        vectors = np.stack([vector for row, vector in items if languages[row["owner_id"]] == language])
        old = means.get(language)
        count = old.count if old else 0
        prior = old.mean if old else bank.statement_mean[bank_language(language)]
        mean = (prior * (count + PRIOR_WEIGHT) + vectors.sum(axis=0)) / (count + len(vectors) + PRIOR_WEIGHT)
        stats[language] = StatsChange(vector_count=len(vectors), memory_mean=mean)
