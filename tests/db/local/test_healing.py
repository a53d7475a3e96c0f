"""The embedded PostgreSQL after kills and lost files: the next process mends it."""

import subprocess
from pathlib import Path

import psutil
import psycopg
import pytest

from prefmem_pg.db.local import LocalServer, start_local
from prefmem_pg.db.local.processes import find_postmaster, is_gone
from tests.db.local.servers import START_AND_WAIT, ask, is_up, kill_postmaster, spawn
from tests.processes import wait_until


def test_after_a_kill_of_its_owner_the_next_process_joins_and_stops_the_server(home: Path) -> None:
    owner = spawn(START_AND_WAIT, home)
    assert owner.stdout is not None
    url = owner.stdout.readline()
    owner.kill()
    owner.communicate()
    assert ask(url, "SELECT 1") == 1
    with start_local(home) as server:
        assert server.url() == url.strip()
    assert not is_up(home)


def test_after_a_kill_of_the_server_the_same_url_works_again_with_all_data(server: LocalServer) -> None:
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("CREATE TABLE kept AS SELECT '喜欢辣的 🌶' AS statement")
    kill_postmaster(server)
    with start_local(server.site.home):
        assert ask(server.url(), "SELECT statement FROM kept") == "喜欢辣的 🌶"


def test_a_busy_backend_of_a_killed_server_does_not_block_the_next_start(server: LocalServer) -> None:
    connection = psycopg.pq.PGconn.connect(server.url().encode())
    backend = psutil.Process(connection.backend_pid)
    # It counts without looking up, so it does not notice that its server is gone.
    connection.send_query(b"SELECT count(*) FROM generate_series(1, 100000000000) AS n")
    wait_until(lambda: backend.cpu_times().user > 0.1)
    kill_postmaster(server)
    assert not is_gone(backend)
    with start_local(server.site.home) as healed:
        assert ask(healed.url(), "SELECT 1") == 1
        assert is_gone(backend)
    connection.finish()


@pytest.mark.parametrize("which", ["a stranger", "a zombie"])
def test_a_process_id_that_belongs_to_another_now_does_not_block_the_start(own_home: Path, which: str) -> None:
    with subprocess.Popen(["sleep", "0" if which == "a zombie" else "60"]) as other:
        if which == "a zombie":
            wait_until(lambda: psutil.Process(other.pid).status() == psutil.STATUS_ZOMBIE)
        data = own_home / "pg"
        (data / "postmaster.pid").write_text(f"{other.pid}\n{data}\n1\n5432\n{data}\n\n  1 1\nready   \n")
        (data / ".s.PGSQL.5432.lock").write_text(f"{other.pid}\n{data}\n1\n5432\n{data}\n")
        with start_local(own_home) as server:
            assert ask(server.url(), "SELECT 1") == 1
        assert which == "a zombie" or other.poll() is None
        other.kill()


def test_a_server_whose_pid_file_was_deleted_is_replaced(server: LocalServer) -> None:
    server.cluster.pid_file.unlink()
    with start_local(server.site.home):
        assert ask(server.url(), "SELECT 1") == 1
        assert find_postmaster(server.cluster) is not None


def test_a_server_whose_socket_was_deleted_is_replaced(server: LocalServer) -> None:
    (server.socket_folder / ".s.PGSQL.5432").unlink()
    with start_local(server.site.home):
        assert ask(server.url(), "SELECT 1") == 1


def test_a_set_up_that_was_cut_short_is_finished_by_the_next_start(home: Path) -> None:
    with start_local(home) as server:
        superuser = f"postgresql://postgres@/postgres?host={server.socket_folder}"
        with psycopg.connect(superuser, autocommit=True) as connection:
            connection.execute("COMMENT ON DATABASE prefmem IS NULL")
            connection.execute("REVOKE prefmem_app FROM prefmem_owner")
        with start_local(home):
            assert ask(server.url(), "SELECT pg_has_role('prefmem_app', 'SET')") is True
