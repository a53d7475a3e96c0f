"""What extraction will cost, and what a new prompt would change: reports of the ledger."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class CostEstimate:
    """What reading the unread messages in scope would cost; nothing was sent.

    ``most_input_tokens`` and ``most_output_tokens`` are upper bounds for one try of each call, and so is
    ``most_usd``. ``usual_usd`` goes by what such calls have cost so far. None: no price, or no such call yet.
    """

    provider: str | None = None
    model: str | None = None
    dialogs: int = 0
    messages: int = 0
    chunks: int = 0
    calls: int = 0
    most_input_tokens: int = 0
    most_output_tokens: int = 0
    most_usd: Decimal | None = None
    usual_usd: Decimal | None = None
    fits_budget: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayDifference:
    """What a stretch of messages gave when it was recorded and what it gives now: statements, in order.

    ``reworded`` are pairs (before, now) from the same words of the user. ``error`` says why there is no "now".
    """

    user_id: str
    dialog_id: str
    run_id: str
    prompt_before: str | None
    prompt_now: str | None
    kept: tuple[str, ...] = ()
    reworded: tuple[tuple[str, str], ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    error: str | None = None

    @property
    def is_same(self) -> bool:
        return not (self.reworded or self.added or self.removed or self.error)
