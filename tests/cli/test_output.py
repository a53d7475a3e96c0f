"""What goes to the screen."""

import io
import json
import sys
from datetime import UTC, datetime
from uuid import UUID

import pytest

from prefmem_pg.cli.output import as_json, counted, prepare_streams, printable, takes, write_json, write_table
from prefmem_pg.domain.search import Page


def become_ascii(monkeypatch: pytest.MonkeyPatch) -> io.BytesIO:
    """Put a screen without Unicode in the place of stdout. Not a fixture: pytest sets stdout anew after those."""
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii", write_through=True))
    prepare_streams()
    return raw


def test_json_on_a_screen_without_unicode_is_the_same_document(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = become_ascii(monkeypatch)

    write_json({"statement": "我喜欢猫🐱"})

    assert screen.getvalue().isascii()
    assert json.loads(screen.getvalue()) == {"statement": "我喜欢猫🐱"}


def test_a_table_on_a_screen_without_unicode_shows_escapes(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = become_ascii(monkeypatch)

    write_table(("statement",), [("我喜欢 tea",)])

    assert b"\\u6211\\u559c\\u6b22 tea" in screen.getvalue()


def test_only_what_the_screen_can_show_is_said_to_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    become_ascii(monkeypatch)

    assert takes("ok")
    assert not takes("✓")


def test_a_stored_text_cannot_steer_the_terminal() -> None:
    assert printable("a\x1b[31mred\x07\u202eb") == "a\\x1b[31mred\\x07\\u202eb"


def test_emoji_sequences_and_line_ends_stay_as_they_are() -> None:
    assert printable("👨‍👩‍👧\n我\tx") == "👨‍👩‍👧\n我\tx"


def test_brackets_in_a_statement_are_not_taken_for_markup(capsys: pytest.CaptureFixture[str]) -> None:
    write_table(("statement",), [("I like [bold]brackets[/bold] :smile:",)])

    assert "I like [bold]brackets[/bold] :smile:" in capsys.readouterr().out


def test_a_wide_table_loses_nothing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")

    write_table(("statement", "score"), [("喜欢" * 30, 0.5)])

    assert capsys.readouterr().out.count("喜") == 30


class ClosedPipe(io.StringIO):
    def write(self, text: str) -> int:
        raise BrokenPipeError(32, "Broken pipe")


def test_a_table_for_a_reader_who_has_gone_raises_what_the_edge_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", ClosedPipe())

    with pytest.raises(BrokenPipeError):
        write_table(("statement",), [("我喜欢猫",)])


def test_numbers_agree_with_their_nouns() -> None:
    assert [counted(number, "line") for number in (0, 1, 2_000)] == ["0 lines", "1 line", "2,000 lines"]


def test_dataclasses_ids_and_times_become_json() -> None:
    page = Page(items=(UUID(int=1), "猫"), total=2, after=None)

    assert as_json([page, datetime(2026, 1, 2, tzinfo=UTC)]) == [
        {"items": ["00000000-0000-0000-0000-000000000001", "猫"], "total": 2, "after": None},
        "2026-01-02T00:00:00+00:00",
    ]
