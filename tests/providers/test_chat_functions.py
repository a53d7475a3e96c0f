"""Merging, mining habits, expanding a query and proposing a profile over a chat model."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from prefmem_pg.prompts import LANGUAGES, load, version_of
from prefmem_pg.providers.chat.asking import Ask, ask
from prefmem_pg.providers.chat.consolidator import find_habits, propose_merges
from prefmem_pg.providers.chat.profiler import propose_profile
from prefmem_pg.providers.chat.query_expansion import expand_query
from prefmem_pg.providers.protocols import Statement
from prefmem_pg.testing import MessagesStub, Said
from tests.providers.talk import QUICK, chunk_of, claude_at

NAMES = (
    *("extract_explicit", "extract_implicit", "judge_fast", "judge_fine", "consolidate", "mine_implicit"),
    *("summarize_dialog", "summarize_day", "expand_query", "profile"),
)
TEA = [
    Statement(text="I like tea 🍵"),
    Statement(text="I enjoy tea"),
    Statement(text="我不喝茶", polarity="negative", language="zh"),
]


def answering(answer: dict[str, Any]) -> MessagesStub:
    return MessagesStub(lambda body: Said(json=answer))


@pytest.mark.parametrize("name", NAMES)
def test_every_prompt_is_there_in_both_languages_and_says_that_it_reads_data(name: str) -> None:
    english, chinese = (load(name, language) for language in LANGUAGES)
    assert "data" in english.text or name == "extract_implicit"
    assert "数据" in chinese.text or name == "extract_implicit"
    assert english.version != chinese.version
    assert load(name, "ja") == english
    assert version_of(name) not in (english.version, chinese.version)


def asking(stub: MessagesStub) -> Ask:
    return partial(ask, claude_at(stub), policy=QUICK)


def test_b39_merges_name_only_statements_that_were_given_and_never_for_and_against() -> None:
    merges = [
        {"ids": [1, 99], "keep": 99, "reason": ""},
        {"ids": [2, 3], "keep": 2, "reason": "相反"},
        {"ids": [1, 2], "keep": 3, "reason": "none of them"},
        {"ids": ["1", 2], "keep": "1", "reason": "same"},
        {"ids": [2, 1], "keep": 2, "reason": "again"},
    ]
    with answering({"merges": merges}) as stub:
        [merge] = propose_merges(asking(stub), TEA)
    assert (merge.places, merge.keep) == ((0, 1), 0)


def test_habits_need_true_quotes_from_two_dialogs() -> None:
    said = [
        replace(m, dialog_id=f"d-{i}")
        for i, m in enumerate(chunk_of(("user", "简短点"), ("user", "说短一点 🙏")).messages)
    ]
    habit = {
        "statement": "我一般要简短的回答",
        "polarity": "positive",
        "topic": "communication",
        "reason": "",
        "certainty": "high",
    }
    true = [{"message": 1, "quote": "简短点"}, {"message": 2, "quote": "说短一点"}]
    answer = {
        "preferences": [
            {**habit, "signals": true},
            {**habit, "signals": true[:1]},
            {**habit, "signals": [true[0], {"message": 2, "quote": "never said"}]},
            {**habit, "statement": "I want short answers", "signals": true},
        ]
    }
    with answering(answer) as stub:
        [found] = find_habits(asking(stub), said)
    assert (found.kind, found.statement, found.confidence) == ("implicit", "我一般要简短的回答", 0.6)
    assert [span.quote for span in found.evidence] == ["简短点", "说短一点"]


def test_a_question_is_expanded_by_few_and_short_statements() -> None:
    answer = {"queries": ["I am vegetarian", "我不吃辣 🌶", "", None, "x" * 500, "Where shall we eat?", "a", "b", "c"]}
    with answering(answer) as stub:
        found = expand_query(claude_at(stub), "Where shall we eat?", policy=QUICK)
    assert found == ["I am vegetarian", "我不吃辣 🌶", "a", "b"]


def test_a_profile_follows_from_statements_that_were_given() -> None:
    settings = [
        {"key": "Answer Length", "value": "简短", "ids": [3]},
        {"key": "diet", "value": "vegan 🌱", "ids": [42]},
        {"key": "answer_length", "value": "long", "ids": [1]},
        {"key": "drink", "value": "", "ids": [1]},
    ]
    with answering({"settings": settings}) as stub:
        found = propose_profile(asking(stub), TEA)
    assert found is not None
    [setting] = found
    assert (setting.key, setting.value, setting.places) == ("answer_length", "简短", (2,))
