"""What the form of a page about a preference asks for, carried out once however often it is posted."""

from typing import Final
from uuid import UUID

from prefmem_pg.domain.preferences import Preference
from prefmem_pg.errors import InvalidInput
from prefmem_pg.memory import PreferenceMemory

ACTS: Final = ("correct", "approve", "reject", "forget")


def carry_out(
    memory: PreferenceMemory,
    user_id: str,
    preference_id: UUID | str,
    act: str,
    *,
    statement: str = "",
    version: int | str | None = None,
    actor: str = "user",
) -> Preference:
    """Correct, approve, reject or forget a preference as its user asked, and return it; a second time changes nothing.

    ``version`` is the one that the user saw when they corrected the ``statement``: Conflict when it has changed since.
    ``actor`` is who asked, the user themselves when nobody else is named. NotFound when this user has no such
    preference, InvalidInput for another act.
    """
    if act == "correct":
        wanted = statement.strip()
        before = memory.get(user_id, preference_id)
        if before.statement == wanted:
            return before
        seen = _as_version(version)
        return memory.update(user_id, preference_id, statement=wanted, expected_version=seen, actor=actor)
    if act == "approve":
        return memory.approve(user_id, preference_id, actor=actor)
    if act == "reject":
        return memory.reject(user_id, preference_id, actor=actor)
    if act == "forget":
        return memory.delete(user_id, preference_id, actor=actor)
    raise InvalidInput(f"act is {act!r}; it must be one of: {', '.join(ACTS)}")


def _as_version(given: int | str | None) -> int:
    try:
        return int(given or "")
    except ValueError as exc:
        raise InvalidInput("a correction needs the version that was seen; load the page again") from exc
