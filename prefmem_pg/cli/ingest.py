"""``prefmem ingest``: messages from files into the store."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from prefmem_pg.cli.extract import extract_all, extraction_failed, extraction_line
from prefmem_pg.cli.faults import Faults
from prefmem_pg.cli.opening import open_memory
from prefmem_pg.cli.options import AsJson, Zone
from prefmem_pg.cli.output import as_json as to_json
from prefmem_pg.cli.output import counted, progress, write_json, write_line
from prefmem_pg.cli.sources import Source, reading, sources
from prefmem_pg.domain.messages import NewMessage
from prefmem_pg.importers.jsonl import read_lines

if TYPE_CHECKING:
    from prefmem_pg.memory import PreferenceMemory
    from prefmem_pg.steps.ingest import IngestedBatch


@dataclass(slots=True)
class Counts:
    """What became of the files so far; ``messages`` are those that could be read."""

    files: int = 0
    lines: int = 0
    messages: int = 0
    added: int = 0
    repeated: int = 0
    conflicts: int = 0
    erased: int = 0
    errors: int = 0


def ingest(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="JSON lines, gzip or plain; - is stdin.")],
    strict: Annotated[bool, typer.Option("--strict", help="All or nothing: check all lines first.")] = False,
    time_zone: Zone = None,
    allow_erased: Annotated[
        bool, typer.Option("--allow-erased", help="Take messages that were erased, or whose user was.")
    ] = False,
    then_extract: Annotated[bool, typer.Option("--extract", help="Find preferences right after.")] = False,
    as_json: AsJson = False,
) -> None:
    """Store messages from files, one message or one dialog a line; storing them again changes nothing.

    A line needs user_id, role and content; dialog_id, session_id, author, occurred_at, external_id and metadata are
    welcome. A bad line is reported as FILE:LINE and the rest goes in; the exit code is then 1.

    Example: prefmem ingest chats.jsonl more.jsonl.gz --time-zone Asia/Shanghai --extract
    """
    faults, counts = Faults(), Counts()
    with sources(files, reads_twice=strict) as found:
        if strict:
            _check(found, time_zone, faults)
        with open_memory() as memory:
            for source in found:
                ingest_file(memory, source, counts, faults, time_zone=time_zone, allow_erased=allow_erased)
            faults.summarize()
            extraction = extract_all(memory) if then_extract else None
    if as_json:
        found_out = {"faults": faults.kept} if faults.kept else {}
        extracted = {} if extraction is None else {"extraction": to_json(extraction)}
        write_json(to_json(counts) | found_out | extracted)
    else:
        write_line(counts_line(counts))
        if extraction is not None:
            write_line(extraction_line(extraction))
    if faults.count or (extraction is not None and extraction_failed(extraction)):
        raise typer.Exit(1)


def ingest_file(
    memory: "PreferenceMemory",
    source: Source,
    counts: Counts,
    faults: Faults,
    *,
    time_zone: tzinfo | None = None,
    allow_erased: bool = False,
) -> None:
    """Store the messages of one file and add to the counts; faulty lines are reported and left out."""

    # The line of each message that waits for its batch; ingest() reads a batch ahead.
    numbers: deque[int] = deque()
    counts.files += 1
    with reading(source) as opened, progress(source.name, total=opened.size) as bar:

        def messages() -> Iterator[NewMessage]:
            for number, message in _messages(source, opened.lines, counts, faults, time_zone):
                numbers.append(number)
                yield message
                bar.update(bar.task_ids[0], completed=opened.position(), remark=counted(counts.messages, "message"))

        for batch in memory.ingest(messages(), allow_erased=allow_erased):
            lines = [numbers.popleft() for _ in batch.messages]
            _count(batch, counts)
            for place in batch.result.conflicts:
                external_id = batch.messages[place].external_id
                faults.add(source.name, lines[place], f"conflict: {external_id!r} is stored with other content")


def counts_line(counts: Counts) -> str:
    """Return the counts as a sentence."""
    parts = [f"{counts.added:,} added", f"{counts.repeated:,} there before"]
    parts += [f"{value:,} {name}" for name in ("conflicts", "erased", "errors") if (value := getattr(counts, name))]
    return f"{counted(counts.messages, 'message')} on {counted(counts.lines, 'line')}: {', '.join(parts)}"


def _messages(
    source: Source, lines: BinaryIO, counts: Counts, faults: Faults, time_zone: tzinfo | None
) -> Iterator[tuple[int, NewMessage]]:
    for number, found, errors in read_lines(lines, default_zone=time_zone):
        counts.lines += 1
        counts.errors += len(errors)
        counts.messages += len(found)
        for error in errors:
            faults.add_error(source.name, error)
        for message in found:
            yield number, message


def _count(batch: "IngestedBatch", counts: Counts) -> None:
    result = batch.result
    counts.added += result.added
    counts.conflicts += len(result.conflicts)
    counts.repeated += len(result.earlier) - len(result.conflicts)
    counts.erased += len(batch.erased)


def _check(found: Sequence[Source], time_zone: tzinfo | None, faults: Faults) -> None:
    """Read everything and store nothing; end here when a line is bad."""
    counts = Counts()
    for source in found:
        with reading(source) as opened:
            for _ in _messages(source, opened.lines, counts, faults, time_zone):
                pass
    if faults.count:
        faults.summarize()
        raise typer.Exit(1)
