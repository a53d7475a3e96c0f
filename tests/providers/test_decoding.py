"""What models write around, before and instead of JSON."""

import json

import pytest

from prefmem_pg.errors import InvalidAnswer
from prefmem_pg.providers.chat.decoding import MAX_CHARACTERS, decode

TEA = {"preferences": [{"statement": "I like tea 🍵"}]}
PLAIN = json.dumps(TEA, ensure_ascii=False)


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        f"```json\n{PLAIN}\n```\nExplanation: one item.",  # B31
        f"```\n{PLAIN}\n```",
        f"Here you are:\n```JSON\n{PLAIN}",
        f"Based on the chat {{about travel}}, here it is: {PLAIN}",  # B33
        f"根据对话 {{关于旅行}}，结果如下：{PLAIN}。以上。",
        f"<think>maybe [1] or {{x}}</think>{PLAIN}",  # B34
        f"think>it says {{tea}}</think>{PLAIN}",
        f"<thinking>用户喜欢茶？[2]</thinking>\n{PLAIN}",
        f"\ufeff{PLAIN}",
        '{"preferences":[{"statement":"I like tea 🍵",},],}',  # B38
        "{“preferences”:[{“statement”:“I like tea 🍵”}]}",
        json.dumps(TEA["preferences"], ensure_ascii=False),
        f'[1, 2] {{"other": 3}} {PLAIN}',
    ],
)
def test_b31_b33_b34_b38_what_surrounds_the_json_is_skipped(text: str) -> None:
    assert decode(text, ["preferences"]) == TEA


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "<think>nothing to see here [1]</think>",
        "<think>it never ends {",
        "I cannot find any preferences.",
        "没有找到偏好。",
        '{"preferences": [{"statement": "I like te',  # B35: cut
        '{"answer": 1}',
        "[1, 2, 3]",
        "[]nonsense",
        "<html><body>sign in</body></html>",
        "[" * 100_000,
        '{"a":' * 50_000,
        "x" * (MAX_CHARACTERS + 1),
    ],
    ids=range(14),
)
def test_an_answer_without_json_is_a_failure_and_not_nothing_found(text: str) -> None:
    with pytest.raises(InvalidAnswer):
        decode(text, ["preferences"])


def test_an_empty_list_is_an_answer() -> None:
    assert decode('{"preferences": []}', ["preferences"]) == {"preferences": []}
    assert decode("[]", ["preferences"]) == {"preferences": []}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r'{"preferences":[{"statement":"keeps notes in C:\Users\me",}]}', r"keeps notes in C:\Users\me"),
        (r'{"preferences":[{"statement":"笔记放在 C:\Users\new 📁"}]}', "笔记放在 C:\\Users\\new 📁"),
        (r'{"preferences":[{"statement":"C:\\Users\\me"}]}', r"C:\Users\me"),
        (r'{"preferences":[{"statement":"a \"b\" \u00e9"}]}', 'a "b" é'),
        (r'{"preferences":[{"statement":"D:\uploads \"x\""}]}', r'D:\uploads "x"'),
        ('{"preferences":[{"statement":"he said “hi”, then left,}"}]}', "he said “hi”, then left,}"),
        ('{"preferences":[{"statement":"two\nlines"}]}', "two\nlines"),
    ],
)
def test_b38_no_backslash_is_lost_and_no_path_altered(written: str, meant: str) -> None:
    assert decode(written, ["preferences"])["preferences"][0]["statement"] == meant


def test_errors_quote_nothing_of_the_answer() -> None:
    with pytest.raises(InvalidAnswer) as caught:
        decode("my password is hunter2 {", ["preferences"])
    assert "hunter2" not in str(caught.value)
