"""Whom a provider call serves: set by the step that needs it, read where calls are recorded and paid."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final
from uuid import UUID

PATIENCE_SECONDS: Final = 600.0
"""How long a call waits for the limits of its provider, and how long it is tried again, when nobody waits for it."""
AWAITED_SECONDS: Final = 10.0
"""The same for a call that somebody waits for, such as that of a search."""


@dataclass(frozen=True, slots=True)
class Served:
    """The users whom calls serve: one for all texts, or one for each text. ``run_id``: what they are made for.

    ``message_ids`` and ``preference_ids`` name what is stored and shown: by all texts together, or one for each text.
    ``is_awaited``: somebody waits for the answer.
    """

    user_ids: tuple[str, ...] = ()
    run_id: UUID | None = None
    message_ids: tuple[UUID, ...] = ()
    preference_ids: tuple[UUID, ...] = ()
    is_awaited: bool = False

    @property
    def patience_seconds(self) -> float:
        return AWAITED_SECONDS if self.is_awaited else PATIENCE_SECONDS

    def owners(self, count: int) -> tuple[str | None, ...]:
        """Return the user of each of so many texts; None for nobody's."""
        if len(self.user_ids) == count:
            return self.user_ids
        return (self.user_ids[0] if len(self.user_ids) == 1 else None,) * count

    def shown(self, place: int, count: int) -> tuple[tuple[UUID, ...], tuple[UUID, ...]]:
        """Return the messages and the preferences that the text at a place shows, of so many texts."""
        messages, preferences = (
            (ids[place],) if len(ids) == count else ids for ids in (self.message_ids, self.preference_ids)
        )
        return messages, preferences


_NOBODY = Served()
_served: ContextVar[Served] = ContextVar("prefmem_served", default=_NOBODY)


def served() -> Served:
    """Return whom the calls made here serve."""
    return _served.get()


@contextmanager
def serving(
    user_ids: str | Sequence[str],
    *,
    run_id: UUID | None = None,
    message_ids: Sequence[UUID] = (),
    preference_ids: Sequence[UUID] = (),
    is_awaited: bool = False,
) -> Iterator[None]:
    """Let calls made inside count for a user, or for the user of each text; the innermost holds.

    What is not given stays as in the surrounding one. A thread begins with nobody: enter it there.
    """
    given = (user_ids,) if isinstance(user_ids, str) else tuple(user_ids)
    around = _served.get()
    token = _served.set(
        Served(
            given,
            run_id=run_id or around.run_id,
            message_ids=tuple(message_ids) or around.message_ids,
            preference_ids=tuple(preference_ids) or around.preference_ids,
            is_awaited=is_awaited or around.is_awaited,
        )
    )
    try:
        yield
    finally:
        _served.reset(token)
