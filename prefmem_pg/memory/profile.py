"""The profile's part of the front door."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from prefmem_pg.domain.profile import LAYERS, Layer, Profile, ProfileEntry, check_key, check_override, check_value
from prefmem_pg.domain.text import check_id
from prefmem_pg.errors import InvalidInput
from prefmem_pg.importers.times import parse_time
from prefmem_pg.memory.opening import Opening
from prefmem_pg.steps.candidates import check_field
from prefmem_pg.steps.profile import read_profile
from prefmem_pg.steps.screen import redact_metadata


class Profiles(Opening):
    """The part of PreferenceMemory that reads and sets the profile."""

    def profile(self, user_id: str, *, session_override: Mapping[str, Any] | None = None) -> Profile:
        """Return the user's settings, each with the layer that won and why.

        ``session_override`` wins over what is explicit, that over inferred, that over the defaults; it is not stored.
        """
        self._ready()
        override = check_override(session_override)
        return read_profile(self.database, check_id("user_id", user_id), override)

    def set_profile(
        self,
        user_id: str,
        key: str,
        value: Any,  # JSON
        *,
        layer: Layer = "explicit",
        confidence: float = 1.0,
        reason: str = "set directly",
        stated_at: datetime | str | None = None,
    ) -> Profile:
        """Set a setting (None removes it) and return the profile; setting it again changes nothing.

        ``stated_at`` is when it was said (now): an older one never replaces a newer one.
        """
        self._ready()
        if layer not in LAYERS:
            raise InvalidInput(f"layer is {layer!r}; it must be one of: {', '.join(LAYERS)}")
        check_id("user_id", user_id)
        at = datetime.now(UTC)
        entry = ProfileEntry(
            layer=layer,
            key=check_key(key),
            value=redact_metadata({key: check_value(key, value)})[key],
            confidence=float(str(check_field("confidence", confidence))),
            preference_id=None,
            reason=str(check_field("reason", reason)),
            stated_at=at if stated_at is None else parse_time(stated_at),
        )
        with self.database.transaction(user_id=user_id) as repositories:
            repositories.preferences.lock_user(user_id)
            if value is None:
                repositories.profiles.drop(user_id, entry.key, layer=layer, before=entry.stated_at)
            else:
                repositories.profiles.upsert(user_id, [entry], at=at)
        return read_profile(self.database, user_id, {})
