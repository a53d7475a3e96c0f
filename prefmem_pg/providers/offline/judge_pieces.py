"""A statement cut into clauses of pieces: the longest known forms, and the words between them."""

import re
from dataclasses import dataclass
from typing import Final

from prefmem_pg.providers.offline.judge_lexicon import Meaning, lexicon
from prefmem_pg.providers.offline.judge_text import STOP, is_han, normalise, stem, tokens

STANCE: Final = frozenset({"like", "dislike", "negate", "past", "allergy", "only"})
"""Roles that take a side."""


_QUALITIES: Final = frozenset(
    stem(word)
    for word in (
        *("boring", "annoying", "irritating", "disgusting", "dull", "tedious", "awful", "terrible", "horrible", "bad"),
        *(
            "gross",
            "nasty",
            "unpleasant",
            "painful",
            "stressful",
            "exhausting",
            "overrated",
            "weird",
            "ugly",
            "useless",
        ),
        *("pointless", "uncomfortable", "distracting", "frightening", "terrifying", "tiring", "frustrating", "scary"),
    )
)

_NOTHING: Final = Meaning(frozenset({"drop"}))


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the text with what it means; ``meaning`` is None for a word that the tables do not know."""

    text: str
    meaning: Meaning | None = None

    def has(self, *roles: str) -> bool:
        """Say whether the piece plays one of these roles."""
        return self.meaning is not None and not self.meaning.roles.isdisjoint(roles)

    @property
    def concepts(self) -> tuple[str, ...]:
        """The names of the concepts that the piece stands for."""
        return () if self.meaning is None else tuple(name for name, _, _ in self.meaning.concepts)

    @property
    def is_number(self) -> bool:
        """Say whether the piece is a number or a time."""
        return self.text[0] == "#" and len(self.text) > 2

    @property
    def is_content(self) -> bool:
        """Say whether the piece names something."""
        return not self.is_number and (self.meaning is None or any(name[:2] != "v_" for name in self.concepts))


def clauses(text: str) -> list[list[Piece]]:
    """Cut a statement into clauses: at punctuation, at "but", and at "and" before a new predicate."""
    found: list[list[Piece]] = [[]]
    all_pieces = pieces(text)
    for index, piece in enumerate(all_pieces):
        following = all_pieces[index + 1 : index + 3]
        if piece.text == STOP or piece.has("but"):
            found.append([])
        elif (
            piece.has("and")
            and found[-1]
            and (any(p.has(*STANCE) for p in following) or (following and following[0].has("often")))
        ):
            found.append([piece])
        else:
            found[-1].append(piece)
    return [clause for clause in found if any(not p.has("drop", "and") for p in clause)]


def pieces(text: str) -> list[Piece]:
    """Cut a statement into pieces, words without content included: they keep the others apart."""
    found: list[Piece] = []
    words: list[str] = []
    for token in [*tokens(normalise(text)), STOP]:
        if token == STOP or token[0] == "#" or is_han(token):
            found += _word_pieces(words)
            words = []
            found += _han_pieces(token) if is_han(token) else [Piece(token)]
        else:
            words.append(token)
    found = [p for p in found[:-1] if not p.has("filler")]
    found = [Piece(p.text, _NOTHING) if _is_such_as(found, i) else p for i, p in enumerate(found)]
    return [Piece(p.text) if _is_quality(found, i) else p for i, p in enumerate(found)]


def _is_such_as(found: list[Piece], index: int) -> bool:
    """Say whether this "like" gives an example ("services like Uber") and takes no side."""
    return found[index].text == "like" and index > 0 and found[index - 1].is_content


def _is_quality(found: list[Piece], index: int) -> bool:
    """Say whether a verdict only describes the thing that follows, on which the user takes another stance.

    In "I hate boring films" and "无聊的电影我不看" nobody speaks up for films.
    """
    piece = found[index]
    if not piece.has("dislike") or index + 1 == len(found):
        return False
    start = max((i + 1 for i in range(index) if found[i].text == STOP), default=0)
    end = next((i for i in range(index, len(found)) if found[i].text == STOP), len(found))
    if is_han(piece.text):
        others = [p for i, p in enumerate(found[start:end], start) if i != index]
        is_attribute = found[index + 1].text == "的" and any(p.is_content for p in found[index + 2 : end])
        return is_attribute and any(p.has("like", "dislike", "negate") for p in others)
    is_attribute = piece.text in _QUALITIES and found[index + 1].is_content and index + 1 < end
    return is_attribute and any(p.has("like", "dislike", "negate") for p in found[start:index])


def _word_pieces(words: list[str]) -> list[Piece]:
    stems, found, table = [stem(w) for w in words], [], lexicon()
    while stems:
        size, meaning = table.match_words(stems)
        if meaning is None and (root := _plain_degree(stems[0])):
            size, meaning = table.match_words([root])
        found.append(Piece(" ".join(stems[: max(size, 1)]), meaning))
        stems = stems[max(size, 1) :]
    return found


def _plain_degree(word: str) -> str:
    """Return the known stem that a comparative is made of ("spicier", "louder"), "" when there is none."""
    match = re.fullmatch(r"([a-z]{3,}?)(?:er|est|r|st)", word)
    if match is None:
        return ""
    root = match[1]
    roots = (root, root[:-1] + "y" if root.endswith("i") else root, root[:-1] if root[-1:] == root[-2:-1] else root)
    for one in (*roots, root + "e"):
        _, meaning = lexicon().match_words([stem(one)])
        if meaning is not None and meaning.concepts:
            return stem(one)
    return ""


def _han_pieces(run: str) -> list[Piece]:
    """Cut Han by the longest known form; the characters between known forms stay together as one unknown word."""
    found: list[Piece] = []
    unknown, table = "", lexicon()
    while run:
        size, meaning = table.match_han(run)
        if meaning is None:
            unknown, run = unknown + run[0], run[1:]
            continue
        if unknown:
            found.append(Piece(unknown))
        unknown = ""
        found.append(Piece(run[:size], meaning))
        run = run[size:]
    return _whole_words([*found, Piece(unknown)] if unknown else found)


def _whole_words(found: list[Piece]) -> list[Piece]:
    """Take a single known character between unknown ones for part of a name: "申花队" has no flower in it."""
    whole: list[Piece] = []
    for index, piece in enumerate(found):
        is_inside = _is_character(piece) and index + 1 < len(found) and found[index + 1].meaning is None
        if whole and whole[-1].meaning is None and (piece.meaning is None or is_inside):
            whole[-1] = Piece(whole[-1].text + piece.text)
        else:
            whole.append(piece)
    return whole


def _is_character(piece: Piece) -> bool:
    return len(piece.text) == 1 and piece.meaning is not None and not piece.meaning.roles and bool(piece.concepts)
