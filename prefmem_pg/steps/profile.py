"""Preferences -> profile entries, kept in step with them in the same transaction."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from prefmem_pg.db.session import Database, Repositories
from prefmem_pg.domain.preferences import Preference
from prefmem_pg.domain.profile import Profile, ProfileEntry, newest, resolve
from prefmem_pg.steps.behaviour import BEHAVIOUR
from prefmem_pg.steps.style import settings_in

FOCUS_PREFERENCES: Final = 3
"""How many current preferences make a topic one that the user cares about."""
FOCUS_TOPICS: Final = 3
_NO_FOCUS: Final = frozenset({"other", "communication"})


def read_profile(database: Database, user_id: str, override: Mapping[str, Any]) -> Profile:
    """Return the user's profile with what is set for this session on top; an unknown user has the defaults."""
    with database.transaction(user_id=user_id) as repositories:
        entries = repositories.profiles.list_entries(user_id)
    return resolve(user_id, entries, override)


def derive(preference: Preference) -> list[ProfileEntry]:
    """Return what a preference sets: current ones in the explicit layer, approved implicit ones as inferred.

    What behaviour shows sets its part of the inferred layer while its statement still waits for review: that layer is
    the weakest, and a person's no takes the setting back.
    """
    is_shown = preference.status == "resolving" and BEHAVIOUR in preference.tags
    if not (preference.status == "activated" or is_shown) or not preference.statement:
        return []
    if preference.kind not in ("explicit", "implicit"):
        return []
    return [
        ProfileEntry(
            layer="explicit" if preference.kind == "explicit" else "inferred",
            key=key,
            value=value,
            confidence=preference.confidence,
            preference_id=preference.preference_id,
            reason=preference.statement,
            stated_at=preference.valid_from,
        )
        for key, value in settings_in(preference.statement)
    ]


def keep_in_step(
    repositories: Repositories, user_id: str, rows: Iterable[Preference], changed: Collection[UUID], *, at: datetime
) -> None:
    """Bring the profile up to date after rows were written; ``changed`` are those that were there before.

    What a changed row had set goes; then the newest of what still stands counts. The caller holds the user's lock.
    """
    entries = [entry for row in rows for entry in derive(row)]
    if repositories.profiles.drop_derived(user_id, list(changed)):
        entries = [entry for row in repositories.profiles.list_style(user_id) for entry in derive(row)]
    repositories.profiles.upsert(user_id, newest(entries), at=at)


def refresh(repositories: Repositories, user_id: str, *, at: datetime) -> int:
    """Derive the whole profile anew, the topics that the user cares about too; return how many entries changed.

    The caller holds the user's lock.
    """
    entries = [entry for row in repositories.profiles.list_style(user_id) for entry in derive(row)]
    entries += focus(repositories.profiles.count_topics(user_id))
    return repositories.profiles.upsert(user_id, newest(entries), at=at)


def focus(topics: Mapping[str, tuple[int, datetime]]) -> list[ProfileEntry]:
    """Return the entry that names the topics with the most current preferences, or none; ties go by name."""
    held = {t: v for t, v in topics.items() if t not in _NO_FOCUS and v[0] >= FOCUS_PREFERENCES}
    best = sorted(held, key=lambda topic: (-held[topic][0], topic))[:FOCUS_TOPICS]
    if not best:
        return []
    counts = ", ".join(f"{topic}: {held[topic][0]}" for topic in best)
    return [
        ProfileEntry(
            layer="inferred",
            key="domain_focus",
            value=best,
            confidence=0.6,
            preference_id=None,
            reason=f"topics with most preferences ({counts})",
            stated_at=max(held[topic][1] for topic in best),
        )
    ]
