"""The wheel, built and installed into an environment of its own: what is needed lies in it and works from there."""

import os
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from prefmem_pg.db.local import LocalServer
from tests.databases import empty_database

ROOT = Path(__file__).resolve().parents[1]
LOOK = "import prefmem_pg, pathlib; print(pathlib.Path(prefmem_pg.__file__).parent)"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that has the wheel; its dependencies are those of this one."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    command = [sys.executable, "-m", "uv", "pip", "install", "-q", "--offline", "--no-deps", "--python", str(python)]
    subprocess.run([*command, str(wheel)], check=True, capture_output=True, cwd=folder)
    numpy = find_spec("numpy")
    assert numpy is not None
    assert numpy.origin is not None
    [packages] = (folder / "lib").glob("python*/site-packages")
    (packages / "dependencies.pth").write_text(str(Path(numpy.origin).parents[1]))
    return folder / "bin"


@pytest.fixture(scope="module")
def upgraded(server: LocalServer, installed: Path) -> Iterator[str]:
    """An empty database that the installed command has upgraded."""
    with empty_database(server) as url:
        assert "schema" in run(installed, url, "prefmem", "upgrade")
        yield url


def run(programs: Path, url: str, *command: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PREFMEM_", "PYTHON"))}
    done = subprocess.run(
        [str(programs / command[0]), *command[1:]],
        capture_output=True,
        text=True,
        cwd=programs,
        env=environment | {"PREFMEM_DATABASE_URL": url, "PREFMEM_EXTRACTOR": "offline"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_all_that_is_tracked_of_the_package_lies_in_the_wheel(wheel: Path) -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a checkout: an archive has no list of its files")
    homes = {"prefmem_pg/": "prefmem_pg/", "migrations/": "prefmem_pg/_migrations/", "sql/": "prefmem_pg/_sql/"}
    wanted = {
        home + name.removeprefix(folder)
        for name in listed.stdout.split("\0")
        for folder, home in homes.items()
        if name.startswith(folder) and (ROOT / name).is_file()
    }
    with zipfile.ZipFile(wheel) as archive:
        assert wanted - set(archive.namelist()) == set()
        assert [name for name in archive.namelist() if name.startswith(("tests/", "examples/", "pipelines/"))] == []


def test_what_is_installed_runs_and_not_the_checkout(installed: Path) -> None:
    assert str(installed.parent) in run(installed, "", "python", "-c", LOOK)


def test_the_installed_command_upgrades_a_database_and_remembers(installed: Path, upgraded: str) -> None:
    run(installed, upgraded, "prefmem", "remember", "ana/安娜", "我坐火车喜欢靠窗的座位 window seat 🚄")

    assert "靠窗" in run(installed, upgraded, "prefmem", "recall", "ana/安娜", "坐哪里？")


def test_the_hosts_doors_open_from_the_installed_package(installed: Path, upgraded: str) -> None:
    program = (
        "import flask; from prefmem_pg.contrib.flask import get_memory, init_app; app = flask.Flask('app');"
        "init_app(app); print(get_memory(app).list_preferences('ana').total);"
        "import prefmem_pg.contrib.django.databases as d; print(d.database_of('')['ENGINE'])"
    )
    assert run(installed, upgraded, "python", "-c", program).split() == ["0", "django.db.backends.postgresql"]
