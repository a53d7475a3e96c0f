"""Databases as libpq names them and as Django does."""

from collections.abc import Mapping
from typing import Any, Final

from psycopg.conninfo import make_conninfo

from prefmem_pg.db.engine import connection_arguments

# Django's names for what libpq calls otherwise.
_WORDS: Final = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
# Options of Django's backend that libpq does not know.
_DJANGO_ALONE: Final = ("pool", "isolation_level", "server_side_binding", "assume_role")


def database_of(url: str) -> dict[str, Any]:  # Any: as Django takes it
    """Return an entry of DATABASES for whatever libpq accepts: a URL, or key=value words.

    ConfigurationError when it cannot be read.
    """
    words = dict(connection_arguments(url))
    found: dict[str, Any] = {name: words.pop(word) for name, word in _WORDS.items() if word in words}
    return {"ENGINE": "django.db.backends.postgresql", **found, "OPTIONS": words}


def url_of(entry: Mapping[str, Any]) -> str:
    """Return an entry of DATABASES as libpq takes it."""
    options = {key: value for key, value in (entry.get("OPTIONS") or {}).items() if key not in _DJANGO_ALONE}
    words = {word: str(entry[name]) for name, word in _WORDS.items() if entry.get(name)}
    return make_conninfo(**{**options, **words})


def is_postgresql(entry: Mapping[str, Any]) -> bool:
    """Say whether an entry of DATABASES is one that a memory can live in."""
    return str(entry.get("ENGINE", "")).endswith(("postgresql", "postgis"))
