"""The pre-filter keeps what may hold a preference and drops what does not."""

from collections.abc import Callable

import pytest

from prefmem_pg.domain.messages import Message
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.providers.offline.prefilter import PreferencePrefilter

MakeMessage = Callable[..., Message]


@pytest.mark.parametrize(
    "text",
    ["I can't stand coriander 🌿", "window seat, always", "我讨厌香菜", "以后回答短一点", "我喜欢用 Python 写代码 🐍"],
)
def test_what_states_a_preference_is_kept(text: str, make_message: MakeMessage) -> None:
    assert PreferencePrefilter().keeps([make_message(text)]) == [True]


@pytest.mark.parametrize("text", ["What's the capital of Peru?", "巴黎现在几点？", "🎉🎉🎉", "", "```py\nx = 1\n```"])
def test_what_asks_or_says_nothing_is_dropped(text: str, make_message: MakeMessage) -> None:
    assert PreferencePrefilter().keeps([make_message(text)]) == [False]


def test_only_the_words_of_the_user_are_kept(make_message: MakeMessage) -> None:
    spoken = [
        make_message("I love oat milk", role="assistant", number=1),
        make_message("I love oat milk", role="user", number=2),
        make_message("我喜欢豆浆", role="other", number=3),
    ]

    assert PreferencePrefilter().keeps(spoken) == [False, True, False]


def test_no_messages_give_no_answers() -> None:
    assert PreferencePrefilter().keeps([]) == []


def test_a_short_answer_to_a_question_is_kept(make_message: MakeMessage) -> None:
    asked = [make_message("Window or aisle?", role="assistant", number=1), make_message("aisle 🛫", number=2)]

    assert PreferencePrefilter().keeps(asked) == [False, True]


def test_with_the_model_neutral_talk_is_dropped_too(make_message: MakeMessage, embedder: LocalEmbedder) -> None:
    spoken = [
        "I get an import error when I run the tests.",
        "我的航班九点四十起飞，二号航站楼。",
        "window seat or nothing",
    ]

    assert PreferencePrefilter(embedder=embedder).keeps(
        [make_message(text, number=place) for place, text in enumerate(spoken)]
    ) == [False, False, True]
