"""A night on which something is missing: the run says what, and the next one makes it good."""

import json
import uuid
from collections.abc import Iterator
from typing import Any

import dagster as dg
import pytest
from pytest_postgresql.janitor import DatabaseJanitor

from pipelines.assets import extracted_preferences, preference_embeddings, user_profiles
from pipelines.resources import BudgetResource, DatabaseResource, MemoryResource, ProvidersResource
from prefmem_pg.db.local import LocalServer
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.testing import MessagesStub, Reply, Said, overloaded
from tests.conftest import TEMPLATE, url_of
from tests.pipelines.conftest import Materialize, metadata, noon, resource, say
from tests.providers.reader import read, shown_to


def told(instance: dg.DagsterInstance, result: dg.ExecuteInProcessResult) -> str:
    """Return all that Dagster stores of a run."""
    return "\n".join(str(event) for event in instance.all_logs(result.run_id))


def test_a_database_that_is_missing_or_without_its_schema_is_told_and_the_next_run_does_all(
    materialize: Materialize, server: LocalServer, instance: dg.DagsterInstance
) -> None:
    name = f"test_{uuid.uuid4().hex[:12]}"
    memory = resource(url_of(server, name))
    place = {"user": "postgres", "host": str(server.socket_folder), "port": 5432, "dbname": name}

    missing = materialize(extracted_preferences, day="2026-05-01", memory=memory)
    assert not missing.success
    assert f'database \\"{name}\\" does not exist' in json.dumps(told(instance, missing))

    with DatabaseJanitor(**place):
        empty = materialize(extracted_preferences, day="2026-05-01", memory=memory)
    assert not empty.success
    assert "run: prefmem upgrade" in told(instance, empty)

    with DatabaseJanitor(**place, template_dbname=TEMPLATE):
        with PreferenceMemory.connect(url_of(server, name)) as opened:
            say(opened, "patient-等", ["I love rain 🌧", "我不吃香菜"], at=noon("2026-05-01"))
        there = materialize(
            extracted_preferences, preference_embeddings, user_profiles, day="2026-05-01", memory=memory
        )
        assert there.success
        assert metadata(there, extracted_preferences)["added"] == 2


class Provider:
    """Reads like an honest model while it is up, and answers 529 while it is not."""

    def __init__(self, *, up_for: int) -> None:
        self.up_for = up_for
        self.read: list[str] = []

    def __call__(self, body: dict[str, Any]) -> Said | Reply:
        if len(self.read) >= self.up_for:
            return overloaded()
        self.read.extend(text for _, text in shown_to(body))
        return read(body)


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    made = Provider(up_for=1)
    with MessagesStub(made) as stub:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", stub.url)
        monkeypatch.setenv("PREFMEM_CLAUDE_MODEL", "claude-test")
        yield made


def test_a_provider_that_is_down_all_night_costs_nothing_but_the_night(
    materialize: Materialize,
    shared_memory: PreferenceMemory,
    database_url: str,
    instance: dg.DagsterInstance,
    provider: Provider,
) -> None:
    said = ["I like oat milk ☕.", "我喜欢靠窗的座位。", "I like jazz.", "我喜欢滑雪。"]
    for place, text in enumerate(said):
        say(shared_memory, f"night-owl-{place}", [text], at=noon("2026-05-02"))
    paid = MemoryResource(
        database=DatabaseResource(url=database_url),
        providers=ProvidersResource(extractor="claude", retries=0),
        budget=BudgetResource(),
    )

    # A step is tried four times: more often than what fails by its own fault before it is parked.
    night = materialize(extracted_preferences, day="2026-05-02", memory=paid)
    assert not night.success
    assert "3 stretches and candidates are left" in told(instance, night)
    assert "ProviderUnavailable" in told(instance, night)
    assert "night-owl" not in told(instance, night)
    found = shared_memory.indicators()
    assert (found.unread, found.parked_runs, found.parked_candidates) == (3, 0, 0)

    provider.up_for = len(said)
    assert materialize(extracted_preferences, day="2026-05-02", memory=paid).success
    assert sorted(provider.read) == sorted(said)
    assert shared_memory.indicators().unread == 0
    assert all(len(shared_memory.list_preferences(f"night-owl-{place}").items) == 1 for place in range(4))
