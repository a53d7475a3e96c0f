"""Days: partitions by the time at which a message was said, in one configured time zone."""

from datetime import datetime
from typing import Final

import dagster as dg

from pipelines.configuration import Configuration

CONFIGURATION: Final = Configuration.from_env()

# Today has a partition as well, so that what comes in during the day need not wait for the night.
days: Final = dg.DailyPartitionsDefinition(
    start_date=CONFIGURATION.first_day.isoformat(), timezone=CONFIGURATION.time_zone, end_offset=1
)


def window(context: dg.AssetExecutionContext) -> tuple[datetime, datetime]:
    """Return [since, until) of the run's partition, or of all its partitions when one run takes a range of days."""
    span = context.partition_time_window
    return span.start, span.end
