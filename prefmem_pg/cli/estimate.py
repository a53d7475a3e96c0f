"""What extraction would cost, as ``prefmem extract --estimate`` shows it."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import typer

from prefmem_pg.cli.opening import open_memory
from prefmem_pg.cli.output import counted, write_json, write_line
from prefmem_pg.domain.spending import CostEstimate


def show_estimate(scope: Mapping[str, Any], *, as_json: bool) -> None:  # Any: the arguments of estimate_extraction()
    """Print the estimate; exit with 1 when it does not fit what is left of a budget."""
    with open_memory() as memory:
        found = memory.estimate_extraction(**scope)
    if as_json:
        write_json(found)
    else:
        write_line(estimate_line(found))
    if not found.fits_budget:
        raise typer.Exit(1)


def estimate_line(found: CostEstimate) -> str:
    """Return the estimate as a sentence or two."""
    what = (
        f"{counted(found.messages, 'message')} in {counted(found.dialogs, 'dialog')}, {counted(found.chunks, 'chunk')}"
    )
    if found.model is None:
        return f"{what}: read on this machine, which costs nothing"
    tokens = f"{found.most_input_tokens:,} tokens in and {found.most_output_tokens:,} out at most"
    asked = f"{what}: {counted(found.calls, 'call')} of {found.provider}/{found.model}, {tokens}"
    costs = [f"{_dollars(found.most_usd)} at most"] if found.most_usd is not None else ["no price is known"]
    if found.usual_usd is not None:
        costs.insert(0, f"{_dollars(found.usual_usd)} by what such calls have cost")
    over = "" if found.fits_budget else "; that is more than is left of the budget"
    return f"{asked}: {', '.join(costs)}{over}"


def _dollars(amount: Decimal) -> str:
    return f"{amount:,.4f} dollars"
