"""``prefmem ingest``: files in, counts and faulty lines out."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from typer.testing import Result

from prefmem_pg.db.session import Database
from tests.cli.conftest import write_lines
from tests.conftest import count

Cli = Callable[..., Result]


def message(user_id: str, content: str, **fields: Any) -> dict[str, Any]:
    return {"user_id": user_id, "role": "user", "content": content, **fields}


def stored(database: Database, user_id: str) -> int:
    return count(database, "SELECT count(*) FROM prefmem.messages WHERE user_id = :user_id", user_id=user_id)


def test_messages_and_dialogs_of_many_users_go_in(cli: Cli, database: Database, tmp_path: Path, user_id: str) -> None:
    dialog = {
        "user_id": f"{user_id}-用户",
        "dialog_id": "d-1",
        "messages": [{"role": "user", "content": "我喜欢喝茶🍵"}, {"role": "assistant", "content": "好的"}],
    }
    path = write_lines(tmp_path / "对话.jsonl", message(user_id, "I love tea"), dialog)

    result = cli("ingest", str(path), "--json")

    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "files": 1, "lines": 2, "messages": 3, "added": 3, "repeated": 0, "conflicts": 0, "erased": 0, "errors": 0,
    }  # fmt: skip
    assert (stored(database, user_id), stored(database, f"{user_id}-用户")) == (1, 2)


def test_ingesting_a_file_again_adds_nothing(cli: Cli, tmp_path: Path, user_id: str) -> None:
    path = write_lines(tmp_path / "a.jsonl", message(user_id, "ok"), message(user_id, "ok"))
    cli("ingest", str(path))

    result = cli("ingest", str(path), "--json")

    assert json.loads(result.stdout)["repeated"] == 2
    assert json.loads(result.stdout)["added"] == 0


def test_a_bad_line_is_reported_and_the_rest_goes_in(
    cli: Cli, database: Database, tmp_path: Path, user_id: str
) -> None:
    path = write_lines(tmp_path / "a.jsonl", message(user_id, "one"), {"user_id": user_id}, message(user_id, "三"))
    with path.open("a") as file:
        file.write("not json\n")

    result = cli("ingest", str(path), "--json")

    assert result.exit_code == 1
    first, second = result.stderr.splitlines()
    assert first == f"{path}:2: role is missing"
    assert second.startswith(f"{path}:4: not JSON")
    assert json.loads(result.stdout)["errors"] == 2
    assert stored(database, user_id) == 2


def test_a_bad_message_in_a_dialog_is_named_by_its_place(cli: Cli, tmp_path: Path, user_id: str) -> None:
    messages = [{"role": "user", "content": "fine"}, {"role": "user", "content": "  "}]
    path = write_lines(tmp_path / "a.jsonl", {"user_id": user_id, "messages": messages})

    assert f"{path}:1: messages[1]: content is empty" in cli("ingest", str(path)).stderr


def test_only_the_first_twenty_bad_lines_are_shown(cli: Cli, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", *[{"role": "user"}] * 25)

    lines = cli("ingest", str(path)).stderr.splitlines()

    assert (len(lines), lines[-1]) == (21, "… and 5 more; --json lists them")


def test_strict_takes_nothing_when_a_line_is_bad(cli: Cli, database: Database, tmp_path: Path, user_id: str) -> None:
    good = write_lines(tmp_path / "good.jsonl", message(user_id, "one"))
    bad = write_lines(tmp_path / "bad.jsonl", {"user_id": user_id})

    result = cli("ingest", "--strict", str(good), str(bad))

    assert result.exit_code == 1
    assert f"{bad}:1: role is missing" in result.stderr
    assert stored(database, user_id) == 0


def test_strict_reads_stdin_twice(cli: Cli, database: Database, user_id: str) -> None:
    line = json.dumps(message(user_id, "我住在上海"), ensure_ascii=False)

    assert cli("ingest", "--strict", "-", input=line).exit_code == 0
    assert stored(database, user_id) == 1


def test_stdin_is_named_in_reports(cli: Cli) -> None:
    assert cli("ingest", "-", input="{}\n").stderr == "stdin:1: user_id is missing\n"


def test_a_packed_file_is_known_by_its_content(cli: Cli, database: Database, tmp_path: Path, user_id: str) -> None:
    path = tmp_path / "packed.data"
    path.write_bytes(gzip.compress(json.dumps(message(user_id, "🎒")).encode()))

    assert cli("ingest", str(path)).exit_code == 0
    assert stored(database, user_id) == 1


def test_a_time_without_zone_needs_one(cli: Cli, database: Database, tmp_path: Path, user_id: str) -> None:
    path = write_lines(tmp_path / "a.jsonl", message(user_id, "早上好", occurred_at="2026-05-01T08:00:00"))

    assert "no zone" in cli("ingest", str(path)).stderr
    assert cli("ingest", str(path), "--time-zone", "Asia/Shanghai").exit_code == 0
    statement = "SELECT extract(hour FROM occurred_at)::integer FROM prefmem.messages WHERE user_id = :user_id"
    assert count(database, statement, user_id=user_id) == 0


def test_other_content_under_a_known_id_is_a_conflict_on_its_line(
    cli: Cli, database: Database, tmp_path: Path, user_id: str
) -> None:
    path = write_lines(
        tmp_path / "a.jsonl",
        message(user_id, "I like tea", external_id="m-1"),
        message(user_id, "I like milk", external_id="m-2"),
        message(user_id, "I like coffee", external_id="m-1"),
    )

    result = cli("ingest", str(path), "--json")

    assert result.exit_code == 1
    assert result.stderr == f"{path}:3: conflict: 'm-1' is stored with other content\n"
    assert json.loads(result.stdout)["conflicts"] == 1
    assert stored(database, user_id) == 2


def test_the_line_of_a_conflict_is_right_beyond_the_first_batch(cli: Cli, tmp_path: Path, user_id: str) -> None:
    many = [message(user_id, f"number {number}", external_id=f"m-{number}") for number in range(5_200)]
    path = write_lines(tmp_path / "a.jsonl", *many, message(user_id, "other", external_id="m-7"))

    assert f"{path}:5201: conflict: 'm-7'" in cli("ingest", str(path)).stderr


def test_a_file_that_is_given_twice_is_refused(cli: Cli, tmp_path: Path, user_id: str) -> None:
    path = str(write_lines(tmp_path / "a.jsonl", message(user_id, "ok")))

    result = cli("ingest", path, path)

    assert (result.exit_code, result.stderr) == (1, f"error: {path} is given twice\n")


def test_extract_follows_at_once_when_asked(cli: Cli, tmp_path: Path, user_id: str) -> None:
    path = write_lines(tmp_path / "a.jsonl", message(user_id, "I love window seats on trains."))

    result = cli("ingest", str(path), "--extract", "--json")

    assert result.exit_code == 0
    assert json.loads(result.stdout)["extraction"]["messages"] >= 1
    assert "window seats" in cli("list", user_id).stdout
