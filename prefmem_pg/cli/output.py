"""What goes to the screen: tables and JSON to stdout, remarks and progress to stderr."""

import contextlib
import dataclasses
import errno
import io
import json
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final, TextIO
from uuid import UUID

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

WIDTH_WITHOUT_TERMINAL: Final = 160

# What would move the cursor or change the terminal: a user's text must not be able to.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def prepare_streams() -> None:
    """Let text that the terminal's encoding lacks be printed as escapes instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def write_json(value: object) -> None:
    """Print one JSON document; a terminal that is not UTF-8 gets ASCII, which is the same document."""
    sys.stdout.write(json.dumps(as_json(value), ensure_ascii=not _is_unicode(sys.stdout), indent=2) + "\n")


def write_json_line(value: object) -> None:
    """Print a JSON document on one line and flush, for output that goes on."""
    sys.stdout.write(json.dumps(as_json(value), ensure_ascii=not _is_unicode(sys.stdout)) + "\n")
    sys.stdout.flush()


def as_json(value: object) -> Any:  # Any: what json.dumps takes
    """Return the JSON form of dataclasses, ids, times, amounts and the collections of them."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: as_json(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [as_json(item) for item in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Decimal):
        return float(value)
    return str(value) if isinstance(value, UUID | PurePath) else value


def write_line(text: str = "") -> None:
    """Print a line to stdout."""
    sys.stdout.write(printable(text) + "\n")


def write_raw(text: str) -> None:
    """Print text unchanged for a program that reads it; a terminal gets it with control characters made visible."""
    sys.stdout.write((printable(text) if sys.stdout.isatty() else text) + "\n")


def warn(text: str) -> None:
    """Print a line to stderr; when that fails too, nobody is listening."""
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(printable(text) + "\n")
        sys.stderr.flush()


def write_table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str | None = None) -> None:
    """Print a table, cells as plain text: long ones fold, and nothing in them is taken for markup."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, title=title and Text(title), title_justify="left", pad_edge=False)
    for name in columns:
        is_number = name in ("score", "count", "version")
        table.add_column(name, justify="right" if is_number else "left", overflow="fold", no_wrap=is_number)
    for row in rows:
        table.add_row(*(Text(printable(_cell(value))) for value in row))
    _console(sys.stdout).print(table)


@contextlib.contextmanager
def progress(description: str, *, total: float | None) -> Iterator["Progress"]:
    """Show a bar on stderr while the block runs, with one task of id 0; silent unless stderr is a terminal."""
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    console = _console(sys.stderr)
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[remark]}", markup=False),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        redirect_stdout=False,  # stdout may be a file that a program reads
        disable=not console.is_terminal,
    )
    bar.add_task(printable(description), total=total, remark="")
    with bar:
        yield bar


def printable(text: str) -> str:
    """Return text whose control characters stand as escapes, so that a stored text cannot steer the terminal."""
    return _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    return str(value)


def counted(number: int, noun: str) -> str:
    """Return "1 line", "2,000 lines"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _console(stream: TextIO) -> "Console":
    from rich.console import Console

    class Screen(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError(errno.EPIPE, "the reader has gone")  # rich would end the process with 1

    width = None if stream.isatty() else shutil.get_terminal_size((WIDTH_WITHOUT_TERMINAL, 24)).columns
    return Screen(file=stream, width=width, markup=False, highlight=False, emoji=False, soft_wrap=False)


def _is_unicode(stream: TextIO) -> bool:
    return (stream.encoding or "").lower().replace("-", "").startswith("utf")


def takes(text: str) -> bool:
    """Say whether stdout can show the text."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
