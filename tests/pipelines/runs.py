"""Runs in processes of their own, forked from a server that has Dagster loaded: loading it costs more than a run."""

import os
from collections.abc import Mapping
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Final

import dagster as dg

from pipelines.assets import extracted_preferences
from pipelines.resources import BudgetResource, DatabaseResource, MemoryResource, ProvidersResource
from tests.processes import FORKS

_LOADED: Final = [__name__, "dagster._core.executor.multiprocess"]


def start_backfill(url: str, first_day: str, last_day: str) -> BaseProcess:
    """Start one offline run over a range of days; the exit code is 0 when it succeeded."""
    process = FORKS.Process(target=_backfill, args=(url, first_day, last_day))
    process.start()
    return process


def _backfill(url: str, first_day: str, last_day: str) -> None:
    offline = MemoryResource(
        database=DatabaseResource(url=url), providers=ProvidersResource(extractor="offline"), budget=BudgetResource()
    )
    tags = {"dagster/asset_partition_range_start": first_day, "dagster/asset_partition_range_end": last_day}
    with dg.DagsterInstance.ephemeral() as instance:
        result = dg.materialize([extracted_preferences], resources={"memory": offline}, instance=instance, tags=tags)
    assert result.success


def reading() -> dg.JobDefinition:
    """Read a day: a job that each process of an executor can load."""
    chosen = [extracted_preferences]
    memory = MemoryResource(database=DatabaseResource(), providers=ProvidersResource(), budget=BudgetResource())
    job = dg.define_asset_job("reading", selection=chosen, executor_def=dg.multiprocess_executor)
    return dg.Definitions(assets=chosen, jobs=[job], resources={"memory": memory}).resolve_job_def("reading")


def start_reading(folder: Path, day: str, environment: Mapping[str, str]) -> BaseProcess:
    """Start ``reading`` for a day, each step in a process; ``folder`` is Dagster's. Exit code 0: it succeeded."""
    process = FORKS.Process(target=_read, args=(folder, day, dict(environment)))
    process.start()
    return process


def _read(folder: Path, day: str, environment: dict[str, str]) -> None:
    os.environ.update(environment)
    run_config = {"execution": {"config": {"start_method": {"forkserver": {"preload_modules": _LOADED}}}}}
    job, tags = dg.reconstructable(reading), {"dagster/partition": day}
    with (
        dg.DagsterInstance.from_config(str(folder)) as instance,
        dg.execute_job(job, instance=instance, run_config=run_config, tags=tags) as result,
    ):
        assert result.success
