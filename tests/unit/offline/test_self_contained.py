"""A statement names what it is about, with the words beside it or the question before it, or is not kept."""

import pytest

from prefmem_pg.providers.offline.extractor import OfflineExtractor
from prefmem_pg.providers.offline.topics import find_topic
from prefmem_pg.providers.protocols import Chunk


@pytest.mark.parametrize(
    ("text", "statement", "polarity"),
    [
        ("咖啡我挺爱喝的，不过下午两点以后不喝。", "咖啡下午两点以后不喝", "negative"),
        ("辣还是怕，一点都不吃", "辣还是怕，一点都不吃", "negative"),
        ("我喜欢竖琴课。只能周末上午学。", "竖琴课只能周末上午学", "positive"),
        ("酸奶？一口都不碰。", "酸奶一口都不碰", "negative"),
        ("不要放大蒜，我闻到就想吐", "不要放大蒜，我闻到就想吐", "negative"),
        ("Carry-on only, I never check bags.", "Carry-on only, I never check bags", "negative"),
        ("Single quotes everywhere, 2 spaces, no tabs.", "Single quotes everywhere, 2 spaces, no tabs", "positive"),
        ("don't write without furigana, I need them in every line", None, "positive"),
        ("I take my porridge plain, no sugar.", "I take my porridge plain, no sugar", "neutral"),
        ("error 要包一层，别吞掉。", "error 要包一层，别吞掉", "positive"),
        ("I eat fish but never meat.", "I eat fish but never meat", "negative"),
        ("Aquariums? Love them.", "Aquariums: Love them", "positive"),
    ],
)
def test_what_leaves_out_its_object_gets_it_from_the_words_beside_it(extract, text, statement, polarity):
    assert (statement or text, polarity) in [(found.statement, found.polarity) for found in extract(text)]


@pytest.mark.parametrize(
    ("question", "answer", "statement"),
    [
        ("您吃牛肉吗？", "从来不吃。", "牛肉从来不吃"),
        ("Do you eat venison?", "No, never.", "Venison: No, never"),
        ("Which days do you work from home?", "Tuesdays and Fridays.", "Work from home: Tuesdays and Fridays"),
        ("您一般几点起床？", "六点半左右。", "起床：六点半左右"),
    ],
)
def test_a_short_answer_takes_along_what_was_asked(make_message, question, answer, statement):
    messages = (make_message(question, role="assistant", number=1), make_message(answer, number=2))
    (found,) = OfflineExtractor().extract(Chunk(user_id="u-1", dialog_id="d-1", messages=messages))

    assert found.statement == statement
    assert found.evidence[0].quote in answer


@pytest.mark.parametrize(
    ("question", "answer"), [("Any allergies?", "Bee stings and kiwi."), ("有什么过敏吗？", "蜂蜜和猕猴桃。")]
)
def test_an_answer_to_a_question_about_allergies_is_a_matter_of_safety(make_message, question, answer):
    messages = (make_message(question, role="assistant", number=1), make_message(answer, number=2))
    (found,) = OfflineExtractor().extract(Chunk(user_id="u-1", dialog_id="d-1", messages=messages))

    assert (found.kind, found.polarity, found.is_safety) == ("fact", "negative", True)


@pytest.mark.parametrize(("question", "answer"), [("Any allergies?", "None."), ("有什么过敏吗？", "没有。")])
def test_an_answer_that_denies_allergies_is_none(make_message, question, answer):
    messages = (make_message(question, role="assistant", number=1), make_message(answer, number=2))

    assert OfflineExtractor().extract(Chunk(user_id="u-1", dialog_id="d-1", messages=messages)) == []


@pytest.mark.parametrize(
    "text",
    [
        *("一点都不吃", "别删掉", "every week, always", "下午两点以后不喝", "这个是我的底线", "别诱惑我", "真的不行了"),
        *("We're both tired of things", "I'm fed up with everything.", "I'm bored of stuff", "我讨厌东西"),
        "我烦透了这一切",
    ],
)
def test_what_nothing_completes_is_not_kept(extract, text):
    assert extract(text) == []


def test_what_is_no_longer_drunk_opens_no_statement_of_something_else(extract):
    given_up, taken_up = extract("咖啡我也戒了，从上周开始一口没喝，改喝大麦茶 🍵")

    assert (given_up.statement, given_up.polarity) == ("咖啡我也戒了", "negative")
    assert taken_up.statement.startswith("改喝大麦茶")


@pytest.mark.parametrize(
    ("text", "statement", "quote"),
    [
        ("my wife Inês would live on olives if I let her 😅", "my wife is called Inês", "my wife Inês"),
        ("My son Pavel is seven and he'd only eat toast", "My son Pavel is seven", "My son Pavel is seven"),
    ],
)
def test_of_a_relative_the_name_is_kept_and_their_tastes_are_not(extract, text, statement, quote):
    (found,) = extract(text)

    assert (found.statement, found.evidence[0].quote) == (statement, quote)


def test_a_danger_of_a_relative_says_whose_it_is(extract):
    (danger,) = [found for found in extract("我儿子团团四岁，花生过敏，很严重") if found.is_safety]

    assert danger.statement.startswith("我儿子团团四岁，花生过敏")


@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("以后不住青旅了", "negative"),
        ("我坚持不用塑料袋", "negative"),
        ("Emacs 我已经卸了", "negative"),
        ("没白噪音我真的睡不着", "positive"),
        ("没有遮光帘的房间我睡不着", "negative"),
        ("I bake on Sundays with my neighbour", "neutral"),
        ("I always choose the quiet coach, the others are too loud", "positive"),
        ("For release notes: past tense, short lines, no emoji, always", "positive"),
    ],
)
def test_the_sign_is_that_of_the_whole_statement(extract, text, polarity):
    assert [found.polarity for found in extract(text)] == [polarity]


def test_safety_weighs_more_than_constraints_and_these_more_than_tastes(extract):
    danger, constraint, taste = (
        extract(text)[0].importance for text in ("I'm allergic to bees", "I never eat veal", "I love olives")
    )

    assert danger > constraint > taste


@pytest.mark.parametrize(
    ("statement", "topic"),
    [
        ("never use fish sauce, oyster sauce or MSG", "food"),
        ("I never check bags, carry-on only", "travel"),
        ("keep doing tables for lists", "communication"),
        ("Never book me a middle seat", "travel"),
        ("鐵觀音我每天都喝", "drink"),
        ("转机能免则免", "travel"),
        ("护肤品只买无香精的", "style"),
        ("never schedule a call for me right after lunch", "communication"),
        ("我每周二和周四晚上打羽毛球", "sport"),
        ("🍣🍜", "other"),
    ],
)
def test_everyday_words_have_a_topic(statement, topic):
    assert find_topic(statement) == topic
