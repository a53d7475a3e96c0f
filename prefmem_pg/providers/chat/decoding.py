"""What a model wrote -> the JSON object in it: lenient in what surrounds and decorates it, never in what it says."""

import json
import re
from collections.abc import Collection, Iterator
from typing import Any, Final

from prefmem_pg.errors import InvalidAnswer

MAX_CHARACTERS: Final = 1_000_000
"""No answer of ours is a tenth as long; a longer one is a model that repeats itself."""

_THINKING = re.compile(r"<(think(?:ing)?|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
# The opening of the tag is sometimes lost, or its first character.
_UNOPENED = re.compile(r"\A.*</(?:think(?:ing)?|reasoning)>", re.DOTALL | re.IGNORECASE)
_FENCED = re.compile(r"```[ \t]*\w*[ \t]*\n(.*?)(?:\n[ \t]*```|\Z)", re.DOTALL)
_STRUCTURAL_QUOTES = {"“": '"', "”": '"', "„": '"', "‟": '"'}
_ESCAPES = frozenset('"\\/bfnrtu')
_MOST_STARTS: Final = 50


def decode(text: str, keys: Collection[str]) -> dict[str, Any]:
    """Return the first JSON object in the text that has one of the keys.

    Thinking, code fences and prose around it are skipped. A list of objects stands for the value of the only key.
    Trailing commas, typographic quotes and single backslashes are mended. Raises InvalidAnswer, which quotes nothing.
    """
    if len(text) > MAX_CHARACTERS:
        raise InvalidAnswer(f"the answer has {len(text)} characters")
    shown = _UNOPENED.sub("", _THINKING.sub("", text.lstrip("\ufeff"))).strip()
    if not shown:
        raise InvalidAnswer("the answer is empty" if not text.strip() else "the answer holds thinking alone")
    for value in _values(shown):
        if isinstance(value, dict) and any(key in value for key in keys):
            return value
        is_bare_list = len(keys) == 1 and isinstance(value, list) and all(isinstance(item, dict) for item in value)
        if is_bare_list and (value or shown in ("[]", "[ ]")):
            return {next(iter(keys)): value}
    raise InvalidAnswer("the answer holds no JSON of the schema")


def _values(text: str) -> Iterator[Any]:  # Any: JSON
    """Yield what can be read as JSON: the whole, what is fenced, then what begins at each bracket."""
    for part in (text, *(match[1] for match in _FENCED.finditer(text))):
        yield from _parse(part.strip())
    decoder = json.JSONDecoder(strict=False)
    for start in [match.start() for match in re.finditer(r"[{\[]", text)][:_MOST_STARTS]:
        for attempt in (text[start:], mend(text[start:])):
            try:
                yield decoder.raw_decode(attempt)[0]
                break
            except (ValueError, RecursionError):
                continue


def _parse(text: str) -> Iterator[Any]:  # Any: JSON
    for attempt in (text, mend(text)):
        try:
            yield json.loads(attempt, strict=False)
            return
        except (ValueError, RecursionError):
            continue


def mend(text: str) -> str:
    """Return the text with trailing commas dropped, typographic quotes made plain, and stray backslashes kept.

    A string with one escape that JSON does not know was written without escaping: all its backslashes are meant as
    they stand, or ``C:\\Users\\new`` would get a line break.
    """
    pieces: list[str] = []
    place = 0
    while place < len(text):
        character = _STRUCTURAL_QUOTES.get(text[place], text[place])
        if character == '"':
            string, place = _string(text, place)
            pieces.append(string)
            continue
        if character in "}]":
            while pieces and (pieces[-1].isspace() or pieces[-1] == ","):
                pieces.pop()
        pieces.append(character)
        place += 1
    return "".join(pieces)


def _string(text: str, start: int) -> tuple[str, int]:
    """Return the JSON string that begins at a quote, mended, and the place after it."""
    is_typographic = text[start] != '"'
    body: list[str] = []
    place = start + 1
    while place < len(text):
        character = text[place]
        if character == "\\" and place + 1 < len(text):
            body.append(text[place : place + 2])
            place += 2
            continue
        if character == '"' or (is_typographic and character in _STRUCTURAL_QUOTES):
            place += 1
            break
        body.append(character)
        place += 1
    is_raw = any(len(piece) == 2 and not _is_escape(piece, body, at) for at, piece in enumerate(body))
    if is_raw:
        body = ["\\\\" + piece[1:] if len(piece) == 2 and piece[1] not in '"\\' else piece for piece in body]
    return '"' + "".join(body) + '"', place


def _is_escape(piece: str, body: list[str], at: int) -> bool:
    if piece[1] != "u":
        return piece[1] in _ESCAPES
    return bool(re.match(r"[0-9a-fA-F]{4}", "".join(body[at + 1 : at + 5])))
