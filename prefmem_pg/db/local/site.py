"""Where the embedded database of one home lives on disk."""

import hashlib
import os
import secrets
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from prefmem_pg.db.local.account import Account, closed_folder
from prefmem_pg.db.local.state import state_folder, trusted
from prefmem_pg.errors import ConfigurationError

# sockaddr_un holds 104 bytes on macOS and 108 on Linux, the final NUL included.
_LONGEST_SOCKET_PATH = 103
SOCKET_NAME = ".s.PGSQL.5432"


@dataclass(frozen=True)
class Site:
    """The folder with the data directory and the lock files beside it: the home, or one of ours for it."""

    home: Path
    folder: Path
    account: Account

    @property
    def data(self) -> Path:
        return self.folder / "pg"

    @property
    def log(self) -> Path:
        return self.data / "server.log"

    @property
    def start_lock(self) -> Path:
        """Held alone while the server is started, set up or stopped."""
        return self.folder / "pg.start.lock"

    @property
    def users_lock(self) -> Path:
        """Shared by every process that uses the server: who gets it alone is the last one."""
        return self.folder / "pg.users.lock"

    @property
    def keeper_lock(self) -> Path:
        return self.folder / "pg.keeper.lock"

    @property
    def keep_request(self) -> Path:
        """How many idle seconds were asked for last; its time of change is when."""
        return self.folder / "pg.keep"

    @property
    def pointer(self) -> Path:
        """Names the folder when it is not the home."""
        return self.home / "pg.location"


def open_site(home: Path, account: Account) -> Site:
    """Find or choose the place for the data of ``home``; never changes the mode of a folder that was there."""
    home = _own_folder(home.expanduser().resolve(), account)
    site = Site(home, home, account)
    if site.pointer.exists():
        return Site(home, _pointed(site.pointer), account)
    closed = closed_folder(home, account)
    if closed is None:
        return site
    if (site.data / "PG_VERSION").exists():
        raise ConfigurationError(
            f"{site.data} holds the data, but account {account.name} may not enter {closed}; run: chmod o+x '{closed}'"
        )
    return Site(home, _folder_outside(site), account)


def socket_folder(site: Site) -> Path:
    """Return the folder of the server's socket: the data directory, or a short one when that path is too long.

    The choice is written down, so that every process finds the same one and a restart keeps it.
    """
    if fits_socket(site.data):
        return site.data
    record = site.folder / "pg.socket"
    if record.exists():
        folder = Path(record.read_text(encoding="utf-8"))
        if _is_private(folder, site.account):
            return folder
    # A fresh random name cannot have been prepared by somebody else; 0700 keeps other users from the socket.
    folder = Path(tempfile.mkdtemp(prefix="prefmem-", dir="/tmp"))
    site.account.give(folder)
    record.write_text(str(folder), encoding="utf-8")
    return folder


def fits_socket(folder: Path) -> bool:
    """Say whether a socket in this folder can be named; libpq reads a comma as a second host."""
    return len(os.fsencode(folder / SOCKET_NAME)) <= _LONGEST_SOCKET_PATH and "," not in str(folder)


def clear_site(site: Site) -> None:
    """Delete the data and everything that was put beside it. The server must be stopped."""
    if not fits_socket(site.data):
        shutil.rmtree(socket_folder(site), ignore_errors=True)
    shutil.rmtree(site.data, ignore_errors=True)
    for path in site.folder.glob("pg.*"):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        elif path != site.start_lock:  # a process may wait for it, and must then hold the same file as the next
            path.unlink(missing_ok=True)
    if site.folder != site.home:
        site.pointer.unlink(missing_ok=True)
        shutil.rmtree(site.folder, ignore_errors=True)


def _own_folder(home: Path, account: Account) -> Path:
    home.parent.mkdir(parents=True, exist_ok=True)
    try:
        # The other account has to pass through; nobody may list or read.
        home.mkdir(mode=0o711 if account.is_other else 0o700)
    except FileExistsError:
        pass
    else:
        home.chmod(0o711 if account.is_other else 0o700)
    if not home.is_dir():
        raise ConfigurationError(f"{home} is not a folder; remove it or choose another PREFMEM_HOME")
    if home.stat().st_uid != os.geteuid():
        raise ConfigurationError(
            f"{home} belongs to user {home.stat().st_uid}, not to {os.geteuid()}; "
            "run as its owner or choose another PREFMEM_HOME"
        )
    if not os.access(home, os.W_OK | os.X_OK):
        raise ConfigurationError(f"{home} cannot be written; run: chmod u+wx '{home}', or choose another PREFMEM_HOME")
    return home


def _folder_outside(site: Site) -> Path:
    # The random part keeps apart a home that was deleted and made again: its old data must not come back.
    digest = hashlib.sha256(os.fsencode(site.home)).hexdigest()[:12]
    folder = state_folder() / f"{digest}-{secrets.token_hex(4)}"
    folder.mkdir(mode=0o711)
    folder.chmod(0o711)
    draft = site.home / f"pg.location.{folder.name}"
    draft.write_text(str(folder), encoding="utf-8")
    try:
        os.link(draft, site.pointer)  # whole and first, or not at all
    except FileExistsError:
        folder.rmdir()
        return _pointed(site.pointer)
    finally:
        draft.unlink()
    return folder


def _pointed(pointer: Path) -> Path:
    folder = Path(pointer.read_text(encoding="utf-8"))
    if not folder.is_dir():
        raise ConfigurationError(
            f"{pointer} says that the data is in {folder}, which is gone; "
            f"bring it back, or delete {pointer} to start anew"
        )
    return trusted(folder)


def _is_private(folder: Path, account: Account) -> bool:
    try:
        status = folder.lstat()
    except FileNotFoundError:
        return False
    return status.st_uid == account.uid and status.st_mode & 0o170777 == 0o040700
