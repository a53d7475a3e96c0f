"""What endangers the user is kept as a safety fact, however it is said; what is denied, or another's, is not."""

import pytest

from prefmem_pg.domain.preferences import Candidate
from prefmem_pg.evaluation.chunks import read_turns
from prefmem_pg.evaluation.records import Turn
from prefmem_pg.providers.offline.extractor import OfflineExtractor


def read(text: str, question: str = "") -> list[Candidate]:
    turns = [Turn(role="assistant", content=question)] if question else []
    return read_turns(OfflineExtractor(embedder=None), "d", [*turns, Turn(role="user", content=text)])[-1]


@pytest.mark.parametrize(
    "text",
    [
        "The doctor said I'm allergic to penicillin",
        "My GP told me to avoid grapefruit",
        "My doctor told me I can't have shellfish",
        "My allergist says I have a severe nut allergy 🥜",
        "医生说我对青霉素过敏",
        "医生说我不能吃海鲜",
        "大夫让我忌酒，我有胃溃疡",
        "醫生說我不能吃海鮮",
        "Penicillin gives me a rash",
        "Peanuts make my throat close up",
        "I carry an EpiPen because of wasps",
        "As someone allergic to nuts, what can I eat at a Thai place?",
        "作为一个海鲜过敏的人，去青岛能吃什么？",
        "我對花生敏感",
        "我食蝦會敏感",
        "吃芒果我会起疹子",
    ],
)
def test_a_danger_is_a_safety_fact(text: str) -> None:
    assert [(one.is_safety, one.polarity) for one in read(text)[:1]] == [(True, "negative")]


@pytest.mark.parametrize(
    "text",
    [
        "I can't have dairy, I'm intolerant",
        "Don't put peanuts in it, I'm badly allergic",
        "I don't eat shellfish because I'm allergic",
        "我不吃海鲜，因为我过敏",
        "不要放花生，我过敏",
        "不能吃 nuts，我过敏",
    ],
)
def test_what_is_refused_for_an_allergy_is_one_safety_fact(text: str) -> None:
    assert [(one.statement, one.is_safety, one.polarity) for one in read(text)] == [(text, True, "negative")]


@pytest.mark.parametrize("text", ["I'm celiac", "I'm a coeliac, so no gluten for me", "我有糖尿病 💉"])
def test_a_condition_is_a_safety_fact(text: str) -> None:
    assert [one.is_safety for one in read(text)] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "I have no allergies",
        "No allergies here, thanks",
        "I'm not allergic to nuts",
        "I don't have any known allergies 🙂",
        "我没有过敏史",
        "我对花生不过敏",
        "我不对任何东西过敏",
        "没有什么过敏的",
        "My friend is allergic to peanuts",
        "我朋友对花生过敏",
        "我同事海鲜过敏",
        "Is it true that babies can be allergic to milk?",
        "花生过敏有哪些症状？",
        "Doctors say pregnant women shouldn't eat raw fish",
        "医生说孕妇不能吃生鱼片",
        "Suppose I were allergic to nuts, what would I eat?",
        "我是不是对什么过敏啊",
    ],
)
def test_what_is_denied_asked_or_anothers_is_none(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize("text", ["No known allergies except penicillin", "除了花生，我什么都不过敏"])
def test_an_exception_is_not_lost_with_what_is_denied(text: str) -> None:
    assert [one.is_safety for one in read(text)] == [True]


@pytest.mark.parametrize(
    ("question", "answer", "statement"),
    [
        ("Do you have any allergies?", "Yes, peanuts", "Allergies: peanuts"),
        ("Any food allergies I should know about?", "peanuts and shellfish", "Allergies: peanuts and shellfish"),
        ("你有什么过敏的吗？", "有，花生和海鲜", "过敏：花生和海鲜"),
        ("Are you allergic to nuts?", "Yes", "I'm allergic to nuts"),
        ("Are you allergic to nuts?", "yes, very 😬", "I'm allergic to nuts"),
        ("你对花生过敏吗？", "对", "我对花生过敏"),
    ],
)
def test_an_answer_about_allergies_is_kept_with_what_was_asked(question: str, answer: str, statement: str) -> None:
    assert [(one.statement, one.is_safety) for one in read(answer, question)] == [(statement, True)]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Do you have any allergies?", "No"),
        ("Do you have any allergies?", "Not that I know of"),
        ("Do you have any allergies?", "never mind"),
        ("Do you have any allergies?", "Very"),
        ("你有什么过敏的吗？", "算了"),
        ("你对花生过敏吗？", "不"),
        ("What kind of food do you like?", "Surprise me"),
        ("Tea or coffee?", "you choose"),
        ("Which cuisine do you prefer?", "my wife loves Thai"),
        ("你喜欢什么颜色？", "随便"),
    ],
)
def test_an_answer_that_names_nothing_is_none(question: str, answer: str) -> None:
    assert read(answer, question) == []


@pytest.mark.parametrize(
    ("question", "answer", "statement"),
    [("What should I call you?", "Max", "Call me Max"), ("我该怎么称呼你？", "小王", "叫我小王")],
)
def test_a_name_is_kept_as_how_to_call_the_user(question: str, answer: str, statement: str) -> None:
    assert [one.statement for one in read(answer, question)] == [statement]


def test_to_forget_the_rules_of_a_game_instructs_no_memory() -> None:
    assert [one.statement for one in read("Forget the rules of etiquette, I hate them.")] != []
