"""A short follow-up gets what it leaves unsaid; a message that says itself what it is about stays as it is."""

import pytest

from prefmem_pg.domain.messages import Message
from prefmem_pg.providers.offline.lists import find_items
from prefmem_pg.providers.offline.query_builder import OfflineQueryBuilder
from tests.conversation import messages_of

ROME = (
    "U:Where should I eat in Rome?",
    "A:Here are three:\n1. Trattoria Mario – cheap pasta\n2. Osteria Francescana: three stars\n3. **Da Enzo**, far off",
)


def turns(*said: str) -> list[Message]:
    """Return messages of the user ("U:…") and of the assistant ("A:…")."""
    return list(messages_of(("user" if one[0] == "U" else "assistant", one[2:]) for one in said))


FOLLOW_UPS = [
    ("what about the second one?", ROME, "Osteria Francescana"),
    ("And the last one? 🙂", ROME, "Da Enzo"),
    ("number 1 please", ROME, "Trattoria Mario"),
    ("is it expensive?", ("U:Where should I eat in Rome?", "A:I would try Da Enzo in Trastevere."), "Da Enzo"),
    ("What about that hotel?", ("U:We stayed at the hotel Sacher.", "A:Nice!", "U:The zoo was great"), "Sacher"),
    ("and in Paris?", ("U:What museums are free in London on Sunday?", "A:The British Museum."), "museums are free"),
    ("the latter", ("A:We offer a window seat or an aisle seat.",), "an aisle seat"),
    ("那家餐厅怎么样？", ("U:周五去哪吃火锅？", "A:推荐海底捞朝阳大悦城店，环境不错。"), "海底捞"),
    ("第二家贵吗？", ("U:北京有什么好吃的烤鸭？", "A:有全聚德、便宜坊和大董。"), "便宜坊"),
    ("第二部讲什么？🎬", ("A:可以看《流浪地球》、《你好，李焕英》和《孤注一掷》。",), "《你好，李焕英》"),
    ("那上海呢？", ("U:北京周末天气怎么样？", "A:晴，25度。"), "周末天气"),
    ("它多少钱？", ("U:想买个扫地机器人，石头 P10 怎么样？", "A:口碑不错。"), "P10"),
    ("这款 headphones 怎么样？", ("U:想买 Sony WH-1000XM5", "A:降噪很好"), "WH-1000XM5"),
    ("还有别的吗？", ("U:推荐几本推理小说", "A:东野圭吾的《白夜行》不错。"), "推理小说"),
]
AS_ASKED = [
    ("Can you plan a vegetarian dinner for six people on Friday?", ROME),
    ("thanks!", ROME),
    ("好的，谢谢", ("U:北京有什么好吃的烤鸭？", "A:有全聚德、便宜坊和大董。")),
    ("我想订一家川菜馆", ("U:你好", "A:你好")),
    ("How much is it?", ("U:hi", "A:hello there")),
    ("那家餐厅怎么样？", ()),
    ("", ROME),
    ("🙂", ROME),
    ("What about " + "a very long sentence that names everything by itself " * 3, ROME),
]


@pytest.mark.parametrize(("asked", "said", "wanted"), FOLLOW_UPS)
def test_a_follow_up_gets_what_it_leans_on(asked: str, said: tuple[str, ...], wanted: str) -> None:
    built = OfflineQueryBuilder().build(asked, turns(*said))

    assert built.text.startswith(asked)
    assert wanted in built.text
    assert built.reason != "as asked"
    assert len(built.message_ids) == 1


@pytest.mark.parametrize(("asked", "said"), AS_ASKED)
def test_what_says_itself_what_it_is_about_stays(asked: str, said: tuple[str, ...]) -> None:
    built = OfflineQueryBuilder().build(asked, turns(*said))

    assert (built.text, built.reason, built.message_ids) == (asked, "as asked", ())


def test_the_message_itself_is_no_turn_before_it() -> None:
    said = turns("U:Where should I eat in Rome?", "A:Da Enzo is good.", "U:is it expensive?")

    assert "Enzo" in OfflineQueryBuilder().build("is it expensive?", said).text


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("- one\n- two: and more\n- three", ["one", "two", "three"]),
        ("1) 火锅\n2) 烤鸭（全聚德）", ["火锅", "烤鸭"]),
        ("你可以选 ① 靠窗 ② 过道", ["靠窗", "过道"]),
        ("Try the Louvre, the Orsay or the Pompidou.", ["the Louvre", "the Orsay", "the Pompidou"]),
        ("这里什么也没有列", []),
        ("Just one sentence here.", []),
        ("", []),
    ],
)
def test_lists_are_read(text: str, items: list[str]) -> None:
    assert find_items(text) == items


@pytest.mark.parametrize("text", ["1. " * 3_000, "、" * 3_000, "a, " * 2_000 + "and b", "那家" * 2_000, "(" * 4_000])
def test_long_and_odd_texts_are_read_in_time(text: str) -> None:
    assert all(item in text for item in find_items(text))
    built = OfflineQueryBuilder().build("the second one?", turns(f"A:{text}"))
    assert "second one" in built.text or built.text in text
