"""What Dagster shows: every asset, job, schedule, sensor and check by name, without a database."""

import os
import re
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.workspace.autodiscovery import loadable_targets_from_python_file

from pipelines.definitions import defs
from pipelines.resources import RESOURCES
from pipelines.schedules import JOBS, SCHEDULES
from pipelines.sensors import SENSORS, unread_messages

ROOT = Path(__file__).parents[2]


def test_everything_is_there_by_name() -> None:
    graph = defs.resolve_asset_graph()
    assert sorted(key.to_user_string() for key in graph.get_all_asset_keys()) == [
        "consolidated_preferences",
        "deduplicated_preferences",
        "dialog_summaries",
        "evaluation_results",
        "extracted_preferences",
        "ingested_messages",
        "preference_embeddings",
        "retired_preferences",
        "user_profiles",
    ]
    assert sorted(f"{key.asset_key.to_user_string()}.{key.name}" for key in graph.asset_check_keys) == [
        "deduplicated_preferences.duplicate_rate",
        "evaluation_results.quality_floor",
        "extracted_preferences.cost_is_within_budget",
        "extracted_preferences.evidence_is_present",
        "extracted_preferences.extraction_backlog",
        "extracted_preferences.nothing_failed_or_parked",
        "preference_embeddings.embedding_coverage",
        "preference_embeddings.hnsw_recall",
    ]
    assert sorted(job.name for job in JOBS) == [
        "batches",
        "consolidation",
        "evaluation",
        "extraction",
        "landing",
        "nightly",
        "reembedding",
        "retention",
    ]
    assert {schedule.name: schedule.cron_schedule for schedule in SCHEDULES} == {
        "every_night": "15 2 * * *",
        "every_week": "30 3 * * 0",
        "retention_every_night": "30 4 * * *",
        "evaluation_every_week": "0 5 * * 1",
    }
    assert sorted(sensor.name for sensor in SENSORS) == [
        "ended_batches",
        "failed_runs",
        "landed_files",
        "landed_lines",
        "unread_messages",
    ]


def test_definitions_load_without_a_database() -> None:
    code = "import dagster as dg; from pipelines.definitions import defs; dg.Definitions.validate_loadable(defs)"
    environment = {**os.environ, "PREFMEM_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing"}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, check=True, timeout=600)


def test_the_guides_schedule_is_a_code_location_of_its_own(tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/pipelines.md").read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "ours.py").write_text(code, encoding="utf-8")
    # As Dagster looks for definitions, which refuses a module with two of them.
    (target,) = loadable_targets_from_python_file(str(tmp_path / "ours.py"))
    assert isinstance(target.target_definition, dg.Definitions)
    found = target.target_definition.get_repository_def()
    assert {"every_six_hours", "every_week"} <= {schedule.name for schedule in found.schedule_defs}


def test_every_asset_says_what_it_is_and_is_tried_again() -> None:
    for asset in defs.resolve_asset_graph().assets_defs:
        if isinstance(asset, dg.AssetsDefinition) and asset.keys:
            assert all(asset.descriptions_by_key.values())
            assert asset.op.retry_policy is not None


def test_everything_that_runs_by_itself_says_what_it_does() -> None:
    assert [one.name for one in (*SCHEDULES, *SENSORS, *JOBS) if not one.description] == []


def test_database_and_budget_can_be_set_for_one_run_and_sensors_take_them_from_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nowhere = "postgresql://nobody@127.0.0.1:1/nothing?connect_timeout=2"
    parts = {"database": {"config": {"url": nowhere}}, "budget": {"config": {"day_usd": 2.5}}}
    assert dg.validate_run_config(defs.resolve_job_def("extraction"), {"resources": parts})
    monkeypatch.setenv("PREFMEM_DATABASE_URL", nowhere)
    with (
        dg.build_sensor_context(definitions=defs, resources=dict(RESOURCES)) as context,
        pytest.raises(dg.Failure, match="StoreUnavailable"),
    ):
        unread_messages(context)
