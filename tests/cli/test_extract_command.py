"""``prefmem extract``, once and as a worker."""

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from typer.testing import Result

from prefmem_pg.cli.extract import extract_all
from prefmem_pg.memory import PreferenceMemory
from tests.cli.conftest import write_lines
from tests.processes import hear_ctrl_c

Cli = Callable[..., Result]


def put_in(cli: Cli, tmp_path: Path, user_id: str, *contents: str, dialog_id: str = "d-1") -> None:
    lines = [{"user_id": user_id, "dialog_id": dialog_id, "role": "user", "content": text} for text in contents]
    assert cli("ingest", str(write_lines(tmp_path / "in.jsonl", *lines))).exit_code == 0


def test_unread_messages_are_read_once(cli: Cli, cli_json: Callable[..., Any], tmp_path: Path, user_id: str) -> None:
    put_in(cli, tmp_path, user_id, "I love hiking in the Alps.", "我不喜欢香菜。")

    first = cli_json("extract", "--user", user_id)
    second = cli_json("extract", "--user", user_id)

    assert (first["dialogs"], first["messages"], first["added"]) == (1, 2, 2)
    assert second["messages"] == 0


def test_again_reads_what_was_read(cli: Cli, cli_json: Callable[..., Any], tmp_path: Path, user_id: str) -> None:
    put_in(cli, tmp_path, user_id, "I love hiking in the Alps.")
    cli_json("extract", "--user", user_id)

    report = cli_json("extract", "--user", user_id, "--again")

    assert (report["messages"], report["added"], report["duplicate"]) == (1, 0, 1)


def test_only_the_named_dialog_is_read(cli: Cli, cli_json: Callable[..., Any], tmp_path: Path, user_id: str) -> None:
    put_in(cli, tmp_path, user_id, "I love tea.", dialog_id="d-1")
    put_in(cli, tmp_path, user_id, "I love milk.", dialog_id="d-2")

    assert cli_json("extract", "--user", user_id, "--dialog", "d-2")["messages"] == 1


def test_a_day_without_zone_is_utc(cli: Cli, cli_json: Callable[..., Any], tmp_path: Path, user_id: str) -> None:
    lines = [
        {"user_id": user_id, "role": "user", "content": "I love tea.", "occurred_at": f"2026-05-0{day}T00:00:00Z"}
        for day in (1, 2)
    ]
    cli("ingest", str(write_lines(tmp_path / "in.jsonl", *lines)))

    assert cli_json("extract", "--user", user_id, "--since", "2026-05-02")["messages"] == 1


def test_a_worker_reads_what_comes_in_and_ends_on_sigterm(
    cli: Cli, environment: dict[str, str], tmp_path: Path, user_id: str
) -> None:
    command = [sys.executable, "-m", "prefmem_pg", "extract", "--user", user_id]
    command += ["--follow", "--interval", "0.1", "--json"]
    put_in(cli, tmp_path, user_id, "I love tea.", dialog_id="d-1")
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=environment, preexec_fn=hear_ctrl_c, **pipes) as worker:
        assert worker.stdout is not None
        first = json.loads(worker.stdout.readline())
        put_in(cli, tmp_path, user_id, "我讨厌香菜。", dialog_id="d-2")
        second = json.loads(worker.stdout.readline())
        worker.send_signal(signal.SIGTERM)
        _, errors = worker.communicate(timeout=600)

    assert (first["messages"], second["messages"]) == (1, 1)
    assert (worker.returncode, errors) == (0, b"")


def test_when_asked_to_end_the_dialog_at_hand_is_still_stored(
    cli: Cli, database_url: str, tmp_path: Path, user_id: str
) -> None:
    put_in(cli, tmp_path, user_id, "I love tea.", dialog_id="d-1")
    put_in(cli, tmp_path, user_id, "我讨厌香菜。", dialog_id="d-2")
    asked = threading.Event()
    asked.set()

    with PreferenceMemory.connect(database_url) as memory:
        first = extract_all(memory, {"user_id": user_id}, asked)
        rest = extract_all(memory, {"user_id": user_id})

    assert (first.dialogs, first.added) == (1, 1)
    assert (rest.dialogs, rest.added) == (1, 1)


def test_ctrl_c_ends_a_worker_with_130_and_no_traceback(
    cli: Cli, environment: dict[str, str], tmp_path: Path, user_id: str
) -> None:
    put_in(cli, tmp_path, user_id, "I love tea.")
    command = [sys.executable, "-m", "prefmem_pg", "extract", "--user", user_id, "--follow"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=environment, preexec_fn=hear_ctrl_c, **pipes) as worker:
        assert worker.stdout is not None
        worker.stdout.readline()
        worker.send_signal(signal.SIGINT)
        _, errors = worker.communicate(timeout=600)

    assert (worker.returncode, errors) == (130, b"")
