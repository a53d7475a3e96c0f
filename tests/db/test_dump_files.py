"""Files of dumps that are damaged, cut off or too new, against a real database."""

import gzip
import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from prefmem_pg.db.engine import make_engine
from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.session import Database
from prefmem_pg.errors import InvalidInput, NotFound, SchemaOutOfDate
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from tests.conftest import fresh_database

ENGLISH = [
    {"role": "user", "content": "I love hiking in the Alps, and I can't stand crowded trains. 🏔️", "session_id": "s-1"},
    {"role": "assistant", "content": 'A "quoted" word, a \\ and a \u2028 line.\nAnd a new one.', "author": "Bot"},
]


@pytest.fixture
def other(server: LocalServer, embedder: LocalEmbedder) -> Iterator[PreferenceMemory]:
    """A memory on an empty database."""
    with fresh_database(server) as url:
        database = Database(make_engine(url))
        yield PreferenceMemory(database, embedder=embedder)
        database.close()


@pytest.fixture
def lines(shared_memory: PreferenceMemory, tmp_path: Path, user_id: str) -> list[bytes]:
    """The lines of a dump of one user with two messages."""
    shared_memory.add_messages(user_id, ENGLISH, dialog_id="d-1")
    shared_memory.dump(tmp_path / "whole.jsonl", user_id=user_id)
    return (tmp_path / "whole.jsonl").read_bytes().splitlines(keepends=True)


def signed(lines: list[bytes]) -> bytes:
    body = b"".join(lines)
    return body + json.dumps({"sha256": hashlib.sha256(body).hexdigest()}).encode() + b"\n"


@pytest.mark.parametrize(
    ("spoil", "error"),
    [
        (lambda lines: b"", "empty"),
        (lambda lines: b"hello\n", "not a dump"),
        (lambda lines: lines[0], "not complete"),
        (lambda lines: b"".join(lines[:-1]), "not complete"),
        (lambda lines: b"".join(lines)[:-30], "not complete"),
        (lambda lines: b"".join(lines).replace(b"hiking", b"biking"), "checksum"),
        (lambda lines: b"".join([*lines[:2], *lines[3:]]), "checksum"),
        (lambda lines: signed([*lines[:2], *lines[3:-1]]), "does not hold the rows"),
        (lambda lines: signed([lines[0].replace(b'"version": 1', b'"version": 9'), *lines[1:-1]]), "version 9"),
        (lambda lines: signed([lines[0].replace(b'"messages"', b'"massages"'), *lines[1:-1]]), "rows|not known"),
    ],
)
def test_a_damaged_file_is_refused_and_nothing_is_stored(
    other: PreferenceMemory,
    lines: list[bytes],
    tmp_path: Path,
    user_id: str,
    spoil: Callable[[list[bytes]], bytes],
    error: str,
) -> None:
    (tmp_path / "bad.jsonl").write_bytes(spoil(lines))

    with pytest.raises(InvalidInput, match=error):
        other.load(tmp_path / "bad.jsonl")

    assert other.verify_erased(user_id).rows == {}


def test_a_packed_file_that_ends_early_is_refused(other: PreferenceMemory, lines: list[bytes], tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl.gz").write_bytes(gzip.compress(b"".join(lines))[:-20])

    with pytest.raises(InvalidInput, match="not complete"):
        other.load(tmp_path / "bad.jsonl.gz")


def test_a_dump_of_a_newer_schema_is_refused(other: PreferenceMemory, lines: list[bytes], tmp_path: Path) -> None:
    header = json.loads(lines[0])
    newer = json.dumps({**header, "schema": "9999"}).encode() + b"\n"
    (tmp_path / "newer.jsonl").write_bytes(signed([newer, *lines[1:-1]]))

    with pytest.raises(SchemaOutOfDate, match="9999"):
        other.load(tmp_path / "newer.jsonl")


def test_an_error_in_the_middle_leaves_nothing_behind(
    other: PreferenceMemory, lines: list[bytes], tmp_path: Path, user_id: str
) -> None:
    broken = [line.replace(b'"role":"assistant"', b'"role":"nobody"') for line in lines[:-1]]
    (tmp_path / "bad.jsonl").write_bytes(signed(broken))

    with pytest.raises(InvalidInput, match="role"):
        other.load(tmp_path / "bad.jsonl")

    assert other.verify_erased(user_id).rows == {}


def test_what_cannot_be_dumped_or_loaded_says_so(shared_memory: PreferenceMemory, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        shared_memory.dump(tmp_path / "nobody.jsonl", user_id="u-nobody")
    with pytest.raises(InvalidInput, match="cannot be read"):
        shared_memory.load(tmp_path / "missing.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_a_dump_can_be_read_by_its_owner_alone(shared_memory: PreferenceMemory, tmp_path: Path, user_id: str) -> None:
    shared_memory.remember(user_id, "I love tea")

    shared_memory.dump(tmp_path / "one.jsonl", user_id=user_id)

    assert (tmp_path / "one.jsonl").stat().st_mode & 0o077 == 0
