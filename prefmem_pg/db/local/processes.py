"""Finding, starting and ending the processes of one embedded PostgreSQL."""

import hashlib
import os
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from prefmem_pg.db.local.account import Account
from prefmem_pg.errors import ConfigurationError

if TYPE_CHECKING:
    import psutil


@dataclass(frozen=True)
class Cluster:
    """One data directory with the programs, the account and the socket folder that serve it."""

    data: Path
    socket_folder: Path
    binaries: Path
    account: Account
    mark: str

    @property
    def pid_file(self) -> Path:
        return self.data / "postmaster.pid"


def cluster_mark(data: Path) -> str:
    """Return the cluster_name that shows in the title of every process of this data directory.

    Taken from the folder itself, so that a copy has another mark and a moved one keeps it. The title can be read
    where the current folder of another account's process cannot (a container without ptrace rights).
    """
    status = data.stat()
    return "prefmem_" + hashlib.sha256(f"{status.st_dev}:{status.st_ino}".encode()).hexdigest()[:12]


def require_psutil() -> None:
    """Raise ConfigurationError when psutil is missing: without it a dead server cannot be told from a busy one."""
    try:
        import psutil  # noqa: F401 only whether it is there
    except ImportError as exc:
        raise ConfigurationError("psutil is not installed; run: pip install 'prefmem-pg[local]'") from exc


def find_processes(account: Account, *, mark: str | None = None, data: Path | None = None) -> "list[psutil.Process]":
    """Return the living PostgreSQL processes with this mark, or started for this path of a data directory."""
    import psutil

    found = []
    for process in psutil.process_iter(["name", "cmdline", "status", "uids"]):
        seen = process.info
        if seen["status"] == psutil.STATUS_ZOMBIE or not (seen["name"] or "").startswith("postgres"):
            continue
        if seen["uids"] is None or seen["uids"].effective != account.uid:
            continue
        words = seen["cmdline"] or []
        if (mark is not None and mark in " ".join(words)) or (data is not None and str(data) in words):
            found.append(process)
    return found


def find_postmaster(cluster: Cluster) -> "psutil.Process | None":
    """Return the living server that postmaster.pid names, not a zombie and not a stranger that got its number."""
    import psutil

    try:
        process = psutil.Process(int(cluster.pid_file.read_text(encoding="utf-8").split("\n", 1)[0]))
        if is_gone(process) or not process.name().startswith("postgres"):
            return None
        words = process.cmdline()
    except (FileNotFoundError, ValueError, psutil.Error):
        return None
    return process if cluster.mark in " ".join(words) or str(cluster.data) in words else None


def is_gone(process: "psutil.Process") -> bool:
    """Say whether the process has ended, also when nobody has collected it."""
    import psutil

    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def end(processes: "Iterable[psutil.Process]", how: signal.Signals, *, patience_seconds: float) -> bool:
    """Send a signal and wait until all have ended; False when some have not in time."""
    import psutil

    waiting = list(processes)
    for process in waiting:
        try:
            process.send_signal(how)
        except psutil.NoSuchProcess:
            continue
    deadline = time.monotonic() + patience_seconds
    while waiting := [process for process in waiting if not is_gone(process)]:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def spawn(
    command: list[str],
    *,
    log: Path,
    environment: Mapping[str, str],
    account: Account | None = None,
    keep_open: tuple[int, ...] = (),
) -> int:
    """Start a program that outlives us, in a session of its own, and return its process id.

    The shell is the middle one of a double fork: the program is nobody's child here, so it needs no waiting for.
    Words go to it as arguments, never as text, so that no path can be read as shell language.
    """
    script = 'log=$1; shift; "$@" </dev/null >>"$log" 2>&1 & echo $!'
    result = subprocess.run(  # noqa: S603 the script is fixed
        ["/bin/sh", "-c", script, "sh", str(log), *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        pass_fds=keep_open,
        cwd="/",
        env=dict(environment),
        umask=0o077,
        check=True,
        **(account.spawn_options() if account else {}),
    )
    return int(result.stdout)


def server_environment() -> dict[str, str]:
    """Return an environment without the caller's locale and PG* variables: both would change the server."""
    return {"PATH": os.defpath, "LC_ALL": "C.UTF-8", "TZ": "UTC"}
