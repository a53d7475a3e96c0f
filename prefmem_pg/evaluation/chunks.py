"""Labelled dialogs as the chunks that an extractor reads, without a database."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from prefmem_pg.domain.ids import new_id
from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.preferences import Candidate
from prefmem_pg.domain.text import detect_language
from prefmem_pg.evaluation.records import Turn
from prefmem_pg.providers.protocols import Chunk, PreferenceExtractor
from prefmem_pg.steps.chunks import cut_chunks
from prefmem_pg.steps.ground import ground

# Some datasets have no times. A fixed one, so that "yesterday" resolves the same way in every run.
_BEGIN: Final = datetime(2026, 1, 5, 9, tzinfo=UTC)
_USER: Final = "evaluation"


def read_turns(extractor: PreferenceExtractor, dialog_id: str, turns: Sequence[Turn]) -> list[list[Candidate]]:
    """Return the sound candidates of each turn, in the order of the turns; the first evidence names the turn.

    Reads as extract() does: chunks of ten with two before as context, and what is unsound is left out. Raises the
    extractor's ProviderError.
    """
    messages = as_messages(dialog_id, turns)
    places = {message.message_id: place for place, message in enumerate(messages)}
    found: list[list[Candidate]] = [[] for _ in turns]
    for chunk in _chunks(dialog_id, messages):
        sound, _ = ground(extractor.extract(chunk), chunk, by_model=extractor.model is not None)
        for candidate in sound:
            found[places[candidate.evidence[0].message_id]].append(candidate)
    return found


def as_messages(dialog_id: str, turns: Iterable[Turn]) -> list[Message]:
    """Return turns as stored messages of one dialog, a minute apart where they have no time."""
    return list(_messages(dialog_id, turns))


def _messages(dialog_id: str, turns: Iterable[Turn]) -> Iterator[Message]:
    for place, turn in enumerate(turns):
        at = turn.occurred_at or _BEGIN + timedelta(minutes=place)
        yield Message(
            user_id=_USER,
            message_id=new_id(),
            dialog_id=dialog_id,
            role=turn.role,
            author=turn.author,
            content=turn.content,
            occurred_at=at,
            ingested_at=at,
            source="evaluation",
            external_id=turn.external_id or str(place),
        )


def _chunks(dialog_id: str, messages: Sequence[Message]) -> Iterator[Chunk]:
    for stretch, first_new in cut_chunks(messages, frozenset(message.message_id for message in messages)):
        said = " ".join(message.content[:500] for message in stretch if message.role == "user")
        yield Chunk(
            user_id=_USER,
            dialog_id=dialog_id,
            messages=stretch,
            first_new=first_new,
            language=detect_language(said),
        )
