"""What must not be kept as it was said: secrets are replaced, sensitive subjects are named."""

import dataclasses
import re
from functools import lru_cache
from itertools import chain
from typing import Any, Final

from prefmem_pg.domain.hanzi import simplify
from prefmem_pg.domain.messages import NewMessage
from prefmem_pg.domain.preferences import Sensitivity
from prefmem_pg.steps.redaction.announcements import announces, find_announced
from prefmem_pg.steps.redaction.keys import secret_kind, words_of
from prefmem_pg.steps.redaction.numbers import find_numbers
from prefmem_pg.steps.redaction.tokens import find_tokens
from prefmem_pg.steps.redaction.view import KINDS, PLACEHOLDER, Span, lowered, view
from prefmem_pg.steps.safety import is_safety, without_figures
from prefmem_pg.steps.sensitive_words import ANY_SENSITIVE, FALSE_FRIENDS, SENSITIVE, WEAK, WEAK_TOPICS

# Replacing one secret can uncover the edge of the next ("password: password: …"). Real text needs one pass and the
# one that finds nothing; the bound keeps hostile text linear.
_MAX_PASSES: Final = 10

_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")


def redact(text: str) -> str:
    """Return the text with each secret replaced by ``[secret:KIND]``; KIND is one of ``KINDS``.

    Found are keys and tokens by their form, private key blocks, connection strings that hold a password, passwords
    and codes announced in English or Chinese words (the words stay), and numbers whose check digits hold (cards,
    accounts, identities). Left alone are bare hexadecimal digests such as commits: nothing tells them from a key, and
    people talk about them. Redacting again changes nothing. Linear in the length of the text.
    """
    for _ in range(_MAX_PASSES):
        redacted = _redact_once(text)
        if redacted == text:
            break
        text = redacted
    return text


def redact_metadata(value: Any) -> Any:  # Any: a JSON value
    """Return the JSON value with the secrets in its strings and numbers replaced; keys stay.

    Under a key that says so ("password", "apiKey", "client_secret", "密码") every string and number is a secret, at any
    depth; under one that announces digits ("pin", "card_number", "身份证") those that may be meant. Redacting again
    changes nothing.
    """
    return _redact_json(value, kind=None, announced="")


def screen_message(message: NewMessage) -> NewMessage:
    """Return the message without secrets in content, author and metadata; ids are the caller's and stay."""
    return dataclasses.replace(
        message,
        content=redact(message.content),
        author=None if message.author is None else redact(message.author),
        metadata=redact_metadata(dict(message.metadata)),
    )


def classify(statement: str, topic: str | None = None) -> tuple[Sensitivity, bool]:
    """Return the sensitive subject of a preference, and whether it is about safety (then it is always recalled).

    The statement decides; a topic counts when it is itself a sensitive word ("medication") or, as in "health", when
    the statement agrees. Figures of speech ("allergic to meetings") and false friends ("healthy food") are neither.
    """
    text = _plain(statement)
    subjects = _subjects_of(topic or "")
    if not (subjects or is_safety(text) or ANY_SENSITIVE.search(text)):
        return "none", False  # as most: what is only a manner of speaking need not be told apart
    text = FALSE_FRIENDS.sub(" ", text)
    if is_safety(text):
        return "health", True
    text = without_figures(text)
    for sensitivity, words in SENSITIVE.items():
        if words.search(text):
            return sensitivity, False
    for sensitivity, is_certain in subjects:
        if is_certain or WEAK[sensitivity].search(text):
            return sensitivity, False
    return "none", False


@lru_cache(maxsize=4_096)
def _subjects_of(topic: str) -> tuple[tuple[Sensitivity, bool], ...]:
    """Return the sensitive subjects that a topic may be about, and of each whether it alone tells."""
    about = FALSE_FRIENDS.sub(" ", _plain(topic)).replace("_", " ")
    return tuple(
        (sensitivity, is_certain)
        for sensitivity, words in SENSITIVE.items()
        if (is_certain := words.search(about) is not None) or WEAK_TOPICS[sensitivity].search(about)
    )


def _plain(text: str) -> str:
    return simplify(lowered(view(text).text)).replace("’", "'")


def _redact_once(text: str) -> str:
    seen = view(text)
    spans = sorted(chain(find_tokens(seen.text), find_numbers(seen.text), find_announced(seen.text)))
    if not spans:
        return text
    pieces: list[str] = []
    done = 0
    for span in _merged(spans):
        start, end = seen.original(span)
        pieces += (text[done:start], f"[secret:{span.kind}]")
        done = end
    return "".join((*pieces, text[done:]))


def _merged(spans: list[Span]) -> list[Span]:
    merged = [spans[0]]
    for span in spans[1:]:
        last = merged[-1]
        if span.start < last.end:
            kind = min(last.kind, span.kind, key=KINDS.index)
            merged[-1] = Span(last.start, max(last.end, span.end), kind)
        else:
            merged.append(span)
    return merged


def _redact_json(value: Any, *, kind: str | None, announced: str) -> Any:  # Any: a JSON value
    """Return the value redacted, under a key that says it is a secret of the kind, or announces one in these words."""
    if isinstance(value, dict):
        return {
            key: _redact_json(item, kind=secret_kind(key) or kind, announced=_announcing(key) or announced)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_redact_json(item, kind=kind, announced=announced) for item in value]
    if value is None or isinstance(value, bool) or value == "":
        return value
    text = str(value)
    if kind is not None:
        return text if PLACEHOLDER.fullmatch(text) else f"[secret:{kind}]"
    if _DATE.match(text):  # a date under "passport" is when it ends
        announced = ""
    prefixed = redact(announced + text)
    redacted = prefixed.removeprefix(announced) if prefixed.startswith(announced) else redact(text)
    return value if redacted == text else redacted


@lru_cache(maxsize=4_096)
def _announcing(key: str) -> str:
    """Return the words of a key as they stand before a value; nothing for a key that announces no secret."""
    words = f"{words_of(key)}: "
    return words if announces(words) else ""
