"""The profile: structured settings of a user in layers, and which layer wins. Pure."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, get_args
from uuid import UUID

from prefmem_pg.domain.search import ProfileValue
from prefmem_pg.domain.text import check_id
from prefmem_pg.errors import InvalidInput

Layer = Literal["explicit", "inferred"]
LAYERS: Final[tuple[str, ...]] = get_args(Layer)
MAX_VALUE_CHARACTERS: Final = 4_000

DEFAULTS: Final[Mapping[str, Any]] = {"detail_level": "normal", "skip_greeting": False, "prefer_table": False}
"""What holds when nothing is known. ``language`` and the others have none: the answer follows the question."""

KEYS: Final = (
    "language",
    "max_length",
    "detail_level",
    "code_style",
    "skip_greeting",
    "prefer_table",
    "domain_focus",
)
"""The keys that rules fill; any other key is the caller's own.

``language``: a code ("en", "zh", "zh-Hant" …). ``max_length``: words, in Chinese characters. ``detail_level``: concise,
normal or detailed. ``code_style``: words. ``skip_greeting``, ``prefer_table``: booleans. ``domain_focus``: topics.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileEntry:
    """A stored setting of one layer. ``preference_id`` None: it was set directly."""

    layer: Layer
    key: str
    value: Any  # JSON
    confidence: float
    preference_id: UUID | None
    reason: str
    stated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The settings of a user, each by the layer that won, in order of their keys."""

    user_id: str
    values: tuple[ProfileValue, ...]

    def get(self, key: str, default: Any = None) -> Any:  # Any: a JSON value
        """Return the value of a key, or the default when the profile has none."""
        return next((value.value for value in self.values if value.key == key), default)

    def as_dict(self) -> dict[str, Any]:
        """Return the values by key."""
        return {value.key: value.value for value in self.values}


def resolve(user_id: str, entries: Iterable[ProfileEntry], override: Mapping[str, Any] | None = None) -> Profile:
    """Return the profile: what is set for this session wins over explicit, that over inferred, that over default."""
    found: dict[str, ProfileValue] = {
        key: ProfileValue(key=key, value=value, layer="default", reason="nothing else is known")
        for key, value in DEFAULTS.items()
    }
    stored = list(entries)
    for layer in reversed(LAYERS):
        for entry in stored:
            if entry.layer == layer:
                found[entry.key] = ProfileValue(
                    key=entry.key, value=entry.value, layer=layer, reason=entry.reason, stated_at=entry.stated_at
                )
    for key, value in (override or {}).items():
        found[key] = ProfileValue(key=key, value=value, layer="session", reason="set for this session only")
    return Profile(user_id=user_id, values=tuple(found[key] for key in sorted(found)))


def check_override(override: object) -> dict[str, Any]:
    """Return the settings of a session checked; those that are None set nothing."""
    if override is None:
        return {}
    if not isinstance(override, Mapping):
        raise InvalidInput(f"session_override must be a dict, not {type(override).__name__}")
    return {check_key(key): check_value(key, value) for key, value in override.items() if value is not None}


def check_key(key: object) -> str:
    return check_id("profile key", key)


def check_value(key: str, value: Any) -> Any:  # Any: a JSON value
    """Return the value; InvalidInput unless it is JSON of a sensible size."""
    try:
        size = len(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError) as exc:
        raise InvalidInput(f"the value of {key} must be JSON: {exc}") from exc
    if size > MAX_VALUE_CHARACTERS:
        raise InvalidInput(f"the value of {key} has {size} characters as JSON; at most {MAX_VALUE_CHARACTERS} fit")
    return value


def newest(entries: Iterable[ProfileEntry]) -> list[ProfileEntry]:
    """Return one entry for each layer and key: the one stated last."""
    found: dict[tuple[str, str], ProfileEntry] = {}
    for entry in sorted(entries, key=lambda e: (e.stated_at, str(e.preference_id))):
        found[entry.layer, entry.key] = entry
    return [found[place] for place in sorted(found)]
