"""The chatting part of the front door: recall before the answer, in one call."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from prefmem_pg.domain.chats import ChatContext
from prefmem_pg.domain.messages import Message
from prefmem_pg.errors import InvalidInput
from prefmem_pg.memory.recall import Recalling
from prefmem_pg.steps.limits import as_query

MAX_TURNS = 60


class Chat(Recalling):
    """The part of PreferenceMemory that says what to put before a chat model."""

    def chat_context(
        self,
        user_id: str,
        message: str,
        *,
        session_id: str | None = None,
        session_override: Mapping[str, Any] | None = None,  # Any: JSON
        max_tokens: int = 1_200,
        turns: int = 10,
        summaries: int = 2,
        proactive: bool = True,
        now: datetime | None = None,
    ) -> ChatContext:
        """Return what to put before a model that answers a message: the text about the user, and the last turns.

        Stores nothing of the message: give it and the answer to add_messages() afterwards, then extract(). The text
        stays within ``max_tokens``; ``turns`` counts earlier messages of the session (0 to 60), not the message itself.
        """
        if isinstance(turns, bool) or not isinstance(turns, int) or not 0 <= turns <= MAX_TURNS:
            raise InvalidInput(f"turns must be a whole number from 0 to {MAX_TURNS}, not {turns!r}")
        asked = as_query(message)
        if not asked.strip():
            raise InvalidInput("message must not be empty")
        recall = self.recall(
            user_id,
            asked,
            session_id=session_id,
            session_override=session_override,
            max_tokens=max_tokens,
            proactive=proactive,
            summaries=summaries,
            now=now,
            repeat=True,  # a model is given this text in place of the one before
        )
        return ChatContext(system=recall.text, messages=as_turns(recall.turns, asked, most=turns), recall=recall)


def as_turns(said: Sequence[Message], asked: str, *, most: int) -> tuple[Mapping[str, str], ...]:
    """Return the last turns as chat APIs take them, the message last: the first is a user's, none is there twice."""
    before = list(said)
    if before and before[-1].role == "user" and before[-1].content.strip() == asked.strip():
        before.pop()  # it was stored before it was asked
    told = [_as_turn(one) for one in before[-most:]] if most else []
    while told and told[0]["role"] != "user":
        told.pop(0)
    return (*told, {"role": "user", "content": asked})


def _as_turn(message: Message) -> Mapping[str, str]:
    if message.role == "other":
        return {"role": "user", "content": f"[{message.author or 'someone else'}] {message.content}"}
    return {"role": message.role, "content": message.content}
