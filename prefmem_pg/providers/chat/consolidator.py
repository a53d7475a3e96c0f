"""Merging what lies near each other, and finding habits across dialogs, by a chat model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.preferences import POLARITIES, Candidate, EvidenceSpan, Polarity
from prefmem_pg.domain.text import MAX_STATEMENT_CHARACTERS, detect_language
from prefmem_pg.prompts import load, version_of
from prefmem_pg.providers.chat.asking import Ask
from prefmem_pg.providers.chat.fencing import fence
from prefmem_pg.providers.chat.quotes import locate
from prefmem_pg.providers.chat.schemas import CONSOLIDATION, MINING
from prefmem_pg.providers.chat.shapes import Fields, choice, level, number, numbers, objects, text, verbatim
from prefmem_pg.providers.offline.topics import TOPICS
from prefmem_pg.providers.protocols import ChatRequest, Statement

MAX_TOKENS: Final = 2_048
MOST_HABITS: Final = 5
MOST_QUOTED: Final = 500
"""Characters of a message that are shown when habits are looked for: they show in short requests."""


@dataclass(frozen=True, slots=True)
class Merge:
    """Statements that say one thing, by their places in what was given; ``keep`` is the one that says all of it."""

    places: tuple[int, ...]
    keep: int
    reason: str


def propose_merges(ask: Ask, statements: Sequence[Statement]) -> list[Merge]:
    """Return groups of statements that say the same; a statement is in one at most. Raises a ProviderError.

    Nothing is worded anew. Ids that are made up, groups of fewer than two, groups whose ``keep`` is none of them, and
    groups of opposite polarity are left out.
    """
    shown = [fence("statement", one.text, id=place, polarity=one.polarity) for place, one in enumerate(statements, 1)]
    language = statements[0].language if statements else "en"
    answer = ask(_request("consolidate", "\n".join(shown), CONSOLIDATION, "merges", language)) or {"merges": []}
    merges: list[Merge] = []
    taken: set[int] = set()
    for fields in objects(answer, "merges"):
        places = [place - 1 for place in numbers(fields, "ids") if 1 <= place <= len(statements)]
        keep = (number(fields, "keep") or 0) - 1
        poles = {statements[place].polarity for place in places}
        is_sound = len(places) >= 2 and keep in places and not {"positive", "negative"} <= poles
        if is_sound and not taken & set(places):
            taken |= set(places)
            merges.append(Merge(tuple(places), keep, text(fields, "reason")[:300]))
    return merges


def find_habits(ask: Ask, said: Sequence[Message]) -> list[Candidate]:
    """Return what a user's messages of several dialogs show without saying it: implicit candidates, five at most.

    Each has signals, quoted as they stand, from at least two dialogs; what has not is left out. Raises a ProviderError.
    """
    dialogs = {dialog: place for place, dialog in enumerate(dict.fromkeys(one.dialog_id for one in said), 1)}
    shown = [
        fence("message", one.content[:MOST_QUOTED], n=place, dialog=dialogs[one.dialog_id])
        for place, one in enumerate(said, 1)
    ]
    language = detect_language(" ".join(one.content[:MOST_QUOTED] for one in said))
    answer = ask(_request("mine_implicit", "\n".join(shown), MINING, "preferences", language)) or {"preferences": []}
    found = (_as_habit(fields, said) for fields in objects(answer, "preferences"))
    return [habit for habit in found if habit is not None][:MOST_HABITS]


def _as_habit(fields: Fields, said: Sequence[Message]) -> Candidate | None:
    statement = text(fields, "statement")
    signals = fields.get("signals")
    spans = [_span(one, said) for one in signals if isinstance(one, dict)] if isinstance(signals, list) else []
    evidence = tuple(dict.fromkeys(span for span in spans if span is not None))
    messages = {one.message_id: one for one in said}
    dialogs = {messages[span.message_id].dialog_id for span in evidence}
    if not statement or len(statement) > MAX_STATEMENT_CHARACTERS or len(dialogs) < 2:
        return None
    if detect_language(statement) != detect_language(" ".join(span.quote for span in evidence)):
        return None
    return Candidate(
        statement=statement,
        kind="implicit",
        polarity=cast(Polarity, choice(fields, "polarity", POLARITIES, "positive")),
        language=detect_language(statement),
        context=text(fields, "reason")[:500],
        topic=choice(fields, "topic", TOPICS, "other"),
        confidence=min(level(fields, "certainty"), 0.6),
        evidence=evidence,
        valid_from=max(messages[span.message_id].occurred_at for span in evidence),
    )


def _span(fields: Fields, said: Sequence[Message]) -> EvidenceSpan | None:
    place = number(fields, "message")
    if place is None or not 1 <= place <= len(said) or said[place - 1].role != "user":
        return None
    message = said[place - 1]
    found = locate(verbatim(fields, "quote"), message.content)
    if found is None:
        return None
    return EvidenceSpan(
        message_id=message.message_id, start=found[0], end=found[1], quote=message.content[found[0] : found[1]]
    )


def _request(name: str, shown: str, schema: Mapping[str, object], schema_name: str, language: str) -> ChatRequest:
    return ChatRequest(
        purpose="consolidate",
        system=load(name, language).text,
        text=shown,
        schema=schema,
        schema_name=schema_name,
        max_tokens=MAX_TOKENS,
        prompt_version=version_of(name),
        language=language,
    )
