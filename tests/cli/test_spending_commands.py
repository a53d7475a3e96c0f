"""``prefmem prices``, ``prefmem extract --estimate`` and ``prefmem replay-diff``."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import Result

from prefmem_pg.testing import MessagesStub, Said

Cli = Callable[..., Result]
CliJson = Callable[..., Any]


def test_a_price_that_was_entered_is_shown(cli: Cli, cli_json: CliJson) -> None:
    entered = ("prices", "claude", "a-model", "--input", "3", "--output", "15", "--cache-read", "0.3")
    assert cli(*entered, "--from", "2026-01-01", "--batch-factor", "0.5").exit_code == 0
    [price] = cli_json("prices", "claude")
    assert (price["provider"], price["model"], price["valid_from"][:10]) == ("claude", "a-model", "2026-01-01")
    shown = cli("prices").stdout
    assert "a-model" in shown
    assert "× 0.5" in shown


@pytest.mark.parametrize(
    "arguments",
    [
        ("claude", "a-model"),
        ("--input", "3"),
        ("claude", "a-model", "--output", "3"),
        ("claude", "a-model", "--input", "三块钱"),
    ],
)
def test_half_a_price_is_bad_usage(cli: Cli, arguments: tuple[str, ...]) -> None:
    assert cli("prices", *arguments).exit_code == 2


@pytest.mark.parametrize("amount", ["-1", "NaN", "1e9"])
def test_a_price_that_cannot_be_is_refused(cli: Cli, amount: str) -> None:
    done = cli("prices", "claude", "a-model", "--input", amount)
    assert done.exit_code == 1
    assert "price" in done.stderr


def test_reading_on_this_machine_costs_nothing_and_reads_nothing(cli: Cli, cli_json: CliJson, user_id: str) -> None:
    message = f'{{"user_id": "{user_id}", "role": "user", "content": "我喜欢喝绿茶 🍵"}}'
    cli("ingest", "-", input=message)
    assert "costs nothing" in cli("extract", "--estimate", "--user", user_id).stdout
    found = cli_json("extract", "--estimate", "--user", user_id)
    assert (found["messages"], found["calls"], found["model"]) == (1, 0, None)
    assert cli_json("list", user_id) == []


def test_without_a_model_there_is_nothing_to_replay(cli: Cli) -> None:
    done = cli("replay-diff")
    assert done.exit_code == 1
    assert "PREFMEM_EXTRACTOR" in done.stderr


def test_what_was_handed_in_is_shown_when_a_budget_ends_it(cli: Cli, user_id: str) -> None:
    line = {"user_id": user_id, "dialog_id": "d-1", "role": "user", "content": "我喜欢喝绿茶 🍵"}
    cli("ingest", "-", input=json.dumps(line))
    cli("prices", "claude", "claude-test", "--input", "3")
    with MessagesStub(lambda body: Said(json={"preferences": []})) as stub:
        environment = {
            "PREFMEM_EXTRACTOR": "claude",
            "PREFMEM_CLAUDE_MODEL": "claude-test",
            "ANTHROPIC_API_KEY": "sk-ant-test",
            "ANTHROPIC_BASE_URL": stub.url,
        }
        done = cli("extract", "--batch", "--user", user_id, "--json", PREFMEM_BUDGET_RUN_USD="0", **environment)
        assert done.exit_code == 1
        assert json.loads(done.stdout)["items"] == 0
        assert "PREFMEM_BUDGET_RUN_USD" in done.stderr
