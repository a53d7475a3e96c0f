"""Loading the example apps, and looking at connections."""

import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from prefmem_pg.db.local import LocalServer
from prefmem_pg.providers.local_embedder import LocalEmbedder
from tests.conftest import fresh_database, superuser_url

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="session")
def load_example() -> Callable[[str], ModuleType]:
    """Import a file of the examples by its path."""

    def load(name: str) -> ModuleType:
        spec = importlib.util.spec_from_file_location(Path(name).stem + "_example", EXAMPLES / name)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module  # Flask looks there for the folder of the templates
        spec.loader.exec_module(module)
        return module

    return load


@pytest.fixture
def connections(database_url: str) -> Callable[[], dict[str, int]]:
    """Count the other connections to the module's database by their state."""

    def count() -> dict[str, int]:
        with psycopg.connect(database_url, autocommit=True) as connection:
            rows = connection.execute(
                "SELECT coalesce(state, '?'), count(*) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid() GROUP BY 1"
            ).fetchall()
        return dict(rows)

    return count


@pytest.fixture(scope="session")
def host_database(server: LocalServer) -> Iterator[str]:
    """A database with a schema for the tables of a Django project: the owner of ours owns nothing in public."""
    with fresh_database(server) as url:
        with psycopg.connect(superuser_url(server, str(conninfo_to_dict(url)["dbname"]))) as connection:
            connection.execute("CREATE SCHEMA project AUTHORIZATION prefmem_owner")
        yield f"{url}&options=-c%20search_path%3Dproject%2Cpublic"


@pytest.fixture(scope="session")
def project(host_database: str, embedder: LocalEmbedder) -> Iterator[ModuleType]:
    """The Django example, set up once a process, as Django cannot be set up twice; gives ``contrib.django``."""
    import django
    from django.conf import settings
    from django.core.management import call_command

    folder = str(EXAMPLES / "django_app")
    sys.path.insert(0, folder)
    os.environ |= {"DJANGO_SETTINGS_MODULE": "project.settings", "PREFMEM_DATABASE_URL": host_database}
    try:
        settings.DATABASES["other"] = {"ENGINE": "django.db.backends.sqlite3"}
    finally:
        del os.environ["PREFMEM_DATABASE_URL"]
    settings.PREFMEM["EXTRACTOR"] = "offline"
    settings.PREFMEM_PARTS["embedder"] = embedder
    django.setup()
    call_command("migrate", verbosity=0)
    import prefmem_pg.contrib.django as door

    yield door
    door.close_memory()
    django.db.connections.close_all()
    sys.path.remove(folder)
