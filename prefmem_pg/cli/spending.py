"""The commands about money: prices, and what a new prompt would change on recorded dialogs."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any

import typer

from prefmem_pg.cli.opening import open_memory
from prefmem_pg.cli.options import AsJson, parse_moment
from prefmem_pg.cli.output import counted, write_json, write_line, write_table
from prefmem_pg.domain.prices import Price


def parse_dollars(text: str) -> Decimal:
    """Read an amount of the command line."""
    try:
        return Decimal(text)
    except InvalidOperation as exc:
        raise typer.BadParameter(f"{text!r} is no amount; write it like 0.18") from exc


def _dollars(name: str, help: str) -> Any:  # Any: typer's own type of an option
    return typer.Option(name, metavar="USD", parser=parse_dollars, help=help)


def prices(
    provider: Annotated[str | None, typer.Argument(metavar="PROVIDER", help="claude, openai or voyage.")] = None,
    model: Annotated[str | None, typer.Argument(metavar="MODEL", help="The model's name at its provider.")] = None,
    input_usd: Annotated[Any, _dollars("--input", "A million input tokens.")] = None,
    output_usd: Annotated[Any, _dollars("--output", "A million output tokens.")] = None,
    cache_read: Annotated[Any, _dollars("--cache-read", "Read from the cache; else as input.")] = None,
    cache_write: Annotated[Any, _dollars("--cache-write", "Written to it; else as input.")] = None,
    batch: Annotated[
        Any, typer.Option("--batch-factor", metavar="F", parser=parse_dollars, help="Of the price, in a batch.")
    ] = None,
    since: Annotated[
        datetime | None,
        typer.Option("--from", metavar="TIME", parser=parse_moment, help="Since when it holds (ISO 8601); else now."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what models cost, or enter a price in US dollars for a million tokens.

    Prices are yours to enter: they are the providers' to change. Without one, calls are noted without a cost; with a
    budget set, they are not made.

    Example: prefmem prices voyage voyage-4 --input 0.06
    """
    is_entry = input_usd is not None
    if is_entry != (model is not None) or (not is_entry and (output_usd or cache_read or cache_write or batch)):
        raise typer.BadParameter("to enter a price give PROVIDER, MODEL and at least --input")
    with open_memory() as memory:
        if is_entry and provider is not None and model is not None:
            memory.set_price(
                provider,
                model,
                input_usd=input_usd,
                output_usd=output_usd if output_usd is not None else Decimal(0),
                cache_read_usd=cache_read,
                cache_write_usd=cache_write,
                batch_factor=batch if batch is not None else Decimal(1),
                valid_from=since,
            )
        found = [price for price in memory.prices() if provider in (None, price.provider)]
    if as_json:
        write_json(found)
    else:
        _show_prices(found)


def _show_prices(found: Sequence[Price]) -> None:
    if not found:
        write_line("no prices are known; enter one: prefmem prices PROVIDER MODEL --input USD --output USD")
        return
    write_table(
        ("provider", "model", "since", "input", "output", "cache read", "cache write", "batch"),
        [
            (
                price.provider,
                price.model,
                f"{price.valid_from:%Y-%m-%d %H:%M}",
                *(
                    f"{amount.normalize():f}" if amount is not None else "as input"
                    for amount in (price.input_usd, price.output_usd, price.cache_read_usd, price.cache_write_usd)
                ),
                f"× {price.batch_factor.normalize():f}",
            )
            for price in found
        ],
        title="US dollars for a million tokens",
    )


def replay_diff(
    user: Annotated[str | None, typer.Option("--user", metavar="USER", help="Only of this user.")] = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="How many recorded runs to look at.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Show what today's prompt and model would change on recorded dialogs; nothing is decided or stored.

    Recorded are dialogs that were extracted with PREFMEM_LLM_MODE=record. The model is asked, and paid, once for each,
    except with PREFMEM_LLM_MODE=replay.

    Example: prefmem replay-diff --limit 50
    """
    with open_memory() as memory:
        found = list(memory.replay_diff(user_id=user, limit=limit))
    if as_json:
        write_json(found)
        return
    for one in found:
        if one.is_same:
            continue
        write_line(f"{one.user_id}/{one.dialog_id}  prompt {one.prompt_before} -> {one.prompt_now}")
        lines = [f"  ~ {before}\n    {now}" for before, now in one.reworded]
        lines += [f"  + {statement}" for statement in one.added] + [f"  - {statement}" for statement in one.removed]
        for line in lines:
            write_line(line)
        if one.error:
            write_line(f"  ! {one.error}")
    changed = sum(not one.is_same for one in found)
    write_line(f"{counted(len(found), 'recorded run')}, {changed:,} would change")
    if any(one.error for one in found):
        raise typer.Exit(1)
