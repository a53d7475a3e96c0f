"""Loading the example apps, and looking at connections."""

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import psycopg
import pytest

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
