"""The example apps under gunicorn: loaded before the fork, several workers, a crowd, a worker that dies in a request.

PREFMEM_TEST_VISITORS and PREFMEM_TEST_WORKERS make the crowd larger.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from threading import Barrier

import psycopg
import pytest

from prefmem_pg.memory import PreferenceMemory
from tests.contrib.served import DEADLY, PARTS
from tests.contrib.sites import Site, socket_visitor
from tests.processes import ROOT, wait_until

VISITORS = int(os.environ.get("PREFMEM_TEST_VISITORS", "8"))
WORKERS = int(os.environ.get("PREFMEM_TEST_WORKERS", "2"))
PATIENCE_SECONDS = 300


@dataclass(frozen=True)
class Served:
    """A running gunicorn, and how many connections it has and had when it had just begun."""

    process: subprocess.Popen[bytes]
    visitor: Callable[[], Site]
    count: Callable[[], int]
    at_first: int


@pytest.fixture(scope="module", params=["flask", "django"])
def served(request: pytest.FixtureRequest, database_url: str, shared_memory: PreferenceMemory) -> Iterator[Served]:
    """An app under gunicorn; whatever was asked of it, no connection is left when it has ended."""
    name = f"{request.param}-{os.getpid()}"
    folder = Path(tempfile.mkdtemp(prefix="prefmem-served-"))
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PREFMEM_")} | {
        "PYTHONPATH": f"{ROOT}:{ROOT}/examples/{request.param}_app",
        "PREFMEM_DATABASE_URL": f"{database_url}&application_name={name}",
        "PREFMEM_EXTRACTOR": "offline",
        "PREFMEM_TEST_DEATH": str(folder / "died"),
        "FLASK_SECRET_KEY": "for tests",
        "DJANGO_SECRET_KEY": "for tests",
    }
    address = str(folder / "http")
    options = ["--preload", f"--workers={WORKERS}", "--threads=8", f"--bind=unix:{address}", "--timeout=600"]
    with (folder / "log").open("wb") as log, psycopg.connect(database_url, autocommit=True) as connection:
        process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", *options, f"tests.contrib.served:{request.param}_app()"],
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=log,
        )

        def count() -> int:
            statement = "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s"
            return int((connection.execute(statement, [name]).fetchone() or (0,))[0])

        try:
            wait_until(lambda: Path(address).exists() or process.poll() is not None)
            assert process.poll() is None, (folder / "log").read_text()
            yield Served(process, lambda: socket_visitor(address, shared_memory), count, at_first=count())
        finally:
            process.terminate()
            process.wait(PATIENCE_SECONDS)
        wait_until(lambda: count() == 0)


def test_b14_b15_a_crowd_is_answered_within_the_pools(served: Served) -> None:
    assert served.at_first == 0  # loading the app opened nothing
    together = Barrier(VISITORS)

    def visit(number: int) -> tuple[int, int, bool]:
        site = served.visitor()
        user = site.sign_in(f"crowd/{number} 人 {served.process.pid}")
        together.wait(PATIENCE_SECONDS)
        said, _ = site.say(f"I like tea number {number}. 我喜欢靠窗的座位 🚄")
        status, page = site.get("/about")
        return said, status, f"tea number {number}" in page and user in page

    with ThreadPoolExecutor(VISITORS) as pool:
        visits = [pool.submit(visit, number) for number in range(VISITORS)]
        most = 0
        while not all(one.done() for one in visits):
            most = max(most, served.count())
            time.sleep(0.05)

    assert {one.result() for one in visits} == {(200, 200, True)}
    assert 0 < most <= WORKERS * PARTS["max_connections"]


def test_a_worker_that_dies_in_a_request_loses_and_doubles_nothing(served: Served) -> None:
    site = served.visitor()
    user = site.sign_in(f"unlucky 倒霉 {served.process.pid}")
    fields = {**site.fields(), "message": f"I like jazz 🎷 and I hate olives. {DEADLY}"}

    with pytest.raises((OSError, HTTPException)):
        site.send("POST", "/say", fields)
    assert [one.role for one in site.memory.list_messages(user).items] == ["user", "assistant"]
    status, _ = site.send("POST", "/say", fields)

    assert status == 200
    assert [one.role for one in site.memory.list_messages(user).items] == ["user", "assistant"]
    known = [one.statement or "" for one in site.memory.list_preferences(user).items]
    assert [sum(word in one for one in known) for word in ("jazz", "olives")] == [1, 1]
