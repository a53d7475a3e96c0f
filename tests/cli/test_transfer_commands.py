"""``prefmem dump`` and ``prefmem load``."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from typer.testing import Result

Cli = Callable[..., Result]
CliJson = Callable[..., Any]


def test_a_dumped_user_is_loaded_under_another_name(cli_json: CliJson, tmp_path: Path, user_id: str) -> None:
    cli_json("remember", user_id, "我喜欢靠窗的座位🪟")
    path = str(tmp_path / "用户.jsonl.gz")

    dumped = cli_json("dump", path, "--user", user_id)
    loaded = cli_json("load", path, "--user", f"{user_id}-2")

    assert dumped["users"] == loaded["users"] == 1
    assert [row["statement"] for row in cli_json("list", f"{user_id}-2")] == ["我喜欢靠窗的座位🪟"]


def test_a_user_who_is_here_is_not_loaded_over(cli: Cli, cli_json: CliJson, tmp_path: Path, user_id: str) -> None:
    cli_json("remember", user_id, "I like tea")
    path = str(tmp_path / "a.jsonl")
    cli("dump", path, "--user", user_id)

    refused = cli("load", path)
    replaced = cli("load", path, "--replace")

    assert (refused.exit_code, refused.stderr.startswith("error: ")) == (1, True)
    assert replaced.exit_code == 0
    assert "1 user loaded" in replaced.stdout
