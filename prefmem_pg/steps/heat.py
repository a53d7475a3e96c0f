"""How warm a preference is: from importance, confidence, use and the time since its last sign. Pure.

    heat = (0.5 importance + 0.3 confidence + 0.2 use) * 2 ^ (-days since the last sign / half-life of its kind)
    use  = 1 - 1 / (1 + ln(1 + times found)), as in the ranking

The last sign is the latest of: since when it holds, when it was last said, found, edited or brought back. A preference
of middling importance and confidence (0.5, 0.8) that gives no sign is cold after 3.3 half-lives: a goal after ten
months, a taste after three years and a third, a fact after ten years. Pinned and safety ones never cool.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from prefmem_pg.domain.preferences import Kind
from prefmem_pg.errors import InvalidInput

_DAY: Final = 86_400.0
_HALF_LIVES: Final[Mapping[Kind, float]] = {
    "goal": 90,
    "experience": 180,
    "implicit": 180,
    "explicit": 365,
    "fact": 1_095,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Retirement:
    """When preferences retire. ``capacity`` is how many current ones a user may have; None: any number."""

    half_life_days: Mapping[Kind, float] = field(default_factory=lambda: dict(_HALF_LIVES))
    importance: float = 0.5
    confidence: float = 0.3
    use: float = 0.2
    cold_below: float = 0.05
    capacity: int | None = None

    def __post_init__(self) -> None:
        if set(self.half_life_days) != set(_HALF_LIVES) or not all(days > 0 for days in self.half_life_days.values()):
            raise InvalidInput(f"half_life_days needs a number above 0 for each of: {', '.join(_HALF_LIVES)}")
        if not 0 <= self.cold_below <= 1:
            raise InvalidInput(f"cold_below must lie in 0..1, not {self.cold_below!r}")
        if self.capacity is not None and self.capacity < 1:
            raise InvalidInput(f"capacity must be at least 1, not {self.capacity!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """What the heat of a preference is made of."""

    preference_id: UUID
    version: int
    kind: Kind
    status: str
    importance: float
    confidence: float
    is_kept: bool
    expires_at: datetime | None
    access_count: int
    last_sign_at: datetime


def heat(sign: Sign, rules: Retirement, *, now: datetime) -> float:
    """Return the heat in 0..1; what is pinned or keeps the user safe stays at 1."""
    if sign.is_kept:
        return 1.0
    use = 1 - 1 / (1 + math.log1p(sign.access_count))
    worth = rules.importance * sign.importance + rules.confidence * sign.confidence + rules.use * use
    days = max((now - sign.last_sign_at).total_seconds(), 0.0) / _DAY
    return float(min(worth, 1.0) * 2 ** (-days / rules.half_life_days[sign.kind]))


@dataclass(frozen=True, slots=True)
class Ending:
    """A preference that retires, and why: ``expired``, ``cold`` or ``capacity``."""

    sign: Sign
    cause: str
    reason: str


def choose_endings(signs: Sequence[Sign], rules: Retirement, *, now: datetime) -> list[Ending]:
    """Return what ends: first what has expired, then what is cold, then the coldest of what is too much."""
    expired = [s for s in signs if s.expires_at is not None and s.expires_at <= now]
    gone = {s.preference_id for s in expired}
    warm = {s.preference_id: heat(s, rules, now=now) for s in signs}
    left = [s for s in signs if s.preference_id not in gone and s.status == "activated"]
    cold = [s for s in left if warm[s.preference_id] < rules.cold_below]
    left = [s for s in left if warm[s.preference_id] >= rules.cold_below]
    surplus = max(0, len(left) - rules.capacity) if rules.capacity is not None else 0
    removable = sorted((s for s in left if not s.is_kept), key=lambda s: (warm[s.preference_id], s.preference_id))
    return (
        [Ending(s, "expired", f"expired at {_text(s.expires_at)}") for s in expired]
        + [
            Ending(s, "cold", f"cold: heat {warm[s.preference_id]:.3f}, last sign {_text(s.last_sign_at)}")
            for s in cold
        ]
        + [
            Ending(s, "capacity", f"over the limit of {rules.capacity}: heat {warm[s.preference_id]:.3f}")
            for s in removable[:surplus]
        ]
    )


def _text(at: datetime | None) -> str:
    return "" if at is None else at.astimezone(UTC).isoformat(timespec="seconds")
