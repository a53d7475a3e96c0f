"""Datasets of memories and questions as stores: one user each, with what the user's memory holds and is asked."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from prefmem_pg.domain.text import detect_language
from prefmem_pg.errors import InvalidInput
from prefmem_pg.evaluation.datasets import Dataset
from prefmem_pg.evaluation.records import MemoryQuestion, StatedPreference

STORE_SIZE: Final = 50
"""Preferences a user: consecutive groups over mixed topics, as the reference numbers were taken."""

SHUFFLE_SEED: Final = 20260105
"""Fixed, so that every run mixes the topics the same way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with the memory that answers it, and the group that it is reported in."""

    id: str
    text: str
    answer: str
    group: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """What one evaluation user remembers and is asked."""

    user_id: str
    memories: tuple[str, ...]
    questions: tuple[Question, ...]


def make_stores(dataset: Dataset) -> list[Store]:
    """Return the stores of a dataset; InvalidInput when it has no memories with questions.

    Preferences with a question go into stores of fifty; memories that come with a kind make one store, or one for each
    ``user`` that the rows name, and their kinds are reported apart.
    """
    stated = [row for row in dataset.rows if isinstance(row, StatedPreference)]
    if stated:
        mixed = random.Random(SHUFFLE_SEED).sample(stated, len(stated))
        return [
            _stated_store(place // STORE_SIZE, mixed[place : place + STORE_SIZE])
            for place in range(0, len(mixed), STORE_SIZE)
        ]
    memories = [row for row in dataset.rows if isinstance(row, MemoryQuestion)]
    if memories:
        users = list(dict.fromkeys(row.user for row in memories))
        return [_memory_store(n, [row for row in memories if row.user == user]) for n, user in enumerate(users)]
    raise InvalidInput(
        f"{dataset.name} is {dataset.format}; retrieval is measured on prefeval_explicit, memory_questions and locomo"
    )


def _stated_store(number: int, rows: Sequence[StatedPreference]) -> Store:
    questions = (
        Question(id=row.id, text=row.question, answer=row.preference, group=detect_language(row.question))
        for row in rows
    )
    return _store(number, [row.preference for row in rows], questions)


def _memory_store(number: int, rows: Sequence[MemoryQuestion]) -> Store:
    questions = (Question(id=row.id, text=row.question, answer=row.memory, group=row.kind) for row in rows)
    return _store(number, [row.memory for row in rows], questions)


def _store(number: int, memories: Iterable[str], questions: Iterable[Question]) -> Store:
    return Store(user_id=f"evaluation-{number:03}", memories=tuple(dict.fromkeys(memories)), questions=tuple(questions))
