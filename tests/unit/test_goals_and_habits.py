"""Requests that go into goals, and requests that make a habit."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from prefmem_pg.db.upkeep import Said
from prefmem_pg.domain.preferences import Candidate, EvidenceSpan
from prefmem_pg.providers.offline.follow_ups import FollowUp
from prefmem_pg.steps.behaviour import find_habits
from prefmem_pg.steps.goals import attach
from prefmem_pg.steps.habits import HABITS
from prefmem_pg.steps.style import settings_in

AT = datetime(2026, 5, 1, tzinfo=UTC)
ORDER = [UUID(int=place) for place in range(5)]


def span(message: int, text: str) -> EvidenceSpan:
    return EvidenceSpan(message_id=UUID(int=message), start=0, end=len(text), quote=text)


def goal(message: int, text: str, place: str) -> Candidate:
    return Candidate(statement=text, kind="goal", context=text, entities=(place,), evidence=(span(message, text),))


def request(message: int, text: str) -> FollowUp:
    return FollowUp(text=text, evidence=span(message, text), at=AT + timedelta(minutes=message))


def test_a_request_goes_into_the_last_goal_before_it_that_it_names() -> None:
    goals = [goal(0, "我想去北京", "北京"), goal(1, "I want to visit Rome", "Rome"), goal(3, "还是想去北京", "北京")]
    asked = request(2, "北京有什么小吃？")

    told, left = attach(goals, [asked], ORDER)

    assert [g.context for g in told] == ["我想去北京 北京有什么小吃？", "I want to visit Rome", "还是想去北京"]
    assert told[0].evidence == (goals[0].evidence[0], asked.evidence)
    assert left == []


def test_a_request_before_the_goal_or_about_something_else_is_left() -> None:
    early, other = request(0, "Is Rome nice?"), request(3, "Are Roman roads straight?")

    told, left = attach([goal(1, "I want to visit Rome", "Rome")], [early, other], ORDER)

    assert left == [early, other]
    assert told[0].context == "I want to visit Rome"


def said(message: int, dialog_id: str, content: str) -> Said:
    return Said(UUID(int=message), dialog_id, content, AT + timedelta(minutes=message))


def test_the_same_request_in_two_dialogs_is_a_habit_with_exact_quotes() -> None:
    messages = [said(0, "a", "😀 短一点"), said(1, "b", "请短一点"), said(2, "b", "用表格")]

    [found] = find_habits(messages, [])

    assert (found.statement, found.kind, found.valid_from) == ("多次要求回答更简短", "implicit", AT)
    for message, evidence in zip(messages, found.evidence, strict=False):
        assert message.content[evidence.start : evidence.end] == evidence.quote == "短一点"


def test_requests_in_code_or_quotations_are_nobodys_habit() -> None:
    messages = [said(0, "a", "```\nshorter\n```"), said(1, "b", "> make it shorter")]

    assert find_habits(messages, []) == []


def test_a_setting_that_is_stated_leaves_its_habit_out() -> None:
    messages = [said(0, "a", "shorter"), said(1, "b", "shorter")]

    assert find_habits(messages, ["detail_level"]) == []


def test_the_search_words_of_a_habit_cover_its_pattern() -> None:
    examples = {
        "shorter answers": [
            "more concise",
            "in one line",
            "tl;dr",
            "summarize this",
            "长话短说",
            "一句话",
            "精简",
            "boil it down",
            "别这么长",
        ],
        "longer answers": [
            "more details",
            "in depth",
            "go deeper",
            "再展开",
            "多说一点",
            "具体点",
            "say more",
            "写细一点",
        ],
        "tables": ["as a table", "tabulate", "表格", "做张表"],
        "lists": ["bullet points", "as a list", "列个清单", "分点", "use bullets", "一条一条"],
        "code": ["show me code", "代码示例", "a code snippet", "贴段代码"],
        "examples": ["another example", "举个例", "for instance?", "比如呢？"],
        "plain words": ["like I'm five", "eli5", "in plain english", "说人话", "简单点说"],
        "no greeting": ["skip the greetings", "no small talk please", "get to the point", "别寒暄", "直接说重点"],
        "interruptions": ["stop", "ok, enough already", "hold on, what is X?", "打住", "停停停", "行了，够了"],
    }

    for habit in HABITS:
        for example in examples[habit.name]:
            assert habit.pattern.search(example)
            assert any(word in example.lower() for word in habit.words)


def test_three_interruptions_show_a_wish_for_short_answers_two_do_not() -> None:
    cut_off = [said(0, "a", "Stop."), said(1, "a", "打住！"), said(2, "a", "ok, enough 😅")]

    assert find_habits(cut_off[:2], []) == []
    [found] = find_habits(cut_off, [])

    assert [e.message_id for e in found.evidence] == [m.message_id for m in cut_off]
    assert dict(settings_in(found.statement)) == {"detail_level": "concise"}


def test_ordinary_sentences_with_the_word_stop_interrupt_nobody() -> None:
    talk = ["Where does the bus stop?", "Stop words in search engines: which are they?", "等一下午饭吃什么"]
    assert find_habits([said(n, "a", text) for n, text in enumerate(talk)], []) == []


def test_a_language_that_is_asked_for_in_two_dialogs_is_a_habit() -> None:
    messages = [said(0, "a", "解释一下，用英文回答"), said(1, "b", "请用英文回答 🙏"), said(2, "b", "answer in French")]

    [found] = find_habits(messages, [])

    assert (found.statement, found.kind) == ("多次要求用英文回答", "implicit")
    assert dict(settings_in(found.statement)) == {"language": "en"}


def test_a_length_that_is_asked_for_in_two_dialogs_is_a_habit_and_the_later_one_counts() -> None:
    messages = [said(n, f"d-{n}", f"in under {words} words") for n, words in enumerate([80, 80, 120, 120, 90])]

    [found] = find_habits(messages, [])

    assert dict(settings_in(found.statement)) == {"max_length": 120}


@pytest.mark.parametrize(
    ("first", "second", "settings"),
    [
        ("Put that into a table, please", "Can I have it as a table?", {"prefer_table": True}),
        ("用表格列出来", "做成表格吧", {"prefer_table": True}),
        ("Skip the greetings", "No small talk please", {"skip_greeting": True}),
        ("别寒暄", "直接说重点，不用客套", {"skip_greeting": True}),
        ("Shorter, please", "Too long, tl;dr?", {"detail_level": "concise"}),
        ("短一点", "太长了，长话短说", {"detail_level": "concise"}),
        ("More details, please", "Go deeper on step two", {"detail_level": "detailed"}),
        ("再展开讲讲", "具体点", {"detail_level": "detailed"}),
        ("Make it a table, would you", "table format please", {"prefer_table": True}),
        ("列个表对比一下", "弄张表给我看", {"prefer_table": True}),
        ("Don't start with hello", "straight to the point please", {"skip_greeting": True}),
        ("开场白省了吧", "不用问好", {"skip_greeting": True}),
        ("In two sentences please", "shorten that, please", {"detail_level": "concise"}),
        ("别写这么长", "两句话就行", {"detail_level": "concise"}),
        ("Can you expand on that?", "flesh this out", {"detail_level": "detailed"}),
        ("写长一点", "说细点", {"detail_level": "detailed"}),
        ("请繁体中文回答", "用繁体回我", {"language": "zh-Hant"}),
        ("Answer in French please", "answer in French", {"language": "fr"}),
        ("请用法语回答", "用法语回答我", {"language": "fr"}),
        ("in under 80 words please", "Explain it in under 80 words", {"max_length": 80}),
        ("不超过50字", "回答不超过50字", {"max_length": 50}),
    ],
)
def test_what_is_asked_for_in_two_dialogs_sets_the_profile_in_both_languages(
    first: str, second: str, settings: dict[str, object]
) -> None:
    [found] = find_habits([said(0, "a", first), said(1, "b", second)], [])

    assert find_habits([said(0, "a", first), said(1, "a", second)], []) == []
    assert dict(settings_in(found.statement)) == settings


@pytest.mark.parametrize(
    "cut_off", [["Stop.", "That's enough.", "Hold on, wait."], ["打住！", "够了够了", "别说了，停"]]
)
def test_three_interruptions_in_one_language_show_a_wish_for_short_answers(cut_off: list[str]) -> None:
    [found] = find_habits([said(number, "a", text) for number, text in enumerate(cut_off)], [])

    assert dict(settings_in(found.statement)) == {"detail_level": "concise"}


def test_every_habit_with_a_setting_says_it_in_both_languages() -> None:
    for habit in HABITS:
        for statement in habit.statements:
            assert (habit.setting is None) == (habit.setting not in dict(settings_in(statement)))


@pytest.mark.parametrize(
    "text",
    [
        "My hair is too long",
        "这件衣服太长了",
        "等太长了 😩",
        "Is there a short version of the film?",
        "We want to dig longer tunnels",
        "Let's go deeper into the cave",
        "I dream of a simpler life",
        "We get to the point of no return",
    ],
)
def test_what_is_said_of_things_is_no_wish_about_answers(text: str) -> None:
    assert [habit.name for habit in HABITS if habit.pattern.search(text)] == []


@pytest.mark.parametrize("text", ["Too long again", "That's still too long.", "太长了", "还是太长", "你说得太长了"])
def test_an_answer_that_was_too_long_asks_for_a_shorter_one(text: str) -> None:
    assert [habit.name for habit in HABITS if habit.pattern.search(text)] == ["shorter answers"]
