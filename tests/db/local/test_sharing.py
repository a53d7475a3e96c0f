"""Processes that share the embedded PostgreSQL, and the keeper that holds it for others."""

import os
import signal
import time
from pathlib import Path

import psutil
import psycopg
import pytest

from prefmem_pg.db.local import hold_local, start_local
from tests.db.local.servers import (
    START_AND_WAIT,
    ask,
    finish,
    is_up,
    kill_postmaster,
    serves_again,
    spawn,
)
from tests.processes import wait_until


def test_the_last_process_stops_the_server_and_no_other(home: Path) -> None:
    first = spawn(START_AND_WAIT, home)
    assert first.stdout is not None
    url = first.stdout.readline()
    second = spawn(START_AND_WAIT, home)
    assert finish(second) == url
    assert ask(url, "SELECT 1") == 1
    finish(first)
    assert not is_up(home)


def test_processes_that_start_at_the_same_instant_share_one_new_server(folder: Path) -> None:
    processes = [spawn(START_AND_WAIT, folder / "home") for _ in range(4)]
    urls = [process.stdout.readline() for process in processes if process.stdout]
    starts = {ask(url, "SELECT pg_postmaster_start_time()") for url in urls}
    assert len(starts) == 1
    for process in processes:
        finish(process)
    assert not is_up(folder / "home")


def test_a_share_that_is_closed_leaves_the_other_share_of_the_process_alone(home: Path) -> None:
    with start_local(home) as first:
        start_local(home).close()
        assert ask(first.url(), "SELECT 1") == 1
        first.close()
        first.close()
        assert not is_up(home)


@pytest.mark.parametrize("ending", ["raise RuntimeError('oops')", "os.kill(os.getpid(), signal.SIGTERM)"])
def test_a_process_that_ends_badly_stops_the_server(home: Path, ending: str) -> None:
    code = f"""
import os, signal, sys
from pathlib import Path
from prefmem_pg.db.local import start_local
signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))
start_local(Path(sys.argv[1]))
{ending}
"""
    process = spawn(code, home)
    process.communicate(timeout=600)
    assert process.returncode != 0
    assert not is_up(home)


def test_a_forked_child_keeps_the_server_that_its_parent_has_left(home: Path) -> None:
    code = """
import os, sys
from pathlib import Path
import psycopg
from prefmem_pg.db.local import start_local
server = start_local(Path(sys.argv[1]))
reading, writing = os.pipe()
if os.fork() == 0:
    os.close(writing)
    os.read(reading, 1)
    with psycopg.connect(server.url()) as connection:
        print(connection.execute("SELECT 'child'").fetchone()[0], flush=True)
    sys.exit()
server.close()
os.close(writing)
os.wait()
"""
    assert finish(spawn(code, home)) == "child\n"
    assert not is_up(home)


# The keeper


def keepers(home: Path) -> list[int]:
    return [
        process.pid
        for process in psutil.process_iter(["cmdline"])
        if "prefmem_pg.db.local.keeper" in (process.info["cmdline"] or []) and str(home) in process.info["cmdline"]
    ]


def test_a_held_server_outlives_its_starter_and_ends_when_nobody_is_connected(home: Path) -> None:
    with start_local(home) as server:
        hold_local(home, idle_seconds=0.5)
        hold_local(home, idle_seconds=0.6)
        assert len(keepers(home)) == 1
        keeper = psutil.Process(keepers(home)[0])
    with psycopg.connect(server.url()) as connection:
        assert os.getsid(keeper.pid) != os.getsid(0)
        assert keeper.cwd() == "/"
        time.sleep(2)  # longer than it would wait without this client
        assert connection.execute("SELECT 1").fetchone() == (1,)
    wait_until(lambda: not keepers(home) and not is_up(home))


def test_a_hold_needs_no_server_before_it_and_ends_by_signal(home: Path) -> None:
    hold_local(home, idle_seconds=60)
    assert is_up(home)
    os.kill(keepers(home)[0], signal.SIGTERM)
    wait_until(lambda: not keepers(home) and not is_up(home))


def test_a_keeper_heals_a_server_that_was_killed(home: Path) -> None:
    with start_local(home) as server:
        hold_local(home, idle_seconds=300)
    killed = kill_postmaster(server)
    wait_until(lambda: serves_again(server, killed))
    assert ask(server.url(), "SELECT 1") == 1
    hold_local(home, idle_seconds=0.5)
    wait_until(lambda: not keepers(home) and not is_up(home))
