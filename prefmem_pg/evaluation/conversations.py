"""Search over messages measured: questions about long conversations, whose evidence turns should come back."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Final

from prefmem_pg.domain.evaluations import Evaluation, Outcome
from prefmem_pg.evaluation.datasets import Dataset
from prefmem_pg.evaluation.records import Conversation
from prefmem_pg.evaluation.retrieval import aggregate, embedder_name
from prefmem_pg.memory import PreferenceMemory

RUNNING: Final = "messages"
COLD: Final = "cold"
DEPTH: Final = 20
CUTOFFS: Final = (5, 10, 20)
CATEGORIES: Final = {"1": "multi-hop", "2": "temporal", "3": "open", "4": "single-hop", "5": "adversarial"}


def evaluate_conversations(
    dataset: Dataset, memory: PreferenceMemory, *, on_progress: Callable[[int], None] = lambda _: None
) -> Evaluation:
    """Store each turn as one message and ask the questions. ``on_progress`` gets the number of searches done.

    The memory must be an empty one of its own. Questions without evidence cannot be measured and are counted in a
    note. Groups are messages/… (the store learns from question to question, as in use) and cold/… (nothing learnt).
    """
    started_at = datetime.now(UTC)
    conversations = [row for row in dataset.rows if isinstance(row, Conversation)]
    outcomes: list[Outcome] = []
    for conversation in conversations:
        add(memory, conversation)
        for learn in (False, True):
            for outcome in ask(memory, conversation, learn=learn):
                outcomes.append(outcome)
                on_progress(1)
    skipped = sum(not question.evidence for row in conversations for question in row.questions)
    return Evaluation(
        task="retrieval",
        dataset=dataset.name,
        configuration={"conversations": len(conversations), "depth": DEPTH, "embedder": embedder_name(memory)},
        metrics=aggregate(outcomes, cutoffs=CUTOFFS),
        outcomes=tuple(outcomes),
        started_at=started_at,
        finished_at=datetime.now(UTC),
        notes=(f"{skipped} questions name no evidence and were left out",) if skipped else (),
    )


def add(memory: PreferenceMemory, conversation: Conversation) -> None:
    """Store the turns: the first speaker is the user, the second another person; a session is a dialog."""
    for session in dict.fromkeys(turn.session for turn in conversation.turns):
        messages = [
            {
                "role": "user" if turn.speaker == conversation.speakers[0] else "other",
                "author": turn.speaker,
                "content": turn.text,
                "occurred_at": turn.occurred_at,
                "external_id": turn.id,
            }
            for turn in conversation.turns
            if turn.session == session
        ]
        name = f"session-{session}"
        memory.add_messages(conversation.id, messages, dialog_id=name, session_id=name)
    memory.embed_missing(user_id=conversation.id)


def ask(memory: PreferenceMemory, conversation: Conversation, *, learn: bool) -> Iterator[Outcome]:
    """Ask the questions that name evidence and yield the ranks of the evidence turns."""
    mode = RUNNING if learn else COLD
    for number, question in enumerate(conversation.questions):
        if not question.evidence:
            continue
        hits = memory.search_messages(conversation.id, question.question, limit=DEPTH, learn=learn)
        if learn:
            memory.flush()  # what a search teaches is written a second later otherwise
        found = [hit.message.external_id for hit in hits]
        yield Outcome(
            question_id=f"{mode}:{conversation.id}:{number}",
            category=f"{mode}/{CATEGORIES.get(question.category, question.category)}",
            details={
                "ranks": [found.index(turn) + 1 for turn in question.evidence if turn in found],
                "relevant": len(question.evidence),
            },
        )
