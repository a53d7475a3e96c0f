"""The file of a dump: JSON lines, a header first, a checksum last.

``{"format": "prefmem_pg", "version": 1, "schema": …, "users": …, "models": […], "tables": {name: {columns, rows}}}``
``{"table": "messages", "row": {…}}`` for each row, parents before children
``{"sha256": "…"}`` over all lines before. A name that ends in .gz is packed by gzip.
"""

import gzip
import hashlib
import json
import os
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, cast

from prefmem_pg.errors import InvalidInput

FORMAT: Final = "prefmem_pg"
VERSION: Final = 1

_ROW: Final = re.compile(rb'\{"table":"(\w+)","row":(?=\{)')


@dataclass(frozen=True, slots=True)
class Header:
    """What a dump says of itself. ``columns`` and ``rows`` are by table; ``models`` as the database has them."""

    schema: str
    users: int
    models: tuple[Mapping[str, Any], ...]  # Any: numbers and texts
    columns: Mapping[str, tuple[str, ...]]
    rows: Mapping[str, int]


class DumpWriter:
    """Writes the lines of a dump and keeps their checksum."""

    def __init__(self, file: IO[bytes], header: Header) -> None:
        self._file = file
        self._digest = hashlib.sha256()
        tables = {name: {"columns": header.columns[name], "rows": header.rows[name]} for name in header.columns}
        said = {"format": FORMAT, "version": VERSION, "schema": header.schema, "users": header.users}
        self._write(json.dumps({**said, "models": header.models, "tables": tables}, ensure_ascii=False))

    def add(self, table: str, row: str) -> None:
        self._write(f'{{"table":"{table}","row":{row}}}')

    def close(self) -> None:
        self._file.write(json.dumps({"sha256": self._digest.hexdigest()}).encode() + b"\n")

    def _write(self, line: str) -> None:
        encoded = line.encode() + b"\n"
        self._digest.update(encoded)
        self._file.write(encoded)


@contextmanager
def new_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that only its owner may read, and which has its name only once it is complete."""
    part = path.with_name(f"{path.name}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as plain:
            if path.suffix == ".gz":
                with gzip.GzipFile(filename="", fileobj=plain, mode="wb", compresslevel=5) as packed:
                    yield cast(IO[bytes], packed)  # in all but name
            else:
                yield plain
            plain.flush()
            os.fsync(plain.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def read_header(path: Path) -> Header:
    """Read the whole file once and return its header; InvalidInput unless it is complete and undamaged."""
    digest = hashlib.sha256()
    counts: Counter[str] = Counter()
    header: Header | None = None
    previous = b""
    for line in _lines(path):
        digest.update(previous)
        if header is None:
            header = _as_header(path, line)
        elif found := _ROW.match(line):
            counts[found[1].decode()] += 1
        previous = line
    if header is None:
        raise InvalidInput(f"{path} is empty, not a dump")
    _check_end(path, previous, digest.hexdigest())
    if counts != Counter(header.rows):
        raise InvalidInput(f"{path} does not hold the rows that its header names")
    return header


def read_rows(path: Path) -> Iterator[tuple[str, str]]:
    """Yield (table, row as JSON text) in the order of the file."""
    for line in _lines(path):
        if found := _ROW.match(line):
            yield found[1].decode(), line[found.end() : -2].decode()


def _lines(path: Path) -> Iterator[bytes]:
    """Yield the lines with their ends. Bytes: in text, other characters than a new line end a line too."""
    try:
        with path.open("rb") as plain, gzip.open(plain) if path.suffix == ".gz" else nullcontext(plain) as file:
            yield from cast(IO[bytes], file)
    except (EOFError, gzip.BadGzipFile, zlib.error) as exc:
        raise InvalidInput(f"{path} is damaged or not complete: {exc}") from exc
    except OSError as exc:
        raise InvalidInput(f"{path} cannot be read: {exc.strerror or exc}") from exc


def _as_header(path: Path, line: bytes) -> Header:
    said = _as_object(line)
    if said.get("format") != FORMAT:
        raise InvalidInput(f"{path} is not a dump of prefmem")
    if said.get("version") != VERSION:
        raise InvalidInput(f"{path} has format version {said.get('version')}; this code reads version {VERSION}")
    try:
        return Header(
            schema=str(said["schema"]),
            users=int(said["users"]),
            models=tuple(said["models"]),
            columns={name: tuple(table["columns"]) for name, table in said["tables"].items()},
            rows={name: int(table["rows"]) for name, table in said["tables"].items() if table["rows"]},
        )
    except (KeyError, TypeError, ValueError, AttributeError) as exc:
        raise InvalidInput(f"{path} has a damaged header") from exc


def _check_end(path: Path, line: bytes, digest: str) -> None:
    said = _as_object(line).get("sha256")
    if said is None:
        raise InvalidInput(f"{path} is not complete: it ends before its checksum")
    if said != digest:
        raise InvalidInput(f"{path} is damaged: its checksum does not match")


def _as_object(line: bytes) -> dict[str, Any]:
    try:
        said = json.loads(line)
    except ValueError:  # also what is no UTF-8
        return {}
    return said if isinstance(said, dict) else {}
