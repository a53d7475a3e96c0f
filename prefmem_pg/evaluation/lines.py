"""Files of JSON lines, an object a line."""

import json
from collections.abc import Iterator
from pathlib import Path

from prefmem_pg.errors import InvalidInput
from prefmem_pg.evaluation.fields import Record


def read_records(path: Path) -> Iterator[tuple[int, Record]]:
    """Yield (line number from 1, object) for every line that is not blank."""
    try:
        with path.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield number, _decode(path, number, line)
    except (OSError, UnicodeDecodeError) as exc:
        reason = exc.strerror if isinstance(exc, OSError) else f"not UTF-8 at byte {exc.start}"
        raise InvalidInput(f"{path} cannot be read: {reason}") from exc


def _decode(path: Path, number: int, line: str) -> Record:
    try:
        record = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as exc:
        raise InvalidInput(f"{path.name}, line {number}: not JSON: {exc}") from exc
    if not isinstance(record, dict):
        raise InvalidInput(f"{path.name}, line {number}: must be an object, not {type(record).__name__}")
    return record
