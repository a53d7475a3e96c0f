"""The repository of prices: what a model costs since when."""

from typing import Any, Final

from sqlalchemy import Engine, RowMapping, text
from sqlalchemy.orm import Session

from prefmem_pg.db.driver_errors import translated_errors
from prefmem_pg.domain.prices import Price

_COLUMNS: Final = "provider, model, valid_from, input_usd, output_usd, cache_read_usd, cache_write_usd, batch_factor"
_FIND: Final = f"""
SELECT {_COLUMNS} FROM prefmem.llm_prices
WHERE provider = :provider AND model = :model AND valid_from <= clock_timestamp()
ORDER BY valid_from DESC LIMIT 1
"""
_SET: Final = f"""
INSERT INTO prefmem.llm_prices ({_COLUMNS})
VALUES (:provider, :model, :valid_from, :input_usd, :output_usd, :cache_read_usd, :cache_write_usd, :batch_factor)
ON CONFLICT (provider, model, valid_from) DO UPDATE SET
  input_usd = excluded.input_usd, output_usd = excluded.output_usd, cache_read_usd = excluded.cache_read_usd,
  cache_write_usd = excluded.cache_write_usd, batch_factor = excluded.batch_factor
"""


class PriceRepository:
    """Prices, inside the caller's transaction; it never commits."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def find(self, provider: str, model: str) -> Price | None:
        """Return the price that holds now, None when there is none."""
        row = self.session.execute(text(_FIND), {"provider": provider, "model": model}).mappings().one_or_none()
        return None if row is None else _as_price(row)

    def list_all(self) -> list[Price]:
        """Return all prices, the newest of a model first."""
        statement = f"SELECT {_COLUMNS} FROM prefmem.llm_prices ORDER BY provider, model, valid_from DESC"
        return [_as_price(row) for row in self.session.execute(text(statement)).mappings()]


def set_price(engine: Engine, price: Price) -> None:
    """Store a price, as the database's owner; one of the same model and time is replaced."""
    values = {name: getattr(price, name) for name in price.__slots__}
    with translated_errors(), engine.begin() as connection:
        connection.execute(text(_SET), values)


def _as_price(row: RowMapping) -> Price:
    values: dict[str, Any] = dict(row)  # Any: columns by name
    return Price(**values)
