"""The lifecycle part of the front door: what a person does to a preference, and what the store believed when."""

from datetime import datetime
from typing import Any
from uuid import UUID

from prefmem_pg.domain.preferences import Event, Preference
from prefmem_pg.domain.text import check_id
from prefmem_pg.domain.times import aware
from prefmem_pg.errors import InvalidInput
from prefmem_pg.memory.opening import Opening, as_uuid
from prefmem_pg.steps.candidates import check_field
from prefmem_pg.steps.edit import check_actor, check_edit
from prefmem_pg.steps.person import Act, move, undo, update

MAX_REVIEWED = 1_000


class Lifecycle(Opening):
    """The part of PreferenceMemory that edits, ends, restores and reviews preferences."""

    def update(
        self,
        user_id: str,
        preference_id: UUID | str,
        *,
        expected_version: int | None = None,
        actor: str = "api",
        reason: str = "",
        **fields: Any,  # Any: fields of a preference by name, checked
    ) -> Preference:
        """Change fields of a preference and return it; the same values again write nothing.

        ``expected_version`` is the version that the caller has seen: Conflict when it is not the row's any more.
        Secrets are replaced as in remember(). ``metadata`` is replaced as a whole; ``topic``, ``valid_to`` and
        ``expires_at`` may be None. A new statement takes along what rules had found for the old one. Raises
        InvalidInput for what cannot be changed, NotFound, and Conflict when another row has the very same statement.
        """
        decider = self._ready().decider()
        values = check_edit(fields)
        act = self._act(user_id, actor, reason)
        return update(decider, act, as_uuid(preference_id), values, expected_version=expected_version)

    def pin(self, user_id: str, preference_id: UUID | str, pinned: bool = True, *, actor: str = "api") -> Preference:
        """Keep a preference from ever cooling down, or stop keeping it."""
        return self.update(user_id, preference_id, actor=actor, is_pinned=pinned)

    def archive(self, user_id: str, preference_id: UUID | str, *, actor: str = "api", reason: str = "") -> Preference:
        """Take a preference out of search and recall; it comes back by restore(), or when it is said again."""
        return self._move(user_id, preference_id, "archive", actor, reason)

    def restore(self, user_id: str, preference_id: UUID | str, *, actor: str = "api", reason: str = "") -> Preference:
        """Make an archived preference current again. One that was replaced comes back by undo() of that change."""
        return self._move(user_id, preference_id, "restore", actor, reason)

    def approve(self, user_id: str, preference_id: UUID | str, *, actor: str, reason: str = "") -> Preference:
        """Make a preference that waits for review current."""
        return self._move(user_id, preference_id, "approve", actor, reason)

    def reject(self, user_id: str, preference_id: UUID | str, *, actor: str, reason: str = "") -> Preference:
        """Say no to a preference: it ends, and the same statement is not stored again, whoever says it."""
        return self._move(user_id, preference_id, "reject", actor, reason)

    def undo(self, user_id: str, version_id: UUID | str, *, actor: str = "api", reason: str = "") -> list[Preference]:
        """Take back one change and return the rows that it concerned; a supersession takes back both rows.

        Later changes of other fields stay; Conflict when a field that it changed has changed again. Undoing twice
        changes nothing. History grows by one version a row. A deletion cannot be undone (InvalidInput).
        """
        decider = self._ready().decider()
        change = as_uuid(version_id)
        return undo(decider, self._act(user_id, actor, reason or f"undo of {change}"), change)

    def as_of(self, user_id: str, at: datetime) -> list[Preference]:
        """Return the preferences that the store held as current at a time, as they read then, newest first."""
        self._ready()
        check_id("user_id", user_id)
        moment = aware("at", at)
        with self.database.transaction(user_id=user_id) as repositories:
            return repositories.history.list_as_of(user_id, moment)

    def review(self, user_id: str | None = None, *, limit: int = 100) -> list[Preference]:
        """Return what waits for a person, oldest first, of one user or of all."""
        self._ready()
        if user_id is not None:
            check_id("user_id", user_id)
        if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MAX_REVIEWED:
            raise InvalidInput(f"limit must be a whole number from 1 to {MAX_REVIEWED}, not {limit!r}")
        with self.database.transaction(user_id=user_id) as repositories:
            return repositories.upkeep.list_review(user_id=user_id, limit=limit)

    def _move(self, user_id: str, preference_id: UUID | str, event: Event, actor: str, reason: str) -> Preference:
        decider = self._ready().decider()
        return move(decider, self._act(user_id, actor, reason), as_uuid(preference_id), event)

    def _act(self, user_id: str, actor: str, reason: str) -> Act:
        return Act(user_id=check_id("user_id", user_id), actor=check_actor(actor), reason=check_reason(reason))


def check_reason(reason: object) -> str:
    """Return the reason cleaned and without secrets, as everything that is stored."""
    return str(check_field("reason", reason))
