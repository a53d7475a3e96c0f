"""Long texts in pieces, and many texts in batches, so that each request fits what a model reads."""

from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

import numpy as np

from prefmem_pg.domain.tokens import count_tokens
from prefmem_pg.providers.protocols import Vectors
from prefmem_pg.providers.services import Sizes

T = TypeVar("T")

_ENDS: Final = ("\n", "。", "！", "？", ". ", "! ", "? ", "，", ", ", " ")


def split_text(text: str, most_tokens: int) -> list[str]:
    """Return a text in pieces of at most so many tokens, cut at the end of a line, sentence or word where there is one.

    Nothing is lost: the pieces put together are the text.
    """
    pieces = []
    while count_tokens(text) > most_tokens:
        cut = _cut(text, _fitting(text, most_tokens))
        pieces.append(text[:cut])
        text = text[cut:]
    return [*pieces, text] if text or not pieces else pieces


def halve(text: str) -> list[str]:
    """Return a text in two pieces of about the same length."""
    cut = _cut(text, len(text) // 2)
    return [text[:cut], text[cut:]]


def batches(texts: Sequence[T], tokens: Sequence[int], sizes: Sizes) -> Iterator[list[int]]:
    """Yield the places of the texts that go into one request each, in their order."""
    places: list[int] = []
    held = 0
    for place, count in enumerate(tokens):
        if places and (len(places) == sizes.texts or held + count > sizes.tokens):
            yield places
            places, held = [], 0
        places.append(place)
        held += count
    if places:
        yield places


def pool(vectors: Vectors, weights: Sequence[int]) -> Vectors:
    """Return the mean of the pieces' vectors, each counting by its length, with length 1; shape (1, dimensions).

    Pieces that cancel each other out leave the first one's.
    """
    unit = unit_rows(vectors)
    mean = np.average(unit, axis=0, weights=weights) if len(unit) > 1 else unit[0]
    if not np.linalg.norm(mean) > 1e-6:
        mean = unit[0]
    return unit_rows(mean[np.newaxis].astype(np.float32))


def unit_rows(vectors: Vectors) -> Vectors:
    """Return the rows with length 1."""
    wide = vectors.astype(np.float64)  # squares of what single precision just holds would be 0 or infinite in it
    rows: Vectors = (wide / np.linalg.norm(wide, axis=1, keepdims=True)).astype(np.float32)
    return rows


def _fitting(text: str, most_tokens: int) -> int:
    """Return how many characters from the start hold at most so many tokens; at least one."""
    least, most = 1, min(len(text), most_tokens * 3)
    while least < most:
        middle = (least + most + 1) // 2
        if count_tokens(text[:middle]) <= most_tokens:
            least = middle
        else:
            most = middle - 1
    return least


def _cut(text: str, longest: int) -> int:
    """Return where to cut: after the last end of something in the second half, else at the longest."""
    for end in _ENDS:
        found = text.rfind(end, longest // 2, longest)
        if found >= 0:
            return found + len(end)
    return max(longest, 1)
