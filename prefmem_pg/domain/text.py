"""Text at the border: cleaning, hashing and language by script."""

import hashlib
import re
import unicodedata
from typing import Final

from prefmem_pg.errors import InvalidInput

REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
MAX_ID_CHARACTERS: Final = 200
MAX_STATEMENT_CHARACTERS: Final = 4_000

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f]+")
_KANA = re.compile("[\u3040-\u30ff]+")
_HANGUL = re.compile("[\uac00-\ud7af]+")
_LETTERS = re.compile(r"[^\W\d_]+")


def clean_text(text: str) -> str:
    """Return text that every part of the store can hold: NFC, NUL and lone surrogates replaced by U+FFFD.

    Surrogate pairs that arrived as two halves (as in badly decoded JSON) are joined first.
    """
    if _UNSTORABLE.search(text):
        joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        text = _UNSTORABLE.sub(REPLACEMENT, joined)
    return unicodedata.normalize("NFC", text)


def check_id(name: str, value: object) -> str:
    """Return a caller's id (user_id, dialog_id …) unchanged, or raise InvalidInput that names it.

    Ids are matched exactly and never folded, so white space around one is an error, not trimmed.
    """
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be a string, not {type(value).__name__}")
    if not value or value != value.strip():
        raise InvalidInput(f"{name} must not be empty or have white space around it: {value!r}")
    if len(value) > MAX_ID_CHARACTERS:
        raise InvalidInput(f"{name} has {len(value)} characters; at most {MAX_ID_CHARACTERS} are allowed")
    if _UNSTORABLE.search(value):
        raise InvalidInput(f"{name} holds a NUL byte or half of a surrogate pair: {value!r}")
    return value


def fold(text: str) -> str:
    """Return the form in which two statements count as the same: NFKC, case and white space folded."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def statement_hash(statement: str) -> bytes:
    """Return the 32-byte SHA-256 of the folded statement: equal statements have equal hashes."""
    return hashlib.sha256(fold(statement).encode()).digest()


def detect_language(text: str) -> str:
    """Return "zh", "ja", "ko" or "en" by script ("en" stands for everything written in other letters).

    Han characters carry about as much as a word, so a text counts as Chinese when Han makes up at least a fifth
    of its letters: "我喜欢用 Python 写代码" is Chinese, "I love 火锅 places near the office" is English.
    """
    if text.isascii() or not (letters := sum(map(len, _LETTERS.findall(text)))):
        return "en"
    han, kana, hangul = (sum(map(len, runs.findall(text))) for runs in (_HAN, _KANA, _HANGUL))
    if kana and kana + han >= letters * 0.2:
        return "ja"
    if hangul >= letters * 0.2:
        return "ko"
    return "zh" if han >= letters * 0.2 else "en"
