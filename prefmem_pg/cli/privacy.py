"""Commands by which a user's wishes about their own data are carried out."""

import sys
from typing import Annotated

import typer

from prefmem_pg.cli.opening import open_memory
from prefmem_pg.cli.options import AsJson, PreferenceId, User
from prefmem_pg.cli.output import as_json as to_json
from prefmem_pg.cli.output import printable, warn, write_json, write_line, write_table

Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


def consent(
    user: User,
    sensitive: Annotated[
        bool, typer.Option("--sensitive/--no-sensitive", help="May health, finance, identity be recalled?")
    ],
) -> None:
    """Say whether sensitive preferences of a user may be recalled; allergies always are.

    Example: prefmem consent ana --sensitive
    """
    with open_memory() as memory:
        memory.set_consent(user, sensitive=sensitive)
    write_line(f"sensitive preferences of {user} {'may' if sensitive else 'may not'} be recalled")


def forget(
    user: User,
    message: Annotated[
        list[str] | None,
        typer.Option("--message", metavar="ID", help="Only this message and what rests on it alone; repeat it."),
    ] = None,
    yes: Yes = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Look afterwards in every table for what may be left.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Erase everything of a user, or some messages with what rests on them. It cannot be undone.

    What was erased is refused from then on, unless it comes with ingest --allow-erased.

    Example: prefmem forget ana --yes --verify
    """
    if message and verify:
        raise typer.BadParameter("--verify is for the whole user; leave out --message")
    _make_sure(f"Erase {len(message)} messages of user {user}?" if message else f"Erase everything of {user}?", yes)
    with open_memory() as memory:
        erasure = memory.forget_messages(user, message) if message else memory.forget(user, verify=verify)
    is_clean = erasure.proof is None or erasure.proof.is_clean
    if as_json:
        write_json(to_json(erasure) | ({} if erasure.proof is None else {"is_clean": is_clean}))
    else:
        write_table(("table", "count"), sorted(erasure.counts.items()))
        if erasure.proof is not None and is_clean:
            write_line(
                f"nothing is left in {erasure.proof.tables} tables; {erasure.proof.pieces} pieces of text are gone"
            )
    if not is_clean:
        warn("error: something is left; --json names the tables")
        raise typer.Exit(1)


def delete(user: User, preference_id: PreferenceId, yes: Yes = False) -> None:
    """Delete a preference for good: what was said in it goes, also from its history. It cannot be undone.

    Example: prefmem delete ana 019a0c2e-… --yes
    """
    _make_sure(f"Delete preference {preference_id} of user {user}?", yes)
    with open_memory() as memory:
        deleted = memory.delete(user, preference_id)
    write_line(f"{deleted.status}: {deleted.preference_id}")


def _make_sure(question: str, is_sure: bool) -> None:
    if is_sure:
        return
    if not sys.stdin.isatty():
        raise typer.BadParameter("nobody can be asked here; add --yes to go ahead without asking")
    # Not typer's own question: that one writes to stdout as well.
    sys.stderr.write(f"{printable(question)} It cannot be undone. [y/N]: ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise typer.Abort
