"""The assistant's lists, in the shapes that assistants write them."""

import pytest

from prefmem_pg.providers.offline.options import read_options


def texts(said: str) -> list[str]:
    return [option.text for option in read_options(said)]


@pytest.mark.parametrize(
    ("said", "options"),
    [
        ("Two ideas:\n1. **Ramen** 🍜\n2. Tacos\n\nWhich one?", ["Ramen 🍜", "Tacos"]),
        ("We could: 1) bake bread 2) make jam.", ["bake bread", "make jam"]),
        ("Option A: the early bus\nOption B: the late bus", ["the early bus", "the late bus"]),
        ("- quiet rooms\n- a roof terrace\n\nTell me.", ["quiet rooms", "a roof terrace"]),
        ("1️⃣ Chess\n2️⃣ Go", ["Chess", "Go"]),
        ("Would you like red, white, or rosé?", ["red", "white", "rosé"]),
        ("I can offer a window seat or an aisle seat.", ["a window seat", "an aisle seat"]),
        ("推荐两家：\n1、老灶火锅\n2、清汤面馆\n您想去哪家？", ["老灶火锅", "清汤面馆"]),
        ("方案一：坐船\n方案二：坐车", ["坐船", "坐车"]),
        ("①苹果②香蕉③梨 🍐", ["苹果", "香蕉", "梨 🍐"]),
        ("您要热饮、冷饮还是常温？", ["热饮", "冷饮", "常温"]),
        ("可以選擇：1）靠窗 2）靠走道", ["靠窗", "靠走道"]),
        ("You could take the tram (1), or cycle along the river (2).", ["take the tram", "cycle along the river"]),
    ],
)
def test_a_list_is_read_in_its_order(said: str, options: list[str]) -> None:
    assert [text.removeprefix("You could ") for text in texts(said)] == options


def test_labels_out_of_order_keep_their_numbers() -> None:
    assert texts("3. tea 1. milk 2. water") == ["milk", "water", "tea"]


def test_a_number_at_the_end_of_an_entry_is_no_label() -> None:
    assert len(texts("1. a laptop with Windows 11. It is light.\n2. a tablet\n3. a phone")) == 3


@pytest.mark.parametrize(
    "said", ["", "It is 12:30.", "Paris is the capital of France.", "好的，明白了。", "😀", "1. only"]
)
def test_what_lists_nothing_has_no_options(said: str) -> None:
    assert read_options(said) == ()


def test_a_catalogue_is_no_offer() -> None:
    assert read_options("\n".join(f"{n}. item" for n in range(1, 60))) == ()
