"""Jobs and their hours: the night's work, the week's consolidation, retention, and a measurement of quality."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

import dagster as dg

from pipelines.assets import (
    consolidated_preferences,
    deduplicated_preferences,
    dialog_summaries,
    evaluation_results,
    extracted_preferences,
    ingested_messages,
    preference_embeddings,
    retired_preferences,
    user_profiles,
)
from pipelines.operations import batches, reembedding
from pipelines.partitions import CONFIGURATION

extraction: Final = dg.define_asset_job(
    "extraction",
    selection=[extracted_preferences, dialog_summaries],
    description="Read one day, or many in a backfill: preferences and summaries",
)
nightly: Final = dg.define_asset_job(
    "nightly",
    selection=[
        ingested_messages,
        extracted_preferences,
        preference_embeddings,
        deduplicated_preferences,
        dialog_summaries,
    ],
    description="Take in what has landed, read the day, embed, deduplicate",
)
consolidation: Final = dg.define_asset_job(
    "consolidation", selection=[consolidated_preferences, user_profiles], description="Fewer, clearer preferences"
)
retention: Final = dg.define_asset_job(
    "retention", selection=[retired_preferences], description="Archive what has expired or gone cold"
)
evaluation: Final = dg.define_asset_job(
    "evaluation", selection=[evaluation_results], description="Measure extraction on labelled data"
)
landing: Final = dg.define_asset_job(
    "landing", selection=[ingested_messages], description="Take in what has landed in the folder"
)
JOBS: Final = (extraction, nightly, consolidation, retention, evaluation, landing, batches, reembedding)

_UNFINISHED: Final = [
    dg.DagsterRunStatus.QUEUED,
    dg.DagsterRunStatus.NOT_STARTED,
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
    dg.DagsterRunStatus.CANCELING,
]


def is_under_way(instance: dg.DagsterInstance, job: str, *, tags: dict[str, str] | None = None) -> bool:
    """Say whether a run of the job (with these tags) has not ended: a tick then skips, so that none overlap."""
    found = dg.RunsFilter(job_name=job, statuses=_UNFINISHED, tags=tags or {})
    return bool(instance.get_run_records(found, limit=1))


@dg.schedule(
    cron_schedule="15 2 * * *",
    job=nightly,
    description="Read yesterday; late messages of earlier days are the sensor's",
    execution_timezone=CONFIGURATION.time_zone,
    default_status=dg.DefaultScheduleStatus.RUNNING,
)
def every_night(context: dg.ScheduleEvaluationContext) -> dg.RunRequest | dg.SkipReason:
    if is_under_way(context.instance, nightly.name):
        return dg.SkipReason("the run of the night before has not ended")
    yesterday = (context.scheduled_execution_time - timedelta(days=1)).date().isoformat()
    return dg.RunRequest(run_key=yesterday, partition_key=yesterday)


# Any: an asset job, whose type Dagster does not export.
def _plain(name: str, cron: str, job: Any) -> dg.ScheduleDefinition:
    @dg.schedule(
        name=name,
        cron_schedule=cron,
        job_name=job.name,
        description=job.description,
        execution_timezone=CONFIGURATION.time_zone,
        default_status=dg.DefaultScheduleStatus.RUNNING,
    )
    def tick(context: dg.ScheduleEvaluationContext) -> dg.RunRequest | dg.SkipReason:
        if is_under_way(context.instance, job.name):
            return dg.SkipReason("the run before has not ended")
        return dg.RunRequest(run_key=context.scheduled_execution_time.isoformat())

    return tick


every_week: Final = _plain("every_week", "30 3 * * 0", consolidation)
retention_every_night: Final = _plain("retention_every_night", "30 4 * * *", retention)
evaluation_every_week: Final = _plain("evaluation_every_week", "0 5 * * 1", evaluation)

SCHEDULES: Sequence[dg.ScheduleDefinition] = (every_night, every_week, retention_every_night, evaluation_every_week)
