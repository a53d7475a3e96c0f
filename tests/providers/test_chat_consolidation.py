"""Consolidating by a chat model beside the rules: what it adds, what it costs, and what stays when it fails."""

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from prefmem_pg.db.session import Database
from prefmem_pg.settings import Spending
from prefmem_pg.testing import Said, overloaded
from tests.conftest import count
from tests.providers.batch_world import World
from tests.providers.ledgers import price
from tests.providers.reader import read

SAME = {
    "en": ("I eat vegan at every meal of the day", "My plate holds nothing but plants 🌱"),
    "zh": ("我的餐盘里从来没有肉和鱼", "我三餐只吃植物性食物 🌱"),
}
SHORT = {
    "en": ("tl;dr please, I am in a meeting", "again the gist only 🙏"),
    "zh": ("说重点，在开会", "还是只要要点 🙏"),
}
HABIT = {"en": "I usually want the gist only", "zh": "我一般只要要点"}
EACH = pytest.mark.parametrize("language", SAME)
_SHOWN = re.compile(r'<(?:statement|message) (?:id|n)="(\d+)"[^>]*>(.*?)</', re.DOTALL)


def consolidating(language: str) -> Callable[[dict[str, Any]], Said]:
    """Return a model that finds what this test has put in."""

    def model(body: dict[str, Any]) -> Said:
        properties = body["output_config"]["format"]["schema"]["properties"]
        shown = {text: int(number) for number, text in _SHOWN.findall(body["messages"][0]["content"])}
        if "merges" in properties:
            ids = [shown[text] for text in SAME[language] if text in shown]
            return Said(json={"merges": [{"ids": ids, "keep": ids[0], "reason": "同"}] if len(ids) > 1 else []})
        if "settings" in properties:
            ids = [number for text, number in shown.items() if text in SAME[language]]
            return Said(json={"settings": [{"key": "diet", "value": "vegan 素食", "ids": ids}]})
        if "preferences" not in properties:
            return read(body)
        signals = [{"message": shown[text], "quote": text} for text in SHORT[language] if text in shown]
        habit = {"statement": HABIT[language], "polarity": "positive", "topic": "communication", "reason": ""}
        return Said(json={"preferences": [{**habit, "certainty": "medium", "signals": signals}]})

    return model


def remember(here: World, user_id: str, language: str) -> None:
    items = [{"statement": text} for text in SAME[language]]
    here.memory.remember_many(user_id, items, deduplicate=False)


def talk(here: World, user_id: str, language: str) -> None:
    for place, text in enumerate(SHORT[language]):
        here.memory.add_messages(user_id, [{"role": "user", "content": text}], dialog_id=f"d-{place}")


@EACH
def test_what_says_the_same_in_other_words_becomes_the_one_that_says_it_all(
    world: Callable[..., World], user_id: str, language: str
) -> None:
    here = world(consolidating(language))
    remember(here, user_id, language)
    assert here.memory.consolidate(user_id=user_id).merged == 1
    [kept] = here.memory.list_preferences(user_id).items
    assert (kept.statement, kept.mention_count) == (SAME[language][0], 2)


@EACH
def test_what_shows_in_several_dialogs_waits_for_review(
    world: Callable[..., World], user_id: str, language: str
) -> None:
    here = world(consolidating(language))
    talk(here, user_id, language)
    assert here.memory.consolidate(user_id=user_id).implicit == 1
    [waiting] = here.memory.review(user_id)
    assert (waiting.statement, waiting.kind) == (HABIT[language], "implicit")
    assert {one.quote for one in here.memory.evidence(user_id, waiting.preference_id)} == set(SHORT[language])


@EACH
def test_what_follows_from_statements_stands_in_the_profile_as_long_as_they_do(
    world: Callable[..., World], user_id: str, language: str
) -> None:
    here = world(consolidating(language))
    remember(here, user_id, language)
    here.memory.consolidate(user_id=user_id)
    [setting] = [value for value in here.memory.profile(user_id).values if value.key == "diet"]
    assert (setting.value, setting.layer) == ("vegan 素食", "inferred")
    [kept] = here.memory.list_preferences(user_id).items
    here.memory.archive(user_id, kept.preference_id)
    assert here.memory.profile(user_id).get("diet") is None


@EACH
def test_what_a_changed_statement_had_shown_is_asked_for_again(
    world: Callable[..., World], user_id: str, language: str
) -> None:
    here = world(consolidating(language))
    remember(here, user_id, language)
    here.memory.consolidate(user_id=user_id)
    [kept] = here.memory.list_preferences(user_id).items
    for change in (
        lambda: here.memory.update(user_id, kept.preference_id, importance=0.9),
        lambda: (here.memory.archive(user_id, kept.preference_id), here.memory.restore(user_id, kept.preference_id)),
    ):
        change()
        here.memory.consolidate(user_id=user_id)
        assert here.memory.profile(user_id).get("diet") == "vegan 素食"


@EACH
def test_consolidating_again_changes_nothing_and_asks_nothing(
    world: Callable[..., World], user_id: str, language: str
) -> None:
    here = world(consolidating(language))
    remember(here, user_id, language)
    talk(here, user_id, language)
    here.memory.consolidate(user_id=user_id)
    here.memory.consolidate(user_id=user_id)  # the profile of what was left
    calls = len(here.stub.calls)
    again = here.memory.consolidate(user_id=user_id)
    assert (again.merged, again.implicit, again.profile, again.failed) == (0, 0, 0, 0)
    assert len(here.stub.calls) == calls
    noted = "SELECT count(*) FROM prefmem.llm_calls WHERE user_id = :u AND purpose <> 'embed'"
    assert count(here.memory.database, noted, u=user_id) == calls


@EACH
def test_what_is_sensitive_is_shown_for_neither_merging_nor_a_profile(
    world: Callable[..., World], user_id: str, language: str
) -> None:
    here = world(consolidating(language))
    remember(here, user_id, language)
    sensitive = {"en": "I voted for the Green Party 🗳", "zh": "我有抑郁症，每天要吃药 💊"}[language]
    here.memory.remember_many(user_id, [{"statement": sensitive, "sensitivity": "health"}], deduplicate=False)
    here.memory.consolidate(user_id=user_id)
    asked = [body["messages"][0]["content"] for body in here.stub.calls]
    assert [text for text in asked if SAME[language][0] in text]
    assert not [text for text in asked if sensitive in text]


def test_a_model_that_fails_is_named_and_what_rules_found_is_kept(world: Callable[..., World], user_id: str) -> None:
    here = world(consolidating("zh"), faults=[overloaded()])
    here.memory.remember_many(
        user_id, [{"statement": "I love green tea"}, {"statement": "I love green tea very much"}], deduplicate=False
    )
    remember(here, user_id, "zh")
    report = here.memory.consolidate(user_id=user_id)
    assert report.failed == 1
    assert "529" in report.errors[user_id]
    assert here.memory.consolidate(user_id=user_id).failed == 0
    assert SAME["zh"][1] not in {row.statement for row in here.memory.list_preferences(user_id).items}


def test_a_spent_budget_asks_nothing_and_says_so(world: Callable[..., World], user_id: str, database: Database) -> None:
    price(database, provider="claude", model="claude-test", output_usd=Decimal(5))
    here = world(consolidating("en"), settings={"spending": Spending(retries=0, run_usd=Decimal(0))})
    remember(here, user_id, "en")
    assert "PREFMEM_BUDGET_RUN_USD" in here.memory.consolidate(user_id=user_id).errors[user_id]
    assert here.stub.calls == []
    assert len(here.memory.list_preferences(user_id).items) == 2


# Expanding questions


@EACH
def test_a_question_is_expanded_where_that_is_set(world: Callable[..., World], user_id: str, language: str) -> None:
    here = world(lambda body: Said(json={"queries": list(SAME[language])}), settings={"query_expansion": True})
    asked = {"en": "Where shall we eat?", "zh": "我们去哪里吃饭？"}[language]
    recall = here.memory.recall(user_id, asked, session_id="s")
    assert recall.query is not None
    assert recall.query.text.startswith(asked)
    assert all(statement in recall.query.text for statement in SAME[language])
    assert len(here.stub.calls) == 1


@pytest.mark.parametrize("answer", [Said(text="no JSON"), Said(text="", stop_reason="refusal")])
def test_a_question_that_is_not_expanded_is_searched_as_it_is_and_says_so(
    world: Callable[..., World], user_id: str, answer: Said
) -> None:
    here = world(lambda body: answer, settings={"query_expansion": True})
    recall = here.memory.recall(user_id, "我们去哪里吃饭？ 🍜", session_id="s")
    assert recall.query is not None
    assert recall.query.text == "我们去哪里吃饭？ 🍜"
    assert "not expanded" in recall.query.reason


def test_no_question_is_sent_unless_that_is_set(world: Callable[..., World], user_id: str) -> None:
    here = world(lambda body: Said(json={"queries": []}))
    here.memory.recall(user_id, "Where shall we eat?", session_id="s")
    assert here.stub.calls == []
