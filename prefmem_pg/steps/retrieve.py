"""Query + filter -> ranked, explained hits."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from prefmem_pg.db.filters import CompiledFilter
from prefmem_pg.db.hybrid import Cursor, Ranked, ask_preferences, found_preferences, is_for_large
from prefmem_pg.db.session import Database
from prefmem_pg.domain.preferences import Evidence, Preference
from prefmem_pg.domain.search import Explanation, SearchHit
from prefmem_pg.domain.text import clean_text, detect_language, statement_hash
from prefmem_pg.providers.bank import Bank, bank_language, without_form
from prefmem_pg.providers.embedding import embed_query
from prefmem_pg.providers.protocols import EmbeddingModel
from prefmem_pg.steps.centring import smoothing
from prefmem_pg.steps.limits import MAX_QUERY_CHARACTERS


@dataclass(frozen=True, slots=True)
class Question:
    """A question ready for SQL: its text, its language as the bank knows it, and its vectors."""

    text: str
    language: str
    raw: NDArray[np.float32]
    shipped_mean: NDArray[np.float32]
    find_smoothing: Callable[[], NDArray[np.float32]]

    @property
    def smoothing(self) -> NDArray[np.float32]:
        """What is to be added once it is centred; found anew each time, so that a search can do so while it waits."""
        return self.find_smoothing()


def prepare_question(query: str, embedder: EmbeddingModel, bank: Bank) -> Question:
    """Embed a question. No database; raises a ProviderError when the embedder fails."""
    text = clean_text(query)[:MAX_QUERY_CHARACTERS]
    language = detect_language(text)
    raw = embed_query(embedder, text)
    key = bank_language(language)
    # What a question is about is compared, not how it is put: the directions of its form are taken out of both.
    about = without_form(bank.form, raw)
    return Question(text, key, about, bank.formless_question_mean[key], partial(smoothing, bank, raw, language))


def retrieve(
    database: Database,
    user_id: str,
    question: Question,
    *,
    model_id: int,
    condition: CompiledFilter,
    limit: int,
    min_score: float,
    now: datetime | None,
    exact: bool = False,
) -> list[SearchHit]:
    """Return the hits of one user, best first, ties by id, each with its explanation and evidence."""
    found, _ = retrieve_with_safety(
        database,
        user_id,
        question,
        model_id=model_id,
        condition=condition,
        limit=limit,
        min_score=min_score,
        now=now,
        exact=exact,
        safety_limit=0,
    )
    return found


def retrieve_with_safety(
    database: Database,
    user_id: str,
    question: Question,
    *,
    model_id: int,
    condition: CompiledFilter,
    limit: int,
    min_score: float,
    now: datetime | None,
    safety_limit: int,
    exact: bool = False,
) -> tuple[list[SearchHit], list[SearchHit]]:
    """Return the hits, and those of the user's safety facts alone that are nearest to the question; one statement.

    Safety facts only without a condition, at most ``safety_limit`` and whatever their score.
    """
    at = now or datetime.now(UTC)

    def ask(cursor: Cursor, *, is_large: bool = False) -> None:
        ask_preferences(  # what is worked out in here is so while the server begins
            cursor,
            user_id=user_id,
            model_id=model_id,
            query=question.text,
            statement_hash=statement_hash(question.text),
            vector=question.raw,
            shipped_mean=question.shipped_mean,
            smoothing=question.smoothing,
            language=question.language,
            condition=condition.condition,
            condition_values=condition.values,
            limit=limit,
            min_score=min_score,
            now=at,
            exact=exact,
            is_large=is_large,
            safety_limit=safety_limit,
        )

    rows = database.read(ask, user_id=user_id)
    if is_for_large(rows):
        rows = database.read(partial(ask, is_large=True), user_id=user_id)
    ranked = found_preferences(rows)
    found = [_as_hit(*row) for row in ranked if not row[1].for_safety]
    return found, [_as_hit(*row) for row in ranked if row[1].for_safety]


def _as_hit(preference: Preference, row: Ranked) -> SearchHit:
    return SearchHit(
        preference=preference,
        score=row.score,
        explanation=Explanation(
            semantic=row.semantic,
            keyword=row.keyword,
            fuzzy=row.fuzzy,
            relevance=row.relevance,
            factors={
                "recency": row.recency,
                "importance": row.importance_factor,
                "confidence": row.confidence_factor,
                "heat": row.heat,
            },
            semantic_rank=row.semantic_rank,
            keyword_rank=row.keyword_rank,
            is_exact=row.is_exact,
            plan=row.plan,
        ),
        evidence=tuple(_as_evidence(preference.preference_id, *span) for span in row.evidence or ()),
    )


def _as_evidence(
    preference_id: UUID, message_id: str, start: int, end: int, quote: str, role: str, at: str, dialog_id: str
) -> Evidence:
    return Evidence(
        preference_id=preference_id,
        message_id=UUID(message_id),
        start=start,
        end=end,
        quote=quote,
        role=role,
        occurred_at=datetime.fromisoformat(at),
        dialog_id=dialog_id,
    )
