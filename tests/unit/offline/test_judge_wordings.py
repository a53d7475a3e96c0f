"""The offline judge on wordings: what says the same in another form, and small words that turn it round."""

import pytest

from prefmem_pg.domain.preferences import Relation
from prefmem_pg.providers.offline.judge import OfflineJudge
from prefmem_pg.providers.protocols import Comparison, Statement


def relation(existing: str, candidate: str) -> Relation:
    comparison = Comparison(candidate=Statement(text=candidate), existing=Statement(text=existing), similarity=0.97)
    return OfflineJudge().compare([comparison])[0].relation


LIGHT_EDITS = [
    ("My waist is a size forty-two", "My waist is a size 42"),
    ("I tip fifteen percent", "I tip 15%"),
    ("I can spend $80 on gifts", "I can spend eighty dollars on gifts"),
    ("I hate ties", "I hate a tie"),
    ("Wake me at half past six", "Wake me at 6:30"),
    ("Remind me at seven thirty pm", "Remind me at 7:30 pm"),
    ("Call me at 8 o'clock in the evening", "Call me at 8 pm"),
    ("我早七点喝茶", "我早上7点喝茶"),
    ("I really do like mint gum 😀", "I like mint gum"),
    ("Sugar-free gum for me", "I want gum with no sugar"),
    ("I drink one litre of juice", "I drink 1 litre of juice per day"),
    ("I wash my hair each morning", "Each morning I wash my hair"),
    ("鞋子我穿三十八码", "我穿38码的鞋"),
    ("我边听广播边做饭", "我一边听广播一边做饭呢"),
    ("提醒提前一天发", "提醒请提前1天发"),
    ("我每个星期天都去教堂", "每个星期日我去教堂"),
    ("百分之二十的折扣我才买", "20%的折扣我才会买"),
    ("我喜欢打网球", "我喜歡打網球呀😊"),
    ("我是国安的球迷", "国安队的球迷是我"),
    ("我不太喜欢韭菜", "韭菜我不怎么喜欢"),
    ("我用 Vim 写代码哦", "写代码我用Vim"),
]


@pytest.mark.parametrize(("existing", "candidate"), LIGHT_EDITS)
def test_a_light_edit_says_the_same_or_more(existing: str, candidate: str) -> None:
    assert relation(existing, candidate) in ("same", "richer")
    assert relation(candidate, existing) in ("same", "richer")


REWORDED = [
    ("I never buy shoes online", "I only buy shoes in shops"),
    ("No radish in my soup, please", "Leave radish out of my soup"),
    ("I can't stand durian", "Durian turns my stomach"),
    ("I hate being interrupted", "It drives me mad when you butt in"),
    ("I'm trying to eat less pork", "I plan to cut down on pork"),
    ("I pay bills immediately", "I pay bills right away"),
    ("做沙拉的时候把洋葱去掉", "沙拉里不要放洋葱"),
    ("我受不了榴莲", "榴莲让我反胃"),
    ("我不喜欢别人插嘴", "我讨厌被打断"),
    ("我想少吃猪肉", "我打算少吃点猪肉"),
    ("账单我马上付", "账单我立刻付掉"),
    ("我常去超市买菜", "我经常去采购食材"),
    ("I collect vinyl", "我收集黑胶唱片"),
    ("I cycle to work", "I go to the office by bike"),
    ("我骑车上班", "我骑自行车去公司"),
    ("I get seasick", "Boats make me queasy"),
    ("我晕车", "我一坐车就头晕"),
    ("I want to give up sugar", "My goal is to quit sugar"),
    ("我想戒烟", "我的目标是戒烟"),
    ("I'm learning Greek", "I'm taking Greek lessons"),
    ("A garden is a must for me", "I need a garden"),
    ("I never eat lamb", "Lamb is something I never eat"),
    ("I prefer tea to coffee", "Between coffee and tea, I choose tea"),
    ("我更喜欢茶而不是咖啡", "咖啡和茶我选茶"),
    ("I hate ironing", "Ironing is no fun for me"),
    ("My flat is small", "I live in a small flat"),
    ("I have two parrots", "Two parrots live with me"),
    ("周末别联系我", "周六周日请别找我"),
]


@pytest.mark.parametrize(("existing", "candidate"), REWORDED)
def test_a_rewording_is_recognised(existing: str, candidate: str) -> None:
    assert relation(existing, candidate) in ("same", "richer")


TURNED = [
    ("Show captions", "Hide captions"),
    ("I sleep in the upper berth", "I sleep in the lower berth"),
    ("I like fish with more salt", "I like fish with less salt"),
    ("I dislike unscented soap", "I dislike scented soap"),
    ("I love coffee late at night", "I don't drink coffee after 4 pm"),
    ("I want reminders an hour in advance", "I want reminders a day in advance"),
    ("I like beer", "I like alcohol-free beer"),
    ("我订了上层的房间", "我订了下层的房间"),
    ("我睡上铺", "我睡下铺"),
    ("汤里多放醋", "汤里少放醋"),
    ("我白天拉着窗帘", "我白天敞开窗帘"),
    ("我晚上很晚还喝咖啡", "下午四点以后我不喝咖啡"),
    ("我喜欢吃鱼", "我喜欢吃鱼头"),
    ("我喜欢喂猫", "我喜欢画猫"),
    ("I plan to smoke", "I plan to give up smoking"),
    ("我打算抽烟", "我打算戒烟"),
    ("I want to run a marathon", "I want to run a half marathon"),
    ("我爱看网球", "我爱打网球"),
    ("I love tea", "I love tea sets"),
    ("I prefer tea to coffee", "Between coffee and tea, I choose coffee"),
    ("我更喜欢茶而不是咖啡", "咖啡和茶我选咖啡"),
]


@pytest.mark.parametrize(("existing", "candidate"), TURNED)
def test_a_small_word_that_turns_the_meaning_is_never_merged(existing: str, candidate: str) -> None:
    assert relation(existing, candidate) not in ("same", "richer")
    assert relation(candidate, existing) not in ("same", "richer")


@pytest.mark.parametrize("text", ["别人", "特别", "别墅花园", "非常", "无线耳机", "区别", "除非"])
def test_a_word_with_a_negation_inside_negates_nothing(text: str) -> None:
    assert relation("我喜欢惊喜", f"{text}，我喜欢惊喜") in ("same", "richer", "unsure")


@pytest.mark.parametrize(
    ("existing", "candidate", "expected"),
    [
        ("I hate boring films", "I love boring films", "changed"),
        ("I don't like ugly cars", "I can't stand ugly cars", "same"),
        ("我讨厌无聊的电影", "我喜欢无聊的电影", "changed"),
        ("无聊的电影我不看", "我不看无聊的电影", "same"),
    ],
)
def test_a_bad_quality_of_what_is_refused_does_not_turn_the_refusal(
    existing: str, candidate: str, expected: str
) -> None:
    assert relation(existing, candidate) == expected


def test_a_surprise_from_others_takes_back_the_dislike_of_surprises() -> None:
    assert relation("我不喜欢惊喜", "我最喜欢别人给我惊喜") == "changed"


@pytest.mark.parametrize(
    ("existing", "candidate"),
    [
        ("I don't drink alcohol", "I do not drink alcohol 🙅"),
        ("我喜欢划船", "我喜欢划船 🚣"),
        ("我住在杭州", "我去年搬到杭州了"),
    ],
)
def test_a_picture_or_a_time_beside_the_same_words_changes_nothing(existing: str, candidate: str) -> None:
    assert relation(existing, candidate) == "same"


@pytest.mark.parametrize(
    ("existing", "candidate"),
    [
        ("我住在深圳", "我上个月搬到厦门了"),
        ("I live in Oslo", "I moved to Bergen last month"),
        ("Please write to me in German", "Please write to me in Spanish"),
        ("请用英语跟我说话", "请用法语跟我说话"),
    ],
)
def test_another_place_or_language_is_a_change(existing: str, candidate: str) -> None:
    assert relation(existing, candidate) == "changed"


@pytest.mark.parametrize(
    ("existing", "candidate"),
    [
        (
            "I've used dark themes in every editor since high school",
            "Since the eye surgery I've switched to light mode",
        ),
        ("I drink regular coffee", "Since the operation I've switched to decaf ☕"),
        ("我从高中起就用深色模式", "自从做了眼睛手术以后，我都改用浅色模式了"),
    ],
)
def test_since_when_and_after_what_a_mind_changed_stands_in_no_ones_way(existing: str, candidate: str) -> None:
    assert relation(existing, candidate) == "changed"


@pytest.mark.parametrize(
    ("existing", "candidate"),
    [
        ("我看书只看纸书", "散步听书，比看书还过瘾 🎧"),
        ("我爱喝茶", "这个果汁比茶还解渴"),
        ("I've switched everything to light mode", "Dark themes blur for me now"),
    ],
)
def test_a_yardstick_and_a_reason_for_a_change_take_nothing_back(existing: str, candidate: str) -> None:
    assert relation(existing, candidate) != "changed"


@pytest.mark.parametrize(
    ("existing", "candidate"), [("I like 🪁", "I like 🚣"), ("🪁", "🚣"), ("我喜欢🎻", "我喜欢🛹")]
)
def test_pictures_that_are_the_statement_are_told_apart(existing: str, candidate: str) -> None:
    assert relation(existing, candidate) not in ("same", "richer", "changed")
