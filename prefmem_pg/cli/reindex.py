"""``prefmem reindex``: build the indexes that are missing or not valid."""

from typing import Annotated

import typer

from prefmem_pg.cli.opening import open_as_it_is, read_settings
from prefmem_pg.cli.options import AsJson
from prefmem_pg.cli.output import counted, progress, write_json, write_line


def reindex(
    rebuild_all: Annotated[
        bool, typer.Option("--all", help="Also rebuild the valid indexes of the embedding model.")
    ] = False,
    counts: Annotated[
        bool, typer.Option("--counts", help="Count anew what ranking reads of each user, and nothing else.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Create missing indexes and rebuild invalid ones; searches and writes go on meanwhile.

    Needs the owner of the schema (never a superuser). It may be interrupted and run again.

    Example: prefmem reindex --all
    """
    from prefmem_pg.db import reindex as work

    if counts:
        with open_as_it_is(read_settings()) as memory, progress("counting", total=None) as bar:
            wrong = memory.recount(on_user=lambda _: bar.update(bar.task_ids[0], advance=1, remark="users"))
        if as_json:
            write_json({"wrong": wrong})
        else:
            write_line(f"{counted(wrong, 'count')} set right")
        return
    with open_as_it_is(read_settings()) as memory, progress("indexing", total=None) as bar:
        report = work.reindex(
            memory.database.engine,
            rebuild_all=rebuild_all,
            on_index=lambda name: bar.update(bar.task_ids[0], advance=1, remark=name),
        )
    if as_json:
        write_json(report)
        return
    for done, names in (("created", report.created), ("rebuilt", report.rebuilt), ("dropped", report.dropped)):
        for name in names:
            write_line(f"{done} {name}")
    if not (report.created or report.rebuilt or report.dropped):
        write_line("all indexes are there and valid")
