"""Reads the labelled corpus: sentences under headings, and short dialogs with a mark before each line."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "corpus"
LANGUAGES: Final = ("en", "zh")

_SIGNS: Final = {"+": "positive", "-": "negative", "0": "neutral"}
# What the mark before a user's line of a dialog says: label, sign, register.
_MARKS: Final = {
    "+": ("explicit", "positive", "dialog"),
    "-": ("explicit", "negative", "dialog"),
    "0": ("explicit", "neutral", "dialog"),
    "f": ("fact", "neutral", "dialog"),
    "g": ("goal", "positive", "dialog"),
    "c": ("none", "", "choice"),
    "b": ("none", "", "behaviour"),
    "t": ("none", "", "today"),
    "o": ("none", "", "other"),
    ".": ("none", "", "dialog neutral"),
}
_LINE: Final = re.compile(r"u(?P<mark>[-+0fgcbto.]) (?P<text>.*?)(?: => (?P<must>.+))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One thing that a user says, with what a person found in it.

    ``part`` is the file it stands in, by its writer. ``kind`` is "none" when nothing lasting of the user's own is said.
    ``before`` is what the assistant said right before, ``must`` what a self-contained statement has to name; both ""
    where there is none. ``register`` tells how it is said, or why it says nothing.
    """

    language: str
    part: str
    topic: str
    text: str
    kind: str
    polarity: str
    register: str
    before: str = ""
    must: str = ""

    @property
    def holds(self) -> bool:
        return self.kind != "none"

    @property
    def label(self) -> tuple[str, str]:
        """What it holds, kind and polarity; or that it holds nothing, and why: the first word of the register."""
        return (self.kind, self.polarity) if self.holds else ("none", self.register.split()[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialog:
    """A short dialog: who speaks ("a" or "u") and what, the user's lines with their example."""

    language: str
    topic: str
    lines: tuple[tuple[str, str, Example | None], ...]


def read_sentences(language: str) -> Iterator[Example]:
    """Yield the sentences of a language in the order of the files."""
    for path in sorted(FOLDER.glob(f"sentences.{language}.*.txt")):
        topic, heading = "other", ("none", "", "small talk")
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("# topic "):
                topic = line.removeprefix("# topic ")
            elif line.startswith("@ "):
                heading = _heading(line)
            elif line:
                kind, polarity, register = heading
                yield Example(
                    language=language,
                    part=path.name.split(".")[2],
                    topic=topic,
                    text=line,
                    kind=kind,
                    polarity=polarity,
                    register=register,
                )


def read_dialogs(language: str) -> Iterator[Dialog]:
    """Yield the dialogs of a language."""
    text = (FOLDER / f"dialogs.{language}.txt").read_text(encoding="utf-8")
    for block in text.strip().split("\n\n"):
        first, *lines = block.splitlines()
        topic = first.removeprefix("@ ")
        said: list[tuple[str, str, Example | None]] = []
        for line in lines:
            if line.startswith("a: "):
                said.append(("a", line[3:], None))
                continue
            match = _LINE.fullmatch(line)
            if match is None:
                raise ValueError(f"not a line of a dialog: {line!r}")
            kind, polarity, register = _MARKS[match["mark"]]
            before = said[-1][1] if said and said[-1][0] == "a" else ""
            example = Example(
                language=language,
                part="dialogs",
                topic=topic,
                text=match["text"],
                kind=kind,
                polarity=polarity,
                register=register,
                before=before,
                must=match["must"] or "",
            )
            said.append(("u", match["text"], example))
        yield Dialog(language=language, topic=topic, lines=tuple(said))


def read_plain(language: str) -> Iterator[Example]:
    """Yield what people say all day and that holds nothing, in six parts that are held apart together."""
    lines = (FOLDER / f"plain.{language}.txt").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(line for line in lines if line and not line.startswith("#")):
        apart = f"plain {number % 6}"
        yield Example(language=language, part=apart, topic=apart, text=line, kind="none", polarity="", register="plain")


def read_corpus() -> list[Example]:
    """Return every labelled line of both languages: sentences, plain talk, then the user's lines of the dialogs."""
    found: list[Example] = []
    for language in LANGUAGES:
        found += read_sentences(language)
        found += read_plain(language)
        found += [example for dialog in read_dialogs(language) for _, _, example in dialog.lines if example]
    return found


def _heading(line: str) -> tuple[str, str, str]:
    """Return kind, polarity and register of a heading "@ explicit - plain" or "@ none today +"."""
    words = line.removeprefix("@ ").split()
    if words[0] == "none":
        sign = _SIGNS.get(words[-1], "")
        return "none", sign, " ".join(words[1:-1] if sign else words[1:])
    return words[0], _SIGNS[words[1]], " ".join(words[2:])
