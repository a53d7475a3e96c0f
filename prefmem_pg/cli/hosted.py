"""The commands inside an application: with its settings, under its own command line."""

from collections.abc import Sequence

from prefmem_pg.cli.opening import settings_of_host
from prefmem_pg.settings import Settings


def run_hosted(arguments: Sequence[str], settings: Settings, *, program: str) -> int:
    """Run ``prefmem`` with these arguments on an application's database and return its exit code."""
    from prefmem_pg.cli.app import app

    with settings_of_host(settings):
        try:
            app(list(arguments), prog_name=program)
        except SystemExit as exc:
            return exc.code if isinstance(exc.code, int) else 1
    return 0
