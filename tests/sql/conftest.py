"""A copy of sql/ that a test may change, and a transaction that is rolled back."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.session import Database
from prefmem_pg.db.sql_objects import bring_objects_to_head
from prefmem_pg.db.upgrade import sql_folder
from tests.databases import login_role
from tests.sql_sandbox import Sandbox


@pytest.fixture
def sandbox(database: Database, tmp_path: Path) -> Iterator[Sandbox]:
    shutil.copytree(sql_folder(), tmp_path / "sql")
    with database.engine.connect() as connection:
        bring_objects_to_head(connection, tmp_path / "sql")
        yield Sandbox(connection, tmp_path / "sql")


@pytest.fixture(scope="module")
def reporter(server: LocalServer) -> Iterator[str]:
    with login_role(server) as role:
        yield role
