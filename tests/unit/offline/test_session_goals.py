"""What the user is after in a session: stated, replaced, reached, dropped, or over."""

from datetime import timedelta

import pytest

from prefmem_pg.domain.messages import Role
from prefmem_pg.providers.offline.session_goals import current_goals
from tests.conversation import AT, messages_of


def goals(*said: str, role: Role = "user", hours: float = 1) -> list[str]:
    messages = messages_of((role, content) for content in said)
    return [goal.text for goal in current_goals(messages, now=AT + timedelta(hours=hours))]


TABLE, GIFT = "I want to book a table for two tonight.", "I need a gift for my mother."
TICKET, PRESENT = "我想订一张去北京的机票", "还要给妈妈买个礼物"


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ((TABLE,), [TABLE]),
        ((TABLE, GIFT), [TABLE, GIFT]),
        ((TABLE, "Done, booked it."), []),
        ((TABLE, GIFT, "done, booked the table"), [GIFT]),
        ((TABLE, GIFT, "Done!"), [TABLE]),
        ((TABLE, "I haven't booked it yet"), [TABLE]),
        ((TABLE, "Have you booked it?"), [TABLE]),
        ((TABLE, "I bought a new car yesterday, by the way, a red one."), [TABLE]),
        ((TABLE, "never mind"), []),
        ((TABLE, GIFT, "That's all, thanks!"), []),
        (("Let's plan a trip to Rome", "I'd like to go to Rome in June"), ["I'd like to go to Rome in June"]),
        ((TICKET, PRESENT), [TICKET, PRESENT]),
        ((TICKET, "订好了 🎉"), []),
        ((TICKET, PRESENT, "机票订好了"), [PRESENT]),
        ((TICKET, "还没订好"), [TICKET]),
        ((TICKET, "订好了吗？"), [TICKET]),
        ((TICKET, "算了，不去了"), []),
        ((TICKET, PRESENT, "就这些，谢谢"), []),
        (("我想 book 一个 Kyoto 的 ryokan", "ryokan 订到了"), []),
        (("I don't want to go anywhere", "我不想去", "他想去北京", "I want to know the time", "我得了感冒"), []),
        ((TABLE, "We did it, they had one left by the window!"), []),
        ((TABLE, "It works now, thank you so much"), []),
        ((TABLE, "Nah, scrap that. Let's leave it for another day."), []),
        ((TABLE, "My brother booked his own flight to Rome yesterday."), [TABLE]),
        ((TABLE, "I'll tell you once I've booked it."), [TABLE]),
        (("Could you help me pick a laptop?", "I went with the ThinkPad in the end."), []),
        (("I need to do the slides.", "Slides are done: I need to prepare the demo."), ["I need to prepare the demo."]),
        ((TICKET, "那就第二个吧，已下单 ✈️"), []),
        ((TICKET, "老王昨天订好了他的机票"), [TICKET]),
        ((TICKET, "等订好了再告诉你"), [TICKET]),
        (("帮我看看这个报错怎么修", "可以了，跑通了"), []),
        (("我想找房子搬到公司附近", "房子租下来了"), []),
        (("帮我选台笔记本电脑", "最后买了ThinkPad"), []),
        (("Can you help me choose a cake?", "We'll take the lemon one."), []),
        (("Help me pick a sofa", "I'll take the dog out first, one second"), ["Help me pick a sofa"]),
        (("I want to fix the leaking tap", "The tap doesn't leak any more, thanks!"), []),
        (("I want to fix the login", "Users can't log in any more!"), ["I want to fix the login"]),
        (("I want to install Ubuntu", "Ubuntu is up and running 🐧"), []),
        (("帮我挑一款沙发", "就选灰色那款"), []),
        (("帮我解决登录的bug", "登录不上了"), ["帮我解决登录的bug"]),
        (("我想把漏水的水龙头修好", "水龙头不漏了"), []),
        (("帮我买打印机墨盒", "不用买了，抽屉里还有"), []),
        (("What's the weather?", "今天天气怎么样？", "🙂", ""), []),
    ],
)
def test_goals_stand_until_they_end(said: tuple[str, ...], left: list[str]) -> None:
    assert goals(*said) == left


def test_only_the_user_has_goals() -> None:
    assert goals(TABLE, TICKET, role="assistant") == []


def test_a_goal_lasts_a_day_and_there_are_at_most_five() -> None:
    assert goals(TABLE, hours=24.5) == []
    said = [
        f"I want to {verb} my {thing}."
        for verb, thing in zip(
            ["sell", "wash", "paint", "lend", "hide", "melt"], ["car", "dog", "wall", "book", "key", "ice"], strict=True
        )
    ]
    assert goals(*said) == said[1:]
