"""The memory of a Django project, from its settings."""

from typing import Any, Final

from django.conf import settings as project
from psycopg.conninfo import make_conninfo

from prefmem_pg.contrib.opening import OpenedOnce
from prefmem_pg.errors import ConfigurationError
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.settings import Settings

# Django's names for what libpq calls otherwise.
_WORDS: Final = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
# Options of Django's backend that libpq does not know.
_DJANGO_ALONE: Final = ("pool", "isolation_level", "server_side_binding", "assume_role")
PARTS: Final = "PREFMEM_PARTS"


def get_memory() -> PreferenceMemory:
    """Return the project's memory, made at its first use; it opens no connection before its first call."""
    return _opened.get()


def close_memory() -> None:
    """Close the memory now; the next ``get_memory`` opens another."""
    _opened.close()


def read_project(alias: str | None = None) -> Settings:
    """Return the settings of the project: PREFMEM over the environment, the database from DATABASES.

    ``PREFMEM = {"ALIAS": "default", "EXTRACTOR": "offline"}`` names the database and sets PREFMEM_EXTRACTOR.
    ``alias`` names another database, as that of the schema's owner. ConfigurationError when it is not PostgreSQL.
    """
    given = dict(getattr(project, "PREFMEM", {}))
    chosen = alias or given.pop("ALIAS", "default")
    given.pop("ALIAS", None)
    words = {name if name.endswith("_API_KEY") else f"PREFMEM_{name}": str(value) for name, value in given.items()}
    if alias is not None or "PREFMEM_DATABASE_URL" not in words:
        words["PREFMEM_DATABASE_URL"] = url_of(chosen)
    return Settings.from_env(given=words)


def url_of(alias: str) -> str:
    """Return the database of DATABASES as libpq takes it."""
    found: dict[str, Any] | None = project.DATABASES.get(alias)  # Any: what the project wrote
    if found is None:
        raise ConfigurationError(f"DATABASES has no {alias!r}; name the database by PREFMEM = {{'ALIAS': …}}")
    if not str(found.get("ENGINE", "")).endswith(("postgresql", "postgis")):
        raise ConfigurationError(
            f"DATABASES[{alias!r}] is not PostgreSQL; name one that is by PREFMEM = {{'ALIAS': …}}"
        )
    options = {key: value for key, value in (found.get("OPTIONS") or {}).items() if key not in _DJANGO_ALONE}
    words = {word: str(found[name]) for name, word in _WORDS.items() if found.get(name)}
    return make_conninfo(**{**options, **words})


def _make() -> PreferenceMemory:
    return PreferenceMemory.from_settings(read_project(), **getattr(project, PARTS, {}))


_opened = OpenedOnce(_make)
