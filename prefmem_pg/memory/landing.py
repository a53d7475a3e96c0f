"""The front door for what lands: files of a folder, or lines of a table, each taken in once."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import tzinfo
from pathlib import Path
from typing import Any, Final

from prefmem_pg.db.landing_table import ClaimedLines, claimed_lines, find_mark
from prefmem_pg.domain.messages import NewMessage
from prefmem_pg.domain.reports import LandingReport
from prefmem_pg.importers.fields import LineError
from prefmem_pg.importers.jsonl import read_line, read_lines
from prefmem_pg.importers.landing import claimed, list_landed, set_aside
from prefmem_pg.memory.opening import Opening
from prefmem_pg.steps.ingest import OrdinalCounter, ingest
from prefmem_pg.steps.screen import screen_message

LINES: Final = 1_000
"""Lines of a table that are held, stored and settled at a time: what a kill can cost is reading so many again."""


class Landing(Opening):
    """The part of PreferenceMemory that takes in what others have put down for it."""

    def ingest_folder(
        self,
        folder: str | Path,
        *,
        time_zone: tzinfo | None = None,
        on_file: Callable[[LandingReport], None] | None = None,
    ) -> LandingReport:
        """Store the messages of all files ``*.jsonl`` and ``*.jsonl.gz`` in a folder; return the counts. Idempotent.

        A file goes to ``done/`` afterwards, or to ``rejected/`` with a list of its faulty lines beside it; one that
        may not be read stays and is counted, and never holds up the others. Two processes share the files; a kill
        leaves a file where it is, for the next call. ``time_zone`` is for times without one. Raises InvalidInput when
        there is no such folder.
        """
        model_id = self._ready().model_id
        total = LandingReport()
        for path in list_landed(Path(folder)):
            try:
                with claimed(path) as is_ours:
                    report = self._take_in(path, time_zone, model_id) if is_ours else LandingReport(skipped=1)
            except PermissionError:
                report = LandingReport(files=1, unreadable=1)
            total = total.plus(report)
            if on_file is not None:
                on_file(report)
        return total

    def ingest_table(self, table: str, *, time_zone: tzinfo | None = None) -> LandingReport:
        """Store the messages of the JSON lines in a table of yours; return the counts. Idempotent.

        The table has the columns ``line_id``, ``line`` and ``error``. A line that was taken in is deleted; a faulty one
        is kept, its good messages are stored, and ``error`` says why: set it to NULL to have the line read again. Two
        processes share the lines; a kill costs the thousand in hand, which the next call stores once. Lines that say
        the same of the same time are one message. Raises ConfigurationError when there is no such table.
        """
        model_id = self._ready().model_id  # now: it may ask a provider, which no transaction waits for
        total = LandingReport()
        after = None
        while True:
            with claimed_lines(self.database.engine, table, after=after, limit=LINES) as held:
                if not held.lines:
                    return total
                total = total.plus(self._take_lines(held, time_zone, model_id))
                after = held.lines[-1]

    def landed_mark(self, table: str) -> str | None:
        """Return a text that changes whenever other lines of a landing table wait; None when none does."""
        return find_mark(self.database.engine, table)

    def _take_in(self, path: Path, time_zone: tzinfo | None, model_id: int) -> LandingReport:
        errors: list[LineError] = []
        read = 0

        def messages() -> Iterator[tuple[int, NewMessage]]:
            nonlocal read
            for number, found, faults in read_lines(path, default_zone=time_zone):
                read += 1
                errors.extend(faults)
                yield from ((number, message) for message in found)

        report = self._store(messages(), errors, model_id)
        set_aside(path, sorted(errors, key=lambda error: (error.line, error.index or 0)))
        return report.plus(LandingReport(files=1, lines=read, rejected=int(bool(errors))))

    def _take_lines(self, held: ClaimedLines, time_zone: tzinfo | None, model_id: int) -> LandingReport:
        errors: list[LineError] = []

        def messages() -> Iterator[tuple[int, NewMessage]]:
            for place, landed in enumerate(held.lines):
                if landed.line is None or not landed.line.strip():
                    continue
                found, faults = read_line(place, landed.line, default_zone=time_zone)
                errors.extend(faults)
                yield from ((place, message) for message in _identified(found))

        report = self._store(messages(), errors, model_id)
        reasons: dict[Any, str] = {}  # by line_id
        for error in errors:
            line_id = held.lines[error.line].line_id
            reason = error.reason if error.index is None else f"messages[{error.index}]: {error.reason}"
            reasons[line_id] = f"{reasons[line_id]}; {reason}" if line_id in reasons else reason
        held.settle(reasons)
        return report.plus(LandingReport(lines=len(held.lines), rejected_lines=len(reasons)))

    def _store(
        self, numbered: Iterator[tuple[int, NewMessage]], errors: list[LineError], model_id: int
    ) -> LandingReport:
        """Store messages that come with the number of their line; conflicts join the errors."""
        lines: deque[int] = deque()  # of each message that waits for its batch

        def messages() -> Iterator[NewMessage]:
            for number, message in numbered:
                lines.append(number)
                yield message

        report = LandingReport()
        for batch in ingest(self.database, messages(), user_id=None, source="api", model_id=model_id):
            numbers = [lines.popleft() for _ in batch.messages]
            result = batch.result
            errors += [
                LineError(numbers[place], "its external_id is stored with other content") for place in result.conflicts
            ]
            report = report.plus(
                LandingReport(
                    messages=len(batch.messages),
                    added=result.added,
                    repeated=len(result.earlier) - len(result.conflicts),
                    conflicts=len(result.conflicts),
                    erased=len(batch.erased),
                )
            )
        return report.plus(LandingReport(errors=len(errors) - report.conflicts))


def _identified(messages: Sequence[NewMessage]) -> Iterator[NewMessage]:
    """Yield the messages of a line, each with an id made of what it says.

    Counted within the line alone: which lines are read together is chance, and must not decide what is a repetition.
    """
    ordinals = OrdinalCounter()
    for message in map(screen_message, messages):  # no secret goes into a hash
        yield message if message.external_id else replace(message, external_id=ordinals.external_id(message))
