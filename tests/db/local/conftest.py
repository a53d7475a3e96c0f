"""Homes in temporary folders: set up once, each with a server down or up, and one server to look at."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from prefmem_pg.db.local import LocalServer, start_local
from tests.db.local.servers import (
    end_all_in,
    make_folder,
)


@pytest.fixture
def folder() -> Iterator[Path]:
    path = make_folder()
    yield path
    end_all_in(path)
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture(scope="module")
def warm() -> Iterator[Path]:
    """A home that was set up once."""
    path = make_folder()
    start_local(path / "home").close()
    with (path / "home" / "pg" / "postgresql.auto.conf").open("a") as file:
        file.write("fsync = off\n")  # no test cuts the power
    yield path / "home"
    shutil.rmtree(path)


@pytest.fixture(scope="module")
def shared() -> Iterator[LocalServer]:
    """One server for the tests that only look."""
    path = make_folder()
    with start_local(path / "home") as running:
        yield running
    shutil.rmtree(path)


@pytest.fixture
def home(warm: Path) -> Iterator[Path]:
    """A home whose server is down, for tests that leave it whole."""
    yield warm
    end_all_in(warm)


@pytest.fixture
def own_home(folder: Path, warm: Path) -> Path:
    """A home to spoil."""
    subprocess.run(["cp", "-a", warm, folder / "home"], check=True)
    return folder / "home"


@pytest.fixture
def server(home: Path) -> Iterator[LocalServer]:
    with start_local(home) as running:
        yield running
