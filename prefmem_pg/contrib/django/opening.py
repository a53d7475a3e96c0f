"""The memory of a Django project, from its settings."""

from typing import Any, Final

from django.conf import settings as project

from prefmem_pg.contrib.django.databases import is_postgresql, url_of
from prefmem_pg.contrib.opening import OpenedOnce
from prefmem_pg.errors import ConfigurationError
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.settings import Settings

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
    ``DATABASE_URL`` in it names a database that is none of DATABASES, "" the embedded one. ``alias`` names another
    database, as that of the schema's owner. ConfigurationError when it is not PostgreSQL.
    """
    given = dict(getattr(project, "PREFMEM", {}))
    chosen = alias or given.pop("ALIAS", "default")
    given.pop("ALIAS", None)
    words = {name if name.endswith("_API_KEY") else f"PREFMEM_{name}": str(value) for name, value in given.items()}
    if alias is not None or "PREFMEM_DATABASE_URL" not in words:
        words["PREFMEM_DATABASE_URL"] = _url_of_alias(chosen)
    return Settings.from_env(given=words)


def alias_of_models() -> str | None:
    """Return which of DATABASES the models read; None when the memory lives elsewhere, or in no PostgreSQL."""
    given = getattr(project, "PREFMEM", {})
    alias: str = given.get("ALIAS", "default")
    own = "DATABASE_URL" not in given and is_postgresql(project.DATABASES.get(alias, {}))
    return alias if own else None


def _url_of_alias(alias: str) -> str:
    found: dict[str, Any] | None = project.DATABASES.get(alias)  # Any: what the project wrote
    if found is None:
        raise ConfigurationError(f"DATABASES has no {alias!r}; name the database by PREFMEM = {{'ALIAS': …}}")
    if not is_postgresql(found):
        raise ConfigurationError(
            f"DATABASES[{alias!r}] is not PostgreSQL; name one that is by PREFMEM = {{'ALIAS': …}},"
            " or another database by PREFMEM = {'DATABASE_URL': …}, '' for the embedded one"
        )
    return url_of(found)


def _make() -> PreferenceMemory:
    return PreferenceMemory.from_settings(read_project(), **getattr(project, PARTS, {}))


_opened = OpenedOnce(_make)
