"""The commands that keep what is stored small, current and searchable; schedule them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, cast

import typer

from prefmem_pg.cli.opening import open_memory
from prefmem_pg.cli.options import AsJson
from prefmem_pg.cli.output import counted, progress, warn, write_json, write_line
from prefmem_pg.domain.preferences import KINDS, Kind

OfUser = Annotated[str | None, typer.Option("--user", metavar="USER", help="Only of this user.")]


def deduplicate(user: OfUser = None, as_json: AsJson = False) -> None:
    """Merge preferences that say the same, with all their evidence. Running it again costs nothing.

    Example: prefmem deduplicate --user ana
    """
    with open_memory() as memory, progress("deduplicating", total=None) as bar:
        report = memory.deduplicate(
            user_id=user, on_user=lambda r: bar.update(bar.task_ids[0], advance=1, remark=f"{r.merged:,} merged")
        )
    _end(
        report,
        f"{counted(report.users, 'user')}: {report.merged:,} merged, {report.superseded:,} superseded",
        dict(report.errors),
        as_json=as_json,
    )


def consolidate(user: OfUser = None, as_json: AsJson = False) -> None:
    """Deduplicate, propose what behaviour shows for review, and refresh profiles. Running it again costs nothing.

    Example: prefmem consolidate
    """
    with open_memory() as memory, progress("consolidating", total=None) as bar:
        report = memory.consolidate(
            user_id=user, on_user=lambda r: bar.update(bar.task_ids[0], advance=1, remark=f"{r.merged:,} merged")
        )
    _end(
        report,
        f"{counted(report.users, 'user')}: {report.merged:,} merged, {report.superseded:,} superseded,"
        f" {report.implicit:,} for review, {report.profile:,} settings changed",
        dict(report.errors),
        as_json=as_json,
    )


def retire(
    user: OfUser = None,
    capacity: Annotated[
        int | None, typer.Option("--capacity", metavar="N", help="How many current ones a user may have.")
    ] = None,
    half_life: Annotated[
        list[str] | None,
        typer.Option("--half-life", metavar="KIND=DAYS", help="After how long a kind is half as warm; repeat it."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Archive what has expired, has gone cold or is too much, the coldest first. Nothing is deleted.

    Example: prefmem retire --capacity 500 --half-life goal=60
    """
    from prefmem_pg.steps.heat import Retirement  # only here: it brings the steps with it

    rules = Retirement(capacity=capacity)
    if half_life:
        rules = replace(rules, half_life_days={**rules.half_life_days, **_days_by_kind(half_life)})
    with open_memory() as memory, progress("retiring", total=None) as bar:
        report = memory.retire(user_id=user, rules=rules, on_user=lambda _: bar.update(bar.task_ids[0], advance=1))
    _end(
        report,
        f"{counted(report.users, 'user')}: {report.expired:,} expired, {report.cold:,} cold,"
        f" {report.capacity:,} over the limit; {counted(report.sessions, 'session')} ended",
        {},
        as_json=as_json,
    )


def _days_by_kind(given: Sequence[str]) -> dict[Kind, float]:
    days: dict[Kind, float] = {}
    for pair in given:
        kind, _, number = pair.partition("=")
        try:
            days[cast(Kind, kind)] = float(number)
        except ValueError:
            raise typer.BadParameter(f"--half-life {pair}: it must be KIND=DAYS, such as goal=60") from None
        if kind not in KINDS:
            raise typer.BadParameter(f"--half-life {pair}: the kind must be one of {', '.join(KINDS)}")
    return days


def embed(user: OfUser = None, as_json: AsJson = False) -> None:
    """Make the vectors that are missing, of preferences and of messages. It may be interrupted and goes on later.

    Messages are found by their words without it, and by their meaning after it.

    Example: prefmem embed --user ana
    """
    with open_memory() as memory, progress("embedding", total=None) as bar:
        report = memory.embed_missing(
            user_id=user, on_batch=lambda texts: bar.update(bar.task_ids[0], advance=texts, remark="texts")
        )
    _end(
        report,
        f"{counted(report.preferences, 'preference')} and {counted(report.messages, 'message')} embedded",
        dict(report.errors),
        as_json=as_json,
    )


def _end(report: object, line: str, errors: dict[str, str], *, as_json: bool) -> None:
    if as_json:
        write_json(report)
    else:
        write_line(line)
        for what, error in errors.items():
            warn(f"{what}: {error}")
    if errors:
        raise typer.Exit(1)
