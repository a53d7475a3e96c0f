"""Commands that tell conversations in few words, and find what was told."""

from datetime import datetime

import typer

from prefmem_pg.cli.opening import open_memory
from prefmem_pg.cli.options import AsJson, Since, Until
from prefmem_pg.cli.output import counted, progress, warn, write_json, write_line, write_table
from prefmem_pg.cli.records import summary_record
from prefmem_pg.cli.upkeep import OfUser


def summarize(since: Since = None, until: Until = None, user: OfUser = None, as_json: AsJson = False) -> None:
    """Summarize each dialog and each day. Running it again reads only what has changed.

    Example: prefmem summarize --since 2026-05-01 --until 2026-06-01
    """
    with open_memory() as memory, progress("summarizing", total=None) as bar:
        report = memory.summarize(
            since=since, until=until, user_id=user, on_summary=lambda _: bar.update(bar.task_ids[0], advance=1)
        )
    if as_json:
        write_json(report)
    else:
        write_line(
            f"{counted(report.users, 'user')}: {counted(report.dialogs, 'dialog')} and {counted(report.days, 'day')}"
            f" summarized, {report.empty:,} with nothing to tell"
        )
        for what, error in report.errors.items():
            warn(f"{what}: {error}")
    if report.errors:
        raise typer.Exit(1)


def print_summaries(user: str, query: str, *, limit: int, now: datetime | None, as_json: bool) -> None:
    """Find summaries and print them: the other half of the command ``search``."""
    with open_memory() as memory:
        hits = memory.search_summaries(user, query, limit=limit, now=now)
    if as_json:
        write_json([summary_record(hit) for hit in hits])
    elif hits:
        rows = [(f"{h.score:.2f}", f"{h.summary.period_start:%Y-%m-%d}", h.summary.scope, h.summary.text) for h in hits]
        write_table(("score", "from", "of", "summary"), rows)
    else:
        warn(f"no summaries found for user {user}; run: prefmem summarize")
