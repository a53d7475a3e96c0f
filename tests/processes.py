"""Real processes for tests of concurrency and of sudden death.

They are forked from a process that has loaded what they import and has done nothing else: loading it costs more than
most of them do.
"""

import multiprocessing
import os
import signal
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parents[1]
FORKS: Final = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.loaded"])


class Running:
    """A process that runs code, with the streams of ``subprocess.Popen``."""

    def __init__(self, code: str, arguments: tuple[str, ...], environment: dict[str, str]) -> None:
        given, stdin = FORKS.Pipe(duplex=False)
        stdout, printed = FORKS.Pipe(duplex=False)
        self.stdin = os.fdopen(os.dup(stdin.fileno()), "w", encoding="utf-8")
        self.stdout = os.fdopen(os.dup(stdout.fileno()), encoding="utf-8")
        # A pipe might fill while nobody reads it.
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 # closed when it was read
        streams = (given, printed, Connection(os.dup(self._errors.fileno())))
        self._process = FORKS.Process(target=_run, args=(textwrap.dedent(code), arguments, environment, streams))
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid
        for stream in (*streams, stdin, stdout):
            stream.close()

    @property
    def returncode(self) -> int | None:
        """Minus the signal when one ended it; None while it runs."""
        return self._process.exitcode

    def kill(self) -> None:
        self._process.kill()

    def communicate(self, *, timeout: float = 600) -> tuple[str, str]:
        """Close its input and wait; return what else it printed, and its errors. Killed after ``timeout`` seconds."""
        self.stdin.close()
        patience = threading.Timer(timeout, self.kill)
        patience.start()
        with self.stdout as stdout, self._errors as errors:
            output = stdout.read()
            self._process.join()
            patience.cancel()
            errors.seek(0)
            return output, errors.read()


def _run(code: str, arguments: tuple[str, ...], environment: dict[str, str], streams: tuple[Connection, ...]) -> None:
    for place, stream in enumerate(streams):
        os.dup2(stream.fileno(), place)
        stream.close()
    os.environ.clear()
    os.environ.update(environment)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.argv = ["-c", *arguments]
    exec(compile(code, "<started>", "exec"), {"__name__": "__main__"})


def start(code: str, *arguments: str, **environment: str) -> Running:
    """Start a Python process that runs the code with the arguments in ``sys.argv``, and with more environment."""
    return Running(code, arguments, {**os.environ, **environment})


def wait_until(fact: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 300  # a loaded machine is slow, never wrong
    while not fact():
        assert time.monotonic() < deadline, "did not happen in 300 s"
        time.sleep(0.05)


def hear_ctrl_c() -> None:
    """For ``preexec_fn``: what is started in the background is told by some shells to take no notice of Ctrl-C."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def together(code: str, *arguments: str, processes: int = 2) -> list[str]:
    """Run the code in several processes that wait for each other at ``input()``; return what each printed."""
    running = [start(code, *arguments) for _ in range(processes)]
    for process in running:
        assert process.stdout.readline().strip() == "ready", process.communicate()
    for process in running:
        process.stdin.write("go\n")
        process.stdin.flush()
    outputs = [process.communicate() for process in running]
    for process, (_, errors) in zip(running, outputs, strict=True):
        assert process.returncode == 0, errors
    return [output for output, _ in outputs]
