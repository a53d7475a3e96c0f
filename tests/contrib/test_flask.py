"""The Flask door: the memory of an app, its settings, its commands, its end."""

import asyncio
import gc
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask, request

from prefmem_pg.contrib.flask import close_memory, get_memory, http_status, init_app, settings_of
from prefmem_pg.errors import ConfigurationError, InvalidInput, PrefmemError
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from tests.processes import wait_until


@pytest.fixture(scope="module")
def app(database_url: str, embedder: LocalEmbedder) -> Iterator[Flask]:
    made = Flask("made")
    made.config.from_mapping({"PREFMEM_DATABASE_URL": database_url, "PREFMEM_EXTRACTOR": "offline", "TESTING": True})
    init_app(made, embedder=embedder, max_connections=4)
    yield made
    close_memory(made)


@pytest.fixture
def memory(app: Flask) -> PreferenceMemory:
    return get_memory(app)


def test_b15_closing_the_memory_leaves_no_connection(
    app: Flask, memory: PreferenceMemory, connections: Callable[[], dict[str, int]]
) -> None:
    memory.remember("open 开", "I like doors 🚪")
    with pytest.raises(InvalidInput):
        memory.list_preferences("open 开", after="nonsense")
    assert set(connections()) == {"idle"}

    close_memory(app)
    wait_until(lambda: connections() == {})  # the server sees an end a moment later


def test_nothing_is_opened_by_making_the_app_and_it_goes_with_its_memory(embedder: LocalEmbedder) -> None:
    app = Flask("short")
    init_app(app, embedder=embedder)
    app.config["PREFMEM_DATABASE_URL"] = "postgresql:///nowhere?host=/nowhere"
    reference = weakref.ref(get_memory(app))
    del app
    gc.collect()

    assert reference() is None


def test_an_app_without_a_memory_says_what_to_call() -> None:
    with pytest.raises(ConfigurationError, match="init_app"):
        get_memory(Flask("bare"))


def test_the_configuration_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREFMEM_DATABASE_URL", "postgresql:///environment")
    monkeypatch.setenv("PREFMEM_DEDUP_MODE", "fine")
    settings = settings_of({"PREFMEM_DATABASE_URL": "postgresql:///app", "DEBUG": True, "PREFMEM_READ_URL": None})

    assert (settings.database_url, settings.dedup_mode) == ("postgresql:///app", "fine")


def test_the_commands_work_on_the_database_of_the_app(app: Flask, memory: PreferenceMemory) -> None:
    run = app.test_cli_runner().invoke
    assert "the schema is at" in run(args=["prefmem", "upgrade"]).output
    assert run(args=["prefmem", "remember", "cli/用户", "I like 豆腐 🍲"]).exit_code == 0

    assert "豆腐" in run(args=["prefmem", "list", "cli/用户", "--json"]).output
    assert "豆腐" in str(memory.list_preferences("cli/用户").items)
    assert run(args=["prefmem", "no-such-command"]).exit_code == 2
    assert run(args=["prefmem", "get-lost", "--help"]).exit_code == 2
    assert "Preferences" in run(args=["prefmem", "--help"]).output


def test_b15_a_hundred_requests_of_async_views_keep_to_the_pool(app: Flask, memory: PreferenceMemory) -> None:
    served = Flask("served asynchronously")
    served.extensions["prefmem"] = app.extensions["prefmem"]

    @served.get("/recall/<path:user>")
    async def recall(user: str) -> str:
        await asyncio.to_thread(get_memory().remember, user, "I like quiet trains 🚆")
        return (await asyncio.to_thread(get_memory().recall, user, request.args["q"])).text

    @served.get("/wrong/<path:user>")
    async def wrong(user: str) -> tuple[str, int]:
        try:
            await asyncio.to_thread(get_memory().list_preferences, user, after="nonsense")
        except PrefmemError as exc:
            return str(exc), http_status(exc)
        return "nothing was wrong", 200

    def ask(number: int) -> list[str]:
        path = "wrong" if number % 5 == 0 else "recall"
        answer = served.test_client().get(f"/{path}/a/b 安娜 {number % 7}", query_string={"q": "火车 train"})
        return [path, str(answer.status_code), answer.text]

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(ask, range(100)))

    assert {(path, status) for path, status, _ in answers} == {("recall", "200"), ("wrong", "400")}
    assert all("quiet trains 🚆" in text for path, _, text in answers if path == "recall")
    pool_of_memory: Any = memory.database.engine.pool
    assert pool_of_memory.checkedout() == 0
    assert pool_of_memory.checkedin() <= 4
