"""The formats of the datasets: which fields tell one, and how a record becomes a row."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, cast

from prefmem_pg.domain.messages import ROLES, Role
from prefmem_pg.domain.text import clean_text
from prefmem_pg.errors import InvalidInput
from prefmem_pg.evaluation.fields import (
    Record,
    choice_field,
    number_field,
    numbers_field,
    optional_text,
    records_field,
    text_field,
    texts_field,
)
from prefmem_pg.evaluation.records import (
    ChoiceAnswer,
    ChoiceDialog,
    Conversation,
    ConversationQuestion,
    MemoryQuestion,
    PersonaDialog,
    Row,
    SpokenTurn,
    StatedPreference,
    StatementPair,
    Turn,
)

PAIR_KINDS: Final = ("light", "dup", "contradict", "different")

_TURN_ID: Final = re.compile(r"D\d+:\d+")


@dataclass(frozen=True, slots=True)
class Format:
    """A format is told by ``fields``; ``parse`` raises InvalidInput that names what is wrong."""

    name: str
    fields: frozenset[str]
    parse: Callable[[Record], Row]


def find_format(record: Record) -> Format:
    """Return the format of a record by its fields; InvalidInput lists the fields that are known."""
    for known in FORMATS:
        if known.fields <= record.keys():
            return known
    formats = "; ".join(f"{f.name} ({', '.join(sorted(f.fields))})" for f in FORMATS)
    found = ", ".join(sorted(map(str, record))) or "no fields"
    raise InvalidInput(f"not a known dataset: it has {found}; known are {formats}")


def parse_turn(record: Record) -> Turn:
    """Return a turn of {role, content}; a text is cleaned as when it is stored."""
    role = cast(Role, choice_field(record, "role", ROLES))  # the check above is what makes it one
    return Turn(role=role, content=clean_text(text_field(record, "content")))


def parse_session_time(text: str) -> datetime:
    """Return the time of "1:56 pm on 8 May, 2023" as UTC: the data names no zone."""
    try:
        return datetime.strptime(text.strip().upper(), "%I:%M %p ON %d %B, %Y").replace(tzinfo=UTC)
    except ValueError as exc:
        raise InvalidInput(f'session_datetime must look like "1:56 pm on 8 May, 2023", not {text!r}') from exc


def _stated(record: Record) -> StatedPreference:
    return StatedPreference(
        id=text_field(record, "id"),
        topic=optional_text(record, "topic", ""),
        preference=text_field(record, "preference"),
        question=text_field(record, "question"),
    )


def _choice(record: Record) -> ChoiceDialog:
    stated, turns = _stated(record), tuple(map(parse_turn, records_field(record, "turns")))
    users = [place for place, turn in enumerate(turns) if turn.role == "user"]
    return ChoiceDialog(
        id=stated.id,
        topic=stated.topic,
        preference=stated.preference,
        question=stated.question,
        turns=turns,
        options=texts_field(record, "options"),
        aligned=text_field(record, "aligned_op"),
        # The first user turn asks, the second chooses.
        choosing_turn=users[1] if len(users) > 1 else None,
    )


def _answer(record: Record) -> ChoiceAnswer:
    return ChoiceAnswer(
        id=text_field(record, "id"),
        language=text_field(record, "lang"),
        offer=clean_text(text_field(record, "offer")),
        answer=clean_text(text_field(record, "answer")),
        chosen=numbers_field(record, "chosen"),
        refused=numbers_field(record, "refused"),
    )


def _persona(record: Record) -> PersonaDialog:
    stated, turns = _stated(record), tuple(map(parse_turn, records_field(record, "turns")))
    place = None if record["pref_turn"] is None else number_field(record, "pref_turn")
    if place is not None and not (0 <= place < len(turns) and turns[place].role == "user"):
        raise InvalidInput(f"pref_turn {place} is no user turn of the {len(turns)} turns")
    return PersonaDialog(
        id=stated.id,
        topic=stated.topic,
        preference=stated.preference,
        question=stated.question,
        turns=turns,
        preference_turn=place,
    )


def _memory(record: Record) -> MemoryQuestion:
    return MemoryQuestion(
        id=text_field(record, "id"),
        kind=text_field(record, "kind"),
        memory=text_field(record, "memory"),
        question=text_field(record, "query"),
        user=optional_text(record, "user", ""),
    )


def _pair(record: Record) -> StatementPair:
    return StatementPair(
        id=text_field(record, "id"),
        language=text_field(record, "lang"),
        kind=choice_field(record, "kind", PAIR_KINDS),
        existing=text_field(record, "a"),
        candidate=text_field(record, "b"),
    )


def _conversation(record: Record) -> Conversation:
    turns = tuple(_spoken(records_field(record, "turns")))
    known = {turn.id for turn in turns}
    return Conversation(
        id=text_field(record, "id"),
        speakers=(text_field(record, "speaker_a"), text_field(record, "speaker_b")),
        turns=turns,
        questions=tuple(_question(item, known) for item in records_field(record, "qa")),
    )


def _spoken(records: Iterable[Record]) -> Iterable[SpokenTurn]:
    """Yield the turns; a second apart, since the data gives one time a session and order must survive storing."""
    for place, record in enumerate(records):
        caption = optional_text(record, "image_caption", "")
        text = text_field(record, "text")
        yield SpokenTurn(
            id=text_field(record, "dia_id"),
            speaker=text_field(record, "speaker"),
            text=clean_text(f"{text} [{caption}]" if caption else text),
            session=number_field(record, "session"),
            occurred_at=parse_session_time(text_field(record, "session_datetime")) + timedelta(seconds=place),
        )


def _question(record: Record, known: set[str]) -> ConversationQuestion:
    named = [found for text in texts_field(record, "evidence") for found in _TURN_ID.findall(text)]
    return ConversationQuestion(
        question=text_field(record, "question"),
        category=str(number_field(record, "category")),
        evidence=tuple(dict.fromkeys(name for name in named if name in known)),
    )


# The more fields tell a format, the earlier it is tried: a choice dialog has the fields of a stated preference too.
FORMATS: Final = (
    Format("prefeval_choice", frozenset({"preference", "question", "turns", "options", "aligned_op"}), _choice),
    Format("prefeval_persona", frozenset({"preference", "question", "turns", "pref_turn"}), _persona),
    Format("prefeval_explicit", frozenset({"preference", "question"}), _stated),
    Format("choice_answers", frozenset({"lang", "offer", "answer", "chosen", "refused"}), _answer),
    Format("locomo", frozenset({"speaker_a", "speaker_b", "turns", "qa"}), _conversation),
    Format("memory_questions", frozenset({"kind", "memory", "query"}), _memory),
    Format("statement_pairs", frozenset({"lang", "kind", "a", "b"}), _pair),
)
