"""A ledger in a database of its own: what calls with it, and what it then holds."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import text

from prefmem_pg.db.prices import set_price
from prefmem_pg.db.session import Database
from prefmem_pg.domain.prices import Price
from prefmem_pg.providers.metering import Made, PlannedCall, Share
from prefmem_pg.providers.protocols import Usage
from prefmem_pg.providers.remote_embedder import RemoteEmbedder
from prefmem_pg.providers.retry import RetryPolicy
from prefmem_pg.providers.voyage import VoyageEmbeddings
from prefmem_pg.steps.meter import DatabaseMeter
from prefmem_pg.testing import EmbeddingsStub

KEY = "pa-very-secret-key-0123456789"
QUICK = RetryPolicy(retries=3, first_wait_seconds=0.001, longest_wait_seconds=0.002)
TEA = "我爱喝绿茶 🍵 every morning"
VIEWS = ("llm_cost_daily", "cost_per_preference")
TRAINS = "I prefer quiet trains"


def price(database: Database, *, provider: str = "voyage", model: str = "voyage-4", **fields: Any) -> None:
    given = {"input_usd": Decimal(1), "valid_from": datetime(2020, 1, 1, tzinfo=UTC)} | fields
    set_price(database.engine, Price(provider=provider, model=model, **given))


def embedder(stub: EmbeddingsStub, database: Database, **meter: Any) -> RemoteEmbedder:
    service = VoyageEmbeddings(model="voyage-4", dimensions=16, api_key=KEY, base_url=f"{stub.url}/v1")
    return RemoteEmbedder(service, meter=DatabaseMeter(database=database, **meter), policy=QUICK, cache_size=0)


def rows(database: Database, columns: str, table: str = "llm_calls", order: str = "at, user_id") -> list[tuple]:
    with database.engine.connect() as connection:
        if table in VIEWS:
            connection.exec_driver_sql("SET ROLE prefmem_analyst")
        found = connection.exec_driver_sql(f"SELECT {columns} FROM prefmem.{table} ORDER BY {order}")
        return [tuple(row) for row in found]


def total(database: Database, expression: str) -> Any:
    statement = (
        f"SELECT {expression} FROM (SELECT call_id, input_tokens, cost_usd, outcome FROM prefmem.llm_calls"
        " UNION ALL SELECT call_id, input_tokens, cost_usd, outcome FROM prefmem.llm_shared_calls) c"
    )
    with database.transaction(user_id=None) as repositories:
        return repositories.session.scalar(text(statement))


def planned(
    user_id: str | None,
    *,
    tokens: int = 1_000,
    provider: str = "voyage",
    message_ids: tuple[UUID, ...] = (),
    **fields: Any,
) -> PlannedCall:
    share = Share(user_id, {"input": [TEA]}, tokens, message_ids)
    return PlannedCall(purpose="embed", provider=provider, model="voyage-4", shares=(share,), **fields)


def made(tokens: int = 10) -> Made[str]:
    return Made("好 👌", Usage(input_tokens=tokens), [{"said": "好 👌"}])


def clear(database: Database) -> None:
    """Begin each test with an empty ledger, two users, and a price of a dollar for a million tokens."""
    with database.engine.begin() as connection:
        for table in ("llm_calls", "llm_shared_calls", "llm_prices"):
            connection.exec_driver_sql(f"DELETE FROM prefmem.{table}")
        connection.exec_driver_sql(
            "INSERT INTO prefmem.users (user_id) VALUES ('ana'), ('小明') ON CONFLICT DO NOTHING"
        )
    price(database)
