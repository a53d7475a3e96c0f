"""Budgets and limits: what holds a call back before it is made."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from prefmem_pg.db.calls import Load
from prefmem_pg.db.session import Database
from prefmem_pg.errors import (
    BudgetExceeded,
    ConfigurationError,
    ProviderUnavailable,
)
from prefmem_pg.providers.metering import Made
from prefmem_pg.providers.protocols import Usage
from prefmem_pg.providers.serving import serving
from prefmem_pg.steps.meter import DatabaseMeter
from prefmem_pg.steps.spending import Budgets, ProviderLimits, must_wait, one_run
from prefmem_pg.testing import EmbeddingsStub
from tests.providers.ledgers import TEA, TRAINS, clear, embedder, made, planned, price, rows, total

LONG = " ".join([TRAINS] * 3)
"""May cost more than what two short texts leave of the budgets here."""


@pytest.fixture(autouse=True)
def clean(database: Database) -> None:
    clear(database)


@pytest.fixture
def stub() -> Iterator[EmbeddingsStub]:
    with EmbeddingsStub() as started:
        yield started


@pytest.mark.parametrize("budget", ["run_usd", "day_usd", "user_usd"])
def test_a_budget_stops_before_the_call_that_would_exceed_it(
    stub: EmbeddingsStub, database: Database, budget: str
) -> None:
    making = embedder(stub, database, budgets=Budgets(**{budget: Decimal("0.00011")}))
    stopped = None
    with serving("ana"), one_run():
        for number in range(99):
            try:
                making.embed_documents([f"{TEA} {number}"])
            except BudgetExceeded as exc:
                stopped = exc
                break
    assert f"PREFMEM_BUDGET_{budget.upper()}" in str(stopped)
    assert 2 < number == len(stub.calls)
    assert total(database, "sum(cost_usd)") <= Decimal("0.00011")


@pytest.mark.parametrize("budget", ["run_usd", "day_usd", "user_usd"])
def test_a_budget_of_nothing_lets_nothing_through(stub: EmbeddingsStub, database: Database, budget: str) -> None:
    with serving("ana"), pytest.raises(BudgetExceeded, match="nothing was sent"):
        embedder(stub, database, budgets=Budgets(**{budget: Decimal(0)})).embed_documents([TEA])
    assert stub.calls == []
    assert rows(database, "outcome") == []


def test_what_costs_nothing_needs_no_budget(stub: EmbeddingsStub, database: Database) -> None:
    price(database, valid_from=datetime(2021, 1, 1, tzinfo=UTC), input_usd=Decimal(0))
    with serving("ana"):
        embedder(stub, database, budgets=Budgets(day_usd=Decimal(0))).embed_documents([TEA])
    assert len(stub.calls) == 1


def test_one_users_budget_is_not_anothers(stub: EmbeddingsStub, database: Database) -> None:
    making = embedder(stub, database, budgets=Budgets(user_usd=Decimal("0.000028")))
    with serving("ana"):
        making.embed_documents([TEA])
        with pytest.raises(BudgetExceeded, match="user ana"):
            making.embed_documents([LONG])
    with serving("小明"):
        making.embed_documents([TRAINS])
    with serving(["ana", "小明"]), pytest.raises(BudgetExceeded):
        making.embed_documents([LONG, "茶"])


def test_yesterday_is_not_paid_from_todays_budget(stub: EmbeddingsStub, database: Database) -> None:
    making = embedder(stub, database, budgets=Budgets(day_usd=Decimal("0.000028")))
    with serving("ana"):
        making.embed_documents([TEA])
        with database.engine.begin() as connection:
            connection.exec_driver_sql("UPDATE prefmem.llm_calls SET at = at - interval '1 day'")
        making.embed_documents([TRAINS])
    assert len(stub.calls) == 2


def test_runs_have_a_budget_each(stub: EmbeddingsStub, database: Database) -> None:
    making = embedder(stub, database, budgets=Budgets(run_usd=Decimal("0.000028")))
    for _ in range(3):
        with one_run(), serving("ana"), one_run():
            making.embed_documents([TEA])
            with pytest.raises(BudgetExceeded):
                making.embed_documents([LONG])
    assert len(stub.calls) == 3


def test_processes_at_once_do_not_exceed_a_budget_together(stub: EmbeddingsStub, database: Database) -> None:
    budget = Decimal("0.0002")

    def work(number: int) -> int:
        making = embedder(stub, database, budgets=Budgets(day_usd=budget))  # a meter each, as processes have
        try:
            with serving("ana"):
                making.embed_documents([f"{TEA} {number}"])
        except BudgetExceeded:
            return 0
        return 1

    with ThreadPoolExecutor(8) as pool:
        done = sum(pool.map(work, range(40)))
    assert 0 < done == len(stub.calls) < 40
    assert total(database, "sum(cost_usd)") <= budget


def test_a_budget_without_a_price_is_an_error_that_says_what_to_enter(stub: EmbeddingsStub, database: Database) -> None:
    with database.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM prefmem.llm_prices")
    with serving("ana"), pytest.raises(ConfigurationError, match="prefmem prices voyage voyage-4"):
        embedder(stub, database, budgets=Budgets(day_usd=Decimal(5))).embed_documents([TEA])
    assert stub.calls == []


# Limits


def test_limits_hold_back_what_is_over_them() -> None:
    assert must_wait(Load(2, 0, 0), 1, ProviderLimits(concurrency=2))
    assert not must_wait(Load(1, 9, 9), 1, ProviderLimits(concurrency=2))
    assert must_wait(Load(0, 60, 0), 1, ProviderLimits(calls_per_minute=60))
    assert must_wait(Load(0, 1, 900), 101, ProviderLimits(tokens_per_minute=1_000))
    assert not must_wait(Load(0, 1, 900), 100, ProviderLimits(tokens_per_minute=1_000))


def test_a_call_that_is_over_a_limit_by_itself_goes_alone() -> None:
    assert not must_wait(Load(0, 0, 0), 5_000, ProviderLimits(tokens_per_minute=1_000))


def test_no_more_calls_run_at_once_than_the_limit_says(database: Database) -> None:
    lock = threading.Lock()
    now, most = 0, 0

    def attempt() -> Made[str]:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        threading.Event().wait(0.02)
        with lock:
            now -= 1
        return made()

    def work(_: int) -> str:
        meter = DatabaseMeter(database=database, limits={"voyage": ProviderLimits(concurrency=2)})
        return meter.run(planned("ana"), attempt, lambda _: "")

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(work, range(12))) == ["好 👌"] * 12
    assert most <= 2


def test_a_call_that_somebody_waits_for_waits_seconds_only(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prefmem_pg.providers.serving.AWAITED_SECONDS", 0.2)
    meter = DatabaseMeter(database=database, limits={"voyage": ProviderLimits(concurrency=1)})

    def ask_while_another_call_is_under_way() -> Made[str]:
        with serving("ana", is_awaited=True), pytest.raises(ProviderUnavailable, match="limits"):
            meter.run(planned("ana"), made, lambda _: "")
        return made()

    assert meter.run(planned("ana"), ask_while_another_call_is_under_way, lambda _: "") == "好 👌"


def test_a_call_of_a_process_that_is_no_more_does_not_block_for_ever(database: Database) -> None:
    with database.engine.begin() as connection:
        connection.exec_driver_sql(
            "INSERT INTO prefmem.llm_calls (user_id, purpose, provider, model, request_hash, outcome, at)"
            " VALUES ('ana', 'embed', 'voyage', 'voyage-4', 'x', 'running', now() - interval '11 minutes')"
        )
    meter = DatabaseMeter(database=database, limits={"voyage": ProviderLimits(concurrency=1)})
    assert meter.run(planned("ana"), made, lambda _: "") == "好 👌"


def test_another_provider_is_not_held_back(database: Database) -> None:
    price(database, provider="openai")
    meter = DatabaseMeter(database=database, limits={"voyage": ProviderLimits(concurrency=1)})

    def attempt() -> Made[str]:
        return Made(meter.run(planned("ana", provider="openai"), made, lambda _: ""), Usage(), [None])

    assert meter.run(planned("ana"), attempt, lambda _: "") == "好 👌"
