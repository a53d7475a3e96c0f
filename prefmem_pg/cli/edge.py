"""The outermost edge: whatever a command raises becomes one line on stderr and an exit code, never a traceback."""

import errno
import functools
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import ParamSpec

import typer

from prefmem_pg.cli.output import prepare_streams, warn
from prefmem_pg.errors import PrefmemError

P = ParamSpec("P")

FAILED = 1
BAD_USAGE = 2
INTERRUPTED = 130


def run() -> int:
    """Run ``prefmem`` with the arguments of the process and return its exit code."""
    prepare_streams()
    _end_in_order_on_signals()
    try:
        try:
            from prefmem_pg.cli.app import app

            app(_arguments(), prog_name="prefmem")
        finally:
            # Here, not at the interpreter's end, where a full disk or a closed pipe could only be reported badly.
            sys.stdout.flush()
    except SystemExit as exc:
        return exc.code if isinstance(exc.code, int) else FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as exc:
        return _output_failed(exc)
    return 0


def _arguments() -> list[str]:
    """Return the arguments as UTF-8, whatever the locale: in an ASCII one Python has read them byte by byte.

    An argument that is no text at all ends the program with 2, rather than being stored as something else.
    """
    arguments = []
    for given in sys.argv[1:]:
        try:
            arguments.append(os.fsencode(given).decode())
        except (UnicodeDecodeError, UnicodeEncodeError) as exc:
            warn(f"error: an argument is not UTF-8: {given!a}")
            raise SystemExit(BAD_USAGE) from exc
    return arguments


def at_edge(function: Callable[P, None]) -> Callable[P, None]:
    """Wrap a command: its errors become ``error: …`` on stderr and the exit code 1; Ctrl-C becomes 130."""

    @functools.wraps(function)
    def command(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            function(*args, **kwargs)
            sys.stdout.flush()
        except (typer.Exit, typer.Abort, typer.BadParameter):
            raise
        except PrefmemError as exc:
            warn(f"error: {exc}")
            raise typer.Exit(FAILED) from exc
        except KeyboardInterrupt as exc:
            raise typer.Exit(INTERRUPTED) from exc
        except OSError as exc:
            raise typer.Exit(_output_failed(exc)) from exc
        except Exception as exc:
            warn(f"error: this should not happen, please report it: {type(exc).__name__}: {exc}")
            raise typer.Exit(FAILED) from exc

    return command


def _end_in_order_on_signals() -> None:
    """Let SIGTERM and SIGHUP unwind the stack, so that connections and the embedded server are closed."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:  # nohup has it ignored, and means it
            signal.signal(number, _end)


def _end(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def _output_failed(error: OSError) -> int:
    """Say what failed, unless it is a reader that has had enough (``| head``), which is no failure of ours."""
    # Whatever is still buffered can go nowhere, and must not raise again when the interpreter ends.
    if error.errno in (errno.EPIPE, errno.ENOSPC):
        _discard_output()
    if error.errno == errno.EPIPE:
        return 0
    warn(f"error: {error}")
    return FAILED


def _discard_output() -> None:
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
    except (OSError, ValueError):  # not a real file, as in a test
        return
