"""``prefmem extract``: unread messages become preferences, once or for as long as it runs."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from types import FrameType
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from prefmem_pg.cli.batches import run_batches
from prefmem_pg.cli.estimate import show_estimate
from prefmem_pg.cli.opening import open_memory
from prefmem_pg.cli.options import AsJson, Since, Until
from prefmem_pg.cli.output import counted, progress, warn, write_json, write_json_line, write_line
from prefmem_pg.domain.reports import ExtractionReport
from prefmem_pg.errors import PrefmemError

if TYPE_CHECKING:
    from prefmem_pg.memory import PreferenceMemory

_ENDED_BY_TERM = 128 + signal.SIGTERM
_COUNTS = (
    "added",
    "duplicate",
    "updated",
    "superseded",
    "rejected",
    "review",
    "waiting",
    "failed",
    "parked",
    "skipped",
    "ungrounded",
)


class Scope(TypedDict, total=False):
    """Which messages to read, as PreferenceMemory.extract() takes it."""

    user_id: str | None
    dialog_id: str | None
    since: datetime | None
    until: datetime | None
    again: bool


class _Ended(Exception):
    """The dialog at hand is stored and no other shall be begun."""


def extract(
    user: Annotated[str | None, typer.Option("--user", metavar="USER", help="Only of this user.")] = None,
    dialog: Annotated[str | None, typer.Option("--dialog", metavar="DIALOG", help="Only of this dialog.")] = None,
    since: Since = None,
    until: Until = None,
    again: Annotated[bool, typer.Option("--again", help="Read what was read before, too, in a further pass.")] = False,
    follow: Annotated[bool, typer.Option("--follow", help="Go on with what comes in, until interrupted.")] = False,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Only say what it would cost at a provider; nothing is sent.")
    ] = False,
    batch: Annotated[
        bool, typer.Option("--batch", help="Hand it to the provider as a batch: half the price, within a day.")
    ] = False,
    collect: Annotated[bool, typer.Option("--collect", help="Decide what batches have brought by now.")] = False,
    interval: Annotated[float, typer.Option("--interval", min=0.1, help="Seconds between looks with --follow.")] = 5.0,
    as_json: AsJson = False,
) -> None:
    """Find preferences in unread messages and decide them. Running it again costs nothing.

    With --follow it is a worker: SIGTERM ends it after the dialog at hand. With --json it then prints a line of JSON
    whenever there was something to read.

    Example: prefmem extract --user ana --since 2026-05-01
    """
    if again and follow:
        raise typer.BadParameter("--again with --follow would read everything for ever")
    if batch or collect:
        if again or follow or dialog or (batch and collect):
            raise typer.BadParameter("--batch and --collect go alone, or with --user, --since and --until")
        run_batches(collect=collect, user=user, since=since, until=until, as_json=as_json)
        return
    scope: Scope = {"user_id": user, "dialog_id": dialog, "since": since, "until": until, "again": again}
    if estimate:
        show_estimate(scope, as_json=as_json)
        return
    with open_memory() as memory, _term_asks_to_end() as asked:
        if follow:
            _follow(memory, scope, asked, interval_seconds=interval, as_json=as_json)
            return
        report = extract_all(memory, scope, asked)
    if as_json:
        write_json(report)
    else:
        write_line(extraction_line(report))
        for dialog_name, error in report.errors.items():
            warn(f"{dialog_name}: {error}")
    if asked.is_set():
        raise typer.Exit(_ENDED_BY_TERM)
    if extraction_failed(report):
        raise typer.Exit(1)


def extract_all(
    memory: "PreferenceMemory", scope: Scope | None = None, asked_to_end: threading.Event | None = None
) -> ExtractionReport:
    """Extract with a progress bar; when asked to end, the dialog at hand is still stored."""
    scope = scope or {}
    has_limits = any(value for value in scope.values())
    total = None if has_limits else memory.stats().get("unread_messages")
    with progress("extracting", total=total) as bar:

        def show(so_far: ExtractionReport) -> None:
            remark = f"{counted(so_far.dialogs, 'dialog')}, {so_far.added:,} added"
            bar.update(bar.task_ids[0], completed=so_far.messages, remark=remark)

        return _extract(memory, scope, asked_to_end, show)


def extraction_failed(report: ExtractionReport) -> bool:
    """Say whether something could not be read; it is tried again by the next call, or parked."""
    return bool(report.failed or report.parked)


def extraction_line(report: ExtractionReport) -> str:
    """Return the counts as a sentence."""
    counts = ", ".join(f"{value:,} {name}" for name in _COUNTS if (value := getattr(report, name)))
    return f"{counted(report.messages, 'message')} in {counted(report.dialogs, 'dialog')}: {counts or 'nothing to add'}"


def _extract(
    memory: "PreferenceMemory",
    scope: Scope,
    asked_to_end: threading.Event | None,
    show: Callable[[ExtractionReport], None] | None = None,
) -> ExtractionReport:
    so_far = ExtractionReport()

    def after_dialog(report: ExtractionReport) -> None:
        nonlocal so_far
        so_far = so_far.plus(report)
        if show is not None:
            show(so_far)
        if asked_to_end is not None and asked_to_end.is_set():
            raise _Ended

    try:
        return memory.extract(**scope, on_dialog=after_dialog)
    except _Ended:
        return so_far


def _follow(
    memory: "PreferenceMemory", scope: Scope, asked_to_end: threading.Event, *, interval_seconds: float, as_json: bool
) -> None:
    while not asked_to_end.is_set():
        try:
            report = _extract(memory, scope, asked_to_end)
        except PrefmemError as exc:
            if not exc.retryable:
                raise
            warn(f"will try again: {exc}")
            report = ExtractionReport()
        if report.messages or extraction_failed(report):
            if as_json:
                write_json_line(report)
            else:
                write_line(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {extraction_line(report)}")
                sys.stdout.flush()
        asked_to_end.wait(interval_seconds)


@contextmanager
def _term_asks_to_end() -> Iterator[threading.Event]:
    """Yield an event that SIGTERM sets, instead of ending the process at once."""
    asked = threading.Event()

    def ask(number: int, frame: FrameType | None) -> None:
        asked.set()

    if threading.current_thread() is not threading.main_thread():  # only the main thread may take signals
        yield asked
        return
    before = signal.signal(signal.SIGTERM, ask)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGTERM, before)
