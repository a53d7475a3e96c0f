"""Opening what the environment names; imported inside functions, so that ``--help`` stays quick."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prefmem_pg.db.local import LocalServer
    from prefmem_pg.memory import PreferenceMemory
    from prefmem_pg.settings import Settings


def open_memory() -> "PreferenceMemory":
    """Open the memory of the settings' database, or else the embedded one, made and upgraded."""
    from prefmem_pg.memory import PreferenceMemory

    return PreferenceMemory.from_settings(read_settings())


_settings_of_host: ContextVar["Settings | None"] = ContextVar("settings_of_host", default=None)


def read_settings() -> "Settings":
    """Return the settings of the application that runs the command, or else those of the environment."""
    from prefmem_pg.settings import Settings

    return _settings_of_host.get() or Settings.from_env()


@contextmanager
def settings_of_host(settings: "Settings") -> Iterator[None]:
    """Let commands use an application's settings in place of the environment's."""
    token = _settings_of_host.set(settings)
    try:
        yield
    finally:
        _settings_of_host.reset(token)


@contextmanager
def open_as_it_is(settings: "Settings") -> Iterator["PreferenceMemory"]:
    """Open the same database without upgrading it; the embedded server is made when it is not there."""
    from prefmem_pg.memory import PreferenceMemory

    if settings.database_url is not None:
        with PreferenceMemory.connect(settings.database_url, settings=settings) as memory:
            yield memory
        return
    with local_server(settings) as server, PreferenceMemory.connect(server.url(), settings=settings) as memory:
        yield memory


@contextmanager
def local_server(settings: "Settings") -> Iterator["LocalServer"]:
    """Start or join the embedded server of the settings."""
    from prefmem_pg.db.local import start_local

    with start_local(settings.home) as server:
        yield server
