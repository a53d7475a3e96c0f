"""The front door for scheduled jobs: landing folders, what is unread, and whether all keeps up."""

from collections import deque
from collections.abc import Callable, Iterator
from datetime import datetime, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from prefmem_pg.db.indicators import list_unread_days, read_indicators, read_spent
from prefmem_pg.domain.messages import NewMessage
from prefmem_pg.domain.reports import Indicators, LandingReport, Spent, UnreadDay
from prefmem_pg.domain.times import aware
from prefmem_pg.errors import InvalidInput
from prefmem_pg.importers.fields import LineError
from prefmem_pg.importers.jsonl import read_lines
from prefmem_pg.importers.landing import claimed, list_landed, set_aside
from prefmem_pg.memory.opening import Opening
from prefmem_pg.steps.ingest import ingest


class Jobs(Opening):
    """The part of PreferenceMemory that scheduled jobs call beside extracting and tending."""

    def ingest_folder(
        self,
        folder: str | Path,
        *,
        time_zone: tzinfo | None = None,
        on_file: Callable[[LandingReport], None] | None = None,
    ) -> LandingReport:
        """Store the messages of all files ``*.jsonl`` and ``*.jsonl.gz`` in a folder; return the counts. Idempotent.

        A file goes to ``done/`` afterwards, or to ``rejected/`` with a list of its faulty lines beside it. Two
        processes share the files; a kill leaves a file where it is, for the next call. ``time_zone`` is for times
        without one. Raises InvalidInput when there is no such folder.
        """
        total = LandingReport()
        for path in list_landed(Path(folder)):
            with claimed(path) as is_ours:
                report = self._take_in(path, time_zone) if is_ours else LandingReport(skipped=1)
            total = total.plus(report)
            if on_file is not None:
                on_file(report)
        return total

    def unread_days(self, *, time_zone: str = "UTC") -> list[UnreadDay]:
        """Return the days (of an IANA time zone) with messages that no extraction has read, the earliest first."""
        try:
            ZoneInfo(time_zone)
        except (ZoneInfoNotFoundError, ValueError, TypeError) as exc:
            raise InvalidInput(f"time_zone must be a name such as Asia/Shanghai, not {time_zone!r}") from exc
        self._ready()
        with self.database.transaction(user_id=None) as repositories:
            days = list_unread_days(repositories.session, time_zone=time_zone)
        return [UnreadDay(day=day, messages=messages, newest=newest) for day, messages, newest in days]

    def indicators(self) -> Indicators:
        """Return what tells whether the store keeps up: backlog, failures, missing vectors and evidence, costs."""
        self._ready()
        with self.database.transaction(user_id=None) as repositories:
            return Indicators(**read_indicators(repositories.session))

    def spent(self, *, since: datetime) -> Spent:
        """Return what providers were asked and cost since a time, by all processes and for all users together."""
        moment = aware("since", since)
        self._ready()
        with self.database.transaction(user_id=None) as repositories:
            return Spent(**read_spent(repositories.session, since=moment))

    def _take_in(self, path: Path, time_zone: tzinfo | None) -> LandingReport:
        errors: list[LineError] = []
        lines: deque[int] = deque()  # of each message that waits for its batch
        read = 0

        def messages() -> Iterator[NewMessage]:
            nonlocal read
            for number, found, faults in read_lines(path, default_zone=time_zone):
                read += 1
                errors.extend(faults)
                for message in found:
                    lines.append(number)
                    yield message

        report = LandingReport(files=1)
        for batch in ingest(self.database, messages(), user_id=None, source="api", model_id=self._ready().model_id):
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
        faulty = len(errors) - report.conflicts
        set_aside(path, sorted(errors, key=lambda error: (error.line, error.index or 0)))
        return report.plus(LandingReport(lines=read, errors=faulty, rejected=int(bool(errors))))
