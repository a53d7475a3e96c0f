"""The main job from end to end: conversations in, preferences out, found and explained."""

from prefmem_pg.memory import PreferenceMemory

ENGLISH = [
    {"role": "user", "content": "I love hiking in the Alps, and I can't stand crowded trains. 🏔️"},
    {"role": "assistant", "content": "You should try the Dolomites, I like them a lot."},
    {"role": "user", "content": "Which trail would you recommend for Sunday?"},
]
CHINESE = [
    {"role": "user", "content": "我对花生过敏，另外我不喜欢太甜的点心。"},
    {"role": "assistant", "content": "好的，那可以试试咸味的。"},
]


def test_conversations_become_preferences_with_evidence(memory: PreferenceMemory, user_id: str) -> None:
    messages = memory.add_messages(user_id, ENGLISH, dialog_id="d-1")

    report = memory.extract(user_id=user_id)

    found = memory.list_preferences(user_id).items
    assert report.added == len(found) == 2
    for preference in found:
        [evidence] = memory.evidence(user_id, preference.preference_id)
        assert evidence.message_id == messages[0].message_id
        assert messages[0].content[evidence.start : evidence.end] == evidence.quote


def test_running_the_extraction_again_changes_nothing(memory: PreferenceMemory, user_id: str) -> None:
    memory.add_messages(user_id, ENGLISH, dialog_id="d-1")
    memory.extract(user_id=user_id)
    before = memory.list_preferences(user_id)

    memory.add_messages(user_id, ENGLISH, dialog_id="d-1")
    again = memory.extract(user_id=user_id)

    assert again.messages == again.candidates == 0
    assert memory.list_preferences(user_id) == before


def test_an_allergy_in_chinese_is_recalled_for_an_english_question(memory: PreferenceMemory, user_id: str) -> None:
    memory.add_messages(user_id, CHINESE, dialog_id="d-1")
    memory.extract(user_id=user_id)

    recall = memory.recall(user_id, "Which snack may I offer?")

    assert "过敏" in recall.text
    assert any(hit.preference.is_safety for hit in recall.hits)


def test_a_change_of_mind_ends_the_old_preference_and_tells_the_journey(memory: PreferenceMemory, user_id: str) -> None:
    memory.remember(user_id, "I prefer window seats on long flights")

    decision = memory.remember(user_id, "I prefer aisle seats on long flights")

    assert decision.action == "superseded"
    assert [old.statement for old in decision.superseded] == ["I prefer window seats on long flights"]
    assert decision.superseded[0].superseded_by == decision.preference.preference_id
    assert "window seats" in decision.preference.context
    assert [p.statement for p in memory.list_preferences(user_id).items] == ["I prefer aisle seats on long flights"]


def test_b53_a_value_that_comes_back_is_activated_again(memory: PreferenceMemory, user_id: str) -> None:
    for statement in ("I love Chinese food", "I hate Chinese food", "I love Chinese food"):
        memory.remember(user_id, statement)

    everything = memory.list_preferences(user_id, filter={"status": {"in": ["activated", "superseded"]}})

    assert [p.statement for p in everything.items if p.status == "activated"] == ["I love Chinese food"]
    assert everything.total == 3


def test_an_allergy_is_recalled_whatever_is_asked(memory: PreferenceMemory, user_id: str) -> None:
    statements = [f"I like the {thing}" for thing in ("sea", "hills", "rain", "snow", "wind", "sun", "moon", "stars")]
    memory.remember_many(user_id, [{"statement": s} for s in (*statements, "我对青霉素过敏")], deduplicate=False)

    recall = memory.recall(user_id, "Which hills should I visit?", max_tokens=200)

    assert recall.hits[0].preference.statement == "我对青霉素过敏"
    assert recall.text.count("! [") == 1
