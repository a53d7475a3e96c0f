"""What an answer takes of a list, what it refuses, and why."""

import pytest

from prefmem_pg.providers.offline.choice_signals import Quality, read_signal
from prefmem_pg.providers.offline.choices import read_choice
from prefmem_pg.providers.offline.options import read_options

HOTELS = "1. Dockside Hotel, lively\n2. Mill House, quiet, by the river\n3. Tower Inn, near the station"
酒店 = "1. 码头酒店，热闹\n2. 水磨坊民宿，安静\n3. 塔楼宾馆，离车站近"


@pytest.mark.parametrize(
    ("offer", "answer", "chosen"),
    [
        (HOTELS, "the second one, please 🙏", (1,)),
        (HOTELS, "#3", (2,)),
        (HOTELS, "I'll go with option two.", (1,)),
        (HOTELS, "Let's take the last one", (2,)),
        (HOTELS, "Mill House sounds great", (1,)),
        (HOTELS, "I'd prefer the quieter place rather than the tower.", (1,)),
        (HOTELS, "1 and 3 please", (0, 2)),
        (酒店, "第二家吧", (1,)),
        (酒店, "我选最后一家 😊", (2,)),
        (酒店, "就要安静的那家，不要码头那家", (1,)),
        (酒店, "还是水磨坊", (1,)),
        (酒店, "B", ()),
        (HOTELS, "我要第二個", (1,)),
    ],
)
def test_an_answer_takes_what_it_names(offer: str, answer: str, chosen: tuple[int, ...]) -> None:
    choice = read_choice(answer, read_options(offer))
    assert (choice.chosen if choice else ()) == chosen


@pytest.mark.parametrize(
    ("offer", "answer"),
    [
        (HOTELS, "Is the second one far from the beach?"),
        (HOTELS, "If we took the first one, would breakfast be included?"),
        (HOTELS, "My boss prefers the first one."),
        (HOTELS, "Either is fine."),
        (HOTELS, "none of these"),
        (HOTELS, "Let me think about it 🤔"),
        (HOTELS, "The first time I came here it rained."),
        (HOTELS, "1 or 2, I can't decide"),
        (HOTELS, "```\ntake option 2\n```"),
        (酒店, "第二家有早餐吗？"),
        (酒店, "要是住第一家，能走到车站吗"),
        (酒店, "我朋友喜欢第一家"),
        (酒店, "都行，你定"),
        (酒店, "都不要"),
        (酒店, "我再想想"),
        (酒店, "第一次来这里就下雨"),
    ],
)
def test_a_question_a_hypothesis_or_an_open_answer_takes_nothing(offer: str, answer: str) -> None:
    assert read_choice(answer, read_options(offer)) is None


@pytest.mark.parametrize(
    ("offer", "answer", "refused"),
    [(HOTELS, "Not the first one, please.", (0,)), (酒店, "不要第一个", (0,)), (酒店, "除了塔楼宾馆都行", (2,))],
)
def test_an_exclusion_refuses_and_takes_nothing(offer: str, answer: str, refused: tuple[int, ...]) -> None:
    choice = read_choice(answer, read_options(offer))
    assert choice is not None
    assert (choice.chosen, choice.refused) == ((), refused)


def test_of_two_the_one_that_is_not_refused_is_taken() -> None:
    choice = read_choice("不要第一个", read_options("要红的还是蓝的？"))
    assert choice is not None
    assert choice.chosen == (1,)


def test_the_cheaper_one_is_found_by_its_price() -> None:
    offer = "1. Inn, $90\n2. Lodge, $70\n3. Spa, $210"
    assert read_choice("the cheapest one please", read_options(offer)).chosen == (1,)  # type: ignore[union-attr]


@pytest.mark.parametrize(("offer", "answer"), [(HOTELS, "I'll take the second one."), (酒店, "第二家吧")])
def test_what_sets_the_taken_option_apart_is_its_quality(offer: str, answer: str) -> None:
    signal = read_signal(offer, answer)
    assert signal is not None
    assert Quality("quiet", 1) in signal.qualities
    assert Quality("lively", 1) in signal.passed


@pytest.mark.parametrize(
    ("offer", "answer", "quality"),
    [
        ("How about some ramen tonight?", "No thanks, I'm tired of it", Quality("noodle", -1)),
        ("要不要坐靠窗的位置？", "好的 👍", Quality("window_seat", 1)),
    ],
)
def test_a_suggestion_is_taken_or_refused(offer: str, answer: str, quality: Quality) -> None:
    signal = read_signal(offer, answer)
    assert signal is not None
    assert quality in signal.qualities


@pytest.mark.parametrize(
    ("offer", "answer"),
    [
        ("How about some ramen tonight?", "What is in it?"),
        ("How about some ramen tonight?", "Sounds good, but my wife wants pizza"),
        ("要不要坐靠窗的位置？", "都行"),
        ("The capital is Paris.", "Great, thanks!"),
    ],
)
def test_a_suggestion_that_is_left_open_shows_nothing(offer: str, answer: str) -> None:
    assert read_signal(offer, answer) is None


def test_offsets_are_those_of_the_message() -> None:
    answer = "谢谢😊！我选第二家，热闹的地方太吵了。"
    choice = read_choice(answer, read_options(酒店))
    assert choice is not None
    assert "第二家" in answer[choice.start : choice.end]
    assert choice.reason is not None
    assert "太吵" in answer[slice(*choice.reason)]


@pytest.mark.parametrize("answer", ["x" * 5_000_000, "😀" * 900, "１" * 900, "第" * 999, "the " * 240])
def test_odd_answers_are_read_and_choose_nothing(answer: str) -> None:
    assert read_choice(answer, read_options(HOTELS)) is None
