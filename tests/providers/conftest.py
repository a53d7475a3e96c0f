"""What the tests of several providers share: memories and services over stubs, and models closed at the end."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from prefmem_pg.db.session import Database
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.testing import MessagesStub
from tests.providers.batch_world import Model, World
from tests.providers.embedding_services import Service, openai, voyage
from tests.providers.reader import read
from tests.providers.talk import opened


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    while opened:
        opened.pop().close()


@pytest.fixture(params=[voyage, openai], ids=["voyage", "openai"])
def service(request: pytest.FixtureRequest) -> Service:
    """Each embedding service, over a stub."""
    return request.param


@pytest.fixture
def world(database: Database, database_url: str, embedder: LocalEmbedder) -> Iterator[Callable[..., World]]:
    worlds: list[World] = []

    def make(model: Model = read, *, settings: Mapping[str, Any] | None = None, **stub: Any) -> World:
        worlds.append(World(database, database_url, embedder, MessagesStub(model, **stub), **(settings or {})))
        return worlds[-1]

    yield make
    for one in worlds:
        one.memory.close()
        one.stub.close()
