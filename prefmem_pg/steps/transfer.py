"""Dumping users to a file and loading them again, a row at a time."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

from prefmem_pg.db.schema_version import HEAD_REVISION
from prefmem_pg.db.session import Database, Repositories
from prefmem_pg.db.transfer import REBUILT, TABLES, VECTORS, TransferRepository, stored_columns
from prefmem_pg.domain.transfers import TransferReport
from prefmem_pg.errors import Conflict, InvalidInput, NotFound, SchemaOutOfDate
from prefmem_pg.steps.dump_file import DumpWriter, Header, new_file, read_header, read_rows

BATCH_ROWS: Final = 500
BATCH_CHARACTERS: Final = 4_000_000


class _MessageKey(NamedTuple):
    """What a tombstone knows of a message."""

    user_id: str
    source: str
    external_id: str


class Loading(NamedTuple):
    """How to load: under which name, over what is there, and whether tombstones give way."""

    user_id: str | None = None
    replace: bool = False
    allow_erased: bool = False


def dump(database: Database, path: Path, *, user_id: str | None, embeddings: bool) -> TransferReport:
    """Write every row of all users, or of one, to a file. All of one instant; memory stays small."""
    names = [name for name in TABLES if name not in REBUILT and (embeddings or name not in VECTORS)]
    with database.transaction(user_id=None) as repositories:
        rows = TransferRepository(repositories.session)
        rows.freeze()
        counts = {name: rows.count(name, user_id) for name in names}
        if user_id is not None and not counts["users"]:
            raise NotFound(f"there is no user {user_id}")
        header = Header(
            schema=HEAD_REVISION,
            users=counts["users"],
            models=tuple(rows.list_models()),
            columns={name: tuple(stored_columns(name)) for name in names},
            rows=counts,
        )
        with new_file(path) as file:
            writer = DumpWriter(file, header)
            for name in names:
                for row in rows.read_rows(name, user_id, with_means=embeddings):
                    writer.add(name, row)
            writer.close()
    return TransferReport(users=counts["users"], rows={name: count for name, count in counts.items() if count})


def load(database: Database, path: Path, how: Loading) -> TransferReport:
    """Store what a dump holds, in one transaction, after the whole file has been checked."""
    header = read_header(path)
    if header.schema > HEAD_REVISION:
        raise SchemaOutOfDate(f"the dump is of schema {header.schema}, this code knows {HEAD_REVISION}; upgrade it")
    if unknown := sorted(set(header.columns) - set(TABLES)):
        raise InvalidInput(f"the dump holds tables that are not known: {', '.join(unknown)}")
    if how.user_id is not None and header.users != 1:
        raise InvalidInput(f"the dump holds {header.users} users; only a dump of one can be loaded under another name")

    stored: Counter[str] = Counter()
    with database.transaction(user_id=None) as repositories:
        rows = TransferRepository(repositories.session)
        models, stand_in = _models_here(rows.list_models(), header.models)
        rows.prepare()
        for name, batch in _batches(read_rows(path)):
            columns = header.columns[name]
            _check_tombstones(repositories, rows, name, batch, how)
            if name == "users":
                if how.replace:
                    rows.drop_users(rows.user_ids(batch, user_id=how.user_id))
                rows.add_users(columns, batch, user_id=how.user_id)
                stored[name] += len(batch)
            else:
                stored[name] += rows.add_rows(name, columns, batch, user_id=how.user_id, models=models)
                if name == "user_stats" and stand_in:
                    rows.add_counts(batch, user_id=how.user_id, there=stand_in.there, here=stand_in.here)
        rows.link()
    return TransferReport(users=stored["users"], rows=dict(stored), skipped=sum(header.rows.values()) - stored.total())


class _StandIn(NamedTuple):
    """The model in use here, for one that was in use there and is not known here."""

    there: int
    here: int


Model = Mapping[str, Any]  # Any: numbers and texts


def _models_here(here: Sequence[Model], there: Sequence[Model]) -> tuple[dict[int, int], _StandIn | None]:
    """Return the number here of each model of the dump that is known here, and what stands in for its active one.

    Vectors of two models do not mix, but the counts of rows that keyword ranking reads hold for any model.
    """
    numbers = {_identity(model): int(model["model_id"]) for model in here}
    known = {int(m["model_id"]): numbers[_identity(m)] for m in there if _identity(m) in numbers}
    active = [next((int(m["model_id"]) for m in models if m["state"] == "active"), None) for models in (there, here)]
    if active[0] is None or active[1] is None or active[0] in known:
        return known, None
    return known, _StandIn(there=active[0], here=active[1])


def _identity(model: Model) -> tuple[Any, ...]:
    return model["provider"], model["name"], model["dimensions"]


def _batches(rows: Iterator[tuple[str, str]]) -> Iterator[tuple[str, list[str]]]:
    for name, group in groupby(rows, key=lambda row: row[0]):
        batch: list[str] = []
        size = 0
        for _, row in group:
            batch.append(row)
            size += len(row)
            if len(batch) == BATCH_ROWS or size > BATCH_CHARACTERS:
                yield name, batch
                batch, size = [], 0
        if batch:
            yield name, batch


def _check_tombstones(
    repositories: Repositories, rows: TransferRepository, name: str, batch: list[str], how: Loading
) -> None:
    """Refuse users and messages that were erased here, or lift their tombstones."""
    if name == "users":
        keys = [_MessageKey(user_id, "", "") for user_id in rows.user_ids(batch, user_id=how.user_id)]
    elif name == "messages":
        read = [json.loads(row) for row in batch]
        keys = [_MessageKey(how.user_id or row["user_id"], row["source"], row["external_id"]) for row in read]
    else:
        return
    if how.allow_erased:
        repositories.erasures.lift(keys)
    elif erased := repositories.erasures.find_erased(keys):
        raise Conflict(
            f"{len(erased)} {name} of the dump were erased here; load with allow_erased=True to have them back"
        )
