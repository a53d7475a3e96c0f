"""The gate's part of the front door."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from prefmem_pg.domain.gate import Gate
from prefmem_pg.domain.messages import Message, NewMessage
from prefmem_pg.errors import InvalidInput
from prefmem_pg.importers.fields import new_message
from prefmem_pg.memory.opening import Opening

if TYPE_CHECKING:
    from prefmem_pg.steps.gate import Turn

Said: TypeAlias = str | Mapping[str, Any] | Message | NewMessage
"""A message as add_messages() takes it, or the bare words of the user."""


class Gating(Opening):
    """The part of PreferenceMemory that says what is worth remembering."""

    def should_remember(self, messages: Said | Iterable[Said]) -> Gate:
        """Say whether a message or a dialog is worth remembering, why, and as what. Reads and stores nothing."""
        from prefmem_pg.steps.gate import should_remember  # the offline extractor's patterns take time to compile

        given = [messages] if isinstance(messages, str | Mapping | Message | NewMessage) else list(messages)
        return should_remember([_as_turn(place, message) for place, message in enumerate(given)])


def _as_turn(place: int, message: Said) -> "Turn":
    from prefmem_pg.steps.gate import Turn

    if isinstance(message, str):
        return Turn(role="user", content=message, metadata={})
    if isinstance(message, Message | NewMessage):
        return Turn(role=message.role, content=message.content, metadata=message.metadata)
    if not isinstance(message, Mapping):
        raise InvalidInput(f"message {place}: must be a string or a dict, not {type(message).__name__}")
    try:
        checked = new_message({"user_id": "-", **message})
    except InvalidInput as exc:
        raise InvalidInput(f"message {place}: {exc}") from exc
    return Turn(role=checked.role, content=checked.content, metadata=checked.metadata)
