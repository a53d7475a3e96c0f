"""Commands by which a person corrects, ends, brings back and reviews preferences."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from prefmem_pg.cli.opening import open_memory
from prefmem_pg.cli.options import AsJson, PreferenceId, User
from prefmem_pg.cli.output import warn, write_json, write_table
from prefmem_pg.cli.records import PREFERENCE_COLUMNS, preference_record, preference_row
from prefmem_pg.domain.preferences import Kind, Polarity, Preference

_ACTOR = "cli"

Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it is kept in the history.")]


def update(
    user: User,
    preference_id: PreferenceId,
    statement: Annotated[str | None, typer.Option("--statement", metavar="TEXT", help="The new wording.")] = None,
    kind: Annotated[Kind | None, typer.Option("--kind", help="What sort of statement it is.")] = None,
    polarity: Annotated[Polarity | None, typer.Option("--polarity", help="For or against.")] = None,
    topic: Annotated[str | None, typer.Option("--topic", metavar="TOPIC", help="What it is about.")] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", metavar="TAG", help="All its tags; repeat it.")] = None,
    pin: Annotated[bool | None, typer.Option("--pin/--unpin", help="Keep it from cooling down.")] = None,
    reason: Reason = "",
    as_json: AsJson = False,
) -> None:
    """Change fields of a preference; the version before stays in its history.

    Example: prefmem update ana 019a0c2e-… --statement "I prefer aisle seats" --reason "asked by phone"
    """
    given = {"statement": statement, "kind": kind, "polarity": polarity, "topic": topic, "tags": tag, "is_pinned": pin}
    fields: dict[str, Any] = {name: value for name, value in given.items() if value is not None}  # Any: see update()
    with open_memory() as memory:
        changed = memory.update(user, preference_id, actor=_ACTOR, reason=reason, **fields)
    _show_one(changed, as_json)


def archive(user: User, preference_id: PreferenceId, reason: Reason = "", as_json: AsJson = False) -> None:
    """Take a preference out of search and recall; it can be restored.

    Example: prefmem archive ana 019a0c2e-…
    """
    with open_memory() as memory:
        moved = memory.archive(user, preference_id, actor=_ACTOR, reason=reason)
    _show_one(moved, as_json)


def restore(user: User, preference_id: PreferenceId, reason: Reason = "", as_json: AsJson = False) -> None:
    """Make an archived preference current again.

    Example: prefmem restore ana 019a0c2e-…
    """
    with open_memory() as memory:
        moved = memory.restore(user, preference_id, actor=_ACTOR, reason=reason)
    _show_one(moved, as_json)


def undo(
    user: User,
    version_id: Annotated[str, typer.Argument(metavar="VERSION", help="The id of a change; see history --json.")],
    reason: Reason = "",
    as_json: AsJson = False,
) -> None:
    """Take back one change of a preference.

    Example: prefmem undo ana 019a0c2e-…
    """
    with open_memory() as memory:
        rows = memory.undo(user, version_id, actor=_ACTOR, reason=reason)
    _show(rows, as_json)


def review(
    user: Annotated[str | None, typer.Argument(metavar="USER", help="Only of this user.")] = None,
    approve: Annotated[str | None, typer.Option("--approve", metavar="ID", help="Make this one current.")] = None,
    reject: Annotated[str | None, typer.Option("--reject", metavar="ID", help="Say no to this one for good.")] = None,
    actor: Annotated[str, typer.Option("--actor", metavar="NAME", help="Who decides.")] = _ACTOR,
    limit: Annotated[int, typer.Option("--limit", "-n", help="How many at most.")] = 100,
    reason: Reason = "",
    as_json: AsJson = False,
) -> None:
    """List what waits for a person, oldest first, or decide one of them.

    Example: prefmem review ana --approve 019a0c2e-… --actor maria
    """
    if approve is None and reject is None:
        with open_memory() as memory:
            waiting = memory.review(user, limit=limit)
        if waiting or as_json:
            _show(waiting, as_json, with_user=True)
        else:
            warn("nothing waits for review")
        return
    if user is None or (approve is not None and reject is not None):
        raise typer.BadParameter("a decision needs USER and one of --approve and --reject")
    with open_memory() as memory:
        if approve is not None:
            decided = memory.approve(user, approve, actor=actor, reason=reason)
        else:
            decided = memory.reject(user, reject or "", actor=actor, reason=reason)
    _show_one(decided, as_json)


def _show_one(preference: Preference, as_json: bool) -> None:
    if as_json:
        write_json(preference_record(preference))
    else:
        write_table(PREFERENCE_COLUMNS, [preference_row(preference)])


def _show(preferences: Sequence[Preference], as_json: bool, *, with_user: bool = False) -> None:
    if as_json:
        write_json([preference_record(preference) for preference in preferences])
    elif with_user:
        rows = [(preference.user_id, *preference_row(preference)) for preference in preferences]
        write_table(("user", *PREFERENCE_COLUMNS), rows)
    else:
        write_table(PREFERENCE_COLUMNS, [preference_row(preference) for preference in preferences])
