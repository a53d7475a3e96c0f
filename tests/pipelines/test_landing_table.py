"""A landing table: lines inserted by others are taken in once; what is faulty stays there and says why."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import dagster as dg
import psycopg
import pytest
from sqlalchemy import text

from pipelines import assets, sensors
from pipelines.assets import ingested_messages
from pipelines.configuration import Configuration
from pipelines.definitions import defs
from pipelines.sensors import landed_lines
from prefmem_pg.db.landing_table import SHAPE, ClaimedLines
from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.session import Database
from prefmem_pg.errors import ConfigurationError
from prefmem_pg.memory import PreferenceMemory, landing
from tests.conftest import superuser_url
from tests.databases import database_of
from tests.pipelines.conftest import Materialize, metadata, resource

TABLE = 'inbox."Landed, 落地"'


@pytest.fixture(scope="module", autouse=True)
def inbox(server: LocalServer, database_url: str) -> None:
    """The table of another role, which grants ours what it needs."""
    with psycopg.connect(superuser_url(server, database_of(database_url))) as connection:
        connection.execute("CREATE SCHEMA inbox")
        connection.execute(f"CREATE TABLE {TABLE} {SHAPE}")
        connection.execute("GRANT USAGE ON SCHEMA inbox TO prefmem_owner")
        connection.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON {TABLE} TO prefmem_owner")


@pytest.fixture(autouse=True)
def emptied(database: Database) -> Iterator[None]:
    yield
    with database.engine.begin() as connection:
        connection.execute(text(f"TRUNCATE {TABLE}"))


def land(database: Database, *lines: str | None) -> None:
    with database.engine.begin() as connection:
        statement = text(f"INSERT INTO {TABLE} (line) VALUES (:line)")
        connection.execute(statement, [{"line": line} for line in lines])


def kept(database: Database) -> list[tuple[str, str | None]]:
    with database.engine.connect() as connection:
        return [tuple(row) for row in connection.execute(text(f"SELECT line, error FROM {TABLE} ORDER BY line_id"))]


def line(user_id: str, content: str, minute: int = 0, **fields: Any) -> str:
    message = {"user_id": user_id, "role": "user", "content": content, "occurred_at": f"2026-03-05T08:{minute:02}:00Z"}
    return json.dumps(message | fields, ensure_ascii=False)


def said(memory: PreferenceMemory, user_id: str) -> list[str]:
    return [message.content for message in memory.list_messages(user_id).items]


def test_good_lines_are_taken_in_and_bad_ones_are_kept_with_their_reasons(
    shared_memory: PreferenceMemory, database: Database
) -> None:
    dialog = {
        "user_id": "table-1",
        "dialog_id": "d",
        "messages": [{"role": "user", "content": "我住在上海 🏙"}, {"role": "nobody", "content": "x"}, {"role": "user"}],
    }
    land(
        database,
        line("table-1", "我喜欢绿茶 🍵"),
        "no json",
        "  ",
        json.dumps(dialog, ensure_ascii=False),
        line("table-1", "I love tea", 1),
    )
    report = shared_memory.ingest_table(TABLE)
    assert (report.lines, report.messages, report.added, report.errors, report.rejected_lines) == (5, 3, 3, 3, 2)
    assert sorted(said(shared_memory, "table-1")) == sorted(["我喜欢绿茶 🍵", "I love tea", "我住在上海 🏙"])
    (first, why), (second, whys) = kept(database)
    assert (first, why) == ("no json", "not JSON: Expecting value at character 0")
    assert json.loads(second) == dialog
    assert whys is not None
    assert "messages[1]: role is unknown" in whys
    assert "messages[2]: content is missing" in whys
    assert shared_memory.ingest_table(TABLE).lines == 0


def test_a_corrected_line_is_read_again_when_its_error_is_cleared(
    shared_memory: PreferenceMemory, database: Database
) -> None:
    land(database, line("table-2", "更喜欢靠窗的座位", role="nobody"))
    assert shared_memory.ingest_table(TABLE).rejected_lines == 1
    assert shared_memory.landed_mark(TABLE) is None
    with database.engine.begin() as connection:
        connection.execute(text(f"UPDATE {TABLE} SET error = NULL, line = replace(line, 'nobody', 'user')"))
    assert shared_memory.landed_mark(TABLE) is not None
    assert shared_memory.ingest_table(TABLE).added == 1
    assert kept(database) == []


def test_what_was_stored_before_a_kill_is_not_stored_again(
    shared_memory: PreferenceMemory, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(landing, "LINES", 2)
    land(database, *(line("table-3", f"I like number {place} 号", place) for place in range(5)))

    class Killed(BaseException):
        pass

    settle, settled = ClaimedLines.settle, []

    def dies_the_second_time(held: ClaimedLines, errors: Any) -> None:
        settled.append(held)
        if len(settled) == 2:
            raise Killed
        settle(held, errors)

    monkeypatch.setattr(ClaimedLines, "settle", dies_the_second_time)
    with pytest.raises(Killed):
        shared_memory.ingest_table(TABLE)
    assert len(kept(database)) == 3  # the first two are done with: progress is kept
    report = shared_memory.ingest_table(TABLE)
    assert (report.lines, report.added, report.repeated) == (3, 1, 2)
    assert sorted(said(shared_memory, "table-3")) == [f"I like number {place} 号" for place in range(5)]


def test_two_processes_share_the_lines(
    shared_memory: PreferenceMemory, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(landing, "LINES", 3)
    land(database, *(line("table-4", f"我喜欢第 {place} 个 / number {place}", place) for place in range(20)))
    with ThreadPoolExecutor(2) as both:
        reports = list(both.map(lambda _: shared_memory.ingest_table(TABLE), range(2)))
    assert sum(report.lines for report in reports) == sum(report.added for report in reports) == 20
    assert kept(database) == []


def test_a_line_that_lands_twice_is_one_message_and_a_repetition_within_a_dialog_is_two(
    shared_memory: PreferenceMemory, database: Database
) -> None:
    ok = {"role": "user", "content": "好的 ok 👌"}
    dialog = json.dumps({"user_id": "table-5", "dialog_id": "d", "messages": [ok, ok]}, ensure_ascii=False)
    land(database, line("table-5", "I like rain 🌧"), line("table-5", "I like rain 🌧"), dialog)
    assert shared_memory.ingest_table(TABLE).added == 3
    land(database, dialog, line("table-5", "I like rain 🌧"))
    report = shared_memory.ingest_table(TABLE)
    assert (report.added, report.repeated) == (0, 3)


def test_a_file_and_a_table_with_the_same_line_give_one_message(
    shared_memory: PreferenceMemory, database: Database, tmp_path: Path
) -> None:
    secret = line("table-6", "my password: hunter2-Xy!9 和我的猫 🐱")
    (tmp_path / "a.jsonl").write_text(secret + "\n", encoding="utf-8")
    assert shared_memory.ingest_folder(tmp_path).added == 1
    land(database, secret)
    assert shared_memory.ingest_table(TABLE).repeated == 1
    assert "hunter2" not in said(shared_memory, "table-6")[0]


def test_another_content_for_a_known_external_id_is_kept_as_an_error(
    shared_memory: PreferenceMemory, database: Database
) -> None:
    land(database, line("table-7", "tea 茶", external_id="x"), line("table-7", "coffee 咖啡", external_id="x"))
    report = shared_memory.ingest_table(TABLE)
    assert (report.added, report.conflicts, report.rejected_lines) == (1, 1, 1)
    assert kept(database)[0][1] == "its external_id is stored with other content"


def test_b86_lines_of_a_deleted_user_bring_nobody_back(shared_memory: PreferenceMemory, database: Database) -> None:
    land(database, line("table-8", "我养了一只猫 🐈"))
    shared_memory.ingest_table(TABLE)
    shared_memory.forget("table-8")
    land(database, line("table-8", "我养了一只猫 🐈"))
    assert shared_memory.ingest_table(TABLE).erased == 1
    assert said(shared_memory, "table-8") == []
    assert kept(database) == []


@pytest.mark.parametrize("name", ["inbox.nowhere", "a.b.c.d", 'inbox."x; DROP', "", "pg_class", "没有"])
def test_a_table_that_cannot_be_taken_from_is_named(shared_memory: PreferenceMemory, name: str) -> None:
    with pytest.raises(ConfigurationError, match="table"):
        shared_memory.ingest_table(name)
    with pytest.raises(ConfigurationError, match="table"):
        shared_memory.landed_mark(name)


def test_the_asset_takes_from_the_table_and_the_sensor_asks_for_it_once(
    materialize: Materialize, database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    configured = Configuration.from_env({"PREFMEM_PIPELINE_LANDING_TABLE": TABLE})
    assert configured.landing_folder is None
    monkeypatch.setattr(assets, "CONFIGURATION", configured)
    monkeypatch.setattr(sensors, "CONFIGURATION", configured)

    def tick() -> object:
        with (
            dg.DagsterInstance.local_temp() as instance,
            dg.build_sensor_context(
                instance=instance, definitions=defs, resources={"memory": resource(database_url)}
            ) as context,
        ):
            return landed_lines(context)

    assert isinstance(tick(), dg.SkipReason)
    land(database, line("table-9", "I love jazz 🎷 爵士"), "坏的")
    asked = tick()
    assert isinstance(asked, dg.RunRequest)
    assert tick() == asked  # the same key: no second run
    result = materialize(ingested_messages)
    assert result.success
    told = metadata(result, ingested_messages)
    assert (told["lines"], told["added"], told["rejected_lines"]) == (2, 1, 1)
    assert isinstance(tick(), dg.SkipReason)


def test_without_a_table_the_sensor_says_what_names_one(database_url: str) -> None:
    with dg.build_sensor_context(definitions=defs, resources={"memory": resource(database_url)}) as context:
        assert "PREFMEM_PIPELINE_LANDING_TABLE" in str(landed_lines(context))


def test_the_models_are_looked_up_before_lines_are_held(
    shared_memory: PreferenceMemory, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    land(database, line("table-asked", "I like tea 🍵"), line("table-asked", "我喜欢爬山", 1))
    ready, held = shared_memory._ready, []

    def looked_up() -> object:
        held.append(database.engine.pool.checkedout())  # type: ignore[attr-defined]
        return ready()

    monkeypatch.setattr(shared_memory, "_ready", looked_up)
    assert shared_memory.ingest_table(TABLE).messages == 2
    assert held == [0]
