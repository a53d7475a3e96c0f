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


@pytest.mark.parametrize(
    "text",
    [
        "I am allergic to anything with nuts",
        "I'm allergic to peanuts, not allergic to almonds",
        "I'm allergic to latex and have no food allergies",
        "I have an allergy to nuts and no intolerances",
        "I have diabetes and no allergies",
        "我没有药物过敏但对花生过敏",
        "我对猫不过敏对狗过敏",
        "我有糖尿病没有过敏史",
        "我女朋友对花生过敏",
        "家里小朋友对鸡蛋过敏",
        "我和朋友都对花生过敏",
        "去朋友家吃虾过敏了",
    ],
)
def test_a_denial_or_a_friend_beside_it_loses_no_danger(text: str) -> None:
    assert any(one.is_safety for one in read(text))


@pytest.mark.parametrize("text", ["I love seafood and have no allergies", "I'm vegan and have no allergies"])
def test_what_is_told_beside_a_denial_is_kept_and_endangers_nobody(text: str) -> None:
    assert [one.is_safety for one in read(text)] == [False]


@pytest.mark.parametrize(
    "text",
    [
        "My doctor never told me to avoid eggs",
        "No doctor ever said I can't drink",
        "The nurse said I can't park here",
        "The pharmacist said I can't pay by card",
        "The GPS told me to stay off the motorway",
        "My doctor told me not to worry",
        "医生没说我不能吃海鲜",
        "医生说我没有糖尿病",
        "护士提醒我别忘了缴费",
        "专家建议我别碰股票",
        "医院不让我停车",
        "医嘱模块还没写完",
        "如果医生说我不能喝酒怎么办",
        "This codebase gives me a rash",
        "Mondays make my eyes itch",
        "I don't have an EpiPen",
        "I'm not celiac",
        "我对药价很敏感",
        "吃酸的牙会敏感",
    ],
)
def test_no_safety_fact_is_made_of_what_endangers_nobody(text: str) -> None:
    assert not any(one.is_safety for one in read(text))


def test_a_liking_stands_beside_the_danger_in_it() -> None:
    said = read("I love peanuts, but I'm allergic")
    assert [(one.statement, one.polarity, one.is_safety) for one in said] == [
        ("I love peanuts", "positive", False),
        ("I love peanuts, but I'm allergic", "negative", True),
    ]


@pytest.mark.parametrize("text", ["我喜欢靠窗的位置，朋友请吃海鲜，我过敏", "我爱吃辣，昨天换了洗面奶，过敏了"])
def test_a_danger_takes_nothing_that_is_not_right_before_it(text: str) -> None:
    assert (read(text)[0].polarity, read(text)[0].is_safety) == ("positive", False)


@pytest.mark.parametrize("text", ["不对" * 100 + "过敏", "没有" + "对" * 150, "不" * 300, "allergic to no " * 40])
def test_repetition_comes_to_an_end(text: str) -> None:
    assert len(read(text)) <= 1


@pytest.mark.parametrize(
    "text", ["You be the judge. I hate cilantro.", "Imagine this: a dinner for six. I hate cilantro."]
)
def test_what_only_sounds_like_a_part_hides_nothing(text: str) -> None:
    assert [one.statement for one in read(text)] == ["I hate cilantro"]


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
        ("Do you have any allergies?", "Yes. Peanuts.", "Allergies: Peanuts"),
        ("Do you have any allergies?", "pollen, but nothing serious", "Allergies: pollen, but nothing serious"),
        ("Do you have any allergies?", "None except penicillin", "Allergies: None except penicillin"),
        ("你有什么过敏的吗？", "花生，不太严重", "过敏：花生，不太严重"),
        ("你有什么过敏的吗？", "没有，除了花生", "过敏：没有，除了花生"),
        ("你有什么过敏的吗？", "有。花生。", "过敏：花生"),
        ("Do you have any allergies?", "Both peanuts and shellfish", "Allergies: Both peanuts and shellfish"),
        ("你有什么过敏的吗？", "两种：花生和虾", "过敏：两种：花生和虾"),
    ],
)
def test_an_answer_about_allergies_is_kept_with_what_was_asked(question: str, answer: str, statement: str) -> None:
    assert [(one.statement, one.is_safety) for one in read(answer, question)] == [(statement, True)]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Are you allergic to anything?", "Yes"),
        ("你对什么过敏？", "嗯"),
        ("Do you have any allergies?", "Absolutely not"),
        ("Do you have any allergies?", "Very funny"),
        ("你有什么过敏的吗？", "应该没有"),
        ("你有什么过敏的吗？", "对了，帮我订位"),
        ("Do you have any allergies?", "Yes but nothing serious"),
        ("Do you have any allergies?", "No, just checking"),
        ("你有什么过敏的吗？", "有点"),
        ("Shall I write the allergy leaflet in a formal tone?", "yes, formal"),
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


@pytest.mark.parametrize(
    "text",
    [
        "I can't get the printer to work because I'm allergic to its toner",
        "I can't open the app, but I'm allergic to eggs",
        "I don't like or dislike peanuts, I'm allergic to them",
        "花生我谈不上喜欢也谈不上讨厌，我对花生过敏 🥜",
    ],
)
def test_a_fault_or_no_side_beside_it_loses_no_danger(text: str) -> None:
    assert any(found.is_safety for found in read(text))


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("I'm vegetarian and allergic to soy.", "I'm allergic to soy"),
        ("I'm a teacher and allergic to latex", "I'm allergic to latex"),
        ("I'm from Leeds but severely allergic to bees.", "I'm severely allergic to bees"),
        ("I'm diabetic and allergic to penicillin.", "I'm allergic to penicillin"),
        ("I'm 34, vegetarian, and allergic to soy.", "I'm allergic to soy"),
        ("I'm vegan and lactose intolerant", "I'm lactose intolerant"),
        ("我吃素，对大豆过敏", "对大豆过敏"),
    ],
)
def test_the_second_of_two_that_share_their_subject_is_a_danger_of_its_own(text: str, statement: str) -> None:
    assert statement in [found.statement for found in read(text) if found.is_safety]


def test_of_somebody_who_is_cooked_for_no_danger_of_the_user_is_made() -> None:
    assert not any(found.is_safety for found in read("I'm cooking for someone vegan and allergic to nuts"))
