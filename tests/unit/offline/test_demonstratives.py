"""What points at the turn before says what it points at; several preferences in one sentence come apart."""

from collections.abc import Callable

import pytest

from prefmem_pg.domain.messages import Message
from prefmem_pg.providers.offline.extractor import OfflineExtractor
from prefmem_pg.providers.protocols import Chunk

MakeMessage = Callable[..., Message]


@pytest.mark.parametrize(
    ("role", "before", "told", "statement", "polarity"),
    [
        (
            "assistant",
            "How about the Greek place by the river?",
            "I hate that one.",
            "hate the Greek place",
            "negative",
        ),
        (
            "assistant",
            "There is a top bunk and a low one.",
            "I always take the top one.",
            "take the top bunk",
            "positive",
        ),
        (
            "assistant",
            "Did you mean the scented kind?",
            "No, I never buy that one.",
            "buy the scented kind",
            "negative",
        ),
        ("user", "My aunt tried goat cheese.", "I can't stand that.", "can't stand goat cheese", "negative"),
        ("assistant", "要不要试试河边那家面馆？", "我讨厌那家。", "我讨厌河边的面馆", "negative"),
        ("assistant", "给你推荐如家酒店。", "我从来不住那个。", "我从来不住如家酒店", "negative"),
        ("user", "最近都在喝豆汁。", "那个我受不了。", "豆汁我受不了", "negative"),
    ],
)
def test_what_points_at_the_turn_before_names_it(
    make_message: MakeMessage, role: str, before: str, told: str, statement: str, polarity: str
) -> None:
    turns = (make_message(before, role=role), make_message(told, number=2))

    (found,) = OfflineExtractor().extract(Chunk(user_id="u-1", dialog_id="d-1", messages=turns, first_new=1))

    assert statement in found.statement
    assert found.polarity == polarity
    assert found.evidence[0].quote in told


@pytest.mark.parametrize(
    ("before", "told"),
    [
        ("How about tea or coffee?", "I hate that one."),
        ("What shall we do?", "I can't stand that."),
        ("喝茶还是喝咖啡？", "那个我受不了。"),
        ("今天做什么？", "那个我受不了。"),
    ],
)
def test_what_could_point_at_several_things_or_none_is_not_kept(
    make_message: MakeMessage, before: str, told: str
) -> None:
    turns = (make_message(before, role="assistant"), make_message(told, number=2))

    assert OfflineExtractor().extract(Chunk(user_id="u-1", dialog_id="d-1", messages=turns, first_new=1)) == []


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        (
            "I love barley tea, hate cola and never drink soda.",
            ["I love barley tea", "I hate cola", "I never drink soda"],
        ),
        ("I adore opera but can't stand techno.", ["I adore opera", "I can't stand techno"]),
        ("我喜欢乌龙茶，讨厌可乐，从来不喝汽水。", ["我喜欢乌龙茶", "讨厌可乐", "从来不喝汽水"]),
        ("我爱听京剧，受不了摇滚。", ["我爱听京剧", "受不了摇滚"]),
        ("我只喝黑咖啡，从不加糖。", ["我只喝黑咖啡，从不加糖"]),
    ],
)
def test_several_preferences_in_one_sentence_come_apart(
    extract: Callable[[str], list[object]], text: str, statements: list[str]
) -> None:
    assert [found.statement for found in extract(text)] == statements
