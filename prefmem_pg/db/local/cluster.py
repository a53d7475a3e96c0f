"""Starting, joining, healing and stopping the server of one data directory."""

import os
import signal
import time
from pathlib import Path

from prefmem_pg.db.local.processes import (
    Cluster,
    end,
    find_postmaster,
    find_processes,
    is_gone,
    server_environment,
    spawn,
)
from prefmem_pg.db.local.setup import DATABASE, OWNER
from prefmem_pg.db.local.site import SOCKET_NAME
from prefmem_pg.errors import StoreUnavailable

_LOG_LIMIT_BYTES = 1_000_000
_ANSWER_SECONDS = 10.0
_RECOVERY_SECONDS = 300.0


def ensure_running(cluster: Cluster, log: Path) -> None:
    """Leave with a server that accepts connections. Only called by the holder of the start lock."""
    if _accepts(cluster) and not _was_moved(cluster):
        return
    postmaster = find_postmaster(cluster)
    if postmaster is not None:
        unreachable = _was_moved(cluster) or _lost_its_socket(cluster)
        if not unreachable and _wait_for_answer(cluster, postmaster.pid):
            return
        if not unreachable and not is_gone(postmaster):
            raise StoreUnavailable(
                f"the embedded PostgreSQL (process {postmaster.pid}) runs but does not answer; try again, or end it"
            )
        # It lives where nobody can reach it: its socket was deleted, or the folder was moved under it.
        stop(cluster)
    _clear_remains(cluster)
    _launch(cluster, log)


def stop(cluster: Cluster) -> None:
    """Stop the server, gently first; a server that is not there is stopped already."""
    postmaster = find_postmaster(cluster)
    # After a folder was deleted or moved under the server, only its mark tells.
    processes = [postmaster] if postmaster else find_processes(cluster.account, mark=cluster.mark)
    if postmaster and end(processes, signal.SIGINT, patience_seconds=30):
        return
    if not end(processes, signal.SIGQUIT, patience_seconds=5):
        end(find_processes(cluster.account, mark=cluster.mark), signal.SIGKILL, patience_seconds=5)


def _launch(cluster: Cluster, log: Path) -> None:
    _shorten(log)
    start_of_this_run = log.stat().st_size if log.exists() else 0
    command = [
        str(cluster.binaries / "postgres"),
        "-D",
        str(cluster.data),
        "-c",
        # Quoted for its list syntax; on the command line, so that a moved home needs no edit.
        'unix_socket_directories="{}"'.format(str(cluster.socket_folder).replace('"', '""')),
        "-c",
        "listen_addresses=",
        "-c",
        f"cluster_name={cluster.mark}",
    ]
    pid = spawn(command, log=log, environment=server_environment(), account=cluster.account)
    if not _wait_for_answer(cluster, pid, answer_seconds=_RECOVERY_SECONDS):
        said = _reason(log, start_of_this_run)
        stop(cluster)
        raise StoreUnavailable(f"the embedded PostgreSQL did not start: {said}; its log is {log}")


def _wait_for_answer(cluster: Cluster, pid: int, *, answer_seconds: float = _ANSWER_SECONDS) -> bool:
    """Wait while the process lives: long when it says that it is starting or recovering, else ``answer_seconds``."""
    import psutil

    try:
        process = psutil.Process(pid)
    except psutil.NoSuchProcess:
        return False
    began = time.monotonic()
    while not is_gone(process):
        if _accepts(cluster):
            return True
        patience = _RECOVERY_SECONDS if _is_busy(cluster) else answer_seconds
        if time.monotonic() - began > patience:
            return False
        time.sleep(0.02)
    return False


def _accepts(cluster: Cluster) -> bool:
    from psycopg import pq

    return _ping(cluster) == pq.Ping.OK


def _is_busy(cluster: Cluster) -> bool:
    from psycopg import pq

    return _ping(cluster) == pq.Ping.REJECT


def _ping(cluster: Cluster) -> int:
    from psycopg import pq
    from psycopg.conninfo import make_conninfo

    where = make_conninfo(host=str(cluster.socket_folder), port=5432, user=OWNER, dbname=DATABASE, connect_timeout=3)
    return pq.PGconn.ping(where.encode())


def _was_moved(cluster: Cluster) -> bool:
    """Say whether the server's path is not this folder's any more, or its pid file is gone: it ends within a minute."""
    try:
        path = cluster.pid_file.read_text(encoding="utf-8").splitlines()[1]
        return not Path(path).samefile(cluster.data)
    except IndexError:
        return False
    except FileNotFoundError:
        return True


def _lost_its_socket(cluster: Cluster) -> bool:
    """Say whether the socket of a server that was ready is not there any more; it makes no second one."""
    try:
        is_ready = cluster.pid_file.read_text(encoding="utf-8").splitlines()[7].strip() == "ready"
    except (FileNotFoundError, IndexError):
        return False
    return is_ready and not (cluster.socket_folder / SOCKET_NAME).exists()


def _clear_remains(cluster: Cluster) -> None:
    """Remove what a killed server left, so that a reused or uncollected process id cannot stop the next start."""
    socket = cluster.socket_folder / SOCKET_NAME
    remains = [cluster.pid_file, socket, socket.with_name(f"{SOCKET_NAME}.lock")]
    if not any(path.exists() for path in remains):
        return
    lingering = find_processes(cluster.account, mark=cluster.mark)
    if not end(lingering, signal.SIGQUIT, patience_seconds=5):
        end(lingering, signal.SIGKILL, patience_seconds=5)
    for path in remains:
        path.unlink(missing_ok=True)


def _shorten(log: Path) -> None:
    if log.exists() and log.stat().st_size > _LOG_LIMIT_BYTES:
        log.replace(log.with_suffix(".log.old"))


def _reason(log: Path, offset: int) -> str:
    """Return why the last start failed: the server's own words for it, else the last line of its log."""
    try:
        with log.open("rb") as file:
            file.seek(offset)
            lines = file.read().decode("utf-8", errors="replace").splitlines()
    except OSError as exc:
        return os.strerror(exc.errno or 0)
    telling = [line for line in lines if "FATAL" in line or "PANIC" in line] or lines[-1:]
    return "; ".join(line.strip() for line in telling)[:500] or "it said nothing"
