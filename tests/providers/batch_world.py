"""A memory whose batches go to a stub, and what can be asked of both."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from prefmem_pg.db.session import Database
from prefmem_pg.domain.reports import BatchReport, ExtractionReport
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.settings import ClaudeSettings, Settings, Spending
from prefmem_pg.steps.collect_batches import collect_batches
from prefmem_pg.steps.extract import Scope
from prefmem_pg.steps.spending import as_one_run
from prefmem_pg.steps.submit_batches import BatchReader, submit_batches
from prefmem_pg.testing import MessagesStub, Reply, Said
from tests.conftest import count

Model = Callable[[dict[str, Any]], Said | Reply]


class World:
    """A memory whose batches go to a stub, for one user."""

    def __init__(
        self, database: Database, database_url: str, embedder: LocalEmbedder, stub: MessagesStub, **settings: Any
    ) -> None:
        self.stub = stub
        self.memory = PreferenceMemory(
            database,
            settings=Settings(
                **{
                    "database_url": database_url,
                    "claude": ClaudeSettings(api_key="sk-ant-test", base_url=stub.url, model="claude-test"),
                    "spending": Spending(retries=0),
                    **settings,
                }
            ),
            embedder=embedder,
            on_close=lambda: None,
        )

    @property
    def reader(self) -> BatchReader:
        return self.memory._ready().batch_reader()

    def hold_for_processes(self, database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let processes that are started have the same settings, from their environment."""
        for name, value in {
            "PREFMEM_DATABASE_URL": database_url,
            "PREFMEM_EXTRACTOR": "claude",
            "ANTHROPIC_API_KEY": "sk-ant-test",
            "ANTHROPIC_BASE_URL": self.stub.url,
            "PREFMEM_CLAUDE_MODEL": "claude-test",
        }.items():
            monkeypatch.setenv(name, value)

    def submit(self, user_id: str | None) -> BatchReport:
        return as_one_run(submit_batches)(self.reader, Scope(user_id=user_id), orphaned_after=timedelta(0))

    def collect(self) -> ExtractionReport:
        return collect_batches(self.reader, orphaned_after=timedelta(0))

    def created(self) -> int:
        """Return how many batches were handed in."""
        return sum(1 for r in self.stub.requests if (r.method, r.path) == ("POST", "/v1/messages/batches"))

    def unread(self, user_id: str) -> int:
        unread = "SELECT count(*) FROM prefmem.messages WHERE user_id = :u AND read_by_run_id IS NULL"
        return count(self.memory.database, unread, u=user_id)
