"""The preferences' part of the front door."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias
from uuid import UUID

from prefmem_pg.domain.filters import SearchFilter
from prefmem_pg.domain.preferences import Candidate, Decision, Evidence, Preference, Version
from prefmem_pg.domain.search import Page
from prefmem_pg.domain.text import check_id
from prefmem_pg.errors import InvalidInput
from prefmem_pg.memory.opening import Opening, as_uuid
from prefmem_pg.steps.candidates import as_candidate
from prefmem_pg.steps.listing import list_preferences

Filter: TypeAlias = SearchFilter | Mapping[str, Any]
"""A SearchFilter, or a filter expression as JSON (hence Any)."""


DECIDED_AT_ONCE: Final = 200
LOADED_FROM: Final = 20
"""From so many statements on that are not compared, COPY is quicker than deciding each."""


class Preferences(Opening):
    """The part of PreferenceMemory that writes and reads preferences."""

    def remember(self, user_id: str, statement: str, *, kind: str = "explicit", **fields: Any) -> Decision:
        """Decide one statement about the user and store it; the same statement again is a duplicate, not a row."""
        return self.remember_many(user_id, [{"statement": statement, "kind": kind, **fields}])[0]

    def remember_many(self, user_id: str, items: Sequence[Any], *, deduplicate: bool = True) -> list[Decision]:
        """Decide statements (dicts or dataclasses with at least ``statement``) in order; return a decision for each.

        InvalidInput says which item is wrong and why, before anything is stored. Then two hundred at a time are
        decided in a transaction each, so that a long list does not keep the user locked.

        ``deduplicate=False`` is for loads: it knows a duplicate by the very same statement only, which the database
        allows once, stores many at a time, and lets no wrong item hold up the others: its decision is ``rejected``,
        has no preference, and says why.
        """
        parts = self._ready()
        check_id("user_id", user_id)
        decisions: dict[int, Decision] = {}
        candidates = _candidates(items, decisions, is_load=not deduplicate and len(items) > 1)
        if deduplicate or len(items) < LOADED_FROM:
            left = dict(candidates)
        else:
            stored = parts.bulk().store(user_id, candidates, actor="api")
            decisions |= stored.decisions
            left = {place: as_candidate(items[place], now=datetime.now(UTC)) for place in sorted(stored.left)}
        decider = parts.decider(compares=deduplicate)
        places = list(left)
        for first in range(0, len(places), DECIDED_AT_ONCE):
            some = places[first : first + DECIDED_AT_ONCE]
            decided = decider.decide(user_id, [left[place] for place in some], actor="api") or []
            decisions |= dict(zip(some, decided, strict=True))
        return [decisions[place] for place in range(len(items))]

    def get(self, user_id: str, preference_id: UUID | str) -> Preference:
        """Return a preference of any status; NotFound when this user has none of that id."""
        self._ready()
        with self.database.transaction(user_id=check_id("user_id", user_id)) as repositories:
            return repositories.preferences.get(user_id, as_uuid(preference_id))

    def get_many(self, user_id: str, preference_ids: Sequence[UUID | str]) -> list[Preference]:
        """Return those of the preferences that are this user's, in order of their ids."""
        self._ready()
        with self.database.transaction(user_id=check_id("user_id", user_id)) as repositories:
            return repositories.preferences.list_by_ids(user_id, [as_uuid(value) for value in preference_ids])

    def list_preferences(
        self, user_id: str, *, filter: Filter | None = None, page_size: int = 50, after: str | None = None
    ) -> Page:
        """Return a page of preferences, newest first; activated ones unless the filter names a status."""
        self._ready()
        check_id("user_id", user_id)
        return list_preferences(self.database, user_id, filter, page_size=page_size, after=after)

    def history(self, user_id: str, preference_id: UUID | str) -> list[Version]:
        """Return every change of a preference, oldest first; NotFound when this user has none of that id."""
        self._ready()
        with self.database.transaction(user_id=check_id("user_id", user_id)) as repositories:
            preference = repositories.preferences.get(user_id, as_uuid(preference_id))
            return repositories.history.list_versions(user_id, preference.preference_id)

    def evidence(self, user_id: str, preference_id: UUID | str) -> list[Evidence]:
        """Return the message spans that support a preference, oldest first."""
        self._ready()
        with self.database.transaction(user_id=check_id("user_id", user_id)) as repositories:
            preference = repositories.preferences.get(user_id, as_uuid(preference_id))
            found = repositories.history.list_evidence(user_id, [preference.preference_id])
        return found.get(preference.preference_id, [])

    def set_consent(self, user_id: str, *, sensitive: bool) -> None:
        """Say whether health, finance and identity preferences may be recalled (allergies always are)."""
        self._ready()
        with self.database.transaction(user_id=check_id("user_id", user_id)) as repositories:
            repositories.preferences.set_consent(user_id, sensitive=sensitive)


def _candidates(
    items: Sequence[Any], refused: dict[int, Decision], *, is_load: bool
) -> Iterator[tuple[int, Candidate]]:
    """Yield each item's place and candidate; a wrong one of a load goes into ``refused``, else it is raised."""
    now = datetime.now(UTC)
    for place, item in enumerate(items):
        try:
            yield place, as_candidate(item, now=now)
        except InvalidInput as exc:
            reason = str(exc) if len(items) == 1 else f"item {place}: {exc}"
            if not is_load:
                raise InvalidInput(reason) from exc
            refused[place] = Decision(action="rejected", preference=None, reason=reason)
