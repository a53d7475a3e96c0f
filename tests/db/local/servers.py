"""Homes of the embedded server in temporary folders, real processes that share it, and questions to both."""

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import psycopg
import pytest

from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.local.account import server_account
from prefmem_pg.db.local.processes import cluster_mark, find_postmaster, find_processes, is_gone
from prefmem_pg.db.local.site import open_site
from tests.processes import wait_until

ROOT = Path(__file__).parents[3]
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root runs the server as another account")

START_AND_WAIT = """
import sys
from pathlib import Path
from prefmem_pg.db.local import start_local
server = start_local(Path(sys.argv[1]))
print(server.url(), flush=True)
sys.stdin.readline()
"""


def make_folder() -> Path:
    """Make a folder that every account may enter, which pytest's own is not."""
    path = Path(tempfile.mkdtemp(prefix="prefmem-test-", dir="/tmp")).resolve()
    path.chmod(0o755)
    return path


def end_all_in(path: Path) -> None:
    for process in psutil.process_iter(["cmdline"]):
        if f"{path}/" in " ".join(process.info["cmdline"] or []):
            process.kill()


def spawn(code: str, *arguments: object, **environment: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, **environment},
    )


def finish(process: "subprocess.Popen[str]") -> str:
    """Let the process go on to its end; return what it printed since."""
    output, errors = process.communicate("\n", timeout=600)
    assert process.returncode == 0, errors
    return output


def ask(url: str, query: str) -> object:
    with psycopg.connect(url, autocommit=True) as connection:
        row = connection.execute(query).fetchone()
    assert row is not None
    return row[0]


def is_up(home: Path) -> bool:
    data = open_site(home, server_account()).data
    return bool(find_processes(server_account(), mark=cluster_mark(data)))


def kill_postmaster(server: LocalServer) -> psutil.Process:
    """Return the process that was killed; a keeper may have started the next one by then."""
    postmaster = find_postmaster(server.cluster)
    assert postmaster is not None
    postmaster.kill()
    wait_until(lambda: is_gone(postmaster))
    return postmaster


def serves_again(server: LocalServer, killed: psutil.Process) -> bool:
    """Whether another process has taken the killed one's place and has come as far as to answer."""
    postmaster = find_postmaster(server.cluster)
    if postmaster is None or postmaster == killed:
        return False
    try:
        return ask(server.url(), "SELECT 1") == 1
    except psycopg.OperationalError:  # it replays its log, or listens not yet
        return False


def modes(*paths: Path) -> dict[Path, int]:
    return {path: stat.S_IMODE(path.stat().st_mode) for start in paths for path in (start, *start.parents)}
