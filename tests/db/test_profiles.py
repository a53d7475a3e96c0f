"""The profile in the store: filled from what is said, in step with it, and shown where it is needed."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from prefmem_pg.errors import InvalidInput
from prefmem_pg.memory import PreferenceMemory


@pytest.mark.parametrize(
    ("first", "second", "key", "before", "after"),
    [
        ("Always answer in English", "Always answer in Chinese", "language", "en", "zh"),
        ("请用中文回答", "请用英文回答", "language", "zh", "en"),
        ("Please keep answers short", "I prefer detailed answers", "detail_level", "concise", "detailed"),
    ],
)
def test_a_wish_about_answers_sets_the_profile_until_a_later_one(
    memory: PreferenceMemory, user_id: str, first: str, second: str, key: str, before: str, after: str
) -> None:
    memory.remember(user_id, first)
    assert memory.profile(user_id).get(key) == before

    memory.remember(user_id, second)
    [value] = [v for v in memory.profile(user_id).values if v.key == key]
    assert (value.value, value.layer, value.reason) == (after, "explicit", second)


def test_a_setting_goes_with_its_preference_and_an_older_one_counts_again(
    memory: PreferenceMemory, user_id: str
) -> None:
    memory.remember(user_id, "Please keep replies under 300 words", valid_from="2026-01-01T00:00:00Z")
    later = memory.remember(user_id, "总结不超过100字", valid_from="2026-02-01T00:00:00Z").preference
    assert later is not None
    assert memory.profile(user_id).get("max_length") == 100

    memory.archive(user_id, later.preference_id)
    assert memory.profile(user_id).get("max_length") == 300


def test_an_implicit_wish_counts_once_it_is_approved_and_as_inferred(memory: PreferenceMemory, user_id: str) -> None:
    waiting = memory.remember(user_id, "用户喜欢简洁的回答", kind="implicit").preference
    assert waiting is not None
    assert memory.profile(user_id).get("detail_level") == "normal"

    memory.approve(user_id, waiting.preference_id, actor="reviewer")
    [value] = [v for v in memory.profile(user_id).values if v.key == "detail_level"]
    assert (value.value, value.layer) == ("concise", "inferred")


def test_an_older_write_never_replaces_a_newer_one(memory: PreferenceMemory, user_id: str) -> None:
    memory.set_profile(user_id, "语言风格", "正式", stated_at="2026-05-02T00:00:00Z")

    profile = memory.set_profile(user_id, "语言风格", "随意 😀", stated_at="2026-05-01T00:00:00Z")

    assert profile.get("语言风格") == "正式"
    assert memory.set_profile(user_id, "语言风格", None).get("语言风格") is None


def test_a_secret_is_no_setting_to_keep(memory: PreferenceMemory, user_id: str) -> None:
    memory.set_profile(user_id, "wifi_password", "sesame")
    profile = memory.set_profile(user_id, "连接", {"密码": ["芝麻开门"], "network": "home 🏠"})

    assert profile.get("wifi_password") == "[secret:password]"
    assert profile.get("连接") == {"密码": ["[secret:password]"], "network": "home 🏠"}


@pytest.mark.parametrize("bad", [{"key": ""}, {"value": object()}, {"layer": "session"}, {"confidence": 2}])
def test_a_setting_that_cannot_be_stored_is_refused(
    memory: PreferenceMemory, user_id: str, bad: dict[str, object]
) -> None:
    given = {"key": "tone", "value": "warm"} | bad
    with pytest.raises(InvalidInput):
        memory.set_profile(user_id, given.pop("key"), given.pop("value"), **given)  # type: ignore[arg-type]


def test_recall_shows_the_profile_and_the_session_wins_without_being_stored(
    memory: PreferenceMemory, user_id: str
) -> None:
    memory.set_profile(user_id, "language", "en")

    recall = memory.recall(user_id, "怎么回答？", session_override={"language": "zh"})

    assert "language = zh" in recall.text
    assert [(v.key, v.layer) for v in recall.profile] == [("language", "session")]
    assert memory.profile(user_id).get("language") == "en"


def test_the_profile_of_one_user_is_not_that_of_another(memory: PreferenceMemory, user_id: str) -> None:
    memory.set_profile("u-other", "language", "fr")

    assert memory.profile(user_id).get("language") is None


def test_the_view_shows_the_winning_layer_and_its_twin_no_values(memory: PreferenceMemory, user_id: str) -> None:
    memory.set_profile(user_id, "language", "en", layer="inferred")
    memory.set_profile(user_id, "language", "zh", stated_at=datetime(2020, 1, 1, tzinfo=UTC))

    with memory.database.transaction(user_id=None) as repositories:
        repositories.session.execute(text("SET LOCAL ROLE prefmem_analyst_text"))
        [shown] = repositories.session.execute(
            text("SELECT value, layer FROM prefmem.user_profile WHERE user_id = :user_id"), {"user_id": user_id}
        )
        repositories.session.execute(text("RESET ROLE; SET LOCAL ROLE prefmem_analyst"))
        [twin] = repositories.session.execute(text("SELECT * FROM prefmem.user_profile_without_text")).mappings()
    assert tuple(shown) == ("zh", "explicit")
    assert "value" not in twin
    assert "reason" not in twin
