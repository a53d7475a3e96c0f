"""Files that cannot be read: the run says so, takes in the others, and the next one makes it good."""

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from pipelines import assets
from pipelines.assets import ingested_messages
from pipelines.configuration import Configuration
from prefmem_pg.importers import landing
from prefmem_pg.memory import PreferenceMemory
from tests.pipelines.conftest import Materialize, metadata


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(assets, "CONFIGURATION", Configuration(landing_folder=tmp_path))
    return tmp_path


def line(user_id: str, content: str) -> bytes:
    fields = {"user_id": user_id, "role": "user", "content": content, "occurred_at": "2026-03-05T08:00:00Z"}
    return json.dumps(fields, ensure_ascii=False).encode() + b"\n"


def said(memory: PreferenceMemory, user_id: str) -> list[str]:
    return sorted(message.content for message in memory.list_messages(user_id).items)


def reasons(folder: Path, name: str) -> str:
    return (folder / "rejected" / f"{name}.errors").read_text(encoding="utf-8")


def test_a_file_that_may_not_be_read_fails_the_run_and_holds_up_no_other(
    materialize: Materialize, shared_memory: PreferenceMemory, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "closed.jsonl").write_bytes(line("closed", "我喜欢绿茶 🍵"))
    (folder / "open.jsonl").write_bytes(line("closed", "I like jazz 🎷"))
    opening = os.open

    def refused(path: Any, *arguments: Any, **options: Any) -> int:
        # Not by chmod: tests also run as root, who may read everything.
        if Path(path).name == "closed.jsonl":
            raise PermissionError(13, "Permission denied")
        return opening(path, *arguments, **options)

    with monkeypatch.context() as denied:
        denied.setattr(landing.os, "open", refused)
        result = materialize(ingested_messages)
    assert not result.success
    told = [event for event in result.all_node_events if event.is_step_up_for_retry or event.is_step_failure]
    assert "1 files that may not be read are left" in str(told[0].event_specific_data)
    assert said(shared_memory, "closed") == ["I like jazz 🎷"]
    assert materialize(ingested_messages).success
    assert said(shared_memory, "closed") == ["I like jazz 🎷", "我喜欢绿茶 🍵"]


def test_a_broken_archive_is_set_aside_with_its_reason_and_taken_in_when_it_is_whole(
    materialize: Materialize, shared_memory: PreferenceMemory, folder: Path
) -> None:
    # Random ids, or so few bytes would be unpacked at once.
    whole = gzip.compress(b"".join(line("packed", f"第 {n} 句 {os.urandom(500).hex()}") for n in range(40)))
    (folder / "day.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    told = metadata(materialize(ingested_messages), ingested_messages)
    assert (told["files"], told["rejected"], told["errors"]) == (1, 1, 1)
    assert 0 < told["added"] < 40
    assert "the file cannot be read any further" in reasons(folder, "day.jsonl.gz")
    (folder / "day.jsonl.gz").write_bytes(whole)
    again = metadata(materialize(ingested_messages), ingested_messages)
    assert (again["rejected"], again["added"], again["repeated"]) == (0, 40 - told["added"], told["added"])
    assert len(said(shared_memory, "packed")) == 40


def test_what_is_no_archive_and_what_is_not_utf_8_is_set_aside(
    materialize: Materialize, shared_memory: PreferenceMemory, folder: Path
) -> None:
    (folder / "none.jsonl.gz").write_bytes(line("bytes", "not packed"))
    (folder / "gb.jsonl").write_bytes(
        '{"user_id": "bytes", "content": "我喜欢绿茶"}\n'.encode("gb18030") + line("bytes", "好 👌")
    )
    told = metadata(materialize(ingested_messages), ingested_messages)
    assert (told["files"], told["rejected"], told["errors"], told["added"]) == (2, 2, 2, 1)
    assert "the file cannot be read any further" in reasons(folder, "none.jsonl.gz")
    assert "not UTF-8" in reasons(folder, "gb.jsonl")
    assert said(shared_memory, "bytes") == ["好 👌"]
