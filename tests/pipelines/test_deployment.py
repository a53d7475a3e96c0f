"""The files that run Dagster elsewhere: they parse, name what is there, and their storage works on the same server."""

from pathlib import Path
from typing import Any

import dagster as dg
import pytest
import yaml

from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.roles import WORKING_ROLES
from tests.databases import database_of, empty_database

ROOT = Path(__file__).parents[2]


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["pipelines/dagster.yaml", "deploy/dagster.yaml"])
def test_b22_a_run_that_died_gives_back_its_place_and_nothing_is_sent_anywhere(name: str) -> None:
    found = read(name)
    assert found["run_monitoring"]["enabled"] is True
    assert found["run_monitoring"]["free_slots_after_run_end_seconds"] > 0
    assert found["telemetry"]["enabled"] is False
    assert found["concurrency"]["pools"]["default_limit"] >= 1


def test_compose_builds_what_is_there_and_waits_for_the_database(tmp_path: Path) -> None:
    found = read("docker-compose.yml")
    services = found["services"]
    assert set(services) == {"postgres", "upgrade", "code", "daemon", "webserver"}
    assert (ROOT / services["code"]["build"]["dockerfile"]).is_file()
    assert services["upgrade"]["depends_on"]["postgres"]["condition"] == "service_healthy"
    assert services["code"]["depends_on"]["upgrade"]["condition"] == "service_completed_successfully"
    for name in ("postgres", "code", "webserver"):
        assert services[name]["healthcheck"]["test"]
    # SQLAlchemy's own choice of a driver would not do for Dagster's storage.
    assert services["daemon"]["environment"]["DAGSTER_PG_URL"].startswith("postgresql+psycopg2://")
    for line in (ROOT / "deploy/Dockerfile").read_text(encoding="utf-8").splitlines():
        if line.startswith("COPY "):
            assert all((ROOT / source).exists() for source in line.split()[1:-1]), line


def test_the_servers_first_start_makes_the_roles_that_the_schema_needs() -> None:
    script = (ROOT / "deploy/postgres/10-prefmem.sh").read_text(encoding="utf-8")
    assert all(f"CREATE ROLE {role} NOLOGIN" in script for role in WORKING_ROLES)
    assert "WITH SET TRUE, INHERIT FALSE" in " ".join(script.split())
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert all(f"{name}=" in example for name in ("POSTGRES_PASSWORD", "PREFMEM_OWNER_PASSWORD", "DAGSTER_PASSWORD"))


def test_dagsters_storage_works_in_a_database_beside_ours(
    server: LocalServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dagster.yaml").write_text((ROOT / "deploy/dagster.yaml").read_text(encoding="utf-8"))
    with empty_database(server, extensions=()) as url:
        name = database_of(url)
        monkeypatch.setenv(
            "DAGSTER_PG_URL", f"postgresql+psycopg2://prefmem_owner@/{name}?host={server.socket_folder}&port=5432"
        )
        with dg.DagsterInstance.from_config(str(tmp_path)) as instance:

            @dg.asset
            def one() -> None: ...

            assert dg.materialize([one], instance=instance).success
            assert len(instance.get_runs()) == 1
