"""Retrieval measured through the front door: questions whose own preference should come back first."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from prefmem_pg.domain.evaluations import Evaluation, Outcome
from prefmem_pg.evaluation.datasets import Dataset
from prefmem_pg.evaluation.metrics import mean
from prefmem_pg.evaluation.rank_metrics import rank_scores
from prefmem_pg.evaluation.records import Conversation
from prefmem_pg.evaluation.stores import Store, make_stores
from prefmem_pg.memory import PreferenceMemory

DEPTH: Final = 10
"""How many hits are asked for, as a caller would; an answer below counts as not found, in the reciprocal rank too."""

CUTOFFS: Final = (1, 5, 10)
COLD: Final = "cold"
"""Each question as if it were the user's first: nothing is learnt from the others."""
RUNNING: Final = "running"
"""The questions one after the other, each after the store has learnt from those before."""


def evaluate_retrieval(
    dataset: Dataset, memory: PreferenceMemory, *, on_progress: Callable[[int], None] = lambda _: None
) -> Evaluation:
    """Fill the memory with the dataset and ask its questions. ``on_progress`` gets the number of searches done.

    The memory must be an empty one of its own: users are made in it, with consent, since many rows speak of health or
    diet. Groups are cold/… and running/… with the language or kind, and cold/all and running/all.
    """
    started_at = datetime.now(UTC)
    outcomes: list[Outcome] = []
    stores = make_stores(dataset)
    for store in stores:
        ids = fill(memory, store)
        for mode in (COLD, RUNNING):
            for outcome in ask(memory, store, ids, mode=mode):
                outcomes.append(outcome)
                on_progress(1)
    return Evaluation(
        task="retrieval",
        dataset=dataset.name,
        configuration={
            "stores": len(stores),
            "memories_a_store": max(len(store.memories) for store in stores),
            "depth": DEPTH,
            "embedder": embedder_name(memory),
        },
        metrics=aggregate(outcomes, cutoffs=CUTOFFS),
        outcomes=tuple(outcomes),
        started_at=started_at,
        finished_at=datetime.now(UTC),
    )


def count_searches(dataset: Dataset) -> int:
    """Return how many searches an evaluation of the dataset makes, for a progress bar."""
    conversations = [row for row in dataset.rows if isinstance(row, Conversation)]
    if conversations:
        return 2 * sum(bool(q.evidence) for conversation in conversations for q in conversation.questions)
    return 2 * sum(len(store.questions) for store in make_stores(dataset))


def embedder_name(memory: PreferenceMemory) -> str:
    """Return provider/name of the database's active model."""
    with memory.database.transaction(user_id=None) as repositories:
        model = repositories.embeddings.get_active_model()
    return f"{model.provider}/{model.name}"


def fill(memory: PreferenceMemory, store: Store) -> dict[str, UUID]:
    """Remember the memories of a store as they stand; return the id of each by its text."""
    memory.set_consent(store.user_id, sensitive=True)
    items = [{"statement": text} for text in store.memories]
    decisions = memory.remember_many(store.user_id, items, deduplicate=False)
    return {
        text: decision.preference.preference_id
        for text, decision in zip(store.memories, decisions, strict=True)
        if decision.preference is not None
    }


def ask(memory: PreferenceMemory, store: Store, ids: dict[str, UUID], *, mode: str) -> Iterator[Outcome]:
    """Ask the questions of a store in their order and yield the rank of each answer (absent when not found)."""
    for question in store.questions:
        hits = memory.search(store.user_id, question.text, limit=DEPTH, learn=mode == RUNNING)
        if mode == RUNNING:
            memory.flush()  # what a search teaches is written a second later otherwise
        found = [hit.preference.preference_id for hit in hits]
        answer = ids.get(question.answer)
        ranks = [found.index(answer) + 1] if answer in found else []
        yield Outcome(
            question_id=f"{mode}:{question.id}",
            category=f"{mode}/{question.group}",
            details={"ranks": ranks, "relevant": 1},
        )


def aggregate(outcomes: Sequence[Outcome], *, cutoffs: Sequence[int]) -> dict[str, dict[str, float | int]]:
    """Return recall at each cutoff, the mean reciprocal rank and nDCG@10, by category and over all of a mode."""
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[outcome.category].append(outcome)
        groups[f"{outcome.category.partition('/')[0]}/all"].append(outcome)
    return {name: _scores([o.details for o in group], cutoffs) for name, group in sorted(groups.items())}


def _scores(details: Sequence[Any], cutoffs: Sequence[int]) -> dict[str, float | int]:  # Any: JSON of the outcomes
    measured = rank_scores([(d["ranks"], d["relevant"]) for d in details], cutoffs=cutoffs)
    return {"questions": len(details)} | {name: mean([scores[name] for scores in measured]) for name in measured[0]}
