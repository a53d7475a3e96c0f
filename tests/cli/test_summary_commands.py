"""The commands that summarize and find summaries."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from typer.testing import Result

from tests.cli.conftest import write_lines

SAID = ("I am restoring an old rowing boat in Lisbon.", "周末我在杭州学做陶瓷 🏺")


def test_dialogs_are_summarized_and_found(
    cli: Callable[..., Result], cli_json: Callable[..., Any], tmp_path: Path
) -> None:
    lines = [
        {
            "user_id": "nia",
            "dialog_id": f"d-{day}",
            "role": "user",
            "content": said,
            "occurred_at": f"2026-05-0{day}T10:00Z",
        }
        for day, said in enumerate(SAID, start=1)
    ]
    assert cli("ingest", str(write_lines(tmp_path / "said.jsonl", *lines))).exit_code == 0

    report = cli_json("summarize", "--since", "2026-05-01", "--until", "2026-05-02")
    rest = cli("summarize")
    boat = cli_json("search", "nia", "boat", "--summaries")
    pots = cli_json("search", "nia", "陶瓷", "--summaries", "--limit", "1")

    assert (report["dialogs"], report["days"], report["errors"]) == (1, 1, {})
    assert "1 dialog and 1 day summarized" in rest.output
    assert boat[0]["text"] == SAID[0]
    assert {"summary_id", "scope", "period_start", "score", "message_ids"} <= boat[0].keys()
    assert [hit["text"] for hit in pots] == [SAID[1]]


def test_no_summaries_is_said_and_is_no_failure(cli: Callable[..., Result]) -> None:
    result = cli("search", "nobody", "boat", "--summaries")

    assert result.exit_code == 0
    assert "prefmem summarize" in result.output
