"""Datasets from files of JSON lines, recognised by their fields."""

from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from prefmem_pg.errors import InvalidInput
from prefmem_pg.evaluation.formats import Format, find_format
from prefmem_pg.evaluation.lines import read_records
from prefmem_pg.evaluation.records import Row
from prefmem_pg.evaluation.samples import SAMPLES, is_labelled, read_labelled, read_samples


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """The rows of one file. ``name`` is the file's name without its ending; all rows are of one format."""

    name: str
    format: str
    rows: tuple[Row, ...]


def read_dataset(source: str | PathLike[str], *, limit: int | None = None) -> Dataset:
    """Read a dataset, at most ``limit`` rows of it; ``samples`` names the labelled dialogs of this package.

    Raises InvalidInput for a file that cannot be read, holds no rows or is of no known format: it names the line, the
    field and what is known.
    """
    if limit is not None and limit < 1:
        raise InvalidInput(f"the limit must be at least 1 row, not {limit}")
    if source == SAMPLES:
        return Dataset(name=SAMPLES, format="labelled_dialogs", rows=tuple(read_samples())[:limit])
    path = Path(source)
    rows: list[Row] = []
    format: Format | None = None
    for number, record in read_records(path):
        if is_labelled(record):
            labelled = tuple(read_labelled(path))[:limit]
            return Dataset(name=path.stem, format="labelled_dialogs", rows=labelled)
        try:
            format = format or find_format(record)
            if not format.fields <= record.keys():
                missing = ", ".join(sorted(format.fields - record.keys()))
                raise InvalidInput(f"the file began as {format.name}, this row lacks {missing}")
            rows.append(format.parse(record))
        except InvalidInput as exc:
            raise InvalidInput(f"{path.name}, line {number}: {exc}") from exc
        if len(rows) == limit:
            break
    if format is None:
        raise InvalidInput(f"{path.name} holds no rows")
    return Dataset(name=path.stem, format=format.name, rows=tuple(rows))
