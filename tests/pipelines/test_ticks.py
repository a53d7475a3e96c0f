"""Schedules and sensors: what they ask for, and that no run overlaps one of the same work."""

import os
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import dagster as dg
import pytest

from pipelines import sensors
from pipelines.configuration import Configuration
from pipelines.definitions import defs
from pipelines.schedules import every_night, every_week
from pipelines.sensors import due_days, landed_files, unread_messages
from prefmem_pg.domain.reports import UnreadDay
from prefmem_pg.importers.landing import claimed, list_landed, set_aside
from prefmem_pg.memory import PreferenceMemory
from tests.pipelines.conftest import noon, resource, say


@pytest.fixture
def instance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dg.DagsterInstance]:
    """Dagster's storage in a folder: ticks look for runs in it."""
    folder = tmp_path_factory.mktemp("dagster")
    with dg.DagsterInstance.local_temp(str(folder)) as made:
        yield made


NOW = datetime(2026, 5, 2, 2, 15, tzinfo=UTC)


def unread(day: int, messages: int, *, minutes: int) -> UnreadDay:
    return UnreadDay(day=date(2026, 5, day), messages=messages, newest=NOW - timedelta(minutes=minutes))


def started(instance: dg.DagsterInstance, job: str, partition: str | None = None) -> None:
    tags = {"dagster/partition": partition} if partition else {}
    instance.create_run_for_job(
        defs.resolve_job_def(job),
        status=dg.DagsterRunStatus.STARTED,
        tags=tags,
        asset_selection=None,
    )


def test_many_unread_messages_are_read_at_once_and_few_when_they_went_quiet() -> None:
    busy, quiet = unread(1, 40, minutes=5), unread(2, 2, minutes=61)
    assert due_days([busy, quiet], now=NOW, threshold=42) == [busy, quiet]
    assert due_days([busy, quiet], now=NOW, threshold=43) == [quiet]
    assert due_days([], now=NOW, threshold=1) == []


def test_the_night_reads_yesterday_of_the_configured_zone(instance: dg.DagsterInstance) -> None:
    context = dg.build_schedule_context(instance=instance, scheduled_execution_time=NOW)
    request = every_night(context)
    assert isinstance(request, dg.RunRequest)
    assert request.partition_key == "2026-05-01"


def test_b29_a_tick_skips_while_the_run_before_is_under_way(instance: dg.DagsterInstance) -> None:
    started(instance, "nightly", "2026-04-30")
    started(instance, "consolidation")
    for schedule in (every_night, every_week):
        context = dg.build_schedule_context(instance=instance, scheduled_execution_time=NOW)
        assert isinstance(schedule(context), dg.SkipReason)


def test_unread_days_are_asked_for_once_and_not_while_they_are_being_read(
    database_url: str,
    shared_memory: PreferenceMemory,
    instance: dg.DagsterInstance,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sensors, "CONFIGURATION", Configuration(unread_threshold=2))
    for day in ("2026-05-01", "2026-05-02"):
        say(shared_memory, "sensed-用户", ["I like rain 🌧"], at=noon(day), dialog_id=day)
    say(shared_memory, "sensed-用户", ["I like rain 🌧"], at=noon("2019-05-02"), dialog_id="too early")

    def tick() -> list[str | None]:
        resources = {"memory": resource(database_url)}
        with dg.build_sensor_context(instance=instance, definitions=defs, resources=resources) as context:
            found = unread_messages(context)
        requests = found.run_requests or [] if isinstance(found, dg.SensorResult) else []
        assert "sensed" not in repr(found)
        return [request.partition_key for request in requests]

    assert tick() == ["2026-05-01", "2026-05-02"]
    started(instance, "extraction", "2026-05-01")
    assert tick() == ["2026-05-02"]
    shared_memory.extract()
    assert tick() == []


def test_landed_files_are_asked_for_and_hidden_ones_are_still_being_written(
    instance: dg.DagsterInstance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sensors, "CONFIGURATION", Configuration(landing_folder=tmp_path / "landing"))

    def tick() -> object:
        return landed_files(dg.build_sensor_context(instance=instance, definitions=defs))

    assert isinstance(tick(), dg.SkipReason)
    (tmp_path / "landing").mkdir()
    (tmp_path / "landing" / ".half.jsonl").write_text("{")
    assert isinstance(tick(), dg.SkipReason)
    (tmp_path / "landing" / "whole.jsonl").write_text("")
    assert isinstance(tick(), dg.RunRequest)
    started(instance, "landing")
    assert isinstance(tick(), dg.SkipReason)


def test_a_landed_file_belongs_to_one_process_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("{}\n")
    os.utime(path, (1, 1))
    (tmp_path / "b.jsonl.gz").write_bytes(b"")
    assert [found.name for found in list_landed(tmp_path)] == ["a.jsonl", "b.jsonl.gz"]
    with claimed(path) as mine, claimed(path) as others:
        assert (mine, others) == (True, False)
        assert set_aside(path, []) == tmp_path / "done" / "a.jsonl"
    with claimed(path) as gone:
        assert gone is False
    path.write_text("again")
    assert set_aside(path, []) == tmp_path / "done" / "a-2.jsonl"
