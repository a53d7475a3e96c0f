"""Sensors: what has landed, messages that wait to be read, batches that have ended, runs that failed."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import dagster as dg

from pipelines.operations import batches
from pipelines.partitions import CONFIGURATION, days
from pipelines.reporting import told
from pipelines.resources import MemoryResource
from pipelines.schedules import JOBS, extraction, is_under_way, landing
from prefmem_pg.domain.reports import UnreadDay
from prefmem_pg.importers.landing import list_landed

IDLE: Final = timedelta(hours=1)
"""When nothing more has come in for as long, a few messages are read without waiting for more."""


@dg.sensor(
    job=landing,
    description="Take in files as soon as they are there.",
    minimum_interval_seconds=60,
    default_status=dg.DefaultSensorStatus.RUNNING,
)
def landed_files(context: dg.SensorEvaluationContext) -> dg.RunRequest | dg.SkipReason:
    folder = CONFIGURATION.landing_folder
    if folder is None or not folder.is_dir():
        return dg.SkipReason("there is no landing folder; PREFMEM_PIPELINE_LANDING names it")
    files = list_landed(folder)
    if not files:
        return dg.SkipReason("nothing has landed")
    if is_under_way(context.instance, landing.name):
        return dg.SkipReason("a run is taking files in")
    newest = max(path.stat().st_mtime_ns for path in files)
    return dg.RunRequest(run_key=f"{len(files)}-{newest}")


@dg.sensor(
    job=landing,
    description="Take in lines of the landing table as soon as they are there.",
    minimum_interval_seconds=60,
    default_status=dg.DefaultSensorStatus.RUNNING,
)
def landed_lines(context: dg.SensorEvaluationContext, memory: MemoryResource) -> dg.RunRequest | dg.SkipReason:
    table = CONFIGURATION.landing_table
    if table is None:
        return dg.SkipReason("there is no landing table; PREFMEM_PIPELINE_LANDING_TABLE names it")
    if is_under_way(context.instance, landing.name):
        return dg.SkipReason("a run is taking lines in")
    with told(), memory.open() as opened:
        mark = opened.landed_mark(table)
    if mark is None:
        return dg.SkipReason("nothing has landed")
    return dg.RunRequest(run_key=mark)


@dg.sensor(
    job=extraction,
    description="Read days with unread messages, late ones too: many of them, or few and nothing more for an hour.",
    minimum_interval_seconds=120,
    default_status=dg.DefaultSensorStatus.RUNNING,
)
def unread_messages(context: dg.SensorEvaluationContext, memory: MemoryResource) -> dg.SensorResult | dg.SkipReason:
    with told(), memory.open() as opened:
        unread = opened.unread_days(time_zone=CONFIGURATION.time_zone)
    due = due_days(unread, now=datetime.now(UTC), threshold=CONFIGURATION.unread_threshold)
    first = CONFIGURATION.first_day
    early = sum(day.messages for day in due if day.day < first)
    requests = [
        # What came in later makes another key; what failed keeps its key, and is the next night's.
        dg.RunRequest(run_key=f"{key}-{day.newest.isoformat()}", partition_key=key)
        for day in due
        if day.day >= first and days.has_partition_key(key := day.day.isoformat())
        if not is_under_way(context.instance, extraction.name, tags={"dagster/partition": key})
    ]
    if early:
        context.log.warning(f"{early:,} unread messages are from before {first}; prefmem extract takes them")
    if not requests:
        return dg.SkipReason(
            f"{sum(day.messages for day in unread):,} unread messages wait for more, or are being read"
        )
    return dg.SensorResult(run_requests=requests)


@dg.sensor(
    job=batches,
    description="Collect what batches have brought, while any is on its way.",
    minimum_interval_seconds=300,
    default_status=dg.DefaultSensorStatus.RUNNING,
)
def ended_batches(context: dg.SensorEvaluationContext, memory: MemoryResource) -> dg.RunRequest | dg.SkipReason:
    if is_under_way(context.instance, batches.name):
        return dg.SkipReason("batches are being collected")
    with told(), memory.open() as opened:
        found = opened.indicators().batches_on_way
    if not found:
        return dg.SkipReason("no batch is on its way")
    return dg.RunRequest(run_key=None)


def due_days(unread: Sequence[UnreadDay], *, now: datetime, threshold: int) -> list[UnreadDay]:
    """Return the days to read now: all when together they have ``threshold`` messages, else those that went quiet."""
    if sum(day.messages for day in unread) >= threshold:
        return list(unread)
    return [day for day in unread if now - day.newest >= IDLE]


@dg.run_failure_sensor(
    monitored_jobs=list(JOBS),
    description="Tell of runs that failed, in one line each; what they left undone is kept, and the next run takes it.",
    default_status=dg.DefaultSensorStatus.RUNNING,
)
def failed_runs(context: dg.RunFailureSensorContext) -> None:
    partition = context.dagster_run.tags.get("dagster/partition", "")
    context.log.error(f"{context.dagster_run.job_name} {partition} failed: run {context.dagster_run.run_id}")


SENSORS: Sequence[dg.SensorDefinition] = (landed_files, landed_lines, unread_messages, ended_batches, failed_runs)
