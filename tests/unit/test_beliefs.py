"""Whose belief a statement names, in both languages, and the figures of speech and sights that only look like one."""

import pytest

from prefmem_pg.steps.screen import classify

BELIEFS = [
    *("I'm Presbyterian", "I am a Methodist", "My parents are Southern Baptists", "We're Lutheran", "User is Anglican"),
    *(
        "She was raised Episcopalian",
        "I'm a Jehovah's Witness",
        "My in-laws are Jehovah’s Witnesses",
        "I'm Pentecostal",
    ),
    *("As a Seventh-day Adventist I keep Saturdays free", "She is still Mennonite", "I'm LDS"),
    *("I'm Greek Orthodox", "I'm orthodox, so no trains on Saturday", "I'm a born-again Christian", "I am Sunni"),
    *("I was baptized Catholic", "He is a non-practicing Muslim", "I'm a Zen Buddhist", "My wife's Zoroastrian"),
    *("I'm very religious", "I'm deeply religious and I pray", "I'm an evangelical", "I am evangelical, keep it clean"),
    *(
        "I go to a Baptist church",
        "Attends the Presbyterian church on Sundays",
        "We went to mass",
        "converted to Sikhism",
    ),
    *("I'm a Muslim about to start Ramadan", "I'm agnostic", "Practices Shinto 🙏", "I'm ultra-orthodox"),
    *("我是浸信会的", "我们家是圣公会", "我属于长老会", "我在卫理公会长大", "我妈是耶和华见证人", "我是東正教徒"),
    *("周日要去福音派教会", "他是摩门教徒", "我是什叶派穆斯林", "我信猶太教", "我每周参加查经班", "週日去望彌撒 🙏"),
]
NO_BELIEFS = [
    *("I'm evangelical about Rust", "I'm religious about flossing", "I prefer an orthodox approach"),
    *("I'm orthodox about tea", "I'm orthodox in my approach to tests", "I'm a religious reader of the FT"),
    *("I'm agnostic about tabs and spaces", "I am agnostic on frameworks", "We're agnostic between the two"),
    *("I'm catholic in my tastes", "My dad is almost religious about recycling", "I floss religiously"),
    *("He is as evangelical as anyone about Vim", "I was a born-again runner", "I'm a libertarian about parking"),
    *("Likes Buddhist temples", "I go to Church Street market", "Loves Gothic churches", "As Quaker oats go, fine"),
    *("喜欢参观东正教教堂", "在浸信会医院附近住", "圣公会小学的校服好看", "我对 Rust 有宗教般的热情", "给显卡信仰充值"),
    *("过着清教徒式的生活，只喝水 💧", "喜歡藏传佛教壁画"),
]


@pytest.mark.parametrize("statement", BELIEFS)
def test_somebodys_belief_is_sensitive(statement: str) -> None:
    assert classify(statement) == ("identity", False)


@pytest.mark.parametrize("statement", NO_BELIEFS)
def test_a_manner_a_sight_and_a_place_are_no_belief(statement: str) -> None:
    assert classify(statement) == ("none", False)


@pytest.mark.parametrize(
    ("statement", "subject"),
    [
        ("我對花生過敏", ("health", True)),
        ("我有憂鬱症", ("health", False)),
        ("月薪兩萬，還有房貸", ("finance", False)),
        ("我信仰天主教 🙏", ("identity", False)),
        ("我對開會過敏哈哈", ("none", False)),
        ("討厭技術債務", ("none", False)),
    ],
)
def test_traditional_characters_are_read_as_simplified_ones(statement: str, subject: tuple[str, bool]) -> None:
    assert classify(statement) == subject
