"""Dagster in this process over the module's database; its own storage is in memory or in a temporary folder."""

import os
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import dagster as dg
import pytest

os.environ.setdefault("PREFMEM_PIPELINE_RETRY_SECONDS", "1")  # read when the definitions load

from pipelines.checks import Floors
from pipelines.resources import BudgetResource, DatabaseResource, MemoryResource, ProvidersResource
from prefmem_pg.memory import PreferenceMemory

Materialize = Callable[..., dg.ExecuteInProcessResult]


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as made:
        yield made


def resource(url: str, **providers: Any) -> MemoryResource:
    return MemoryResource(
        database=DatabaseResource(url=url),
        providers=ProvidersResource(extractor="offline", **providers),
        budget=BudgetResource(),
    )


@pytest.fixture
def materialize(database_url: str, instance: dg.DagsterInstance) -> Materialize:
    """Run assets (and their checks) in this process; ``memory`` may stand in for the resource."""

    def run(
        *assets: Any, day: str | None = None, memory: MemoryResource | None = None, **options: Any
    ) -> dg.ExecuteInProcessResult:
        resources = {"memory": memory or resource(database_url), "floors": Floors()}
        return dg.materialize(
            list(assets), partition_key=day, instance=instance, resources=resources, raise_on_error=False, **options
        )

    return run


def say(memory: PreferenceMemory, user_id: str, said: Sequence[str], *, at: datetime, dialog_id: str = "d-1") -> None:
    memory.add_messages(
        user_id,
        [
            {"role": "user", "content": content, "occurred_at": at + timedelta(minutes=place)}
            for place, content in enumerate(said)
        ],
        dialog_id=dialog_id,
    )


def noon(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC)


def metadata(result: dg.ExecuteInProcessResult, asset: Any) -> dict[str, Any]:
    """Return the plain values of an asset's metadata."""
    (event,) = result.asset_materializations_for_node(asset.op.name)
    return {name: value.value for name, value in event.metadata.items()}
