"""Secrets that words give away: "my wifi password is …", "密码：…", "PIN 4821", "凭证为…"."""

import itertools
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from prefmem_pg.steps.redaction.announcement_words import (
    ASSIGNED,
    BESIDE,
    CHANGED,
    CORES,
    JOINT_BEFORE,
    PLACEHOLDER_KIND,
    PROSE,
    PROSE_ENDINGS,
    PROSE_HAN,
    PROSE_WORDS_IN_PHRASE,
    SAID,
    VALUE_BEFORE,
)
from prefmem_pg.steps.redaction.view import Span, lowered

_CORES: Final = tuple((core, word, re.compile(words), re.compile(b) if b else None) for core, word, words, b in CORES)
_ASCII_CORES: Final = tuple(one for one in _CORES if one[0].isascii())
_QUOTED = re.compile(
    r"\\?\"([^\"\n\ue000]{1,200}?)\\?\"|“([^“”\n\ue000]{1,200})”|「([^「」\n\ue000]{1,200})」|‘([^‘’\n\ue000]{1,200})’"
    r"|『([^『』\n\ue000]{1,200})』|`([^`\n\ue000]{1,200})`|'([^'\n\ue000]{1,200})'|\*\*([^*\n\ue000]{1,200})\*\*"
    r"|<([^<>\n\ue000]{1,200})>"
)
_BARE = re.compile(r"[^\s\"“”‘’「」『』《》<>`\u3000-\u303f\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\ue000]{1,200}")
_DIGIT = re.compile("[0-9]")
_DIGITS = re.compile(r"[0-9](?:[ \-]?[0-9]){2,18}(?![0-9A-Za-z])")
_IDENTITY = re.compile(r"[A-Za-z]{0,4}[0-9](?:[ \-]?[0-9A-Za-z]){4,24}")
_HAN = re.compile("[\u3400-\u9fff]{2,12}(?=$|[\\s，。；！!,.;、）)])", re.MULTILINE)
_PHRASE = re.compile(r"[^\n.;:!?。；：！？，\"“”\ue000]{1,300}")
_CLAUSE_END = re.compile(r"\s*(?:$|[\n.,;!?)，。；！？）、])|\s*[\U0001f300-\U0001faff]")
_NOUN_END = re.compile(
    r"[ \t]*(?:$|[\n.,;:!?)]|[^\x00-\x7f]|(?:for|to|on|at|of|in|and|but|now|since|everywhere|there|too|please)\b)"
)
_NEXT = re.compile(r"[ \t]*(?:,|，|、|;|/|\band\b|\bor\b|和|或者?|还有)[ \t]*")


class _Keyword(NamedTuple):
    start: int
    end: int
    word: str


def find_announced(text: str) -> Iterator[Span]:
    """Yield the values that words announce as secret; the words stay. Linear in the text."""
    low = lowered(text)
    done = 0
    for keyword in sorted(_keywords(low)):
        if keyword.start < done:
            continue
        for span in _values(text, low, keyword.end, keyword.word):
            done = span[1]
            yield Span(*span, PLACEHOLDER_KIND[keyword.word])
        if keyword.word in {"password", "pin", "phrase"}:
            yield from _value_before(text, low, keyword)


def announces(low: str) -> bool:
    """Say whether the text, in lower case, holds words that announce a secret."""
    return next(_keywords(low), None) is not None


def _keywords(low: str) -> Iterator[_Keyword]:
    for core, word, pattern, before in _ASCII_CORES if low.isascii() else _CORES:
        if core not in low:  # the quick way out, for most words of most texts
            continue
        place = low.find(core)
        while place >= 0:
            match = pattern.match(low, place)
            if match and _is_word(low, match, word, before):
                yield _Keyword(place, match.end(), word)
            place = low.find(core, place + len(core))


def _is_word(low: str, match: re.Match[str], word: str, before: re.Pattern[str] | None) -> bool:
    """Say whether the words stand alone. A Chinese word always does, and DB_PASSWORD= or wifiPassword: is one too."""
    if not match.group()[-1].isascii():
        return True
    after = low[match.end() : match.end() + 1]
    if after.isascii() and after.isalnum() and not (after.isdigit() and word == "pin"):
        return False
    start = match.start()
    if before is not None:
        leading = before.search(low, max(0, start - 24), start)
        if leading is None:
            return False
        start = leading.start()
    previous = low[start - 1 : start]
    return word == "password" or not (previous.isascii() and previous.isalpha())


def _values(text: str, low: str, place: int, word: str) -> Iterator[tuple[int, int]]:
    for connector, judge in ((ASSIGNED, _assigned), (SAID, _said), (CHANGED, _beside), (BESIDE, _beside)):
        joint = connector.match(low, place)
        span = judge(text, joint.end(), word) if joint else None
        if span is not None:
            yield span
            yield from _further(text, span[1], word)
            return


def _further(text: str, place: int, word: str) -> Iterator[tuple[int, int]]:
    """Yield the rest of a list of values ("abc123 and def456"): only what looks like a secret."""
    while word == "password" and (joint := _NEXT.match(text, place)):
        span = _bare(text, joint.end())
        if span is None or not _looks_secret(text[slice(*span)], least=6):
            return
        yield span
        place = span[1]


def _assigned(text: str, place: int, word: str) -> tuple[int, int] | None:
    """Return the value behind a colon or an equals sign: anything but prose."""
    if word not in {"password", "phrase", "pass"}:
        return _numbered_or_long(text, place, word)
    quoted = _quoted(text, place)
    if quoted or word == "phrase":
        return quoted or _phrase(text, place)
    span = _bare(text, place)
    if span is None:
        han = _HAN.match(text, place) if word == "password" else None
        return han.span() if han and not PROSE_HAN.search(han.group()) else None
    value = text[slice(*span)]
    if word == "pass":
        return span if _looks_secret(value, least=4) else None
    return None if value.lower().strip("'!?") in PROSE else span


def _said(text: str, place: int, word: str) -> tuple[int, int] | None:
    """Return the value behind "is": what looks like a secret, or one plain word that ends the clause."""
    if word not in {"password", "phrase"}:
        return _numbered_or_long(text, place, word) if word != "pass" else None
    quoted = _quoted(text, place)
    if quoted or word == "phrase":
        return quoted or _phrase(text, place)
    span = _bare(text, place)
    if span is None:
        return None
    value = text[slice(*span)]
    if _looks_secret(value, least=4):
        return span
    plain = value.lower().strip("'!?")
    is_prose = plain in PROSE or plain.endswith(PROSE_ENDINGS) or len(plain) < 4
    return span if not is_prose and _CLAUSE_END.match(text, span[1]) else None


def _beside(text: str, place: int, word: str) -> tuple[int, int] | None:
    """Return the value that follows without a joint, or behind "to": only what cannot be prose."""
    if word == "password":
        span = _quoted(text, place) or _bare(text, place)
        return span if span and _looks_secret(text[slice(*span)], least=6) else None
    if word in {"pin", "card", "id"}:
        span = _numbered_or_long(text, place, word)
        return span if span and span[1] - span[0] >= (3 if word != "pin" else 4) else None
    span = _bare(text, place) if word in {"key", "token"} else None
    return span if span and _looks_secret(text[slice(*span)], least=16) else None


def _numbered_or_long(text: str, place: int, word: str) -> tuple[int, int] | None:
    if word in {"pin", "card", "id"}:
        place += text[place : place + 1] in {'"', "'", "“", "「"}
        match = (_IDENTITY if word == "id" else _DIGITS).match(text, place)
        if match is None:
            return None
        digits = sum(character.isdigit() for character in match.group())
        least, most = {"pin": (3, 8), "card": (12, 19), "id": (6, 20)}[word]
        return match.span() if least <= digits <= most else None
    span = _quoted(text, place) or _bare(text, place)
    return span if span and _looks_secret(text[slice(*span)], least=8) else None


def _phrase(text: str, place: int) -> tuple[int, int] | None:
    """Return the words of a passphrase up to the end of the clause, unless they are prose about it."""
    match = _PHRASE.match(text, place)
    if match is None:
        return None
    words = match.group().lower().split()
    if not words or PROSE_WORDS_IN_PHRASE.intersection(words) or PROSE_HAN.search(words[0]):
        return None
    if len(words) == 1 and (words[0] in PROSE or words[0].endswith(PROSE_ENDINGS)):
        return None
    return place, place + len(match.group().rstrip())


def _quoted(text: str, place: int) -> tuple[int, int] | None:
    match = _QUOTED.match(text, place)
    return match.span(match.lastindex or 0) if match else None


def _bare(text: str, place: int) -> tuple[int, int] | None:
    match = _BARE.match(text, place)
    if match is None:
        return None
    value = match.group().split(";", 1)[0].rstrip("\\'.,:?]}*")
    if "(" not in value:
        value = value.rstrip(")")
    return (place, place + len(value)) if value else None


def _looks_secret(value: str, *, least: int) -> bool:
    """Say whether a value is no word: it has a digit, a sign inside, or a capital behind a small letter."""
    if len(value) < least:
        return False
    letters = any(character.isalpha() for character in value)
    if any(character.isdigit() for character in value):
        return letters or least < 16
    signs = any(
        not character.isalnum() and character not in "-'’./,…!?~" and character.isascii() for character in value
    )
    return signs or (least < 8 and any(a.islower() and b.isupper() for a, b in itertools.pairwise(value)))


def _value_before(text: str, low: str, keyword: _Keyword) -> Iterator[Span]:
    if not _DIGIT.search(text, max(0, keyword.start - 124), keyword.start):
        return  # such a value has a digit; asking first keeps texts full of the words fast
    joint = JOINT_BEFORE.search(low, max(0, keyword.start - 60), keyword.start)
    # "1Password as a password manager" announces nothing: the words must end what they name.
    if joint is None or not _NOUN_END.match(low, keyword.end):
        return
    found = VALUE_BEFORE.search(text, max(0, joint.start() - 64), joint.start())
    if found is None:
        return
    value = found.group()
    is_secret = value.isdigit() if keyword.word == "pin" else any(c.isdigit() for c in value) and not value.isdigit()
    if is_secret and (keyword.word == "pin" or _looks_secret(value, least=6)):
        yield Span(*found.span(), PLACEHOLDER_KIND[keyword.word])
