"""The assets: each calls one method of PreferenceMemory and reports its counts."""

from datetime import UTC, datetime
from typing import Any, Final

import dagster as dg
from pydantic import Field

from pipelines.partitions import CONFIGURATION, days, window
from pipelines.reporting import RETRY, counts, kinds, require_done, scores, told
from pipelines.resources import MemoryResource
from prefmem_pg.domain.reports import LandingReport
from prefmem_pg.evaluation.stored import evaluate_stored

LLM: Final = "llm"
EMBEDDING: Final = "embedding"
"""Pools: how many steps may call a provider at once, over all runs; the limits stand in dagster.yaml."""


class ExtractionConfig(dg.Config):
    """How messages are read."""

    again: bool = Field(
        default=False, description="Read all messages of the partition anew, as after a change of the prompt"
    )
    batch: bool = Field(default=False, description="Let the provider answer within hours, for half the price (Claude)")


@dg.asset(group_name="messages", kinds={"postgres"}, retry_policy=RETRY)
def ingested_messages(memory: MemoryResource) -> dg.MaterializeResult[None]:
    """Messages from the landing folder or table; faulty files and lines are kept apart with what is wrong with them."""
    folder, table = CONFIGURATION.landing_folder, CONFIGURATION.landing_table
    report = LandingReport()
    with told(), memory.open() as opened:
        if folder is not None:
            report = report.plus(opened.ingest_folder(folder))
        if table is not None:
            report = report.plus(opened.ingest_table(table))
    require_done(undone=report.unreadable, metadata=counts(report), what="files that may not be read")
    return dg.MaterializeResult(metadata=counts(report))


@dg.asset(
    group_name="preferences",
    kinds={"postgres"},
    deps=[ingested_messages],
    partitions_def=days,
    backfill_policy=dg.BackfillPolicy.single_run(),
    retry_policy=RETRY,
    pool=LLM,
)
def extracted_preferences(
    context: dg.AssetExecutionContext, config: ExtractionConfig, memory: MemoryResource
) -> dg.MaterializeResult[None]:
    """Preferences found in the unread messages of a day, or of many days in one run; what is read costs nothing."""
    since, until = window(context)
    if config.batch:
        with told(), memory.open() as opened:
            submitted = opened.submit_batches(since=since, until=until)
        return dg.MaterializeResult(metadata=counts(submitted))
    began = datetime.now(UTC)
    with told(), memory.open() as opened:
        report = opened.extract(since=since, until=until, again=config.again)
        spent = counts(opened.spent(since=began))
    metadata = counts(report) | spent | {"kinds_of_errors": kinds(report.errors)}
    require_done(undone=report.failed + report.waiting, metadata=metadata, what="stretches and candidates")
    return dg.MaterializeResult(metadata=metadata)


@dg.asset(
    group_name="preferences", kinds={"postgres"}, deps=[extracted_preferences], retry_policy=RETRY, pool=EMBEDDING
)
def preference_embeddings(memory: MemoryResource) -> dg.MaterializeResult[None]:
    """Vectors of the active model for everything that has none yet."""
    with told(), memory.open() as opened:
        report = opened.embed_missing()
        promoted = opened.promote_large_users()
    return dg.MaterializeResult(metadata=counts(report) | {"promoted_users": promoted.users})


@dg.asset(group_name="preferences", kinds={"postgres"}, deps=[preference_embeddings], retry_policy=RETRY, pool=LLM)
def deduplicated_preferences(memory: MemoryResource) -> dg.MaterializeResult[None]:
    """Preferences of which no two say the same and none contradicts a later one."""
    with told(), memory.open() as opened:
        report = opened.deduplicate()
    return _result(report, undone=report.failed, what="users")


@dg.asset(group_name="preferences", kinds={"postgres"}, deps=[deduplicated_preferences], retry_policy=RETRY, pool=LLM)
def consolidated_preferences(memory: MemoryResource) -> dg.MaterializeResult[None]:
    """Fewer, clearer preferences, and those that follow from what users do in several dialogs."""
    with told(), memory.open() as opened:
        report = opened.consolidate()
    return _result(report, undone=report.failed, what="users")


@dg.asset(group_name="preferences", kinds={"postgres"}, deps=[consolidated_preferences], retry_policy=RETRY)
def user_profiles(memory: MemoryResource) -> dg.MaterializeResult[None]:
    """The structured settings of each user, in step with their preferences."""
    with told(), memory.open() as opened:
        report = opened.refresh_profiles()
    return dg.MaterializeResult(metadata=counts(report))


@dg.asset(
    group_name="messages",
    kinds={"postgres"},
    deps=[ingested_messages],
    partitions_def=days,
    backfill_policy=dg.BackfillPolicy.single_run(),
    retry_policy=RETRY,
    pool=LLM,
)
def dialog_summaries(context: dg.AssetExecutionContext, memory: MemoryResource) -> dg.MaterializeResult[None]:
    """What the dialogs of a day, and the day itself, were about."""
    since, until = window(context)
    with told(), memory.open() as opened:
        report = opened.summarize(since=since, until=until)
    return _result(report, undone=report.failed, what="dialogs")


@dg.asset(group_name="preferences", kinds={"postgres"}, retry_policy=RETRY)
def retired_preferences(memory: MemoryResource) -> dg.MaterializeResult[None]:
    """Preferences that have expired, gone cold or are too many: archived, never deleted."""
    with told(), memory.open() as opened:
        report = opened.retire()
    return dg.MaterializeResult(metadata=counts(report))


@dg.asset(group_name="quality", kinds={"postgres"}, retry_policy=RETRY)
def evaluation_results(memory: MemoryResource) -> dg.MaterializeResult[None]:
    """How good extraction is on labelled dialogs: the package's own samples, or data of yours."""
    with told(), memory.open() as opened:
        evaluations = {data: evaluate_stored(opened, data) for data in CONFIGURATION.evaluation_data}
    return dg.MaterializeResult(metadata={data: scores(found.metrics) for data, found in evaluations.items()})


def _result(report: Any, *, undone: int, what: str) -> dg.MaterializeResult[None]:  # Any: one of the reports
    metadata = counts(report) | {"kinds_of_errors": kinds(report.errors)}
    require_done(undone=undone, metadata=metadata, what=what)
    return dg.MaterializeResult(metadata=metadata)


ASSETS: Final = (
    ingested_messages,
    extracted_preferences,
    preference_embeddings,
    deduplicated_preferences,
    consolidated_preferences,
    user_profiles,
    dialog_summaries,
    retired_preferences,
    evaluation_results,
)
