"""The rows of the datasets that can be measured, one dataclass a kind of row."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from prefmem_pg.domain.messages import Role
from prefmem_pg.domain.preferences import Kind, Polarity


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What one side said."""

    role: Role
    content: str
    author: str | None = None
    occurred_at: datetime | None = None
    external_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedPreference:
    """A preference said outright, and a question that it should answer."""

    id: str
    topic: str
    preference: str
    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceDialog:
    """A dialog in which the user picks one of the options; ``choosing_turn`` is its place, ``aligned`` the option."""

    id: str
    topic: str
    preference: str
    question: str
    turns: tuple[Turn, ...]
    options: tuple[str, ...]
    aligned: str
    choosing_turn: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceAnswer:
    """What the assistant offers and the user answers; the places taken and refused, both empty when nothing is."""

    id: str
    language: str
    offer: str
    answer: str
    chosen: tuple[int, ...]
    refused: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonaDialog:
    """A longer dialog that lets a preference slip; ``preference_turn`` is a weak label, None where nobody knows."""

    id: str
    topic: str
    preference: str
    question: str
    turns: tuple[Turn, ...]
    preference_turn: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryQuestion:
    """A memory and the question that should find it among all memories of the same user of the file."""

    id: str
    kind: str
    memory: str
    question: str
    user: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementPair:
    """Two statements and how the second stands to the first: ``light``, ``dup``, ``contradict`` or ``different``."""

    id: str
    language: str
    kind: str
    existing: str
    candidate: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenTurn:
    """A turn of a conversation between two people, in a numbered session."""

    id: str
    speaker: str
    text: str
    session: int
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationQuestion:
    """A question about a conversation; ``evidence`` are the ids of the turns that answer it."""

    question: str
    category: str
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A long conversation between two people over many sessions, with questions."""

    id: str
    speakers: tuple[str, str]
    turns: tuple[SpokenTurn, ...]
    questions: tuple[ConversationQuestion, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledPreference:
    """A preference that a person found in a message; ``start`` and ``end`` are where its quote stands, if it does."""

    statement: str
    kind: Kind
    polarity: Polarity
    start: int | None
    end: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledDialog:
    """A dialog with the labels of its user messages by external id; an empty label says that there is nothing."""

    id: str
    user_id: str
    turns: tuple[Turn, ...]
    labels: Mapping[str, tuple[LabelledPreference, ...]]
    notes: Mapping[str, str]


Row = (
    StatedPreference
    | ChoiceDialog
    | ChoiceAnswer
    | PersonaDialog
    | MemoryQuestion
    | StatementPair
    | Conversation
    | LabelledDialog
)
