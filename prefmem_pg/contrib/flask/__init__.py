"""Flask: a memory of the app, and ``flask prefmem …``."""

import sys
import weakref
from collections.abc import Mapping
from typing import Any, Final

import click
from flask import Flask, current_app
from flask.cli import with_appcontext

from prefmem_pg.cli.hosted import run_hosted
from prefmem_pg.contrib.answers import Explained as Explained
from prefmem_pg.contrib.answers import answer_offline as answer_offline
from prefmem_pg.contrib.answers import explain as explain
from prefmem_pg.contrib.answers import http_status as http_status
from prefmem_pg.contrib.answers import last_turns as last_turns
from prefmem_pg.contrib.forms import carry_out as carry_out
from prefmem_pg.contrib.opening import OpenedOnce
from prefmem_pg.errors import ConfigurationError
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.settings import Settings

NAME: Final = "prefmem"


def init_app(app: Flask, **parts: Any) -> None:  # Any: the parts of PreferenceMemory
    """Give an app its memory and the command ``flask prefmem``. Opens nothing.

    The settings are those of the environment; keys of ``app.config`` that begin with PREFMEM_ or end with _API_KEY win.
    ``parts`` go to PreferenceMemory (an extractor of your own, an embedder, ``max_connections``). There is nothing to
    tear down after a request, since each call gives its connection back; the memory is closed with the app.
    """
    config = app.config  # not the app itself, which could then never go
    opened = OpenedOnce(lambda: PreferenceMemory.from_settings(settings_of(config), **parts))
    app.extensions[NAME] = opened
    app.cli.add_command(_command)
    weakref.finalize(app, opened.close)


def get_memory(app: Flask | None = None) -> PreferenceMemory:
    """Return the memory of an app, or of the one that answers now; ConfigurationError before ``init_app``."""
    opened = (app or current_app).extensions.get(NAME)
    if opened is None:
        raise ConfigurationError("this app has no memory yet; call prefmem_pg.contrib.flask.init_app(app)")
    memory: PreferenceMemory = opened.get()
    return memory


def close_memory(app: Flask) -> None:
    """Close the memory of an app now; the next ``get_memory`` opens another."""
    app.extensions[NAME].close()


def settings_of(config: Mapping[str, Any]) -> Settings:
    """Return the settings that a Flask configuration and the environment give together."""
    given = {
        key: str(value)
        for key, value in config.items()
        if (key.startswith("PREFMEM_") or key.endswith("_API_KEY")) and value is not None
    }
    return Settings.from_env(given=given)


@click.command(
    NAME,
    context_settings={"ignore_unknown_options": True, "help_option_names": []},
    short_help="Commands of prefmem_pg on this app's database.",
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@with_appcontext
def _command(arguments: tuple[str, ...]) -> None:
    """Run a command of prefmem_pg on the database of this app."""
    settings = settings_of(current_app.config)
    sys.exit(run_hosted(arguments, settings, program=f"flask {NAME}"))
