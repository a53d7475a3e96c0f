"""What the user did not ask for and must hear: conditions that concern what a message plans, above a high bar."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from prefmem_pg.db.session import Database
from prefmem_pg.domain.preferences import Preference
from prefmem_pg.domain.text import detect_language
from prefmem_pg.providers.bank import Bank, bank_language, without_form
from prefmem_pg.providers.offline.hazards import (
    Hazard,
    Situation,
    find_conditions,
    find_hazards,
    find_situations,
    plans,
)
from prefmem_pg.providers.offline.plans import planned
from prefmem_pg.providers.protocols import EmbeddingModel

MEANING_BAR: Final = 0.38
"""Cosine, about the mean of questions and without form, from which a message plans a situation whose words it does not
use. Of 32 messages of our own without a listed word, 10 lay above it for what they had to raise, of 32 about other
things none (highest .25). It must also be nearer to the situation than to any of the bank's everyday questions."""
FOLLOW_UP_CHARACTERS: Final = 80
"""A longer message says itself where it belongs."""
MOST_RAISED: Final = 3
"""More than that is not heard."""

_MADE: Final[dict[tuple[str, str, int], tuple[tuple[str, ...], NDArray[np.float32]]]] = {}
_REASONS: Final = {
    "en": 'raised unasked: the message plans "{words}"',
    "zh": "主动提醒：消息提到“{words}”",
}


@dataclass(frozen=True, slots=True)
class Raised:
    """A preference to raise unasked, and why."""

    preference_id: UUID
    reason: str


def raise_unasked(
    database: Database,
    user_id: str,
    message: str,
    goals: Sequence[str],
    *,
    embedder: EmbeddingModel,
    bank: Bank,
    now: datetime | None,
) -> list[Raised]:
    """Return what must be raised for a message, the gravest first; nothing unless it plans something.

    The last of a session's ``goals`` says what a short message without a place of its own ("What shall I pack?") is
    about. What needs consent is not raised without it. The embedder is asked only when words do not tell.
    """
    if not planned(message):
        return []
    with database.transaction(user_id=user_id) as repositories:
        rows = repositories.constraints.list_current(user_id, now=now or datetime.now(UTC))
    return find_raised(rows, message, goals, embedder=embedder, bank=bank)


def find_raised(
    rows: Sequence[Preference], message: str, goals: Sequence[str], *, embedder: EmbeddingModel, bank: Bank
) -> list[Raised]:
    """Return which of the rows must be raised for a message, the gravest first. No database."""
    plan = planned(message)
    conditions = {row.preference_id: find_conditions(row.statement or "", message) for row in rows}
    if not plan or not any(conditions.values()):
        return []
    situations = find_situations(plan)
    if not situations and goals and len(message) <= FOLLOW_UP_CHARACTERS:
        situations = find_situations(planned(goals[-1]))
    found = _concerning(rows, conditions, situations, message)
    if not found:
        found = _concerning(rows, conditions, _by_meaning(plan, embedder, bank), message)
    return [Raised(row.preference_id, _reason(hazard, message)) for row, hazard in found[:MOST_RAISED]]


def _concerning(
    rows: Sequence[Preference], conditions: dict[UUID, list[str]], situations: Sequence[Situation], message: str
) -> list[tuple[Preference, Hazard]]:
    """Return the rows that a situation concerns, safety first, then by importance."""
    found = []
    for row in rows:
        hazards = find_hazards(conditions[row.preference_id], situations, message)
        if hazards:
            found.append((row, hazards[0]))
    return sorted(found, key=lambda one: (not one[0].is_safety, -one[0].importance, one[0].preference_id))


def _reason(hazard: Hazard, message: str) -> str:
    return _REASONS.get(detect_language(message), _REASONS["en"]).format(words=hazard.words)


def _by_meaning(message: str, embedder: EmbeddingModel, bank: Bank) -> list[Situation]:
    """Return the situations that a message means without their words."""
    names, prototypes = _prototypes(embedder, bank)
    [asked] = _centred(embedder, bank, [message])
    background = max(float((bank.questions[key] @ asked).max()) for key in bank.questions)
    likeness = prototypes @ asked
    near = [
        (float(value), name)
        for value, name in zip(likeness, names, strict=True)
        if value >= max(MEANING_BAR, background)
    ]
    return [Situation(name, " ".join(message.split())[:60]) for _, name in sorted(near, reverse=True)]


def _prototypes(embedder: EmbeddingModel, bank: Bank) -> tuple[tuple[str, ...], NDArray[np.float32]]:
    """Return the situations and the vectors of what stands for them, made once for each model in this process."""
    model = (embedder.provider, embedder.name, embedder.dimensions)
    if model not in _MADE:
        given = [(name, sentence) for name, sentences in plans().items() for sentence in sentences]
        vectors = _centred(embedder, bank, [sentence for _, sentence in given])
        _MADE[model] = tuple(name for name, _ in given), vectors
    return _MADE[model]


def _centred(embedder: EmbeddingModel, bank: Bank, texts: Sequence[str]) -> NDArray[np.float32]:
    means = np.stack([bank.question_mean[bank_language(detect_language(text))] for text in texts])
    about: NDArray[np.float32] = without_form(bank.form, embedder.embed_queries(texts) - means)
    about /= np.maximum(np.linalg.norm(about, axis=1, keepdims=True), 1e-6)
    return about
