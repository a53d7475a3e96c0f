"""The detached process that keeps an embedded server up while somebody connects to it from outside."""

import os
import signal
import sys
import time
from pathlib import Path
from types import FrameType

from prefmem_pg.db.local import LocalServer, start_local
from prefmem_pg.db.local.locks import Hold, exclusive
from prefmem_pg.db.local.setup import DATABASE, OWNER, connect
from prefmem_pg.errors import PrefmemError, StoreUnavailable

# Clients have both a database and a user; workers of the server itself have one or none.
_OTHER_CLIENTS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datid IS NOT NULL AND usesysid IS NOT NULL AND pid <> pg_backend_pid()"
)


def main(home: Path, ready: int) -> int:
    """Hold the server, say so on the pipe, and end when nobody has used it for as long as was asked."""
    signal.signal(signal.SIGTERM, _exit)
    try:
        server = start_local(home)
    except PrefmemError as exc:
        _tell(ready, str(exc))
        return 1
    try:
        place = Hold.alone(server.site.keeper_lock)
        _tell(ready, "ready")  # this one or the other: the server is held
        if place is not None:
            server = keep(server, place)
    finally:
        server.close()
    return 0


def keep(server: LocalServer, place: Hold) -> LocalServer:
    """Return, with ``place`` given up, once the server was idle for the seconds that were asked for last."""
    last_used, request = time.monotonic(), None
    while True:
        asked_at, idle_seconds = _request(server)
        server, clients = _look(server)
        if clients or asked_at != request:
            last_used, request = time.monotonic(), asked_at
        elif time.monotonic() - last_used >= idle_seconds:
            # Nobody can ask between this last look and giving up the place: asking takes the same lock.
            with exclusive(server.site.start_lock, timeout_seconds=60):
                if _request(server)[0] == request and _is_idle(server):
                    place.close()
                    return server
        time.sleep(min(5.0, max(0.05, idle_seconds / 10)))


def _look(server: LocalServer) -> tuple[LocalServer, int]:
    """Count the clients; a server that was killed is healed, for the URL that was given out is still good."""
    import psycopg

    try:
        return server, _count_clients(server)
    except psycopg.OperationalError:
        try:
            healed = start_local(server.site.home)
        except StoreUnavailable:
            return server, 1  # what was killed may take a while to let go of its files: look again
        server.close()
        return healed, 0


def _is_idle(server: LocalServer) -> bool:
    """Say whether nobody is connected; a server that was killed this very moment is looked at again, and healed."""
    import psycopg

    try:
        return not _count_clients(server)
    except psycopg.OperationalError:
        return False


def _count_clients(server: LocalServer) -> int:
    with connect(server.socket_folder, user=OWNER, database=DATABASE) as connection:
        row = connection.execute(_OTHER_CLIENTS).fetchone()
    return int(row[0]) if row else 0


def _request(server: LocalServer) -> tuple[int, float]:
    path = server.site.keep_request
    return path.stat().st_mtime_ns, float(path.read_text(encoding="utf-8"))


def _tell(ready: int, text: str) -> None:
    os.write(ready, text.encode())
    os.close(ready)


def _exit(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2])))
