"""Making a new data directory, whole or not at all."""

import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from prefmem_pg.db.local.account import Account
from prefmem_pg.db.local.processes import end, find_processes, server_environment
from prefmem_pg.db.local.site import Site
from prefmem_pg.errors import ConfigurationError, StoreUnavailable

MAJOR_VERSION = "18"

# lc_ctype C.UTF-8 and not C: pg_trgm asks it what a letter is, and with C no Chinese character is one.
_OPTIONS = (
    "--username=postgres",
    "--auth-local=trust",
    "--auth-host=reject",
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--lc-collate=C",
    "--lc-ctype=C.UTF-8",
    "--lc-messages=C",
    "--lc-monetary=C",
    "--lc-numeric=C",
    "--lc-time=C",
    "--no-instructions",
)

# No port here: clients find the socket by the default one.
_SETTINGS = {
    "random_page_cost": "1.1",
    "jit": "off",
    "max_connections": "100",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "listen_addresses": "",
    # The server's log must not keep what users wrote: no failed statements, no details that quote a row.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_checkpoints": "off",
}


def ensure_data(site: Site, binaries: Path) -> None:
    """Make the data directory when there is none; raise ConfigurationError for one that we cannot use."""
    version = site.data / "PG_VERSION"
    if version.exists():
        found = version.read_text(encoding="utf-8").strip()
        if found != MAJOR_VERSION:
            raise ConfigurationError(
                f"{site.data} was made by PostgreSQL {found}, this is {MAJOR_VERSION}; dump it with the version that "
                "made it (prefmem dump FILE), choose another PREFMEM_HOME, and load it there (prefmem load FILE)"
            )
        if (owner := site.data.stat().st_uid) != site.account.uid:
            raise ConfigurationError(
                f"{site.data} belongs to user {owner}, but the server runs as {site.account.name}; "
                f"run: chown -R {site.account.name} '{site.data}'"
            )
        return
    if site.data.exists() and any(site.data.iterdir()):
        raise ConfigurationError(f"{site.data} holds other files; empty it or choose another PREFMEM_HOME")
    _initialise(site, binaries)


def _initialise(site: Site, binaries: Path) -> None:
    # A server of a data directory that was deleted under it would remove the new one's socket when it ends.
    old = find_processes(site.account, data=site.data)
    if not end(old, signal.SIGQUIT, patience_seconds=5):
        end(old, signal.SIGKILL, patience_seconds=5)
    for left in site.folder.glob("pg.new-*"):
        shutil.rmtree(left, ignore_errors=True)
    # Renamed at the end: a kill -9 in between leaves no half-made data directory.
    staging = Path(tempfile.mkdtemp(prefix="pg.new-", dir=site.folder))
    try:
        site.account.give(staging)
        _run_initdb(staging, binaries, site.account)
        staging.rename(site.data)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _run_initdb(folder: Path, binaries: Path, account: Account) -> None:
    settings = [word for name, value in _SETTINGS.items() for word in ("-c", f"{name}={value}")]
    try:
        result = subprocess.run(  # noqa: S603 our own program
            [str(binaries / "initdb"), f"--pgdata={folder}", *_OPTIONS, *settings],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            start_new_session=True,
            cwd="/",
            env=server_environment(),
            timeout=300,
            check=False,
            **account.spawn_options(),
        )
    except subprocess.TimeoutExpired as exc:
        raise StoreUnavailable(f"initdb did not finish {folder.parent / 'pg'} in 300 s; try again") from exc
    if result.returncode != 0:
        raise initdb_error(result.stderr, folder.parent / "pg")


def initdb_error(output: str, data: Path) -> ConfigurationError | StoreUnavailable:
    """Return the error to raise for what initdb said: no space may pass, the rest needs somebody's hand."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    telling = (
        [line for line in lines if "error" in line.lower() or "FATAL" in line] or lines[-1:] or ["no reason given"]
    )
    reason = "; ".join(telling)[:500]
    if "No space left on device" in output or "Disk quota exceeded" in output:
        return StoreUnavailable(f"no space to make the embedded database in {data}; free some and try again ({reason})")
    return ConfigurationError(f"the embedded database could not be made in {data}: {reason}")
