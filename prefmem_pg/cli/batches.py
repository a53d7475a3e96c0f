"""``prefmem extract --batch`` and ``--collect``: reading by a provider within hours, for half the price."""

from datetime import datetime

import typer

from prefmem_pg.cli.opening import open_memory
from prefmem_pg.cli.output import counted, warn, write_json, write_line
from prefmem_pg.domain.reports import BatchReport
from prefmem_pg.errors import BudgetExceeded


def run_batches(
    *, collect: bool, user: str | None, since: datetime | None, until: datetime | None, as_json: bool
) -> None:
    """Submit or collect, print the report, and exit with 1 when something could not be read or collected."""
    from prefmem_pg.cli.extract import extraction_failed, extraction_line

    with open_memory() as memory:
        if not collect:
            try:
                submitted = memory.submit_batches(user_id=user, since=since, until=until)
            except BudgetExceeded as exc:
                if isinstance(exc.submitted, BatchReport):
                    _show(exc.submitted, as_json=as_json)
                raise
            _show(submitted, as_json=as_json)
            return
        report = memory.collect_batches()
    if as_json:
        write_json(report)
    else:
        write_line(extraction_line(report))
        for dialog, error in report.errors.items():
            warn(f"{dialog}: {error}")
    if extraction_failed(report) or (report.errors and not report.skipped):
        raise typer.Exit(1)


def _show(report: BatchReport, *, as_json: bool) -> None:
    if as_json:
        write_json(report)
    else:
        write_line(batch_line(report))


def batch_line(report: BatchReport) -> str:
    """Return the counts as a sentence."""
    sent = f"{counted(report.messages, 'message')} in {counted(report.items, 'request')}"
    return f"{sent} handed in; within a day, to decide what they bring: prefmem extract --collect"
