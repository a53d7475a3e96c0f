"""The embedded PostgreSQL: start, share, heal, stop."""

import atexit
import contextlib
import errno
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Literal, Self, get_args
from urllib.parse import quote

from prefmem_pg.db.local.account import Account, server_account
from prefmem_pg.db.local.binaries import find_binaries
from prefmem_pg.db.local.cluster import ensure_running, stop
from prefmem_pg.db.local.initdb import ensure_data
from prefmem_pg.db.local.locks import Hold, exclusive
from prefmem_pg.db.local.processes import Cluster, cluster_mark, require_psutil, spawn
from prefmem_pg.db.local.setup import DATABASE, is_set_up, set_up
from prefmem_pg.db.local.site import Site, clear_site, open_site, socket_folder
from prefmem_pg.errors import ConfigurationError, InvalidInput, StoreUnavailable

Role = Literal["owner", "app", "analyst", "analyst_text", "pipeline"]

# The first start makes the data directory; a start after a crash replays the log.
_LOCK_SECONDS = 330.0
# A keeper looks every five seconds who is connected and what was asked.
_KEEPER_SECONDS = 20.0
_AT_ONCE = "0"


@dataclass(frozen=True, eq=False)
class LocalServer:
    """A share in a running embedded PostgreSQL; the last share that is closed, in any process, stops it.

    Closed by ``close()``, at the end of a ``with``, or when the process ends. After the server was killed,
    ``start_local(home)`` heals it under the same URL. A forked child has a share of its own.
    """

    site: Site
    cluster: Cluster
    _share: Hold = field(repr=False)

    @property
    def socket_folder(self) -> Path:
        """The host to connect to."""
        return self.cluster.socket_folder

    @property
    def binaries(self) -> Path:
        """The folder of psql, pg_dump and pg_restore."""
        return self.cluster.binaries

    def url(self, role: Role = "owner") -> str:
        """Return a libpq URL, which psql and SQLAlchemy accept. The port guards against PGPORT in the environment."""
        if role not in get_args(Role):
            raise InvalidInput(f"there is no role {role!r}; choose one of {', '.join(get_args(Role))}")
        host = quote(str(self.socket_folder), safe="/")
        return f"postgresql://prefmem_{role}@/{DATABASE}?host={host}&port=5432"

    def close(self) -> None:
        """Give the share back; again is free."""
        atexit.unregister(self.close)
        if self._share.is_closed:
            return
        with contextlib.ExitStack() as stack:
            # Without the folder there is no lock and nobody to join: stop all the same.
            if self.site.folder.is_dir():
                stack.enter_context(exclusive(self.site.start_lock, timeout_seconds=_LOCK_SECONDS))
            _leave(self._share, self.cluster)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def start_local(home: Path) -> LocalServer:
    """Start or join the PostgreSQL whose data lives under ``home``, and make its database and roles.

    Idempotent, and safe when several processes do it at once. Raises ConfigurationError when somebody has to do
    something (the message says what) and StoreUnavailable when trying again may help.
    """
    with _disk_errors(home):
        require_psutil()
        account = server_account()
        binaries = find_binaries(account)
        site = open_site(home, account)
        with exclusive(site.start_lock, timeout_seconds=_LOCK_SECONDS):
            ensure_data(site, binaries)
            cluster = Cluster(site.data, socket_folder(site), binaries, account, cluster_mark(site.data))
            share = Hold.shared(site.users_lock)
            try:
                ensure_running(cluster, site.log)
                if not is_set_up(cluster.socket_folder):
                    set_up(cluster.socket_folder)
            except BaseException:
                _leave(share, cluster)
                raise
    server = LocalServer(site, cluster, share)
    atexit.register(server.close)
    return server


def hold_local(home: Path, *, idle_seconds: float = 300.0) -> None:
    """Keep the server up until ``idle_seconds`` after the last client has gone, by one small detached process.

    Asking again starts the wait anew, with the new length; there is never a second process.
    """
    with _disk_errors(home):
        site = open_site(home, server_account())
        with exclusive(site.start_lock, timeout_seconds=_LOCK_SECONDS):
            _ask_keeper(site, f"{idle_seconds}")
            free = Hold.alone(site.keeper_lock)
            if free is None:
                return  # it looks at the request once more, under this lock, before it ends
            free.close()
        _start_keeper(site)


def remove_local(home: Path) -> None:
    """Delete the embedded database of ``home``, also the part that had to be kept elsewhere. Cannot be undone.

    A server that nothing but ``hold_local`` keeps is stopped first; StoreUnavailable while somebody uses it.
    """
    with _disk_errors(home):
        require_psutil()
        account = server_account()
        site = open_site(home, account)
        with _hurried_keeper(site) as patience_seconds:
            deadline = time.monotonic() + patience_seconds
            while not _remove_unused(site, account):
                if time.monotonic() > deadline:
                    raise StoreUnavailable(
                        f"the database of {site.home} is in use; close what uses it, also what is connected by the URL"
                        " that prefmem url gave, and try again"
                    )
                time.sleep(0.05)


def _remove_unused(site: Site, account: Account) -> bool:
    """Stop the server and delete its data; False, with nothing done, when somebody has a share in it."""
    with exclusive(site.start_lock, timeout_seconds=_LOCK_SECONDS):
        share = Hold.shared(site.users_lock)
        try:
            if not share.is_last():
                return False
            if site.data.exists():
                folder = socket_folder(site)
                stop(Cluster(site.data, folder, find_binaries(account), account, cluster_mark(site.data)))
            clear_site(site)
        finally:
            share.close()
    return True


@contextlib.contextmanager
def _hurried_keeper(site: Site) -> Iterator[float]:
    """Ask a keeper to end as soon as nobody is connected; yield for how many seconds to wait, 0 without a keeper.

    It decides itself, and so cuts nobody off. When the block fails it keeps the server for as long as was asked before.
    """
    with exclusive(site.start_lock, timeout_seconds=_LOCK_SECONDS):
        free = Hold.alone(site.keeper_lock)
        if free is None:
            asked_before = site.keep_request.read_text(encoding="utf-8")
            _ask_keeper(site, _AT_ONCE)
        else:
            free.close()
    if free is not None:
        yield 0.0
        return
    try:
        yield _KEEPER_SECONDS
    except BaseException:
        with exclusive(site.start_lock, timeout_seconds=_LOCK_SECONDS):
            if site.keep_request.read_text(encoding="utf-8") == _AT_ONCE:  # nobody has asked for more meanwhile
                _ask_keeper(site, asked_before)
        raise


def _ask_keeper(site: Site, seconds: str) -> None:
    """Write at once for how long to keep the server: a keeper reads it whenever it likes."""
    written = site.keep_request.with_suffix(".new")
    written.write_text(seconds, encoding="utf-8")
    written.replace(site.keep_request)


def _leave(share: Hold, cluster: Cluster) -> None:
    """Give a share back and stop the server when it was the last. The caller holds the start lock."""
    try:
        if share.is_last():
            stop(cluster)
    finally:
        share.close()


def _start_keeper(site: Site) -> None:
    """Start the keeper and wait until it, or another, holds the server."""
    ready, tell = os.pipe()
    with open(ready, "rb") as answer:  # noqa: PTH123 a descriptor, not a path
        # It runs in "/", and must find what this process finds, whether installed or not.
        paths = [str(Path(__file__).resolve().parents[2]), *(path for path in sys.path if Path(path).is_absolute())]
        try:
            spawn(
                [sys.executable, "-P", "-m", "prefmem_pg.db.local.keeper", str(site.home), str(tell)],
                log=Path(os.devnull),
                environment={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
                keep_open=(tell,),
            )
        finally:
            os.close(tell)
        said = answer.read().decode("utf-8", errors="replace")
    if said != "ready":
        raise StoreUnavailable(f"the process that keeps the server up did not start: {said or 'it said nothing'}")


@contextlib.contextmanager
def _disk_errors(home: Path) -> Iterator[None]:
    """Raise our errors for those of the file system: no space may pass, no rights need somebody's hand."""
    try:
        yield
    except subprocess.SubprocessError as exc:
        raise StoreUnavailable(f"a program of the embedded database of {home} failed: {exc}") from exc
    except OSError as exc:
        if exc.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StoreUnavailable(f"no space left for the embedded database of {home}: {exc}") from exc
        raise ConfigurationError(
            f"the embedded database cannot use {home}: {exc}; choose another PREFMEM_HOME or set PREFMEM_DATABASE_URL"
        ) from exc
