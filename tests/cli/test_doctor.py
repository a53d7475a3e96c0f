"""``prefmem doctor``: what it finds and what it advises."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from typer.testing import Result

from prefmem_pg.cli.checks import (
    Check,
    check_database,
    check_extras,
    check_keys,
    check_privacy,
    check_work,
    needed_extras,
)
from prefmem_pg.db.engine import make_engine
from prefmem_pg.db.health import Health, examine
from prefmem_pg.db.local import LocalServer
from prefmem_pg.settings import Settings
from tests.conftest import superuser_url

Cli = Callable[..., Result]

WELL = Health(
    server_version="18.6",
    server_version_number=180_006,
    role="me",
    is_superuser=False,
    bypasses_rls=False,
    extensions={"vector": "0.8.6", "pg_trgm": "1.6"},
    roles={"prefmem_app": "open"},
    revision="0005",
    revision_needed="0005",
    tables_without_rls=(),
)


def wrong(health: Health) -> list[Check]:
    return [check for check in check_database(health) if check.state == "wrong"]


def test_a_database_that_is_well_has_nothing_wrong(cli: Cli) -> None:
    result = cli("doctor")

    assert result.exit_code == 0, result.output
    assert "✓ connection: role prefmem_owner, not a superuser" in result.stdout
    assert "✗" not in result.stdout


def test_the_doctor_prints_json(cli_json: Callable[..., Any]) -> None:
    report = cli_json("doctor")

    assert report["ok"] is True
    assert {"name": "roles", "state": "ok"}.items() <= next(c for c in report["checks"] if c["name"] == "roles").items()


def test_no_key_is_ever_printed(cli: Cli) -> None:
    result = cli("doctor", ANTHROPIC_API_KEY="sk-ant-hidden")

    assert "keys: ANTHROPIC_API_KEY" in result.stdout
    assert "hidden" not in result.output


def test_a_superuser_is_wrong(cli: Cli, server: LocalServer, database_url: str) -> None:
    name = database_url.split("/")[3].split("?")[0]

    result = cli("doctor", PREFMEM_DATABASE_URL=superuser_url(server, name))

    assert result.exit_code == 1
    assert "✗ connection: role postgres is superuser" in result.stdout


def test_a_database_that_does_not_answer_is_wrong(cli: Cli) -> None:
    result = cli("doctor", PREFMEM_DATABASE_URL="postgresql://127.0.0.1:1/x")

    assert result.exit_code == 1
    assert "✗ database: cannot reach the database" in result.stdout


def test_a_setting_that_is_wrong_ends_the_examination(cli: Cli) -> None:
    result = cli("doctor", PREFMEM_EMBEDDER="magic")

    assert result.exit_code == 1
    assert "✗ settings: PREFMEM_EMBEDDER is 'magic'" in result.stdout


def test_the_examination_finds_what_is_there(database_url: str) -> None:
    engine = make_engine(database_url)

    health = examine(engine)

    engine.dispose()
    assert (health.role, health.is_superuser, health.tables_without_rls) == ("prefmem_owner", False, ())
    assert set(health.roles.values()) == {"open"}
    assert health.revision == health.revision_needed


@pytest.mark.parametrize(
    ("change", "name", "advice"),
    [
        ({"server_version_number": 150_004}, "server", "PostgreSQL 16"),
        ({"is_superuser": True}, "connection", "ordinary role"),
        ({"bypasses_rls": True}, "connection", "ordinary role"),
        ({"extensions": {"vector": None}}, "extension vector", "prefmem upgrade"),
        ({"roles": {"prefmem_app": "missing"}}, "roles", "prefmem roles --sql"),
        ({"roles": {"prefmem_app": "closed"}}, "roles", "prefmem roles --sql"),
        ({"revision": None}, "schema", "prefmem upgrade"),
        ({"revision": "0001"}, "schema", "prefmem upgrade"),
        ({"revision": "9999"}, "schema", "newer prefmem-pg"),
        ({"tables_without_rls": ("messages",)}, "row-level security", "ENABLE ROW LEVEL SECURITY"),
    ],
)
def test_what_is_wrong_comes_with_advice(change: dict[str, Any], name: str, advice: str) -> None:
    [check] = wrong(replace(WELL, **change))

    assert check.name == name
    assert advice in check.advice


def test_a_missing_extra_is_wrong_only_when_it_is_needed() -> None:
    states = {check.name: check.state for check in check_extras({"local"})}

    assert states["extra local"] == "ok"
    assert "wrong" not in states.values()


def test_the_settings_say_which_extras_are_needed() -> None:
    settings = Settings(database_url="postgresql://x", embedder="voyage", extractor="claude")

    assert needed_extras(settings) == {"voyage", "claude"}
    assert needed_extras(Settings()) == {"local"}


def test_every_provider_that_sees_text_is_named() -> None:
    chosen = Settings(extractor="claude", reranker="voyage")

    assert (
        check_privacy(chosen, "openai").found
        == "claude (reading, judging, consolidating and summing up), openai (embeddings), voyage (reranking)"
    )
    assert check_privacy(Settings(), "local").found.startswith("nobody")


def test_keys_that_are_empty_are_not_there() -> None:
    assert check_keys({"VOYAGE_API_KEY": ""}).found == "none is set"


def test_work_that_waits_is_a_note_with_what_to_run() -> None:
    checks = {check.name: check for check in check_work({"unread_messages": 3}, {"preferences": 0})}

    assert (checks["unread messages"].state, checks["unread messages"].advice) == ("note", "prefmem extract")
    assert checks["failed runs"].state == "ok"
