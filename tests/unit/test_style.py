"""What statements say about answers, in both languages."""

from pathlib import Path

import pytest

from prefmem_pg.steps import style
from prefmem_pg.steps.style import settings_in

CORPUS = Path(__file__).parents[2] / "training" / "corpus"

CASES = [
    ("Always answer in English", {"language": "en"}),
    ("Please reply to me in Traditional Chinese", {"language": "zh-Hant"}),
    ("从现在开始用中文回答 🙏", {"language": "zh"}),
    ("回复请用英文", {"language": "en"}),
    ("Don't answer in French", {}),
    ("不要用英文回答", {}),
    ("I love reading books in English", {}),
    ("Keep answers under 200 words", {"max_length": 200}),
    ("回答不超过100字", {"max_length": 100}),
    ("总结控制在 50 个字以内", {"max_length": 50}),
    ("I sleep less than 6 hours", {}),
    ("项目文档用英文写", {}),
    ("Thanks for your answers! Our vacation will be short.", {}),
    ("I like cats. Please keep answers short.", {"detail_level": "concise"}),
    ("Please keep answers short", {"detail_level": "concise"}),
    ("I don't like long answers", {"detail_level": "concise"}),
    ("I prefer detailed explanations with examples", {"detail_level": "detailed"}),
    ("回答要简洁", {"detail_level": "concise"}),
    ("我喜欢详细的解释", {"detail_level": "detailed"}),
    ("回答别太啰嗦", {"detail_level": "concise"}),
    ("I like short films", {}),
    ("我喜欢短发", {}),
    ("Skip the pleasantries please", {"skip_greeting": True}),
    ("不要寒暄，直接说结论", {"skip_greeting": True, "detail_level": "concise"}),
    ("Use tables for comparisons", {"prefer_table": True}),
    ("请用表格回答", {"prefer_table": True}),
    ("Don't put results in tables", {"prefer_table": False}),
    ("我不喜欢表格", {"prefer_table": False}),
    ("I like table tennis", {}),
    ("I like Python code with type hints and no comments", {"code_style": "type hints, no comments"}),
    ("写 Python 代码要加类型注解", {"code_style": "类型注解"}),
    ("I'm allergic to peanuts 🥜", {}),
    ("我对花生过敏", {}),
]


@pytest.mark.parametrize(("statement", "settings"), CASES)
def test_a_statement_sets_what_it_says_and_nothing_else(statement: str, settings: dict[str, object]) -> None:
    assert dict(settings_in(statement)) == settings


def test_the_words_that_are_looked_for_first_hide_no_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [line for path in sorted(CORPUS.glob("*.txt")) for line in path.read_text(encoding="utf-8").splitlines()]
    said = [form(text) for text, _ in CASES for form in (str, str.upper)] + lines[::5]
    quick = [list(settings_in(text)) for text in said]
    monkeypatch.setattr(style, "_has", lambda low, words: True)

    assert [list(settings_in(text)) for text in said] == quick
    assert sum(map(bool, quick)) > len(CASES)
