"""JSON lines, the format that ``prefmem ingest`` reads: one message or one dialog a line."""

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from datetime import tzinfo
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn

from prefmem_pg.domain.messages import NewMessage
from prefmem_pg.errors import InvalidInput
from prefmem_pg.importers.fields import LineError, carries_no_text, check_keys, new_message, parse_id

MAX_LINE_BYTES: Final = 64 * 1024 * 1024
"""A longer line is reported and skipped without being held, so that memory stays bounded."""

_DIALOG_IDS: Final = ("user_id", "dialog_id", "session_id", "agent_id", "mem_cube_id")
_DIALOG_FIELDS: Final = frozenset({*_DIALOG_IDS, "messages"})


def read_lines(
    source: str | PathLike[str] | BinaryIO, *, default_zone: tzinfo | None = None
) -> Iterator[tuple[int, list[NewMessage], list[LineError]]]:
    """Yield (line number from 1, its messages, its errors) for every line that is not blank, one line in memory.

    Reads UTF-8, with or without byte order mark, LF or CRLF; a path that ends in ``.gz`` is unpacked. Raises
    InvalidInput when the file cannot be opened; everything after that is an error of the line where it happened.
    """
    with _open(source) as stream:
        for number, line in _numbered(stream):
            if isinstance(line, InvalidInput):
                yield number, [], [LineError(number, str(line))]
            elif line.strip(b" \t\r\n\xef\xbb\xbf"):
                yield number, *read_line(number, line, default_zone=default_zone)


def read_line(
    number: int, line: str | bytes, *, default_zone: tzinfo | None = None
) -> tuple[list[NewMessage], list[LineError]]:
    """Return the messages of a line and its errors: the good messages of a dialog that has a bad one are kept."""
    messages: list[NewMessage] = []
    errors: list[LineError] = []
    try:
        record = decode_line(line)
        for index, result in parse_dialog(record, default_zone=default_zone):
            if isinstance(result, InvalidInput):
                errors.append(LineError(number, str(result), index if "messages" in record else None))
            else:
                messages.append(result)
    except InvalidInput as exc:
        errors.append(LineError(number, str(exc)))
    return messages, errors


def parse_line(line: str | bytes, *, default_zone: tzinfo | None = None) -> list[NewMessage]:
    """Return the messages of a line, all or nothing: InvalidInput says the field and the reason.

    To keep the good messages of a dialog that has a bad one, use ``parse_dialog``.
    """
    messages = []
    record = decode_line(line)
    for index, result in parse_dialog(record, default_zone=default_zone):
        if isinstance(result, InvalidInput):
            raise InvalidInput(f"messages[{index}]: {result}" if "messages" in record else str(result)) from result
        messages.append(result)
    return messages


def decode_line(line: str | bytes) -> dict[str, Any]:
    """Return the JSON object on a line. InvalidInput for bad UTF-8, bad JSON, a key given twice, NaN."""
    try:
        text = line.decode() if isinstance(line, bytes) else line
        record = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_object, parse_constant=_refuse_constant)
    except UnicodeDecodeError as exc:
        raise InvalidInput(f"not UTF-8: {exc.reason} at byte {exc.start}") from exc
    except RecursionError as exc:
        raise InvalidInput("not usable JSON: nested too deeply") from exc
    except json.JSONDecodeError as exc:
        raise InvalidInput(f"not JSON: {exc.msg} at character {exc.pos}") from exc
    except InvalidInput:
        raise
    except ValueError as exc:  # a number of more digits than Python will read
        raise InvalidInput(f"not usable JSON: {exc}") from exc
    if not isinstance(record, dict):
        raise InvalidInput(f"a line must be a JSON object, not {type(record).__name__}")
    return record


def parse_dialog(
    record: Mapping[str, object], *, default_zone: tzinfo | None = None
) -> Iterator[tuple[int, NewMessage | InvalidInput]]:
    """Yield (index, message, or what is wrong with it) for each message of a dialog; a lone message is index 0.

    Messages of tool calls or images alone are passed over. Raises InvalidInput, before anything is yielded, for a
    fault of the dialog itself.
    """
    if "messages" not in record:
        return _parse_each([record], {}, default_zone)
    check_keys(record, _DIALOG_FIELDS)
    ids = {name: parse_id(name, record.get(name)) for name in _DIALOG_IDS}
    if ids["user_id"] is None:
        raise InvalidInput("user_id is missing")
    messages = record["messages"]
    if not isinstance(messages, list):
        raise InvalidInput(f"messages must be a list, not {type(messages).__name__}")
    return _parse_each(messages, ids, default_zone)


def _parse_each(
    messages: list[Any], ids: Mapping[str, str | None], default_zone: tzinfo | None
) -> Iterator[tuple[int, NewMessage | InvalidInput]]:
    for index, message in enumerate(messages):
        if not isinstance(message, Mapping):
            yield index, InvalidInput(f"a message must be an object, not {type(message).__name__}")
        elif not carries_no_text(message):
            try:
                yield index, new_message(message, defaults=ids, default_zone=default_zone)
            except InvalidInput as exc:
                yield index, exc


def _numbered(stream: BinaryIO) -> Iterator[tuple[int, bytes | InvalidInput]]:
    number = 0
    while True:
        number += 1
        try:
            line = stream.readline(MAX_LINE_BYTES + 1)
            is_too_long = len(line) > MAX_LINE_BYTES
            while is_too_long and line and not line.endswith(b"\n"):
                line = stream.readline(MAX_LINE_BYTES)
        except (EOFError, OSError, zlib.error) as exc:
            yield number, InvalidInput(f"the file cannot be read any further: {exc}")
            return
        if is_too_long:
            yield number, InvalidInput(f"the line has more than {MAX_LINE_BYTES} bytes")
        elif not line:
            return
        else:
            yield number, line


def _open(source: str | PathLike[str] | BinaryIO) -> Any:  # Any: gzip, plain files and nullcontext share no type
    if not isinstance(source, str | PathLike):
        return nullcontext(source)
    path = Path(source)
    try:
        return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")
    except OSError as exc:
        raise InvalidInput(f"{path} cannot be opened: {exc.strerror}") from exc


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise InvalidInput("not usable JSON: an object has the same key twice")
    return record


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidInput(f"not JSON: {name} is not a number that JSON has")
