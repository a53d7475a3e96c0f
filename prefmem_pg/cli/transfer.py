"""Commands that take users out of a database and into another."""

from typing import TYPE_CHECKING, Annotated

import typer

from prefmem_pg.cli.opening import open_memory
from prefmem_pg.cli.options import AsJson
from prefmem_pg.cli.output import counted, write_json, write_line, write_table

if TYPE_CHECKING:
    from prefmem_pg.domain.transfers import TransferReport

File = Annotated[str, typer.Argument(metavar="FILE", help="The dump; a name that ends in .gz is packed.")]


def dump(
    file: File,
    user: Annotated[str | None, typer.Option("--user", metavar="USER", help="Only this user.")] = None,
    embeddings: Annotated[bool, typer.Option(help="With vectors, which can be made again.")] = True,
    as_json: AsJson = False,
) -> None:
    """Write all users, or one, to a file of JSON lines, which its owner alone may read.

    Example: prefmem dump ana.jsonl.gz --user ana
    """
    with open_memory() as memory:
        report = memory.dump(file, user_id=user, embeddings=embeddings)
    _show("written", report, as_json)


def load(
    file: File,
    user: Annotated[
        str | None, typer.Option("--user", metavar="USER", help="The name to give the dump's user.")
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="In place of users who are here already.")] = False,
    allow_erased: Annotated[bool, typer.Option("--allow-erased", help="Also users who were erased here.")] = False,
    as_json: AsJson = False,
) -> None:
    """Store the users of a dump, all or nothing.

    Example: prefmem load ana.jsonl.gz --user ana-2
    """
    with open_memory() as memory:
        report = memory.load(file, user_id=user, replace=replace, allow_erased=allow_erased)
    _show("loaded", report, as_json)


def _show(verb: str, report: "TransferReport", as_json: bool) -> None:
    if as_json:
        write_json(report)
        return
    write_table(("table", "count"), sorted(report.rows.items()))
    skipped = f"; {report.skipped:,} vectors of other models left out" if report.skipped else ""
    write_line(f"{counted(report.users, 'user')} {verb}{skipped}")
