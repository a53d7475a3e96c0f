"""``prefmem eval``: what is printed, and where."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from prefmem_pg.cli.evaluate import app

PAIRS = (
    {"id": "1", "lang": "zh", "kind": "light", "a": "我爱喝茶。", "b": "我爱喝茶"},
    {"id": "2", "lang": "en", "kind": "different", "a": "I love tea. 🍵", "b": "My sister plays chess."},
)
QUESTIONS = (
    {"id": "1", "kind": "en", "memory": "My kettle is a Fellow Stagg.", "query": "How do I clean the Fellow Stagg?"},
    {"id": "2", "kind": "zh", "memory": "我常去望江楼喝茶。", "query": "望江楼几点关门？"},
)


def write(folder: Path, *records: object) -> str:
    path = folder / "data.jsonl"
    path.write_text("\n".join(json.dumps(record, ensure_ascii=False) for record in records), encoding="utf-8")
    return str(path)


def test_json_holds_the_metrics_and_nothing_else_goes_to_stdout(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["dedup", "--data", write(tmp_path, *PAIRS), "--json"])
    assert result.exit_code == 0
    printed = json.loads(result.stdout)
    assert (printed["task"], printed["dataset"], printed["evaluation_id"]) == ("dedup", "data", None)
    assert printed["metrics"]["zh/light"]["merged"] == 1.0
    assert printed["metrics"]["en/different"]["merged"] == 0.0


def test_the_table_has_a_line_for_each_group(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["dedup", "--data", write(tmp_path, *PAIRS)], env={"COLUMNS": "200"})
    assert "zh/light" in result.stdout
    assert "en/different" in result.stdout


def test_extraction_reads_a_few_rows_of_the_samples() -> None:
    result = CliRunner().invoke(app, ["extraction", "--data", "samples", "--limit-rows", "3", "--json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["metrics"]["en/turns"]["found"] > 0


def test_retrieval_runs_in_a_database_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREFMEM_HOME", str(tmp_path / "mine"))
    result = CliRunner().invoke(app, ["retrieval", "--data", write(tmp_path, *QUESTIONS), "--json"])
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["metrics"]["cold/all"]["R@1"] == 1.0
    assert not (tmp_path / "mine").exists()


@pytest.mark.parametrize("command", ["retrieval", "extraction", "dedup"])
def test_an_unknown_format_is_one_line_on_stderr_and_exit_code_1(tmp_path: Path, command: str) -> None:
    result = CliRunner().invoke(app, [command, "--data", write(tmp_path, {"foo": 1})])
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("error: data.jsonl, line 1: not a known dataset")
    assert result.stderr.count("\n") == 1


def test_no_data_is_bad_usage() -> None:
    assert CliRunner().invoke(app, ["dedup"]).exit_code == 2


def test_a_database_that_cannot_take_the_results_is_told_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREFMEM_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/nothing?connect_timeout=2")
    result = CliRunner().invoke(app, ["dedup", "--data", write(tmp_path, *PAIRS), "--store-results"])
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("error: ")
