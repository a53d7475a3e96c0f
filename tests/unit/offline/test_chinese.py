"""Chinese grammar that words alone do not show: whose a clause is, what it is about, which side a negation takes."""

import pytest

from prefmem_pg.domain.preferences import Candidate
from prefmem_pg.providers.offline.extractor import OfflineExtractor
from prefmem_pg.providers.offline.idle_zh import is_idle
from prefmem_pg.providers.offline.sarcasm import likes_what_nobody_likes
from prefmem_pg.providers.offline.signs import told_sign
from prefmem_pg.providers.protocols import Chunk


@pytest.fixture
def find(make_message):
    def run(text: str) -> list[Candidate]:
        chunk = Chunk(user_id="u-1", dialog_id="d-1", messages=(make_message(text, number=1),), time_zone="UTC")
        return OfflineExtractor().extract(chunk)

    return run


def test_of_two_people_the_users_own_taste_is_kept_and_names_its_thing(find):
    (found,) = find("我老公爱吃辣，我不行。")

    assert (found.statement, found.polarity) == ("吃辣，我不行", "negative")


@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("香菜我不喜欢。", "negative"),
        ("大型犬我喜欢。", "positive"),
        ("酒我是一滴不沾的。", "negative"),
        ("没有比堵车更让我抓狂的事了。", "negative"),
        ("没有比睡到自然醒更舒服的事了。", "positive"),
        ("除了川菜，其他菜系我都提不起劲儿。", "positive"),
        ("不喝咖啡我上午根本醒不过来。", "positive"),
        ("奶茶我只喝无糖的。", "positive"),
        ("我在外面住酒店，被子从来不盖白色的。", "negative"),
        ("谁说我不爱吃甜的？", "positive"),
        ("我最憎榴莲的味道 🤢", "negative"),
        ("我偏爱日式风格的装修", "positive"),
        ("我希望你每次都把别字改掉", "positive"),
        ("以后每次都别发语音", "negative"),
        ("用上双屏之后就回不去了", "positive"),
        ("空话少来，我一直听不得", "negative"),
    ],
)
def test_the_side_of_a_sentence_is_that_of_the_whole(find, text, polarity):
    assert {one.polarity for one in find(text)} == {polarity}


@pytest.mark.parametrize(
    "text",
    [
        "会议改期到周五下午三点。",
        "【通知】请各位业主不要在楼道堆放杂物。",
        "这个App老是闪退，每次打开都要等十秒。",
        "如果用户不喜欢深色模式，应该怎么设计？",
        "弹幕都在刷“我再也不看国产剧”。",
        "今晚吃火锅？别放太辣就行",
        "周末打算去趟宜家。",
    ],
)
def test_notices_faults_dates_and_errands_are_not_the_users_own(find, text):
    assert find(text) == []


def test_what_holds_for_ever_is_told_with_what_it_is(find):
    (found,) = find("麻辣烫免辣，谢谢，以后都这样。")

    assert found.statement.startswith("麻辣烫免辣")
    assert found.polarity == "negative"


def test_a_statement_may_begin_with_a_latin_word(find):
    assert [one.statement for one in find("kindle比纸质书用着更顺手。")] == ["kindle比纸质书用着更顺手"]


@pytest.mark.parametrize("text", ["刚下地铁，人挤人", "好嘞，辛苦啦", "给我讲讲唐朝的科举制度"])
def test_events_greetings_and_tasks_need_no_second_look(text):
    assert is_idle(text)


@pytest.mark.parametrize("text", ["刚戒了烟", "今天起不吃甜的了", "给我讲东西最好打个比方"])
def test_what_may_last_is_looked_at_again(text):
    assert not is_idle(text)


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("他的课我是堂堂不落", "positive"),
        ("这档节目一期都没错过", "positive"),
        ("没有围巾我出不了门", "positive"),
        ("我住四楼", None),
    ],
)
def test_what_a_turn_of_phrase_tells_stands_above_its_words(text, side):
    assert told_sign(text) == side


@pytest.mark.parametrize(
    "text",
    [
        "新手学滑雪别直接上高级道",
        "又断网，真棒，我太喜欢了",
        "大清早就装修，我可太喜欢了",
        "爵士乐我谈不上喜欢，也谈不上讨厌",
        "鸡和兔一共九只，各有几只",
    ],
)
def test_advice_jokes_riddles_and_no_side_are_nothing_to_keep(find, text):
    assert find(text) == []


@pytest.mark.parametrize(
    "text", ["以后恐怖片这类别再推荐给我", "以后这个别再推给我了", "以后别处理我没确认的退款", "以后别致电，发邮件"]
)
def test_a_prohibition_behind_a_word_that_looks_like_part_of_it_forbids(find, text):
    assert [found.polarity for found in find(text)][:1] == ["negative"]


@pytest.mark.parametrize(
    "text", ["我是土生土长的温州人", "如今在大理定居了", "我现在跟两个同学合租", "如今在昆明安了家", "跟表姐合租"]
)
def test_where_somebody_is_at_home_is_a_fact(find, text):
    assert [found.kind for found in find(text)] == ["fact"]


@pytest.mark.parametrize(("text", "is_joke"), [("我可喜欢吃火锅了 🍲", False), ("我可喜欢半夜的电钻了", True)])
def test_a_joke_needs_something_that_nobody_likes(text, is_joke):
    assert likes_what_nobody_likes(text) is is_joke
