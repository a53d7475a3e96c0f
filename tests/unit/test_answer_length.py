"""How long answers may be at most: limits in both languages, and what looks like one."""

import pytest

from prefmem_pg.steps.numerals import read_number
from prefmem_pg.steps.style import settings_in

LIMITS = [
    ("Answers in 100 words or less, please", 100),
    ("Keep your replies to 100 words or fewer 🙏", 100),
    ("Answer in 80 words max", 80),
    ("I like summaries of 50 words at most", 50),
    ("Never write more than 1,000 words to me", 1_000),
    ("Your answers have a 200-word limit", 200),
    ("Limit answers to 150 words", 150),
    ("Keep answers under a hundred words unless I ask for more, that goes for everything.", 100),
    ("In future keep it under a hundred words unless I beg for more.", 100),
    ("No more than fifty words", 50),
    ("Explain things in fewer than two hundred words", 200),
    ("I never want answers over 120 words", 120),
    ("I hate answers longer than 300 words", 300),
    ("Don't exceed 200 words", 200),
    ("Answers over 300 words are too long for me", 300),
    ("No waffle and keep it under 100 words", 100),
    ("under 90 words please", 90),
    ("Tell me everything in at most 60 words", 60),
    ("回答控制在两百字以内，手机上看。", 200),
    ("解释下熵，以后回答都控制在两百字以内哈", 200),
    ("回答不要超过二百字", 200),
    ("回复别超过 1,000 字", 1_000),
    ("总结二百五十字以内 😀", 250),
    ("说明不多于一千五百字", 1_500),
    ("我不看五百字以上的回答", 500),
    ("超过三百字的回答我都不看", 300),
    ("回答不超過一百字", 100),
    ("不超过50字", 50),
    ("每次最多一百二十个字就好", 120),
    ("请控制在100字左右", 100),
]
NO_LIMITS = [
    "Answers of at least 100 words",
    "I never want answers under 100 words",
    "Don't give me answers shorter than 100 words",
    "I don't like replies below 50 words",
    "No less than 200 words, please",
    "Explain it in 200 words or more",
    "I don't mind answers over 200 words",
    "Your answers should exceed 200 words",
    "Answer me with over 500 words",
    "Passwords must be within 20 characters",
    "Your password must be under 20 characters",
    "My essay must be under 500 words",
    "My answers in the exam have at most 50 words",
    "Tweets have at most 280 characters",
    "I write poems of fewer than 100 words",
    "I like novels with at most five characters",
    "Keep the abstract under 250 words",
    "Keep this one under fifty words",
    "I learn to read 1,000 words",
    "the editor won't have headings under 800 words",
    "回答不少于100字",
    "回答不要少于二百字",
    "回复不得低于100个字",
    "解释要超过三百字",
    "回答五百字以上",
    "我不喜欢少于一百字的回答",
    "别给我不到一百字的解释 🙏",
    "密码不超过20个字符",
    "昵称最多10个字",
    "作文不超过八百字",
    "我写日记不超过二百字",
    "我的总结不超过一百字",
    "这篇控制在一百字以内",
    "把这段总结控制在三百字以内",
    "Keep this answer under 100 words",
    "走到十字路口",
    "他最多认识一百个字",
]


@pytest.mark.parametrize(("statement", "words"), LIMITS)
def test_a_limit_on_answers_is_a_setting(statement: str, words: int) -> None:
    assert dict(settings_in(statement)).get("max_length") == words


@pytest.mark.parametrize("statement", NO_LIMITS)
def test_a_least_length_and_a_limit_on_something_else_set_nothing(statement: str) -> None:
    assert "max_length" not in dict(settings_in(statement))


def test_a_sentence_of_nothing_but_limits_is_read_at_once() -> None:
    assert dict(settings_in("想要" * 2_000 + "不超过五十字")) == {"max_length": 50}
    assert dict(settings_in("just " * 500 + ",!" * 500 + " under 50 words")) == {"max_length": 50}
    assert "max_length" not in dict(settings_in("over 50 words " * 400))


NUMBERS = {
    "1,000": 1_000,
    "a hundred": 100,
    "two hundred": 200,
    "Fifty": 50,
    "a few hundred": 300,
    "thousand": 1_000,
    "二百": 200,
    "一百二十": 120,
    "二百五": 250,
    "一千零五": 1_005,
    "两万": 20_000,
    "三十": 30,
    "百": 100,
    "many": 0,
    "好多": 0,
    "": 0,
}


@pytest.mark.parametrize(("text", "number"), NUMBERS.items())
def test_numbers_are_read_as_people_write_them(text: str, number: int) -> None:
    assert read_number(text) == number
