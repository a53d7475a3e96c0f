"""``prefmem doctor --after-restore`` and ``prefmem reindex``: what they find, say and mend."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import text
from typer.testing import CliRunner, Result

from prefmem_pg.cli.app import app
from prefmem_pg.cli.checks import check_indexes
from prefmem_pg.cli.restored import check_constraints, check_contradictions, check_samples
from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.reindex import IndexFault
from prefmem_pg.evaluation.probe import Sample
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from tests.conftest import fresh_database
from tests.databases import opened

RUN = Callable[..., Result]


@pytest.fixture
def url(server: LocalServer, embedder: LocalEmbedder) -> Iterator[str]:
    with fresh_database(server) as url:
        with PreferenceMemory.connect(url, embedder=embedder) as memory:
            for user_id in ("u-安娜", "u-bo"):
                memory.remember_many(user_id, [{"statement": s} for s in ("I love tea 🍵", "我不喜欢香菜")])
        yield url


@pytest.fixture
def prefmem(url: str) -> RUN:
    def run(*arguments: str) -> Result:
        return CliRunner().invoke(app, list(arguments), env={"PREFMEM_DATABASE_URL": url, "COLUMNS": "200"})

    return run


def change(url: str, statement: str) -> None:
    with opened(url) as engine, engine.begin() as connection:
        connection.execute(text(statement))


def test_a_database_that_is_whole_passes(prefmem: RUN) -> None:
    result = prefmem("doctor", "--after-restore")

    assert result.exit_code == 0, result.output
    assert "✓ indexes: all are there and valid" in result.stdout
    assert "✓ constraints: all are there" in result.stdout
    assert "✓ users whose counts are off: 0" in result.stdout
    assert "✓ sampled searches: 4 searched, 0 not found by their own words, the indexes find 100.0%" in result.stdout


def test_the_searches_of_the_doctor_leave_no_trace(prefmem: RUN, url: str) -> None:
    prefmem("doctor", "--after-restore")

    with opened(url) as engine, engine.connect() as connection:
        for statement in (
            "SELECT coalesce(sum(access_count), 0) FROM prefmem.preference_usage",
            "SELECT coalesce(sum(question_count), 0) FROM prefmem.user_stats",
        ):
            assert connection.execute(text(statement)).scalar_one() == 0


def test_an_empty_database_is_not_wrong(server: LocalServer) -> None:
    with fresh_database(server) as url:
        env = {"PREFMEM_DATABASE_URL": url, "COLUMNS": "200"}
        result = CliRunner().invoke(app, ["doctor", "--after-restore"], env=env)
    assert result.exit_code == 0, result.output
    assert "• sampled searches: there is nothing to search for" in result.stdout


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("DELETE FROM prefmem.preference_terms", "✗ preferences without postings: 4"),
        ("DELETE FROM prefmem.user_stats", "✗ users whose counts are off: 2"),
        (
            "ALTER TABLE prefmem.preferences DROP CONSTRAINT ck_preferences_status",
            "✗ constraints: missing: ck_preferences_status",
        ),
    ],
)
def test_what_is_wrong_is_told_with_what_to_do(prefmem: RUN, url: str, statement: str, told: str) -> None:
    change(url, statement)

    result = prefmem("doctor", "--after-restore")

    assert result.exit_code == 1
    assert told in result.stdout
    assert "  ->  " in next(line for line in result.stdout.splitlines() if told in line)


def test_reindex_does_what_the_doctor_advises(prefmem: RUN, url: str) -> None:
    change(url, "DROP INDEX prefmem.ix_model_1_preference_exact, prefmem.ix_preferences_topic")

    before = prefmem("doctor")
    assert before.exit_code == 1
    assert "ix_model_1_preference_exact is missing" in before.stdout
    assert "prefmem reindex" in before.stdout

    done = prefmem("reindex")
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines() == ["created ix_model_1_preference_exact", "created ix_preferences_topic"]
    assert prefmem("doctor").exit_code == 0
    assert prefmem("reindex").stdout == "all indexes are there and valid\n"


def test_reindex_all_reports_as_json(prefmem: RUN) -> None:
    report: dict[str, Any] = json.loads(prefmem("reindex", "--all", "--json").stdout)
    assert report["created"] == report["dropped"] == []
    assert "ix_model_1_preference_hnsw_en" in report["rebuilt"]


# The judgements


def test_an_index_that_finds_too_little_is_wrong() -> None:
    ids = tuple(map(str, range(10)))
    good = Sample("0", usual=ids, exact=ids)
    poor = Sample("0", usual=ids[:7], exact=ids)
    assert check_samples([good, good, poor]).state == "ok"
    check = check_samples([good, poor, poor])
    assert (check.state, check.advice) == ("wrong", "prefmem reindex --all")
    assert "80.0%" in check.found


def test_a_statement_that_is_not_found_by_its_own_words_is_wrong() -> None:
    assert check_samples([Sample("1", usual=("0", "1"), exact=("0", "1"))]).state == "wrong"
    assert check_samples([Sample("1", usual=(), exact=())]).state == "wrong"


def test_faults_are_named_with_what_to_run() -> None:
    check = check_indexes([IndexFault("ix_a", "missing"), IndexFault("ix_b", "invalid")])
    assert (check.state, check.found) == ("wrong", "ix_a is missing, ix_b is invalid")
    assert check.advice == "prefmem reindex"
    assert check_constraints(["fk_a"]).advice.endswith("pg_restore --exit-on-error")
    assert [c.state for c in check_contradictions({"a": 0, "b": 2})] == ["ok", "wrong"]
