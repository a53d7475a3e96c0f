"""The ledger: what every call leaves behind, and what it costs."""

from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from uuid import uuid4

import pytest
from sqlalchemy import text

from prefmem_pg.db.session import Database
from prefmem_pg.domain.prices import Price, Tokens
from prefmem_pg.errors import (
    ConfigurationError,
    InvalidAnswer,
    ProviderRefused,
    ProviderUnavailable,
    Truncated,
)
from prefmem_pg.providers.metering import Made, PlannedCall, Share, split_tokens
from prefmem_pg.providers.protocols import Usage
from prefmem_pg.providers.serving import serving
from prefmem_pg.steps.meter import DatabaseMeter
from prefmem_pg.testing import EmbeddingsStub, dropped, overloaded, rate_limited
from prefmem_pg.testing.stub_server import json_reply
from tests.providers.ledgers import TEA, TRAINS, clear, embedder, made, planned, price, rows, total


@pytest.fixture(autouse=True)
def clean(database: Database) -> None:
    clear(database)


@pytest.fixture
def stub() -> Iterator[EmbeddingsStub]:
    with EmbeddingsStub() as started:
        yield started


def test_a_call_leaves_a_row_with_what_it_was_for_and_what_it_cost(stub: EmbeddingsStub, database: Database) -> None:
    with serving("ana"):
        embedder(stub, database).embed_documents([TEA, TRAINS])
    columns = (
        "user_id, purpose, provider, model, outcome, input_tokens, output_tokens, cost_usd, run_id, request, response"
    )
    assert rows(database, columns) == [
        ("ana", "embed", "voyage", "voyage-4", "ok", stub.tokens, 0, Decimal(stub.tokens) / 1_000_000, None, None, None)
    ]


def test_a_call_for_several_users_has_a_share_for_each_that_adds_up(stub: EmbeddingsStub, database: Database) -> None:
    texts = [f"{TEA} {number}" for number in range(7)]
    with serving(["ana"] * 2 + ["小明"] * 5):
        embedder(stub, database).embed_documents(texts)
    found = rows(database, "user_id, input_tokens, cost_usd, call_id")
    assert [row[0] for row in found] == ["ana", "小明"]
    assert len({row[3] for row in found}) == len(stub.calls) == 1
    assert sum(row[1] for row in found) == stub.tokens
    assert sum(row[2] for row in found) == Decimal(stub.tokens) / 1_000_000
    assert found[0][1] < found[1][1]


def test_a_call_for_nobody_that_is_stored_is_nobodys_row(stub: EmbeddingsStub, database: Database) -> None:
    embedder(stub, database).embed_documents([TEA])
    with serving("a stranger 👤"):
        embedder(stub, database, mode="record").embed_queries(["你是谁？"])
    assert rows(database, "user_id") == []
    assert len(rows(database, "call_id", "llm_shared_calls", "at")) == len(stub.calls) == 2
    assert total(database, "sum(input_tokens)") == stub.tokens
    with database.engine.connect() as connection:
        shown = connection.exec_driver_sql("SELECT row_to_json(c)::text FROM prefmem.llm_shared_calls c").scalars()
        assert not any("stranger" in row or "谁" in row for row in shown)


def test_every_attempt_is_a_row_also_when_it_failed(database: Database) -> None:
    with EmbeddingsStub(faults=[rate_limited(0), overloaded(), dropped()]) as stub:
        with serving("ana"):
            embedder(stub, database).embed_documents([TEA])
        found = rows(database, "outcome, input_tokens, cost_usd")
        assert len(found) == len(stub.calls) == 4
    assert [row[0] for row in found] == ["unavailable"] * 3 + ["ok"]
    assert [row[1:] for row in found[:3]] == [(0, 0)] * 3


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (ProviderUnavailable("x"), "unavailable"),
        (ProviderRefused("x"), "refused"),
        (Truncated("x"), "truncated"),
        (InvalidAnswer("x"), "invalid"),
        (ConfigurationError("x"), "misconfigured"),
        (RuntimeError("x"), "failed"),
    ],
)
def test_the_outcome_tells_how_a_call_ended(database: Database, error: Exception, outcome: str) -> None:
    def attempt() -> Made[None]:
        raise error

    with pytest.raises(type(error)):
        DatabaseMeter(database=database).run(planned("ana"), attempt, lambda _: None)
    assert rows(database, "outcome") == [(outcome,)]


def test_the_views_agree_with_the_ledger_and_the_providers_own_count(stub: EmbeddingsStub, database: Database) -> None:
    making = embedder(stub, database)
    with serving("ana"):
        making.embed_documents([TEA])
    with serving(["ana", "小明"]):
        making.embed_documents([TRAINS, "茶"])
    making.embed_queries(["nobody's question"])
    by_day = rows(database, "sum(input_tokens), sum(cost_usd), sum(unpriced_count)", "llm_cost_daily", "1")
    assert by_day == [(stub.tokens, Decimal(stub.tokens) / 1_000_000, 0)]
    assert total(database, "count(DISTINCT call_id)") == len(stub.calls)
    per_preference = rows(database, "sum(cost_usd)", "cost_per_preference", "1")
    assert per_preference == rows(database, "sum(cost_usd)", order="1")


def test_a_call_in_a_batch_costs_its_part_also_in_the_views(database: Database) -> None:
    price(database, model="claude-x", provider="claude", input_usd=Decimal(4), output_usd=Decimal(20),
          cache_read_usd=Decimal("0.4"), cache_write_usd=Decimal(5), batch_factor=Decimal("0.5"))  # fmt: skip
    call = PlannedCall(
        purpose="extract", provider="claude", model="claude-x", shares=(Share("ana", {}, 9),), is_batch=True
    )
    usage = Usage(input_tokens=1_000, output_tokens=100, cache_read_tokens=5_000, cache_write_tokens=10)
    DatabaseMeter(database=database).run(call, lambda: Made(None, usage, [None]), lambda _: None)
    cost = (Decimal(4) * 1_000 + 20 * 100 + Decimal("0.4") * 5_000 + 5 * 10) / 1_000_000 / 2
    assert rows(database, "cost_usd, is_batch") == [(cost, True)]
    with database.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE prefmem.llm_calls SET cost_usd = NULL")
    assert rows(database, "cost_usd", "llm_cost_daily", "1") == [(cost,)]
    assert rows(database, "cost_usd", "cost_per_preference", "1") == [(cost,)]


def test_an_answer_of_no_use_costs_what_the_provider_counts(database: Database) -> None:
    odd = {"data": [{"index": 7, "embedding": [1.0] * 16}], "usage": {"total_tokens": 12}}
    with EmbeddingsStub(faults=[json_reply(odd)]) as stub, serving("ana"):
        embedder(stub, database).embed_documents([TEA])
    found = rows(database, "outcome, input_tokens, cost_usd")
    assert found[0] == ("invalid", 12, Decimal("0.000012"))
    assert found[1] == ("ok", stub.tokens, Decimal(stub.tokens) / 1_000_000)


def test_an_answer_that_does_not_tell_its_tokens_stays_at_its_most(database: Database) -> None:
    untold = Made("好 👌", Usage(is_told=False), [{"said": "好 👌"}])
    DatabaseMeter(database=database).run(planned("ana", tokens=1_000), lambda: untold, lambda _: "")
    assert rows(database, "outcome, input_tokens, cost_usd") == [("ok", 1_000, Decimal("0.001"))]


def test_a_call_without_a_known_price_has_no_cost_and_says_so(stub: EmbeddingsStub, database: Database) -> None:
    with database.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM prefmem.llm_prices")
    with serving("ana"):
        embedder(stub, database).embed_documents([TEA])
    assert rows(database, "cost_usd") == [(None,)]
    assert rows(database, "unpriced_count", "llm_cost_daily", "1") == [(1,)]


def test_the_price_of_the_day_counts(stub: EmbeddingsStub, database: Database) -> None:
    price(database, valid_from=datetime(2021, 1, 1, tzinfo=UTC), input_usd=Decimal(7))
    price(database, valid_from=datetime(2999, 1, 1, tzinfo=UTC), input_usd=Decimal(9))
    with serving("ana"):
        embedder(stub, database).embed_documents([TEA])
    assert rows(database, "cost_usd") == [(Decimal(stub.tokens) * 7 / 1_000_000,)]


def test_a_user_who_was_erased_during_a_call_stays_erased(database: Database) -> None:
    with database.engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO prefmem.users (user_id) VALUES ('gone')")

    def attempt() -> Made[str]:
        with database.transaction(user_id="gone") as repositories:
            repositories.session.execute(text("SELECT prefmem.forget_user('gone')"))
        return made()

    assert DatabaseMeter(database=database, mode="record").run(planned("gone"), attempt, lambda _: "") == "好 👌"
    assert rows(database, "user_id") == []


def test_what_was_forgotten_during_a_call_is_not_recorded(database: Database) -> None:
    with database.engine.begin() as connection:
        connection.exec_driver_sql(
            "INSERT INTO prefmem.users (user_id) VALUES ('half-gone');"
            "INSERT INTO prefmem.dialogs (user_id, dialog_id) VALUES ('half-gone', 'd');"
            "INSERT INTO prefmem.messages (user_id, message_id, dialog_id, role, content, occurred_at, external_id)"
            " VALUES ('half-gone', gen_random_uuid(), 'd', 'user', '我爱喝绿茶 🍵 every morning', now(), 'm-1')"
        )

    def forget() -> Made[str]:
        with database.transaction(user_id="half-gone") as repositories:
            repositories.session.execute(
                text(
                    "SELECT prefmem.forget_messages('half-gone', array_agg(message_id))"
                    " FROM prefmem.messages WHERE user_id = 'half-gone'"
                )
            )
        return made()

    meter = DatabaseMeter(database=database, mode="record")
    assert meter.run(planned("half-gone"), forget, lambda _: "") == "好 👌"
    assert rows(database, "request, response, outcome") == [(None, None, "ok")]
    meter.run(planned("half-gone"), made, lambda _: "")
    assert [kept for (kept,) in rows(database, "request IS NOT NULL")] == [False, True]


def test_what_was_forgotten_between_reading_and_the_call_is_not_recorded(database: Database) -> None:
    there, gone = uuid4(), uuid4()
    with database.engine.begin() as connection:
        connection.exec_driver_sql(
            "INSERT INTO prefmem.users (user_id) VALUES ('reads'); INSERT INTO prefmem.dialogs (user_id, dialog_id)"
            " VALUES ('reads', 'd'); INSERT INTO prefmem.messages (user_id, message_id, dialog_id, role, content,"
            f" occurred_at, external_id) VALUES ('reads', '{there}', 'd', 'user', '我爱喝绿茶 🍵', now(), 'm-1')"
        )
    meter = DatabaseMeter(database=database, mode="record")
    for shown in ((there, gone), (there,)):
        meter.run(planned("reads", message_ids=shown), made, lambda _: "")
    assert [kept for (kept,) in rows(database, "request IS NOT NULL")] == [False, True]


def test_no_transaction_is_open_while_a_provider_is_asked(database: Database) -> None:
    seen = []

    def attempt() -> Made[str]:
        seen.append(database.engine.pool.checkedout())  # type: ignore[attr-defined]
        return made()

    DatabaseMeter(database=database).run(planned("ana"), attempt, lambda _: "")
    assert seen == [0]


def test_the_row_is_there_before_the_call_is_made(database: Database) -> None:
    seen = []

    def attempt() -> Made[str]:
        seen.extend(rows(database, "outcome, input_tokens, cost_usd"))
        return made()

    DatabaseMeter(database=database).run(planned("ana"), attempt, lambda _: "")
    assert seen == [("running", 1_000, Decimal("0.001"))]
    assert rows(database, "outcome, input_tokens") == [("ok", 10)]


def test_whole_tokens_are_split_without_a_rest() -> None:
    assert split_tokens(10, [1, 1, 1]) == [3, 3, 4]
    assert split_tokens(0, [5, 5]) == [0, 0]
    assert split_tokens(7, [0, 0]) == [3, 4]
    assert sum(split_tokens(999_999, [3, 1, 4, 1, 5, 9, 2, 6])) == 999_999


def test_the_cost_in_python_is_that_of_the_database(database: Database) -> None:
    given = Price(
        provider="p",
        model="m",
        valid_from=datetime(2020, 1, 1, tzinfo=UTC),
        input_usd=Decimal("3.33"),
        output_usd=Decimal("15.01"),
        cache_write_usd=Decimal("4.1625"),
    )
    tokens = Tokens(input=1_234, output=567, cache_read=8_910, cache_write=11)
    with database.engine.connect() as connection:
        found = connection.exec_driver_sql(
            "SELECT round(prefmem.call_cost(1234, 567, 8910, 11, 3.33, 15.01, NULL, 4.1625), 9)"
        ).scalar_one()
    assert given.cost(tokens) == found
