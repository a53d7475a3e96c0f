"""Deleting an embedded database, in code and by ``make clean``: what only the keeper holds goes, what is used stays."""

import shutil
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

import prefmem_pg.db.local as local
from prefmem_pg.db.local import hold_local, remove_local, start_local
from prefmem_pg.db.local.account import server_account
from prefmem_pg.db.local.processes import cluster_mark, find_processes, is_gone
from prefmem_pg.db.local.site import open_site
from prefmem_pg.errors import StoreUnavailable
from tests.db.local.servers import ROOT, ask


def test_a_server_that_only_the_keeper_holds_is_stopped_and_removed(own_home: Path) -> None:
    hold_local(own_home, idle_seconds=300)
    running = find_processes(server_account(), mark=cluster_mark(own_home / "pg"))
    assert running

    remove_local(own_home)

    assert all(is_gone(process) for process in running)
    assert [path.name for path in own_home.iterdir()] == ["pg.start.lock"]


def test_whoever_is_connected_to_a_kept_server_is_not_cut_off(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "_KEEPER_SECONDS", 2.0)
    with start_local(own_home) as server:
        hold_local(own_home, idle_seconds=5)
    with psycopg.connect(server.url(), autocommit=True) as connection:
        with pytest.raises(StoreUnavailable, match="is in use; close what uses it"):
            remove_local(own_home)
        assert connection.execute("SELECT 1").fetchone() == (1,)
        assert float(server.site.keep_request.read_text()) == 5  # and is kept for as long as was asked
    remove_local(own_home)
    assert not server.cluster.data.exists()


@pytest.fixture
def checkout(folder: Path) -> Path:
    """A folder with all that ``make clean`` needs, and with a .venv that may go."""
    shutil.copy(ROOT / "Makefile", folder)
    shutil.copytree(ROOT / "scripts", folder / "scripts")
    programs = folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name in ("python", "prefmem"):
        (programs / name).write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} "$@"\n')
        (programs / name).chmod(0o755)
    return folder


def clean(checkout: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(["make", "clean"], cwd=checkout, capture_output=True, text=True, timeout=600, check=False)


def test_make_clean_right_after_a_url_was_given_removes_every_database(checkout: Path, warm: Path) -> None:
    homes = [checkout / ".prefmem", checkout / ".prefmem" / "demo", checkout / ".prefmem" / "analyst"]
    for home in homes:
        subprocess.run(["cp", "-a", warm, home], check=True)
    data = [open_site(home, server_account()).data for home in homes]
    hold_local(homes[0], idle_seconds=300)
    hold_local(homes[1], idle_seconds=300)
    compiled = checkout / "scripts" / "__pycache__"
    compiled.mkdir(exist_ok=True)

    done = clean(checkout)

    assert (done.returncode, done.stderr) == (0, "")
    assert not any(path.exists() for path in (*data, compiled, checkout / ".prefmem", checkout / ".venv"))


def test_make_clean_says_in_one_line_that_a_database_is_in_use(checkout: Path, warm: Path) -> None:
    home = checkout / ".prefmem"
    subprocess.run(["cp", "-a", warm, home], check=True)
    with start_local(home) as server:
        done = clean(checkout)

        assert done.returncode != 0
        said = [line for line in done.stderr.splitlines() if not line.startswith("make")]
        assert len(said) == 1
        assert said[0].startswith(f"error: the database of {home} is in use; close what uses it")
        assert (checkout / ".venv").exists()
        assert ask(server.url(), "SELECT 1") == 1
