"""Wishes of going somewhere, in both languages."""

import pytest

from prefmem_pg.providers.offline.destinations import destination, refused_destination, replaces


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("我想去北京旅游", "北京"),
        ("我现在又想去北京了", "北京"),
        ("还是去山西吧", "山西"),
        ("改去西双版纳玩几天", "西双版纳"),
        ("I want to visit Beijing", "Beijing"),
        ("I'd rather go to New York after all", "New York"),
        ("I'm planning a trip to Peru", "Peru"),
        ("Let's go to Rome instead 🛵", "Rome"),
        ("我想去吃火锅", None),
        ("我要去上班", None),
        ("我不想去北京了", None),
        ("I want to go to the gym", None),
        ("I want to see Dr Smith", None),
        ("I'd rather read Proust", None),
    ],
)
def test_a_wish_to_go_somewhere_names_its_place(text: str, place: str | None) -> None:
    assert destination(text) == place


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("我不想去北京了", "北京"),
        ("I don't want to go to Beijing any more", "Beijing"),
        ("I no longer want to visit Rome", "Rome"),
        ("I don't want to go to Starbucks", None),
        ("我不想去医院", None),
        ("I want to go to Beijing", None),
    ],
)
def test_a_plan_that_is_given_up_names_its_place(text: str, place: str | None) -> None:
    assert refused_destination(text) == place


@pytest.mark.parametrize(
    ("later", "earlier", "answer"),
    [
        ("我想去山西旅游", "我想去北京旅游", True),
        ("I want to go to Rome", "我想去北京旅游", True),
        ("我也想去西安", "我想去北京旅游", False),
        ("I want to visit Peru next summer", "I want to visit Rome in October", False),
        ("还是想去北京", "我想去北京旅游", False),
        ("I want to learn Rust", "I want to visit Rome", None),
    ],
)
def test_another_place_takes_the_place_of_the_one_before(later: str, earlier: str, answer: bool | None) -> None:
    assert replaces(later, earlier) is answer
