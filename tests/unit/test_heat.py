"""How preferences cool down, and which of them end."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from prefmem_pg.errors import InvalidInput
from prefmem_pg.steps.heat import Retirement, Sign, choose_endings, heat

NOW = datetime(2026, 5, 1, tzinfo=UTC)
TASTE = Sign(
    preference_id=UUID(int=1),
    version=1,
    kind="explicit",
    status="activated",
    importance=0.5,
    confidence=0.8,
    is_kept=False,
    expires_at=None,
    access_count=0,
    last_sign_at=NOW,
)


def aged(days: float, **changes: object) -> Sign:
    return replace(TASTE, last_sign_at=NOW - timedelta(days=days), **changes)  # type: ignore[arg-type]


def test_heat_halves_with_every_half_life() -> None:
    rules = Retirement()

    assert heat(TASTE, rules, now=NOW) == pytest.approx(0.49)
    assert heat(aged(365), rules, now=NOW) == pytest.approx(0.245)
    assert heat(aged(90, kind="goal"), rules, now=NOW) == pytest.approx(0.245)


def test_use_and_importance_keep_warm() -> None:
    rules = Retirement()

    assert heat(aged(365, access_count=20), rules, now=NOW) > heat(aged(365), rules, now=NOW)
    assert heat(aged(365, importance=1.0), rules, now=NOW) > heat(aged(365), rules, now=NOW)


def test_a_sign_in_the_future_does_not_heat_beyond_the_present() -> None:
    assert heat(aged(-1_000), Retirement(), now=NOW) == heat(TASTE, Retirement(), now=NOW)


def test_what_is_kept_never_cools() -> None:
    assert heat(aged(100_000, is_kept=True), Retirement(), now=NOW) == 1.0


def test_the_cold_and_the_expired_end_each_with_its_reason() -> None:
    cold = aged(1_300, preference_id=UUID(int=2))
    over = replace(TASTE, preference_id=UUID(int=3), is_kept=True, expires_at=NOW)
    waiting = aged(9_000, preference_id=UUID(int=4), status="resolving")

    endings = choose_endings([TASTE, cold, over, waiting], Retirement(), now=NOW)

    assert [(e.sign.preference_id.int, e.cause) for e in endings] == [(3, "expired"), (2, "cold")]
    assert "2026-05-01" in endings[0].reason
    assert "heat 0.04" in endings[1].reason


def test_of_too_many_the_coldest_end_but_never_what_is_kept() -> None:
    signs = [aged(days, preference_id=UUID(int=days)) for days in (10, 30, 20)]
    kept = aged(500, preference_id=UUID(int=99), is_kept=True)

    endings = choose_endings([*signs, kept], Retirement(capacity=2), now=NOW)

    assert [(e.sign.preference_id.int, e.cause) for e in endings] == [(30, "capacity"), (20, "capacity")]


@pytest.mark.parametrize(
    "settings", [{"capacity": 0}, {"cold_below": 2}, {"half_life_days": {"goal": 1}}, {"half_life_days": {}}]
)
def test_rules_without_sense_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        Retirement(**settings)  # type: ignore[arg-type]
