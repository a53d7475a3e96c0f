"""Whom a provider call serves: set by the step that needs it, read where calls are recorded and paid."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Served:
    """The users whom calls serve: one for all texts, or one for each text. ``run_id``: what they are made for."""

    user_ids: tuple[str, ...] = ()
    run_id: UUID | None = None

    def owners(self, count: int) -> tuple[str | None, ...]:
        """Return the user of each of so many texts; None for nobody's."""
        if len(self.user_ids) == count:
            return self.user_ids
        return (self.user_ids[0] if len(self.user_ids) == 1 else None,) * count


_NOBODY = Served()
_served: ContextVar[Served] = ContextVar("prefmem_served", default=_NOBODY)


def served() -> Served:
    """Return whom the calls made here serve."""
    return _served.get()


@contextmanager
def serving(user_ids: str | Sequence[str], *, run_id: UUID | None = None) -> Iterator[None]:
    """Let calls made inside count for a user, or for the user of each text; the innermost holds.

    Without ``run_id`` that of the surrounding one stays. A thread begins with nobody: enter it there.
    """
    given = (user_ids,) if isinstance(user_ids, str) else tuple(user_ids)
    token = _served.set(Served(given, run_id or _served.get().run_id))
    try:
        yield
    finally:
        _served.reset(token)
