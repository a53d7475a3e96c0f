"""What batches cost: budgets hold them back before they are sent, and the ledger counts them at their own price."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest

from prefmem_pg.db.session import Database
from prefmem_pg.domain.reports import BatchReport
from prefmem_pg.errors import BudgetExceeded, ConfigurationError, ProviderError
from prefmem_pg.settings import Spending
from prefmem_pg.steps.spending import one_run
from prefmem_pg.testing import Reply, Said, dropped
from prefmem_pg.testing.stub_server import json_reply
from tests.providers.batch_world import World
from tests.providers.ledgers import price, rows, total
from tests.providers.reader import read, shown_to
from tests.providers.test_paid_extraction import talk


@pytest.fixture(autouse=True)
def priced(database: Database) -> Iterator[None]:
    with database.engine.begin() as connection:
        for table in ("users", "llm_shared_calls", "llm_prices"):
            connection.exec_driver_sql(f"DELETE FROM prefmem.{table}")
    price(database, provider="claude", model="claude-test", output_usd=Decimal(5), batch_factor=Decimal("0.5"))
    yield
    with database.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM prefmem.llm_prices")


def within(**budgets: str) -> dict[str, Any]:
    return {"spending": Spending(retries=0, **{name: Decimal(value) for name, value in budgets.items()})}


def most_of(here: World, user_id: str) -> Decimal:
    """Return the most that a batch of what is unread may cost: half of what calls may."""
    most = here.memory.estimate_extraction(user_id=user_id).most_usd
    assert most is not None
    return most / 2


def test_a_batch_costs_half_and_its_row_is_there_at_its_most_before_it_has_come_back(
    world: Callable[..., World], user_id: str, database: Database
) -> None:
    here = world(holds_batches=True)
    talk(here.memory, user_id, "I like oat milk ☕.", "我喜欢靠窗的座位。")
    most = most_of(here, user_id)
    here.submit(user_id)
    assert rows(database, "outcome, cost_usd, is_batch") == [("running", most.quantize(Decimal("1e-9")), True)]

    here.stub.holds_batches = False
    here.collect()
    [(outcome, cost, *tokens)] = rows(
        database, "outcome, cost_usd, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens"
    )
    assert outcome == "ok"
    assert cost == Decimal(tokens[0] + tokens[2] + tokens[3] + 5 * tokens[1]) / 1_000_000 / 2
    assert cost < most


@pytest.mark.parametrize("budget", ["run_usd", "day_usd", "user_usd"])
def test_a_budget_holds_a_batch_back_before_it_is_sent(
    world: Callable[..., World], user_id: str, database: Database, budget: str
) -> None:
    here = world(settings=within(**{budget: "0"}))
    talk(here.memory, user_id, "我喜欢爬山 ⛰。")
    setting = f"PREFMEM_BUDGET_{budget.upper()}"
    with pytest.raises(BudgetExceeded, match=setting):
        here.submit(user_id)
    assert here.created() == 0
    assert rows(database, "outcome") == []
    assert here.unread(user_id) == 1
    assert world().submit(user_id).items == 1


def test_a_budget_lets_through_what_it_has_room_for_and_the_rest_waits(
    world: Callable[..., World], user_id: str, database: Database
) -> None:
    counting = world()
    for number, thing in enumerate(("tea 🍵", "jazz", "茶", "爬山")):
        talk(counting.memory, user_id, f"I like {thing}.", dialog_id=f"d-{number}")
    room = most_of(counting, user_id) * Decimal("0.6")
    here = world(settings=within(day_usd=str(room)))
    with pytest.raises(BudgetExceeded, match=r"2 requests were handed in"):
        here.submit(user_id)
    assert total(database, "sum(cost_usd)") <= room
    with pytest.raises(BudgetExceeded):  # what is on its way counts
        here.submit(user_id)
    assert here.created() == 1
    assert here.collect().added == 2


def test_a_user_whose_own_budget_is_spent_holds_up_nobody_else(
    world: Callable[..., World], user_id: str, database: Database
) -> None:
    other = f"{user_id}-二"
    counting = world()
    talk(counting.memory, user_id, "I like tea.", dialog_id="d-1")
    talk(counting.memory, other, "我喜欢爬山 ⛰。", dialog_id="d-1")
    budget = most_of(counting, other) * 2
    with database.engine.begin() as connection:
        connection.exec_driver_sql(
            "INSERT INTO prefmem.llm_calls (user_id, purpose, provider, model, request_hash, outcome, cost_usd)"
            f" VALUES ('{user_id}', 'extract', 'claude', 'claude-test', 'x', 'ok', {budget})"
        )
    here = world(settings=within(user_usd=str(budget)))
    with pytest.raises(BudgetExceeded, match=f"user {user_id} is") as caught:
        here.submit(None)
    assert caught.value.user_id == user_id
    assert (here.created(), here.unread(user_id)) == (1, 1)
    assert here.collect().added == 1
    with pytest.raises(BudgetExceeded):
        here.memory.extract()
    assert here.stub.calls == []


def test_what_never_arrived_costs_nothing_and_what_is_gone_may_have_cost_its_most(
    world: Callable[..., World], user_id: str, database: Database
) -> None:
    here = world(faults=[dropped()])
    talk(here.memory, user_id, "I like tea 🍵.")
    most = most_of(here, user_id).quantize(Decimal("1e-9"))
    with pytest.raises(Exception, match="reached"):
        here.submit(user_id)
    assert here.submit(user_id).released == 1
    here.stub.batches.clear()
    here.collect()
    assert sorted(rows(database, "outcome, cost_usd")) == [("canceled", 0), ("expired", most)]


def test_an_item_without_a_result_may_have_cost_its_most(
    world: Callable[..., World], user_id: str, database: Database
) -> None:
    here = world()
    talk(here.memory, user_id, "我喜欢茶 🍵。")
    most = most_of(here, user_id).quantize(Decimal("1e-9"))
    here.submit(user_id)
    for batch in here.stub.batches.values():
        batch["requests"].clear()
    here.collect()
    assert rows(database, "outcome, cost_usd") == [("expired", most)]
    assert here.submit(user_id).items == 1


def test_a_user_who_has_to_wait_gets_nothing_into_a_later_batch(
    world: Callable[..., World], user_id: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    counting = world()
    talk(counting.memory, user_id, "I like tea 🍵.", dialog_id="d-2")
    room = most_of(counting, user_id)
    early = [{"role": "user", "content": "我喜欢爬山 ⛰。" * 200, "occurred_at": "2020-01-01T10:00:00Z"}]
    counting.memory.add_messages(user_id, early, dialog_id="d-1")
    monkeypatch.setattr("prefmem_pg.steps.submit_batches.MOST_ITEMS", 1)
    here = world(settings=within(user_usd=str(room)))
    with pytest.raises(BudgetExceeded):
        here.submit(user_id)
    assert (here.created(), here.unread(user_id)) == (0, 2)


def test_what_was_handed_in_is_told_when_a_budget_ends_it(
    world: Callable[..., World], user_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    counting = world()
    talk(counting.memory, user_id, "I like tea 🍵.", dialog_id="d-1")
    room = most_of(counting, user_id)
    talk(counting.memory, user_id, "我喜欢爬山 ⛰。", dialog_id="d-2")
    here = world(settings=within(day_usd=str(room)))
    with pytest.raises(BudgetExceeded) as caught:
        here.submit(user_id)
    assert caught.value.submitted == BatchReport(batches=1, items=1, messages=1)


def test_a_batch_that_was_not_taken_leaves_a_run_what_it_had(world: Callable[..., World], user_id: str) -> None:
    here = world(faults=[json_reply({"type": "error", "error": {"type": "invalid_request_error"}}, status=400)])
    talk(here.memory, user_id, "我喜欢茶 🍵。")
    with one_run() as run:
        with pytest.raises(ProviderError):
            here.submit(user_id)
        assert run.spent == 0


def test_texts_are_counted_before_the_ledger_is_held(
    world: Callable[..., World], user_id: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = []

    def count_tokens(text: str) -> int:
        with database.engine.connect() as connection:
            locks = "SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database"
            where = "locktype = 'advisory' AND granted AND d.datname = current_database()"
            held.append(connection.exec_driver_sql(f"{locks} WHERE {where}").scalar_one())
        return len(text)

    here = world()
    talk(here.memory, user_id, "I like tea 🍵.")
    monkeypatch.setattr("prefmem_pg.providers.metered_chat.count_tokens", count_tokens)
    assert here.submit(user_id).items == 1
    assert held
    assert not any(held)


def test_an_answer_about_messages_that_were_forgotten_is_paid_all_the_same(
    world: Callable[..., World], user_id: str, database: Database
) -> None:
    here = world(settings={"spending": Spending(mode="record", retries=0)})
    talk(here.memory, user_id, "I like tea.", "我喜欢爬山。")
    here.submit(user_id)
    [first, _] = here.memory.list_messages(user_id).items
    here.memory.forget_messages(user_id, [first.message_id])
    here.collect()
    [(outcome, cost, request, response)] = rows(database, "outcome, cost_usd, request, response")
    assert outcome == "ok"
    assert cost > 0
    assert (request, response) == (None, None)


def test_a_cut_answer_whose_halves_no_budget_has_room_for_stays_unread_and_holds_up_no_other(
    world: Callable[..., World], user_id: str
) -> None:
    def model(body: dict[str, Any]) -> Said | Reply:
        return Said(text='{"pre', stop_reason="max_tokens") if len(shown_to(body)) > 1 else read(body)

    counting = world()
    talk(counting.memory, user_id, "I like tea.", "我喜欢爬山。", dialog_id="d-1")
    talk(counting.memory, user_id, "I like jazz 🎷.", dialog_id="d-2")
    here = world(model, settings=within(day_usd=str(most_of(counting, user_id))))
    here.submit(user_id)
    report = here.collect()
    assert report.added == 1
    assert [error for error in report.errors.values() if "PREFMEM_BUDGET_DAY_USD" in error]
    assert here.unread(user_id) == 2
    assert world().memory.extract(user_id=user_id).added == 2


def test_a_budget_without_a_price_sends_no_batch(world: Callable[..., World], user_id: str, database: Database) -> None:
    with database.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM prefmem.llm_prices")
    here = world(settings=within(day_usd="5"))
    talk(here.memory, user_id, "我喜欢爬山 ⛰。")
    with pytest.raises(ConfigurationError, match="prefmem prices claude claude-test"):
        here.submit(user_id)
    assert here.created() == 0
    assert here.unread(user_id) == 1
