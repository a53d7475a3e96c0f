"""Real processes for tests of concurrency and of sudden death."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def start(code: str, *arguments: str) -> subprocess.Popen[str]:
    """Start a Python process that runs the code with the arguments in ``sys.argv``."""
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


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
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "ready", process.stderr.read() if process.stderr else ""
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    outputs = [process.communicate(timeout=600) for process in running]
    for process, (_, errors) in zip(running, outputs, strict=True):
        assert process.returncode == 0, errors
    return [output for output, _ in outputs]
