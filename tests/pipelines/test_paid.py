"""Extraction by a provider from Dagster: paid once, by calls or in batches; pools hold over processes."""

import threading
import time
from collections.abc import Iterator, Sequence
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from pipelines.assets import extracted_preferences
from pipelines.operations import batches
from pipelines.resources import BudgetResource, DatabaseResource, MemoryResource, ProvidersResource
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.testing import MessagesStub, Said
from tests.pipelines.conftest import Materialize, metadata, noon, say
from tests.pipelines.runs import start_reading
from tests.providers.reader import read

ROOT = Path(__file__).parents[2]
SAID = ("I like oat milk in my coffee ☕.", "我喜欢靠窗的座位。")


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[MessagesStub]:
    with MessagesStub(read) as made:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", made.url)
        monkeypatch.setenv("PREFMEM_CLAUDE_MODEL", "claude-test")
        yield made


@pytest.fixture
def paid(database_url: str) -> MemoryResource:
    return MemoryResource(
        database=DatabaseResource(url=database_url),
        providers=ProvidersResource(extractor="claude", retries=0),
        budget=BudgetResource(),
    )


def test_a_partition_twice_calls_the_provider_once(
    materialize: Materialize, shared_memory: PreferenceMemory, stub: MessagesStub, paid: MemoryResource
) -> None:
    say(shared_memory, "paid", SAID, at=noon("2026-06-01"))
    first = materialize(extracted_preferences, day="2026-06-01", memory=paid)
    assert first.success
    told = metadata(first, extracted_preferences)
    assert (told["added"], told["calls"]) == (2, 1)
    assert told["input_tokens"] > 0
    second = materialize(extracted_preferences, day="2026-06-01", memory=paid)
    assert metadata(second, extracted_preferences)["calls"] == 0
    assert len(stub.calls) == 1


def test_an_exhausted_budget_fails_the_partition_and_a_higher_one_makes_it_good(
    materialize: Materialize,
    shared_memory: PreferenceMemory,
    stub: MessagesStub,
    paid: MemoryResource,
    database_url: str,
    instance: dg.DagsterInstance,
) -> None:
    with PreferenceMemory.connect(database_url) as owner:
        owner.set_price("claude", "claude-test", input_usd=1, output_usd=1)
    say(shared_memory, "poor", SAID, at=noon("2026-06-02"))
    poor = MemoryResource(
        database=DatabaseResource(url=database_url),
        providers=ProvidersResource(extractor="claude", retries=0),
        budget=BudgetResource(run_usd=0),
    )
    failed = materialize(extracted_preferences, day="2026-06-02", memory=poor)
    assert not failed.success
    assert stub.calls == []
    assert "poor" not in "\n".join(str(event.user_message) for event in instance.all_logs(failed.run_id))
    assert materialize(extracted_preferences, day="2026-06-02", memory=paid).success
    assert len(stub.calls) == 1


def test_a_batch_is_submitted_by_the_asset_and_collected_by_its_job(
    materialize: Materialize, shared_memory: PreferenceMemory, stub: MessagesStub, paid: MemoryResource
) -> None:
    say(shared_memory, "batched-批", SAID, at=noon("2026-06-03"))
    config: dict[str, Any] = {"ops": {"extracted_preferences": {"config": {"batch": True}}}}
    submitted = materialize(extracted_preferences, day="2026-06-03", memory=paid, run_config=config)
    assert metadata(submitted, extracted_preferences)["items"] == 1
    again = materialize(extracted_preferences, day="2026-06-03", memory=paid, run_config=config)
    assert metadata(again, extracted_preferences)["items"] == 0
    on_way = shared_memory.indicators()
    assert (on_way.batches_on_way, on_way.unread, on_way.oldest_unread) == (1, 0, None)
    assert shared_memory.unread_days() == []  # no run could read what is on its way
    assert batches.execute_in_process(resources={"memory": paid}).success
    assert shared_memory.indicators().batches_on_way == 0
    assert len(shared_memory.list_preferences("batched-批").items) == 2


class Gauge:
    """Answers as the reader does, the first when a second has come, and keeps how many were answered at once."""

    def __init__(self) -> None:
        self.changed, self.now, self.most = threading.Condition(), 0, 0

    def __call__(self, body: dict[str, Any]) -> Said:
        with self.changed:
            self.now += 1
            self.most = max(self.most, self.now)
            self.changed.notify_all()
            self.changed.wait_for(lambda: self.most > 1, timeout=30)
        time.sleep(0.5)  # a third would come now
        with self.changed:
            self.now -= 1
        found = read(body)
        assert isinstance(found, Said)
        return found


def finished(runs: Sequence[BaseProcess]) -> bool:
    for run in runs:
        run.join(timeout=600)
    return all(run.exitcode == 0 for run in runs)


def test_b21_four_partitions_at_once_keep_to_the_pool_and_read_each_message_once(
    shared_memory: PreferenceMemory, database_url: str, tmp_path: Path
) -> None:
    days = [f"2026-06-{day}" for day in range(11, 15)]
    for day, said in zip(
        days, ("I like green tea 🍵.", "我喜欢靠窗的座位。", "I like jazz.", "我喜欢滑雪。"), strict=True
    ):
        say(shared_memory, "pooled", [said], at=noon(day), dialog_id=day)
    (tmp_path / "dagster.yaml").write_text((ROOT / "pipelines/dagster.yaml").read_text(encoding="utf-8"))
    with dg.DagsterInstance.from_config(str(tmp_path)) as instance:
        assert instance.get_runs() == []  # its tables are there before several processes want them
        # And the places of the pool: processes that make them at the same moment make them twice.
        instance.event_log_storage.initialize_concurrency_limit_to_default("llm")
    gauge = Gauge()
    with MessagesStub(gauge) as stub:
        environment = {
            "PREFMEM_DATABASE_URL": database_url,
            "PREFMEM_EXTRACTOR": "claude",
            "ANTHROPIC_API_KEY": "sk-ant-test",
            "ANTHROPIC_BASE_URL": stub.url,
            "PREFMEM_CLAUDE_MODEL": "claude-test",
        }
        assert finished([start_reading(tmp_path, day, environment) for day in (days[0], *days)])  # one of them twice
        assert gauge.most == 2  # default_limit of pools in dagster.yaml
        assert len(stub.calls) == len(days)
    assert len(shared_memory.list_preferences("pooled").items) == len(days)
