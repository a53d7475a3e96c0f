"""Counting anew what ranking reads: counts that are off are set right, and right ones are left alone."""

from collections.abc import Callable

import pytest
from sqlalchemy import text
from typer.testing import CliRunner

from prefmem_pg.cli.app import app
from prefmem_pg.db.session import Database
from prefmem_pg.memory import PreferenceMemory
from tests.conftest import count

COUNTS = (
    "SELECT user_id, scope, language, row_count, total_length FROM prefmem.user_stats"
    " WHERE row_count > 0 ORDER BY user_id, scope, language"
)


@pytest.fixture(scope="module")
def filled(shared_memory: PreferenceMemory) -> PreferenceMemory:
    for user_id in ("u-ana", "u-博"):
        shared_memory.remember_many(user_id, [{"statement": s} for s in ("I love tea 🍵", "我不喜欢香菜", "我爱爬山")])
        shared_memory.add_messages(user_id, [{"role": "user", "content": s} for s in ("我喜欢茶", "What is tea?")])
    waiting = shared_memory.remember("u-ana", "I love coffee ☕").preference
    assert waiting is not None
    shared_memory.archive("u-ana", waiting.preference_id)
    return shared_memory


Read = Callable[[], list[tuple[object, ...]]]


@pytest.fixture
def counts(database: Database) -> Read:
    def read() -> list[tuple[object, ...]]:
        with database.transaction(user_id=None) as repositories:
            return [tuple(row) for row in repositories.session.execute(text(COUNTS))]

    return read


def change(database: Database, statement: str) -> None:
    with database.engine.begin() as connection:
        connection.execute(text(statement))


def test_counts_that_are_right_stay(filled: PreferenceMemory, counts: Read) -> None:
    before = counts()
    assert len(before) == 8
    assert filled.recount() == 0
    assert counts() == before


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE prefmem.user_stats SET row_count = row_count + 7",
        "UPDATE prefmem.user_stats SET total_length = 0 WHERE scope = 'preference'",
        "DELETE FROM prefmem.user_stats WHERE user_id = 'u-ana'",
        "INSERT INTO prefmem.user_stats (user_id, scope, model_id, language, row_count)"
        " VALUES ('u-ana', 'preference', 1, 'ja', 3)",
    ],
)
def test_counts_that_are_off_are_set_right(
    filled: PreferenceMemory, database: Database, counts: Read, harm: str
) -> None:
    before = counts()
    change(database, harm)
    assert counts() != before

    assert filled.recount() > 0

    assert counts() == before
    assert filled.recount() == 0


def test_one_user_alone_can_be_counted(filled: PreferenceMemory, database: Database) -> None:
    change(database, "UPDATE prefmem.user_stats SET row_count = 99")

    assert filled.recount(user_id="u-博") == 4

    assert count(database, "SELECT count(*) FROM prefmem.user_stats WHERE row_count = 99 AND user_id = 'u-ana'") >= 4
    assert filled.recount(user_id="u-nobody") == 0
    filled.recount()


def test_the_doctors_advice_heals(filled: PreferenceMemory, database: Database, database_url: str) -> None:
    change(database, "UPDATE prefmem.user_stats SET row_count = 1 WHERE scope = 'preference'")
    env = {"PREFMEM_DATABASE_URL": database_url, "COLUMNS": "200"}

    sick = CliRunner().invoke(app, ["doctor", "--after-restore"], env=env)
    assert "prefmem reindex --counts" in sick.stdout
    done = CliRunner().invoke(app, ["reindex", "--counts"], env=env)
    assert "set right" in done.stdout
    assert CliRunner().invoke(app, ["doctor", "--after-restore"], env=env).exit_code == 0
