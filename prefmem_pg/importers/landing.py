"""A landing folder: others drop files of JSON lines into it; each is taken in once and set aside."""

import fcntl
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from prefmem_pg.errors import InvalidInput
from prefmem_pg.importers.fields import LineError

ENDINGS: Final = (".jsonl", ".jsonl.gz")
DONE: Final = "done"
REJECTED: Final = "rejected"


def list_landed(folder: Path) -> list[Path]:
    """Return the files to take, the oldest first. A name that begins with a dot is one that is still being written.

    Raises InvalidInput when the folder is not there: a wrong path would otherwise look like a quiet night.
    """
    try:
        named = [path for path in folder.iterdir() if path.name.endswith(ENDINGS) and path.name[0] != "."]
        found = [path for path in named if path.is_file()]
    except OSError as exc:
        raise InvalidInput(f"the landing folder {folder} cannot be read: {exc.strerror}") from exc
    times = {path: stat.st_mtime_ns for path in found if (stat := _status(path)) is not None}
    return sorted(times, key=lambda path: (times[path], path.name))


@contextmanager
def claimed(path: Path) -> Iterator[bool]:
    """Hold a landed file for one process; False when another has it, or has set it aside. A kill lets it go."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        yield False
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Whoever held it may have moved it between the opening and the lock.
        now = _status(path)
        yield now is not None and now.st_ino == os.fstat(handle).st_ino
    except BlockingIOError:
        yield False
    finally:
        os.close(handle)


def set_aside(path: Path, errors: Sequence[LineError]) -> Path:
    """Move a file that was taken in to ``done/``, or to ``rejected/`` beside a list of its faulty lines; return where.

    To try a rejected file again, correct it and drop it once more: its good lines are known.
    """
    folder = path.parent / (REJECTED if errors else DONE)
    folder.mkdir(exist_ok=True)
    place = _free(folder, path.name)
    if errors:
        lines = (json.dumps({"line": e.line, "index": e.index, "reason": e.reason}, ensure_ascii=False) for e in errors)
        (folder / f"{place.name}.errors").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    path.rename(place)
    return place


def _free(folder: Path, name: str) -> Path:
    stem, _, ending = name.partition(".")
    names = (name, *(f"{stem}-{number}.{ending}" for number in range(2, 100_000)))
    return next(folder / each for each in names if not (folder / each).exists())


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None
