"""The files that ingest reads: paths, packed or not, and stdin, with how far each has been read."""

import gzip
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import BinaryIO, cast

from prefmem_pg.errors import InvalidInput

_STDIN = "-"
_GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read. ``name`` is what a message about its lines says; ``path`` None: stdin, which is read once."""

    name: str
    path: Path | None


@dataclass(frozen=True, slots=True)
class Reading:
    """An open source. ``size`` in bytes; None: not known beforehand."""

    lines: BinaryIO
    size: int | None
    _raw: BinaryIO

    def position(self) -> int:
        """Return how many bytes of ``size`` have been read."""
        return self._raw.tell() if self.size is not None else 0


@contextmanager
def sources(names: Sequence[str], *, reads_twice: bool) -> Iterator[list[Source]]:
    """Yield the named files, with a copy of stdin (``-``) when they are to be read twice.

    Raises InvalidInput for a name that is given twice: equal messages in it would count as further ones.
    """
    for place, name in enumerate(names):
        if name in names[:place]:
            raise InvalidInput(f"{name} is given twice")
    with ExitStack() as stack:
        found = []
        for name in names:
            if name != _STDIN:
                found.append(Source(name, Path(name)))
            elif reads_twice:
                copy = stack.enter_context(tempfile.NamedTemporaryFile(prefix="prefmem-"))
                shutil.copyfileobj(sys.stdin.buffer, copy)
                copy.flush()
                found.append(Source("stdin", Path(copy.name)))
            else:
                found.append(Source("stdin", None))
        yield found


@contextmanager
def reading(source: Source) -> Iterator[Reading]:
    """Open a source; gzip is known by its first bytes. Raises InvalidInput when it cannot be opened."""
    if source.path is None:
        yield _unseekable(sys.stdin.buffer)
        return
    try:
        raw = source.path.open("rb")
    except OSError as exc:
        raise InvalidInput(f"{source.name} cannot be opened: {exc.strerror}") from exc
    with raw:
        if not source.path.is_file():  # a pipe cannot be wound back
            yield _unseekable(raw)
            return
        is_packed = raw.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC
        raw.seek(0)
        lines = cast(BinaryIO, gzip.GzipFile(fileobj=raw)) if is_packed else raw
        yield Reading(lines, source.path.stat().st_size, raw)


def _unseekable(stream: BinaryIO) -> Reading:
    """Return how to read a pipe, which cannot be wound back: its first bytes are looked at in the buffer."""
    buffered = stream if isinstance(stream, BufferedReader) else BufferedReader(cast(RawIOBase, stream))
    is_packed = buffered.peek(len(_GZIP_MAGIC))[: len(_GZIP_MAGIC)] == _GZIP_MAGIC
    lines = cast(BinaryIO, gzip.GzipFile(fileobj=buffered)) if is_packed else buffered
    return Reading(lines, None, buffered)
