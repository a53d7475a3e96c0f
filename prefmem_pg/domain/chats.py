"""What to put before a model: the loop in one call."""

from collections.abc import Mapping
from dataclasses import dataclass

from prefmem_pg.domain.search import Recall


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatContext:
    """What a chat model is given for one message of a user.

    ``system`` is the text about the user, for the system prompt ("" when nothing is known); ``messages`` are the last
    turns of the session and the message itself, with ``role`` and ``content`` as chat APIs take them. ``recall`` is
    where ``system`` comes from: its hits can be cited, its ``raised`` be shown.
    """

    system: str
    messages: tuple[Mapping[str, str], ...]
    recall: Recall
