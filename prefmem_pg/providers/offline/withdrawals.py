"""Finds what the user takes back, in English and Chinese: rules over whole sentences and clauses."""

from collections.abc import Iterator, Sequence
from typing import Final

from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.preferences import Candidate, Kind
from prefmem_pg.domain.withdrawals import Withdrawal
from prefmem_pg.providers.offline.destinations import refused_destination
from prefmem_pg.providers.offline.mask import mask
from prefmem_pg.providers.offline.sentences import Span, sentences
from prefmem_pg.providers.offline.withdrawal_phrases import ABOUT, BEFORE, LAST, NOT_TO_FORGET, PRECHECK
from prefmem_pg.providers.protocols import Chunk

LOOKS_BACK: Final = 3
"""How many messages of the user before it "that" may mean."""


def find_withdrawals(chunk: Chunk, candidates: Sequence[Candidate] = ()) -> list[Withdrawal]:
    """Return what the chunk's new user messages take back; ``candidates`` are what was found in the chunk."""
    before: list[Message] = []
    found: list[Withdrawal] = []
    for place, message in enumerate(chunk.messages):
        if message.role != "user":
            continue
        taken_back = list(_in_message(message, before, candidates)) if place >= chunk.first_new else []
        found += taken_back
        before.append(message)
    return found


def _in_message(message: Message, before: Sequence[Message], candidates: Sequence[Candidate]) -> Iterator[Withdrawal]:
    content = message.content[:2_000]
    if not PRECHECK.search(content):
        return
    spans = list(sentences(mask(content)))
    for index, sentence in enumerate(spans):
        told = sentence.text.rstrip(" .。!！~～…,，")
        if about := ABOUT.search(sentence.text):
            subject = next(text for text in about.groups() if text)
            if not NOT_TO_FORGET.search(sentence.text[: about.start()]):
                yield _withdrawal(message, sentence, before, subject=subject.strip())
        elif earlier := BEFORE.search(sentence.text):
            start = sentence.start + earlier.start()
            named = [
                c for c in candidates for s in c.evidence if s.message_id == message.message_id and s.start < start
            ]
            if NOT_TO_FORGET.search(sentence.text[: earlier.start()]):
                continue
            if named:
                # What the message says of its subject now stays; what was said of it before goes.
                yield _withdrawal(message, spans[0], before, subject=named[-1].statement)
            else:
                yield _withdrawal(message, sentence, before)
        elif LAST.fullmatch(told):
            yield _withdrawal(message, sentence, before, is_first=index == 0)
        elif place := refused_destination(told):
            yield _withdrawal(message, sentence, before, subject=place, kind="goal")


def _withdrawal(
    message: Message,
    sentence: Span,
    before: Sequence[Message],
    *,
    subject: str | None = None,
    kind: Kind | None = None,
    is_first: bool = True,
) -> Withdrawal:
    """Return the withdrawal; one that follows other sentences of its message means these."""
    last = [(one.message_id, len(one.content)) for one in reversed(before[-LOOKS_BACK:])]
    own = [] if is_first else [(message.message_id, sentence.start)]
    return Withdrawal(
        message_id=message.message_id,
        start=sentence.start,
        quote=message.content[sentence.start : sentence.end],
        at=message.occurred_at,
        places=() if subject else tuple(own + last),
        subject=subject,
        kind=kind,
        said=frozenset(one.message_id for one in before),
    )
