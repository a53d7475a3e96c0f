"""A chunk -> the text that a model reads: numbered messages between tags, as data. Pure."""

from collections.abc import Sequence
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from prefmem_pg.domain.messages import Message
from prefmem_pg.providers.chat.fencing import fence
from prefmem_pg.providers.protocols import Chunk

MAX_CONTEXT: Final = 1_000
"""Characters of a message that is there to be understood only."""

_SPOKEN: Final = ("user", "assistant", "other")


def render(chunk: Chunk, *, longest: int) -> str:
    """Return the chunk's messages, those before the first new one as context; each new one is cut after ``longest``.

    Numbers are places in the chunk, from 1. What systems and tools wrote is left out: none of it is the user's word.
    """
    zone = _zone(chunk.time_zone)
    shown = [
        (place, _message(place + 1, message, zone, longest if place >= chunk.first_new else MAX_CONTEXT))
        for place, message in enumerate(chunk.messages)
        if message.role in _SPOKEN
    ]
    context = _block("context", [text for place, text in shown if place < chunk.first_new])
    new = _block("new", [text for place, text in shown if place >= chunk.first_new])
    return f"<conversation>\n{context}{new}</conversation>"


def _block(tag: str, texts: Sequence[str]) -> str:
    return f"<{tag}>\n" + "\n".join(texts) + f"\n</{tag}>\n" if texts else ""


def _message(number: int, message: Message, zone: ZoneInfo, longest: int) -> str:
    at = message.occurred_at.astimezone(zone)
    speaker: dict[str, str] = {"speaker": message.role}
    if message.role == "other" and message.author:
        speaker["name"] = message.author
    return fence("message", message.content[:longest], n=number, **speaker, at=f"{at:%Y-%m-%d %H:%M %a}")


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")
