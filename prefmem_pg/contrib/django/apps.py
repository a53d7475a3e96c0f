"""The Django app, and the checks that it adds to ``manage.py check``."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, Tags, register

from prefmem_pg.errors import PrefmemError


class PrefmemConfig(AppConfig):
    """prefmem_pg in a project. Being ready opens nothing."""

    name = "prefmem_pg.contrib.django"
    label = "prefmem"
    verbose_name = "Preference memory"

    def ready(self) -> None:
        """Register the checks."""
        register(check_settings)
        register(check_database, Tags.database)


def check_settings(**given: Any) -> list[CheckMessage]:  # Any: Django's own arguments
    """Say what is wrong with the settings, without a connection."""
    from prefmem_pg.contrib.django.opening import read_project

    try:
        read_project()
    except PrefmemError as exc:
        return [Error(str(exc), id="prefmem.E001")]
    return []


def check_database(*, databases: Sequence[str] | None = None, **given: Any) -> list[CheckMessage]:  # Any: as above
    """Say whether the schema is there and current; with ``manage.py check --database default``."""
    from prefmem_pg.contrib.django.opening import get_memory

    if not databases or check_settings():
        return []  # what is wrong with the settings is said by the other check
    try:
        get_memory().list_preferences("check", page_size=1)
    except PrefmemError as exc:
        return [Error(str(exc), hint="Run: manage.py prefmem upgrade", id="prefmem.E002")]
    return []
