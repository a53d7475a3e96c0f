"""What calls to providers cost."""

from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

_CENTS: Final = Decimal("0.000000001")
"""As exact as the ledger keeps amounts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """Tokens of a call; ``input`` are those neither read from the provider's cache nor written to it."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """The price of a model since a time, in US dollars for a million tokens; None: as input.

    ``batch_factor`` is what a batch costs of the normal price.
    """

    provider: str
    model: str
    valid_from: datetime
    input_usd: Decimal
    output_usd: Decimal = Decimal(0)
    cache_read_usd: Decimal | None = None
    cache_write_usd: Decimal | None = None
    batch_factor: Decimal = Decimal(1)

    def cost(self, tokens: Tokens, *, is_batch: bool = False) -> Decimal:
        """Return US dollars; the same as prefmem.call_cost() and its batch factor in SQL."""
        read = self.input_usd if self.cache_read_usd is None else self.cache_read_usd
        write = self.input_usd if self.cache_write_usd is None else self.cache_write_usd
        dollars = (
            tokens.input * self.input_usd
            + tokens.output * self.output_usd
            + tokens.cache_read * read
            + tokens.cache_write * write
        ) / 1_000_000
        return (dollars * (self.batch_factor if is_batch else 1)).quantize(_CENTS, ROUND_HALF_UP)

    def most(self, tokens: Tokens, *, is_batch: bool = False) -> Decimal:
        """Return the most that such a call may cost, whatever part of its input the cache takes."""
        dearest = max(self.input_usd, self.cache_read_usd or Decimal(0), self.cache_write_usd or Decimal(0))
        dollars = (tokens.input * dearest + tokens.output * self.output_usd) / 1_000_000
        return (dollars * (self.batch_factor if is_batch else 1)).quantize(_CENTS, ROUND_HALF_UP)
