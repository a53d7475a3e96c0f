"""FastAPI: async endpoints that ask in a thread, and plain ones that FastAPI runs in threads itself."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient

from prefmem_pg.errors import PrefmemError
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder

ASKED = 100
USER = "a/b 安娜 🍵"


@pytest.fixture(scope="module")
def memory(database_url: str, embedder: LocalEmbedder) -> Iterator[PreferenceMemory]:
    with PreferenceMemory.connect(database_url, embedder=embedder, max_connections=4) as opened:
        yield opened


@pytest.fixture(scope="module")
def app(memory: PreferenceMemory) -> FastAPI:
    made = FastAPI()

    @made.get("/async")
    async def recall_in_a_thread(user: str, q: str) -> str:
        return (await asyncio.to_thread(memory.recall, user, q)).text

    @made.get("/plain")
    def recall(user: str, q: str) -> str:
        return memory.recall(user, q).text

    @made.get("/wrong")
    async def ask_for_what_is_wrong(user: str, q: str) -> str:
        try:
            await asyncio.to_thread(memory.list_preferences, user, after=q)
        except PrefmemError as exc:
            return type(exc).__name__
        return "nothing was wrong"

    return made


@pytest.mark.parametrize(
    ("path", "told"), [("/async", "quiet trains 🚆"), ("/plain", "quiet trains 🚆"), ("/wrong", "InvalidInput")]
)
def test_b15_a_hundred_requests_at_once_keep_to_the_pool(
    app: FastAPI, memory: PreferenceMemory, path: str, told: str
) -> None:
    memory.remember(USER, "I like quiet trains 🚆")

    async def ask() -> list[str]:
        async with AsyncClient(transport=ASGITransport(app=app), base_url="http://app") as client:
            asked = (client.get(path, params={"user": USER, "q": "火车 train"}) for _ in range(ASKED))
            return [one.json() for one in await asyncio.gather(*asked)]

    answers = asyncio.run(ask())

    assert len(answers) == ASKED
    assert all(told in one for one in answers)
    pool: Any = memory.database.engine.pool
    assert pool.checkedout() == 0
    assert pool.checkedin() <= 4


def test_an_async_caller_that_goes_away_leaves_no_connection(memory: PreferenceMemory) -> None:
    async def leave() -> None:
        asked = [
            asyncio.create_task(asyncio.to_thread(memory.recall, USER, f"train {number} 火车")) for number in range(8)
        ]
        await asyncio.sleep(0)
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)

    asyncio.run(leave())  # ends when the threads have

    pool: Any = memory.database.engine.pool
    assert pool.checkedout() == 0
