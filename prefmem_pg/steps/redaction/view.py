"""The text as the detectors see it: what hides a secret from a pattern is taken away, places stay known."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

KINDS: Final = (
    "private_key",
    "connection_string",
    "api_key",
    "token",
    "id_number",
    "iban",
    "card",
    "pin",
    "password",
)
"""What a placeholder can say, the more certain kind first: it names a span on which two detectors meet."""

BARRIER: Final = "\ue000"
"""Stands for each character of an earlier placeholder (private use, so in no real text): no secret crosses it."""

PLACEHOLDER: Final = re.compile(rf"\[secret:(?:{'|'.join(KINDS)})\]")
# Zero width, direction marks, soft hyphen, variation selectors, byte order mark.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]"
)
# Full-width letters, digits and the signs that a secret or its announcement is written with. Full-width commas,
# exclamation and question marks stay: they end a Chinese clause and are in no password.
_FULL_WIDTH = {0xFF00 + ord(c) - 0x20: c for c in map(chr, range(0x21, 0x7F)) if c.isalnum() or c in ":=@-._/+#%&*$"}
_FULL_WIDTH |= {0x3000: " ", 0xA0: " ", 0x2010: "-", 0x2011: "-", 0x2012: "-", 0x2013: "-", 0x2212: "-"}
_FOLDED = re.compile(f"[{''.join(map(re.escape, map(chr, _FULL_WIDTH)))}]")


class Span(NamedTuple):
    """A secret at ``start`` to ``end`` of the viewed text."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class View:
    """``text`` is what detectors search; ``kept[i]`` is the place of its character i (None: the same place)."""

    text: str
    kept: Sequence[int] | None

    def original(self, span: Span) -> tuple[int, int]:
        """Return the start and end of the span in the text that was viewed."""
        if self.kept is None:
            return span.start, span.end
        return self.kept[span.start], self.kept[span.end - 1] + 1


def view(text: str) -> View:
    """Return the text with ASCII forms for full-width ones, without invisible characters, placeholders barred."""
    kept = None
    if "[secret:" in text:
        text = PLACEHOLDER.sub(lambda match: BARRIER * len(match.group()), text)
    if text.isascii():
        return View(text, None)
    if _INVISIBLE.search(text):
        hidden = {match.start() for match in _INVISIBLE.finditer(text)}
        kept = [place for place in range(len(text)) if place not in hidden]
        text = _INVISIBLE.sub("", text)
    return View(_FOLDED.sub(lambda match: _FULL_WIDTH[ord(match.group())], text), kept)


def lowered(text: str) -> str:
    """Return the text in lower case, character for character, so that places agree."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(one if len(one := character.lower()) == 1 else character for character in text)
