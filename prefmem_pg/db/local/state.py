"""The folder of our own outside every home, for a server whose account cannot enter the home."""

import os
import stat
from pathlib import Path

from prefmem_pg.errors import ConfigurationError

# /var/lib first: nobody else can write there, and cleaners delete what is old from /var/tmp, also from a database.
_PARENTS = (Path("/var/lib"), Path("/var/tmp"))  # noqa: S108 checked by trusted() before it is used
_NAME = "prefmem-pg"


def state_folder() -> Path:
    """Return the folder, making it when there is none; refuse one that somebody else may have prepared."""
    parent = next((parent for parent in _PARENTS if parent.is_dir() and os.access(parent, os.W_OK)), None)
    if parent is None:
        raise ConfigurationError("neither /var/lib nor /var/tmp can be written; set PREFMEM_DATABASE_URL")
    folder = parent / _NAME
    try:
        folder.mkdir(mode=0o711)
        folder.chmod(0o711)  # whatever the umask says: the server's account must pass
    except FileExistsError:
        pass
    return trusted(folder)


def trusted(folder: Path) -> Path:
    """Return the folder when it is really one, is ours, and nobody else may write in it."""
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o022:
        raise ConfigurationError(
            f"{folder} is not a folder that only user {os.geteuid()} can write in; "
            "find out who made it, then remove it, or choose another PREFMEM_HOME"
        )
    return folder
