"""The part of the front door that tells what providers cost."""

from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import Final

from prefmem_pg.db.prices import set_price
from prefmem_pg.domain.prices import Price
from prefmem_pg.domain.spending import CostEstimate, ReplayDifference
from prefmem_pg.domain.text import check_id
from prefmem_pg.domain.times import aware, aware_or_none
from prefmem_pg.errors import InvalidInput
from prefmem_pg.memory.opening import Opening
from prefmem_pg.steps.estimate import estimate
from prefmem_pg.steps.extract import Scope
from prefmem_pg.steps.replay_difference import replay_differences

_MOST_DOLLARS: Final = 100_000


class SpendingPart(Opening):
    """The part of PreferenceMemory that keeps prices, estimates, and compares prompts on what was recorded."""

    def prices(self) -> list[Price]:
        """Return all prices that are known, the newest of a model first."""
        self._ready()
        with self.database.transaction(user_id="-") as repositories:
            return repositories.prices.list_all()

    def set_price(
        self,
        provider: str,
        model: str,
        *,
        input_usd: Decimal | float,
        output_usd: Decimal | float = Decimal(0),
        cache_read_usd: Decimal | float | None = None,
        cache_write_usd: Decimal | float | None = None,
        batch_factor: Decimal | float = Decimal(1),
        valid_from: datetime | None = None,
    ) -> Price:
        """Store what a million tokens of a model cost since a time (now), as the database's owner; return it.

        Raises InvalidInput for what is no number of dollars from 0 to 100,000.
        """
        self._ready()
        price = Price(
            provider=check_id("provider", provider),
            model=check_id("model", model),
            valid_from=datetime.now(UTC) if valid_from is None else aware("valid_from", valid_from),
            input_usd=_dollars("input_usd", input_usd),
            output_usd=_dollars("output_usd", output_usd),
            cache_read_usd=None if cache_read_usd is None else _dollars("cache_read_usd", cache_read_usd),
            cache_write_usd=None if cache_write_usd is None else _dollars("cache_write_usd", cache_write_usd),
            batch_factor=_dollars("batch_factor", batch_factor),
        )
        set_price(self.database.engine, price)
        return price

    def estimate_extraction(
        self,
        *,
        user_id: str | None = None,
        dialog_id: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        again: bool = False,
    ) -> CostEstimate:
        """Return what extract() with the same arguments would cost; nothing is sent. Judging comes on top."""
        parts = self._ready()
        scope = Scope(
            user_id=None if user_id is None else check_id("user_id", user_id),
            dialog_id=dialog_id,
            since=aware_or_none("since", since),
            until=aware_or_none("until", until),
            again=again,
        )
        return estimate(self.database, parts.extractor(), scope, budgets=parts.meter.budgets)

    def replay_diff(self, *, user_id: str | None = None, limit: int = 20) -> Iterator[ReplayDifference]:
        """Yield what today's prompt and model would change on the last recorded dialogs; nothing is decided or stored.

        Recorded are dialogs that were extracted with PREFMEM_LLM_MODE=record. In live and in record mode the model is
        asked, and paid, once for each.
        """
        parts = self._ready()
        if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
            raise InvalidInput(f"limit must be a whole number above 0, not {limit!r}")
        wanted = None if user_id is None else check_id("user_id", user_id)
        return replay_differences(self.database, parts.extractor(), user_id=wanted, limit=limit)


def _dollars(name: str, value: Decimal | float) -> Decimal:
    try:
        amount = Decimal(str(value))  # by its digits: 0.1 is meant, not the nearest binary number
    except InvalidOperation:
        amount = Decimal(-1)
    if not (amount.is_finite() and 0 <= amount < _MOST_DOLLARS):
        raise InvalidInput(f"a price is a number of dollars from 0 to {_MOST_DOLLARS:,}, and {name} is {value!r}")
    return amount
