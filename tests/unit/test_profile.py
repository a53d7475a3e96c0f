"""Which layer of a profile wins."""

from datetime import UTC, datetime

import pytest

from prefmem_pg.domain.profile import Layer, ProfileEntry, check_override, newest, resolve
from prefmem_pg.errors import InvalidInput
from prefmem_pg.steps.profile import focus

AT = datetime(2026, 5, 1, tzinfo=UTC)


def entry(layer: Layer, key: str, value: object, *, day: int = 1) -> ProfileEntry:
    return ProfileEntry(
        layer=layer,
        key=key,
        value=value,
        confidence=0.9,
        preference_id=None,
        reason=f"{layer} says so",
        stated_at=AT.replace(day=day),
    )


def test_each_layer_wins_over_those_below_it() -> None:
    stored = [
        entry("explicit", "language", "en"),
        entry("inferred", "language", "zh"),
        entry("inferred", "detail_level", "concise"),
    ]

    profile = resolve("u", stored, {"max_length": 50, "prefer_table": True})

    assert [(v.key, v.value, v.layer, v.reason) for v in profile.values] == [
        ("detail_level", "concise", "inferred", "inferred says so"),
        ("language", "en", "explicit", "explicit says so"),
        ("max_length", 50, "session", "set for this session only"),
        ("prefer_table", True, "session", "set for this session only"),
        ("skip_greeting", False, "default", "nothing else is known"),
    ]


def test_the_entry_that_was_stated_last_counts() -> None:
    later, earlier = entry("explicit", "language", "zh", day=2), entry("explicit", "language", "en", day=1)

    assert newest([later, earlier]) == [later]


@pytest.mark.parametrize("override", [["language"], {"": 1}, {"a": object()}, {"a": float("nan")}, {"a": "x" * 5000}])
def test_an_override_that_is_no_json_object_is_refused(override: object) -> None:
    with pytest.raises(InvalidInput):
        check_override(override)


def test_an_override_of_none_overrides_nothing() -> None:
    assert (
        resolve("u", [entry("explicit", "language", "zh")], check_override({"language": None})).get("language") == "zh"
    )


def test_topics_with_enough_preferences_are_what_the_user_cares_about() -> None:
    [found] = focus({"food": (3, AT), "travel": (5, AT), "music": (2, AT), "other": (9, AT)})

    assert found.value == ["travel", "food"]
    assert focus({"music": (2, AT)}) == []
