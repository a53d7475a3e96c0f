"""The pipelines with Celery's workers as executor: a code location for `-f deploy/celery_pipelines.py`.

Needs dagster-celery of the same release as dagster-postgres. Workers read the same celery.yaml.
"""

from pathlib import Path

import dagster as dg
import yaml
from dagster_celery import celery_executor

from pipelines import definitions

_CELERY = yaml.safe_load(Path(__file__).with_name("celery.yaml").read_text(encoding="utf-8"))

_EXECUTOR = celery_executor.configured(_CELERY["execution"]["config"])

defs = dg.Definitions.merge(definitions.defs, dg.Definitions(executor=_EXECUTOR))
