"""The polarity that a statement's words show."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prefmem_pg.providers.offline.polarity import statement_polarity


@pytest.mark.parametrize(
    "text",
    [
        "I love techno",
        "I don't mind long flights",
        "I can't live without tea",
        "I don't dislike opera",
        "Please always answer in French, I prefer it",
        "I can't get enough of sushi",
        "我喜欢摇滚",
        "我不介意排队",
        "我离不开咖啡",
        "我不讨厌香菜",
        "我爱吃 pizza 🍕",
    ],
)
def test_being_for_something_is_positive(text: str) -> None:
    assert statement_polarity(text) == "positive"


@pytest.mark.parametrize(
    "text",
    [
        "I can't stand techno",
        "I never eat lamb",
        "I’m scared of heights",
        "Crowds stress me out",
        "I used to like opera",
        "Don't call me before noon",
        "I'm a vegetarian",
        "我讨厌摇滚",
        "我不吃羊肉",
        "别给我打电话",
        "我恐高",
        "爵士乐我受不了",
        "我不喜欢 emoji 😂",
    ],
)
def test_being_against_something_is_negative(text: str) -> None:
    assert statement_polarity(text) == "negative"


@pytest.mark.parametrize("text", ["", "I live in Oslo", "我住在上海", "Two cats and a dog 🐈", "我家有三口人", "😀"])
def test_taking_no_side_is_neutral(text: str) -> None:
    assert statement_polarity(text) == "neutral"


@given(st.text(max_size=80))
def test_any_text_has_a_polarity(text: str) -> None:
    assert statement_polarity(text) in ("positive", "negative", "neutral")
