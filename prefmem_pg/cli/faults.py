"""What is wrong with lines of a file: the first ones on stderr, all of them counted."""

from typing import Final

from prefmem_pg.cli.output import warn
from prefmem_pg.importers.fields import LineError

SHOWN: Final = 20
KEPT: Final = 1_000
"""How many are kept for --json; more are only counted."""


class Faults:
    """Reports faulty lines as ``FILE:LINE: reason``; beyond the first twenty it only counts."""

    def __init__(self) -> None:
        self.count = 0
        self.kept: list[dict[str, object]] = []

    def add_error(self, name: str, error: LineError) -> None:
        where = "" if error.index is None else f"messages[{error.index}]: "
        self.add(name, error.line, where + error.reason)

    def add(self, name: str, line: int, reason: str) -> None:
        self.count += 1
        if self.count <= SHOWN:
            warn(f"{name}:{line}: {reason}")
        if len(self.kept) < KEPT:
            self.kept.append({"file": name, "line": line, "reason": reason})

    def summarize(self) -> None:
        """Say how many were not shown."""
        if self.count > SHOWN:
            warn(f"… and {self.count - SHOWN} more; --json lists them")
