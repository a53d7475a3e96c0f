"""Each check is green on a healthy store and red on what it is there for."""

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
from sqlalchemy import text

from pipelines import assets, checks
from pipelines.assets import ASSETS, evaluation_results, extracted_preferences
from pipelines.checks import CHECKS, REMEDIES
from pipelines.configuration import Configuration
from prefmem_pg.db.session import Database
from prefmem_pg.memory import PreferenceMemory
from tests.pipelines.conftest import Materialize, metadata, noon, say

USER = "checked"
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module", autouse=True)
def filled(shared_memory: PreferenceMemory) -> None:
    say(
        shared_memory,
        USER,
        ["I love green tea 🍵", "我不吃香菜", "I always take the window seat"],
        at=noon("2026-04-01"),
    )
    shared_memory.extract(user_id=USER)


@pytest.fixture
def spoiled(database: Database) -> Iterator[Any]:
    """Change rows as the owner, and put them back afterwards."""
    undo: list[str] = []

    def change(statement: str, back: str) -> None:
        undo.append(back)
        with database.engine.begin() as connection:
            connection.execute(text(statement))

    yield change
    with database.engine.begin() as connection:
        for statement in reversed(undo):
            connection.execute(text(statement))


def passed(materialize: Materialize, check: Any) -> bool:
    assets = [asset for asset in ASSETS if asset.key in {key.asset_key for key in check.check_keys}]
    result = materialize(*assets, check, selection=dg.AssetSelection.checks(check))
    (asked,) = result.get_asset_check_evaluations()
    if not asked.passed:  # a red check says what the guide says
        assert str(asked.metadata["what to do"].value).startswith(REMEDIES[next(iter(check.check_keys)).name])
    return bool(asked.passed)


@pytest.mark.parametrize("check", [c for c in CHECKS if c is not checks.quality_floor], ids=lambda check: check.op.name)
def test_a_healthy_store_is_green(materialize: Materialize, check: Any) -> None:
    assert passed(materialize, check)


def test_a_message_that_waits_too_long_is_red(
    materialize: Materialize, shared_memory: PreferenceMemory, spoiled: Any
) -> None:
    say(shared_memory, USER, ["还没有读的一句"], at=noon("2026-04-02"), dialog_id="d-unread")
    spoiled(
        "UPDATE prefmem.messages SET ingested_at = now() - interval '3 days' WHERE read_by_run_id IS NULL",
        "DELETE FROM prefmem.messages WHERE read_by_run_id IS NULL",
    )
    assert not passed(materialize, checks.extraction_backlog)


def test_a_parked_run_is_red(materialize: Materialize, spoiled: Any) -> None:
    spoiled(
        "UPDATE prefmem.extraction_runs SET state = 'parked'",
        "UPDATE prefmem.extraction_runs SET state = 'done'",
    )
    assert not passed(materialize, checks.nothing_failed_or_parked)


def test_a_preference_without_evidence_or_vector_is_red(materialize: Materialize, spoiled: Any) -> None:
    spoiled(
        "CREATE TABLE prefmem.kept AS TABLE prefmem.preference_evidence; DELETE FROM prefmem.preference_evidence",
        "INSERT INTO prefmem.preference_evidence TABLE prefmem.kept; DROP TABLE prefmem.kept",
    )
    assert not passed(materialize, checks.evidence_is_present)
    spoiled(
        "CREATE TABLE prefmem.vectors AS TABLE prefmem.preference_embeddings;"
        " DELETE FROM prefmem.preference_embeddings",
        "INSERT INTO prefmem.preference_embeddings TABLE prefmem.vectors; DROP TABLE prefmem.vectors",
    )
    assert not passed(materialize, checks.embedding_coverage)


def test_costs_beyond_the_budget_are_red(
    materialize: Materialize, spoiled: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREFMEM_BUDGET_DAY_USD", "1")
    assert passed(materialize, checks.cost_is_within_budget)
    spoiled(
        "INSERT INTO prefmem.llm_calls (user_id, purpose, provider, model, request_hash, outcome, cost_usd)"
        f" VALUES ('{USER}', 'extract', 'claude', 'a-model', sha256('x'), 'ok', 2)",
        "DELETE FROM prefmem.llm_calls",
    )
    assert not passed(materialize, checks.cost_is_within_budget)


def test_two_rows_that_say_the_same_are_red(
    materialize: Materialize, shared_memory: PreferenceMemory, spoiled: Any
) -> None:
    shared_memory.remember_many(
        "doubled", [{"statement": "I love green tea"}, {"statement": "I love green tea."}], deduplicate=False
    )
    spoiled("SELECT 1", "DELETE FROM prefmem.users WHERE user_id = 'doubled'")
    assert not passed(materialize, checks.duplicate_rate)


def labelled(folder: Path, name: str, *, holding: Sequence[int]) -> str:
    """Write a dialog of which these turns are labelled as holding a preference; return the path of its file."""
    said = ("I always prefer window seats on trains. 🚆", "我不喜欢吃香菜", "What time is it?")
    ids = [f"{name}-{place}" for place in range(len(said))]
    turns = [{"role": "user", "content": s, "external_id": i} for s, i in zip(said, ids, strict=True)]
    dialog = {"user_id": "ana", "dialog_id": name, "messages": turns}
    (folder / f"{name}.jsonl").write_text(json.dumps(dialog) + "\n", encoding="utf-8")
    kind = {"kind": "explicit", "polarity": "positive"}
    found = [[{"statement": s, "quote": s, **kind}] * (place in holding) for place, s in enumerate(said)]
    labels = [json.dumps({"external_id": i, "preferences": f}) + "\n" for i, f in zip(ids, found, strict=True)]
    (folder / f"{name}.labels.jsonl").write_text("".join(labels), encoding="utf-8")
    return str(folder / f"{name}.jsonl")


def test_quality_is_red_until_it_was_measured_and_when_it_is_low(
    materialize: Materialize, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def measure(data: str) -> bool:
        monkeypatch.setattr(assets, "CONFIGURATION", Configuration(evaluation_data=(data,)))
        result = materialize(evaluation_results)
        assert "f1" in str(metadata(result, evaluation_results)[data])
        return passed(materialize, checks.quality_floor)

    assert not passed(materialize, checks.quality_floor)
    assert measure(labelled(tmp_path, "right", holding=(0, 1)))
    assert not measure(labelled(tmp_path, "wrong", holding=(2,)))


def test_an_index_that_finds_too_little_is_red(materialize: Materialize, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "index_recall", lambda samples: 0.5 if samples else 1.0)
    assert not passed(materialize, checks.hnsw_recall)


def test_the_unread_are_old_only_by_when_they_came_in(shared_memory: PreferenceMemory) -> None:
    say(shared_memory, "history", ["I collect stamps"], at=datetime(2024, 1, 1, tzinfo=UTC))
    oldest = shared_memory.indicators().oldest_unread
    assert oldest is not None
    assert oldest.year > 2024
    shared_memory.extract(user_id="history")


def test_the_guide_says_of_each_check_what_to_do_when_it_is_red() -> None:
    guide = (ROOT / "docs/pipelines.md").read_text(encoding="utf-8")
    (rows,) = re.findall(r"\| check \| means \| do \|\n\|[-|]+\n((?:\|.*\n)+)", guide)
    cells = [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows.splitlines()]
    assert {name.strip("`"): do for name, _, do in cells} == REMEDIES


def test_the_assets_that_are_checked_exist() -> None:
    assert {key.asset_key for check in CHECKS for key in check.check_keys} >= {extracted_preferences.key}
