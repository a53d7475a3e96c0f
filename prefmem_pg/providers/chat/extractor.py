"""The extractor over any chat model: explicit and implicit preferences by one call a chunk."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, time
from typing import Any, Final, cast
from uuid import UUID
from zoneinfo import ZoneInfo

from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.preferences import (
    KINDS,
    POLARITIES,
    SENSITIVITIES,
    Candidate,
    EvidenceSpan,
    Kind,
    Polarity,
    Sensitivity,
)
from prefmem_pg.domain.text import detect_language
from prefmem_pg.errors import Truncated
from prefmem_pg.prompts import load, version_of
from prefmem_pg.providers.chat.asking import ask, read_answer
from prefmem_pg.providers.chat.conversation import render
from prefmem_pg.providers.chat.quotes import locate
from prefmem_pg.providers.chat.schemas import EXTRACTION
from prefmem_pg.providers.chat.shapes import Fields, choice, level, number, objects, text, texts, verbatim
from prefmem_pg.providers.offline.topics import TOPICS
from prefmem_pg.providers.protocols import ChatAnswer, ChatModel, ChatRequest, Chunk
from prefmem_pg.providers.retry import RetryPolicy

MAX_TOKENS: Final = 4_096
"""Room for some twenty preferences, in ten messages."""
MAX_READ: Final = 40_000
"""Characters of a message that are sent, as many as the offline extractor reads and the search vector holds."""
MAX_CHUNK: Final = 60_000
"""Characters of a chunk that are sent at once; a longer one is split before it costs anything."""
PROMPTS: Final = ("extract_explicit", "extract_implicit")

Keeps = Callable[[Sequence[Message], str], Sequence[bool]]
"""Says for each message whether it may hold a preference."""


class ChatExtractor:
    """Asks a chat model what a chunk says about its user. What the answer cites is left to the step to check.

    ``keeps`` is a pre-filter: a chunk without a new message that may hold anything is not sent. Thread-safe.
    """

    version: str = "1"
    calls_provider: Final = True

    def __init__(self, chat: ChatModel, *, policy: RetryPolicy | None = None, keeps: Keeps | None = None) -> None:
        self.chat = chat
        self.name = chat.provider
        self.model: str | None = chat.name
        self.prompt_version = version_of(*PROMPTS)
        self._policy = policy
        self._keeps = keeps

    def extract(self, chunk: Chunk) -> list[Candidate]:
        """Return the candidates in order of their evidence; see PreferenceExtractor.

        Raises Truncated when the chunk has more than one answer holds: split it, and ask about the parts.
        """
        request = self.request(chunk)
        if request is None:
            return []
        try:
            return as_candidates(ask(self.chat, request, policy=self._policy), chunk)
        except Truncated:
            halves = halve_text(chunk)
            if not halves:
                raise
            return [found for half in halves for found in self._extract_half(half, chunk)]

    def request(self, chunk: Chunk) -> ChatRequest | None:
        """Return what to ask of a chunk; None when it needs no asking, Truncated when it is too long for one call."""
        new = chunk.messages[chunk.first_new :]
        if not any(message.role == "user" and message.content.strip() for message in new):
            return None
        if self._keeps is not None and not any(self._keeps(chunk.messages, chunk.language)[chunk.first_new :]):
            return None
        return self.question(chunk)

    def question(self, chunk: Chunk) -> ChatRequest:
        """Return what is asked of a chunk, whether it needs asking or not; Truncated when it is too long."""
        new = chunk.messages[chunk.first_new :]
        shown = render(chunk, longest=MAX_READ)
        if len(shown) > MAX_CHUNK and len(new) > 1:
            raise Truncated(f"the chunk has {len(shown)} characters")
        explicit, implicit = (load(name, chunk.language).text for name in PROMPTS)
        return ChatRequest(
            purpose="extract",
            system=f"{explicit}\n\n{implicit}",
            text=shown,
            schema=EXTRACTION,
            schema_name="preferences",
            max_tokens=MAX_TOKENS,
            prompt_version=self.prompt_version,
            language=chunk.language,
        )

    def read(self, chunk: Chunk, answer: ChatAnswer) -> list[Candidate]:
        """Return the candidates in an answer about a chunk that came another way; raises as extract() does."""
        return as_candidates(read_answer(answer, EXTRACTION), chunk)

    def _extract_half(self, half: Chunk, chunk: Chunk) -> list[Candidate]:
        request = self.request(half)
        return [] if request is None else as_candidates(ask(self.chat, request, policy=self._policy), chunk)


def halve_text(chunk: Chunk) -> list[Chunk]:
    """Return two chunks with half of the only new message each, cut at a white space; none for what is short."""
    new = chunk.messages[chunk.first_new :]
    if len(new) != 1 or len(new[0].content) < 2_000:
        return []
    content = new[0].content[:MAX_READ]
    middle = len(content) // 2
    cut = max((content.rfind(end, 0, middle) for end in ("\n", "。", ". ", " ")), default=-1)
    cut = cut if cut > middle // 2 else middle
    before = chunk.messages[: chunk.first_new]
    return [
        replace(chunk, messages=(*before, replace(new[0], content=part))) for part in (content[:cut], content[cut:])
    ]


def as_candidates(answer: Fields, chunk: Chunk) -> list[Candidate]:
    """Return a candidate for each item of an answer, sound or not: what does not hold is refused and counted later.

    A quote that is not found gets a place that cannot hold it, an unknown message the nil id.
    """
    found = [_as_candidate(fields, chunk) for fields in objects(answer, "preferences")]
    order = {message.message_id: place for place, message in enumerate(chunk.messages)}
    return sorted(found, key=lambda c: (order.get(c.evidence[0].message_id, len(order)), c.evidence[0].start))


def _as_candidate(fields: Fields, chunk: Chunk) -> Candidate:
    first = _span(fields, chunk)
    message = _message(fields, chunk)
    statement = text(fields, "statement")
    kind = cast(Kind, choice(fields, "kind", KINDS, "explicit"))
    signals = [_span(signal, chunk) for signal in _signals(fields)] if kind == "implicit" else []
    said_at = message.occurred_at if message else None
    is_safety = fields.get("is_safety") is True
    values: dict[str, Any] = {"dialog_id": message.dialog_id, "session_id": message.session_id} if message else {}
    return Candidate(
        statement=statement,
        kind=kind,
        polarity=cast(Polarity, choice(fields, "polarity", POLARITIES, "positive")),
        language=detect_language(statement),
        context=text(fields, "reason")[:500],
        topic=choice(fields, "topic", TOPICS, "other"),
        entities=texts(fields, "entities"),
        confidence=level(fields, "certainty"),
        importance=max(level(fields, "importance"), 0.9 if is_safety else 0.0),
        sensitivity=cast(Sensitivity, choice(fields, "sensitivity", SENSITIVITIES, "none")),
        is_safety=is_safety,
        evidence=(first, *(signal for signal in dict.fromkeys(signals) if signal != first)),
        valid_from=_since(text(fields, "since"), chunk.time_zone, said_at) or said_at,
        **values,
    )


def _signals(fields: Fields) -> list[Fields]:
    signals = fields.get("more_signals")
    return [signal for signal in signals if isinstance(signal, dict)] if isinstance(signals, list) else []


def _message(fields: Fields, chunk: Chunk) -> Message | None:
    place = number(fields, "message")
    return chunk.messages[place - 1] if place is not None and 1 <= place <= len(chunk.messages) else None


def _span(fields: Fields, chunk: Chunk) -> EvidenceSpan:
    quote, message = verbatim(fields, "quote"), _message(fields, chunk)
    if message is None:
        return EvidenceSpan(message_id=UUID(int=0), start=0, end=len(quote), quote=quote)
    found = locate(quote, message.content)
    if found is None:
        return EvidenceSpan(message_id=message.message_id, start=-1, end=-1, quote=quote)
    start, end = found
    return EvidenceSpan(message_id=message.message_id, start=start, end=end, quote=message.content[start:end])


def _since(day: str, time_zone: str, said_at: datetime | None) -> datetime | None:
    """Return the start of a day written as 2024-05-03; None for anything else, and for days after it was said."""
    try:
        at = datetime.combine(datetime.fromisoformat(day).date(), time(), ZoneInfo(time_zone)).astimezone(UTC)
    except (ValueError, KeyError, OverflowError):
        return None
    return at if said_at is not None and at <= said_at else None
