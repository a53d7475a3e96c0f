"""Consolidation: merged, proposed for review, and the profile fresh; a second run changes nothing."""

import pytest

from prefmem_pg.memory import PreferenceMemory

CHINESE = [["什么是DNS？", "短一点 😅"], ["解释一下TCP", "太长了，简短一些"]]
ENGLISH = [["What is DNS?", "shorter, please"], ["Explain TCP", "too long 😅 make it shorter"]]


def talk(memory: PreferenceMemory, user_id: str, dialogs: list[list[str]], *, first: int = 1) -> None:
    for place, said in enumerate(dialogs, start=first):
        messages = [{"role": "user", "content": text} for text in said]
        memory.add_messages(user_id, messages, dialog_id=f"d-{place}")
    memory.extract(user_id=user_id)


def snapshot(memory: PreferenceMemory, user_id: str) -> object:
    rows = memory.list_preferences(user_id, filter={"status": {"ne": "deleted"}}, page_size=100).items
    return [
        (row, memory.history(user_id, row.preference_id), memory.evidence(user_id, row.preference_id)) for row in rows
    ]


@pytest.mark.parametrize(
    ("dialogs", "statement", "language"),
    [(CHINESE, "多次要求回答更简短", "zh"), (ENGLISH, "Asks for shorter answers again and again", "en")],
)
def test_what_is_asked_for_in_two_dialogs_waits_for_review_with_its_evidence(
    memory: PreferenceMemory, user_id: str, dialogs: list[list[str]], statement: str, language: str
) -> None:
    talk(memory, user_id, dialogs)

    assert memory.consolidate(user_id=user_id).implicit == 1

    [waiting] = memory.review(user_id)
    assert (waiting.statement, waiting.kind, waiting.language) == (statement, "implicit", language)
    assert {e.dialog_id for e in memory.evidence(user_id, waiting.preference_id)} == {"d-1", "d-2"}
    assert memory.list_preferences(user_id).items == ()


def test_what_is_asked_for_in_one_dialog_alone_is_no_habit(memory: PreferenceMemory, user_id: str) -> None:
    talk(memory, user_id, [["短一点", "再短一点", "还是太长"]])

    assert memory.consolidate(user_id=user_id).implicit == 0


def test_what_the_user_has_stated_needs_no_guess(memory: PreferenceMemory, user_id: str) -> None:
    memory.remember(user_id, "回答要简洁")
    talk(memory, user_id, CHINESE)

    assert memory.consolidate(user_id=user_id).implicit == 0


def test_b10_consolidating_again_changes_nothing(memory: PreferenceMemory, user_id: str) -> None:
    talk(memory, user_id, CHINESE)
    items = ["I'm a vegetarian", "I don't eat meat", "我喜欢喝绿茶", "I love green tea"]
    memory.remember_many(user_id, [{"statement": text} for text in items], deduplicate=False)
    first = memory.consolidate()
    before = snapshot(memory, user_id)

    again = [memory.consolidate(), memory.consolidate(user_id=user_id)]

    assert (first.merged, first.implicit) == (2, 1)
    assert [(r.merged, r.superseded, r.implicit, r.profile) for r in again] == [(0, 0, 0, 0)] * 2
    assert snapshot(memory, user_id) == before


def test_a_further_dialog_adds_its_evidence(memory: PreferenceMemory, user_id: str) -> None:
    talk(memory, user_id, ENGLISH)
    memory.consolidate(user_id=user_id)
    talk(memory, user_id, [["What is UDP?", "shorter"]], first=3)

    memory.consolidate(user_id=user_id)

    [waiting] = memory.review(user_id)
    assert len(memory.evidence(user_id, waiting.preference_id)) == 3


def test_a_habit_that_a_person_has_rejected_is_not_proposed_again(memory: PreferenceMemory, user_id: str) -> None:
    talk(memory, user_id, ENGLISH)
    memory.consolidate(user_id=user_id)
    memory.reject(user_id, memory.review(user_id)[0].preference_id, actor="reviewer")
    talk(memory, user_id, [["What is UDP?", "shorter"]], first=3)

    assert memory.consolidate(user_id=user_id).implicit == 0
    assert memory.review(user_id) == []


def test_the_profile_names_what_the_user_cares_about(memory: PreferenceMemory, user_id: str) -> None:
    for statement in ("I love sushi", "我不吃香菜", "I like pizza with mushrooms"):
        memory.remember(user_id, statement)

    report = memory.consolidate(user_id=user_id)

    assert report.profile == 1
    [focus] = [v for v in memory.profile(user_id).values if v.key == "domain_focus"]
    assert (focus.value, focus.layer) == (["food"], "inferred")


def test_an_unknown_user_is_nothing_to_consolidate(memory: PreferenceMemory, user_id: str) -> None:
    report = memory.consolidate(user_id=user_id)

    assert (report.merged, report.implicit, report.profile) == (0, 0, 0)
    with memory.database.transaction(user_id=user_id) as repositories:
        assert not repositories.preferences.user_is_known(user_id)


OFFERS = ["1. Dockside, lively\n2. Mill House, quiet", "1. a quiet table inside\n2. a table at the street"]


def choose(memory: PreferenceMemory, user_id: str, offers: list[str], answers: list[str]) -> None:
    for place, (offer, said) in enumerate(zip(offers, answers, strict=True), start=1):
        messages = [{"role": "assistant", "content": offer}, {"role": "user", "content": said}]
        memory.add_messages(user_id, messages, dialog_id=f"choice-{place}")
    memory.extract(user_id=user_id)


def test_a_quality_that_is_chosen_twice_waits_for_review_with_its_messages(
    memory: PreferenceMemory, user_id: str
) -> None:
    choose(memory, user_id, OFFERS, ["The second one, please 😀", "我要第一个"])

    reports = [memory.consolidate(user_id=user_id) for _ in range(2)]

    assert [report.implicit for report in reports] == [1, 0]
    [waiting] = memory.review(user_id)
    assert "“quiet”" in waiting.statement
    assert {e.dialog_id for e in memory.evidence(user_id, waiting.preference_id)} == {"choice-1", "choice-2"}


def test_one_choice_proposes_nothing(memory: PreferenceMemory, user_id: str) -> None:
    choose(memory, user_id, OFFERS[:1], ["The second one, please"])

    assert memory.consolidate(user_id=user_id).implicit == 0


def test_what_behaviour_shows_sets_the_inferred_layer_until_a_person_says_no(
    memory: PreferenceMemory, user_id: str
) -> None:
    talk(memory, user_id, ENGLISH)
    memory.consolidate(user_id=user_id)
    [level] = [v for v in memory.profile(user_id).values if v.key == "detail_level"]
    assert (level.value, level.layer) == ("concise", "inferred")

    memory.reject(user_id, memory.review(user_id)[0].preference_id, actor="reviewer")

    [level] = [v for v in memory.profile(user_id).values if v.key == "detail_level"]
    assert (level.value, level.layer) == ("normal", "default")
