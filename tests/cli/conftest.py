"""Ways to run the command line: in this process, or as the user does."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from prefmem_pg.cli.app import app

ROOT = Path(__file__).parents[2]


@pytest.fixture
def cli(database_url: str) -> Callable[..., Result]:
    """Run a command in this process on the module's database."""

    def run(*arguments: str, input: str | bytes | None = None, **environment: str) -> Result:
        env = {"PREFMEM_DATABASE_URL": database_url, "COLUMNS": "200", **environment}
        return CliRunner().invoke(app, list(arguments), input=input, env=env)

    return run


@pytest.fixture
def cli_json(cli: Callable[..., Result]) -> Callable[..., Any]:
    """Run a command with --json and return what it printed."""

    def run(*arguments: str, **options: Any) -> Any:
        result = cli(*arguments, "--json", **options)
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    return run


@pytest.fixture
def environment(database_url: str) -> dict[str, str]:
    """The environment of a process that uses the module's database."""
    return {**os.environ, "PREFMEM_DATABASE_URL": database_url, "PYTHONPATH": str(ROOT)}


@pytest.fixture
def prefmem(environment: dict[str, str]) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Run a command as a process of its own."""

    def run(*arguments: str, input: bytes = b"", **changes: str | None) -> subprocess.CompletedProcess[bytes]:
        env = {name: value for name, value in {**environment, **changes}.items() if value is not None}
        command = [sys.executable, "-m", "prefmem_pg", *arguments]
        return subprocess.run(command, input=input, env=env, capture_output=True, timeout=600, check=False)

    return run


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    """A PREFMEM_HOME that the server's account can reach."""
    from prefmem_pg.db.local import remove_local

    folder = Path(tempfile.mkdtemp(prefix="prefmem-cli-"))
    folder.chmod(0o711)
    yield folder / "home"
    for place in (*folder.iterdir(), *folder.glob("home/demo*")):
        if place.is_dir():
            remove_local(place)
    shutil.rmtree(folder, ignore_errors=True)


def write_lines(path: Path, *records: dict[str, Any]) -> Path:
    """Write JSON lines and return the path."""
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")
    return path
