"""The code location: everything that Dagster shows. Loading it opens no database."""

import dagster as dg

from pipelines.assets import ASSETS
from pipelines.checks import CHECKS, Floors
from pipelines.resources import RESOURCES
from pipelines.schedules import JOBS, SCHEDULES
from pipelines.sensors import SENSORS

defs = dg.Definitions(
    assets=list(ASSETS),
    asset_checks=list(CHECKS),
    jobs=list(JOBS),
    schedules=list(SCHEDULES),
    sensors=list(SENSORS),
    resources={**RESOURCES, "floors": Floors()},
)
