"""Commands on the database as a whole, on a server of one's own and on the embedded one."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from typer.testing import Result

from prefmem_pg.cli.database import without_password
from prefmem_pg.db.local import LocalServer
from tests.databases import empty_database
from tests.processes import hear_ctrl_c

Cli = Callable[..., Result]
Run = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def embedded(prefmem: Run, home: Path) -> Iterator[Run]:
    """Run a command on the embedded database of ``home``."""

    def run(*arguments: str, **changes: str | None) -> subprocess.CompletedProcess[bytes]:
        return prefmem(*arguments, **{"PREFMEM_DATABASE_URL": None, "PREFMEM_HOME": str(home), **changes})

    yield run
    end_keeper(home)


def end_keeper(home: Path) -> None:
    """End the process that keeps the server up, known by its home among its arguments."""
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = entry.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"prefmem_pg.db.local.keeper" in words and str(home.resolve()).encode() in words:
            os.kill(int(entry.parent.name), signal.SIGTERM)


def test_upgrade_makes_the_schema_and_then_changes_nothing(cli: Cli, server: LocalServer) -> None:
    with empty_database(server) as url:
        done = cli("upgrade", "--json", PREFMEM_DATABASE_URL=url)
        assert done.exit_code == 0, done.stderr
        first = json.loads(done.stdout)
        second = cli("upgrade", PREFMEM_DATABASE_URL=url)

    assert first["before"] is None
    assert "view active_preferences" in " ".join(first["objects"])
    assert second.stdout == f"the schema is at {first['after']}, as it was\n"


def test_a_database_without_schema_says_what_to_run(cli: Cli, server: LocalServer) -> None:
    with empty_database(server) as url:
        result = cli("stats", PREFMEM_DATABASE_URL=url)

    assert (result.exit_code, result.stderr) == (1, "error: the database has no schema prefmem; run: prefmem upgrade\n")


def test_stats_are_counts(cli_json: Callable[..., Any]) -> None:
    assert cli_json("stats")["unread_messages"] == 0


def test_the_url_of_a_server_of_ones_own_is_in_the_form_of_libpq(cli: Cli) -> None:
    result = cli("url", PREFMEM_DATABASE_URL="postgresql+psycopg://me@db.example/memory")

    assert (result.exit_code, result.stdout) == (0, "postgresql://me@db.example/memory\n")


def test_a_role_for_a_server_of_ones_own_is_an_error_that_explains(cli: Cli) -> None:
    result = cli("url", "--role", "analyst")

    assert result.exit_code == 1
    assert "SET ROLE prefmem_analyst" in result.stderr


def test_roles_prints_sql_that_runs_twice(cli: Cli) -> None:
    sql = cli("roles", "--sql", "--owner", "my_app").stdout

    assert 'CREATE ROLE "my_app" LOGIN' in sql
    assert 'TO "my_app" WITH SET TRUE, INHERIT FALSE;' in sql


def test_an_owner_that_could_be_sql_is_refused(cli: Cli) -> None:
    assert cli("roles", "--sql", "--owner", "x'; DROP ROLE y; --").exit_code == 1


def test_roles_shows_which_can_be_taken_on(cli_json: Callable[..., Any]) -> None:
    assert cli_json("roles")["roles"]["prefmem_app"] == "open"


def test_a_password_is_not_among_the_arguments_of_psql() -> None:
    address, password = without_password("postgresql://me:s%20ecret@db.example:5433/memory?sslmode=require")

    assert password == "s ecret"
    assert "ecret" not in address
    assert "host=db.example" in address


def test_psql_runs_on_a_server_of_ones_own(prefmem: Run, server: LocalServer) -> None:
    path = f"{server.binaries}{os.pathsep}{os.environ['PATH']}"

    done = prefmem("psql", "--", "-Atc", "SELECT '我', current_user", PATH=path)

    assert (done.returncode, done.stdout.decode()) == (0, "我|prefmem_owner\n")


def test_psql_that_is_not_there_is_named(prefmem: Run) -> None:
    done = prefmem("psql", PATH="/nonexistent")

    assert (done.returncode, done.stderr.startswith(b"error: psql is not on the PATH")) == (1, True)


def test_the_embedded_database_makes_itself_and_stays_for_psql(embedded: Run) -> None:
    embedded("remember", "ana", "我喜欢靠窗的座位")

    url = embedded("url", "--role", "analyst_text").stdout.decode().strip()

    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT current_user, statement FROM prefmem.active_preferences").fetchone()
    assert row == ("prefmem_analyst_text", "我喜欢靠窗的座位")


def test_psql_enters_the_embedded_database_as_the_role(embedded: Run) -> None:
    done = embedded("psql", "--role", "app", "--", "-Atc", "SELECT current_user", PATH="/nonexistent")

    assert (done.returncode, done.stdout) == (0, b"prefmem_app\n")


def test_ctrl_c_closes_the_embedded_database(home: Path, environment: dict[str, str]) -> None:
    place = home.with_name("second")
    env = {**environment, "PREFMEM_HOME": str(place)}
    del env["PREFMEM_DATABASE_URL"]
    command = [sys.executable, "-m", "prefmem_pg"]
    line = b'{"user_id": "ana", "role": "user", "content": "I love tea."}'
    subprocess.run([*command, "ingest", "-"], input=line, env=env, check=True, capture_output=True)
    command += ["extract", "--follow"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=env, preexec_fn=hear_ctrl_c, **pipes) as worker:
        assert worker.stdout is not None
        worker.stdout.readline()
        was_up = (place / "pg" / "postmaster.pid").exists()
        worker.send_signal(signal.SIGINT)
        _, errors = worker.communicate(timeout=600)

    assert (worker.returncode, errors) == (130, b"")
    assert (was_up, (place / "pg" / "postmaster.pid").exists()) == (True, False)
