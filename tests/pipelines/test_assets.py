"""Each asset does its work on a real database, tells counts, and leaves no word of a user in Dagster's storage."""

import json
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import ClassVar

import dagster as dg
import pytest

from pipelines import assets
from pipelines.assets import (
    consolidated_preferences,
    deduplicated_preferences,
    extracted_preferences,
    ingested_messages,
    preference_embeddings,
    retired_preferences,
    user_profiles,
)
from pipelines.configuration import Configuration
from pipelines.resources import BudgetResource, DatabaseResource, MemoryResource, ProvidersResource
from prefmem_pg.memory import PreferenceMemory
from tests.pipelines.conftest import Materialize, metadata, noon, resource, say

USER = "dagster-user-八"
SAID = ("I always prefer window seats on trains. 🚆", "我不喜欢吃香菜", "What time is it?")


class Handed(MemoryResource):
    """Opens the memory that a test made, and leaves it open."""

    given: ClassVar[PreferenceMemory]

    def open(self) -> AbstractContextManager[PreferenceMemory]:  # type: ignore[override]
        return nullcontext(Handed.given)


def handed(memory: PreferenceMemory) -> MemoryResource:
    Handed.given = memory
    return Handed(database=DatabaseResource(), providers=ProvidersResource(), budget=BudgetResource())


def rows(memory: PreferenceMemory, user_id: str) -> list[tuple[str, str, int]]:
    found = memory.list_preferences(user_id).items
    return sorted((p.statement, p.polarity, p.version) for p in found)


def test_a_partition_twice_finds_nothing_new(materialize: Materialize, shared_memory: PreferenceMemory) -> None:
    say(shared_memory, USER, SAID, at=noon("2026-03-02"))
    first = materialize(extracted_preferences, day="2026-03-02")
    assert first.success
    assert metadata(first, extracted_preferences)["messages"] == 3
    before = rows(shared_memory, USER)
    assert {polarity for _, polarity, _ in before} == {"positive", "negative"}
    second = materialize(extracted_preferences, day="2026-03-02")
    assert metadata(second, extracted_preferences)["runs"] == 0
    assert rows(shared_memory, USER) == before


def test_a_partition_without_messages_says_so_and_succeeds(materialize: Materialize) -> None:
    result = materialize(extracted_preferences, day="2024-01-01")
    assert result.success
    assert metadata(result, extracted_preferences)["messages"] == 0


def test_late_messages_of_a_day_are_read_by_its_next_run(
    materialize: Materialize, shared_memory: PreferenceMemory
) -> None:
    say(shared_memory, "late", SAID[:1], at=noon("2026-03-03"))
    materialize(extracted_preferences, day="2026-03-03")
    say(shared_memory, "late", SAID[1:2], at=noon("2026-03-03"), dialog_id="d-2")
    result = materialize(extracted_preferences, day="2026-03-03")
    assert metadata(result, extracted_preferences)["messages"] == 1
    assert len(rows(shared_memory, "late")) == 2


def test_the_nights_assets_run_one_after_the_other(materialize: Materialize, shared_memory: PreferenceMemory) -> None:
    say(shared_memory, "night", SAID, at=noon("2026-03-04"))
    result = materialize(
        extracted_preferences,
        preference_embeddings,
        deduplicated_preferences,
        consolidated_preferences,
        user_profiles,
        retired_preferences,
        day="2026-03-04",
    )
    assert result.success
    assert metadata(result, deduplicated_preferences)["failed"] == 0
    assert metadata(result, user_profiles)["users"] > 0


def test_a_landed_file_is_taken_in_and_a_faulty_one_is_set_aside(
    materialize: Materialize,
    shared_memory: PreferenceMemory,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(assets, "CONFIGURATION", Configuration(landing_folder=tmp_path))
    good = {"user_id": "landed", "role": "user", "content": "我喜欢绿茶 🍵", "occurred_at": "2026-03-05T08:00:00Z"}
    (tmp_path / "good.jsonl").write_text(json.dumps(good) + "\n")
    (tmp_path / "bad.jsonl").write_text('{"user_id": "landed", "role": "user"}\nno json\n' + json.dumps(good) + "\n")
    result = materialize(ingested_messages)
    assert result.success
    told = metadata(result, ingested_messages)
    assert (told["files"], told["rejected"], told["added"], told["errors"]) == (2, 1, 1, 2)
    assert (tmp_path / "done" / "good.jsonl").exists()
    faults = (tmp_path / "rejected" / "bad.jsonl.errors").read_text().splitlines()
    assert [json.loads(line)["line"] for line in faults] == [1, 2]
    assert metadata(materialize(ingested_messages), ingested_messages)["files"] == 0


def test_without_a_landing_folder_the_run_says_which_one_is_missing(
    materialize: Materialize, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assets, "CONFIGURATION", Configuration(landing_folder=tmp_path / "nowhere"))
    result = materialize(ingested_messages)
    assert not result.success


def test_a_missing_database_is_told_without_a_trace_of_the_driver(
    materialize: Materialize, instance: dg.DagsterInstance
) -> None:
    nowhere = resource("postgresql://nobody@127.0.0.1:1/nothing?connect_timeout=2")
    result = materialize(retired_preferences, memory=nowhere)
    assert not result.success
    failures = [event.event_specific_data for event in result.all_node_events if event.is_step_failure]
    retries = [event for event in result.all_node_events if event.is_step_up_for_retry]
    assert failures or retries
    assert "StoreUnavailable" in "\n".join(str(event) for event in instance.all_logs(result.run_id))
