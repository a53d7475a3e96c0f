"""Runs of one to four words, hashed: what a quick look at a sentence goes by, without a pattern or a vector."""

import re
from collections.abc import Container, Sequence
from typing import Final
from zlib import crc32

BUCKETS: Final = 8_192
"""For the words themselves, and as many again for the frame of the sentence."""
_WORDS: Final = 3
_FRAME_WORDS: Final = 4
_TOKEN: Final = re.compile(r"[a-z]+(?:'[a-z]+)?|[\u4e00-\u9fff]|\d+|[^\w\s]")
_RARE: Final = {False: "W", True: "X"}
"""What stands for a rare word and for a run of rare Chinese characters; no token is in capitals."""


def gram_buckets(text: str, common: Container[int]) -> list[int]:
    """Return the buckets of a masked sentence, each once, in no order; a Chinese character counts as a word.

    ``common`` holds the ``word_bucket`` of the words that a frame keeps: "the W was W on W" is one frame, whatever was
    done to what, and so says of a sentence about things never seen that it is a report.
    """
    tokens = words(text)
    frame: list[str] = []
    for token in tokens:
        kept = token if word_bucket(token) in common else _RARE[token[0] > "z"]
        if kept != "X" or frame[-1:] != ["X"]:
            frame.append(kept)
    told = {number % BUCKETS for number in _runs(tokens, _WORDS)}
    return [*told, *{BUCKETS + number % BUCKETS for number in _runs(frame, _FRAME_WORDS)}]


def words(text: str) -> list[str]:
    """Return the words of a text between a mark for its begin and one for its end; every number is 0."""
    return ["^", *("0" if token.isdigit() else token for token in _TOKEN.findall(text.lower())), "$"]


def word_bucket(word: str) -> int:
    """Return the bucket of a single word."""
    return crc32(word.encode()) % BUCKETS


def _runs(tokens: Sequence[str], longest: int) -> list[int]:
    """Return the checksum of every run of up to so many tokens, joined by blanks: each goes on from a shorter one."""
    follows = [f" {token}".encode() for token in tokens]
    found = runs = [crc32(token.encode()) for token in tokens]
    for size in range(1, longest):
        runs = [*map(crc32, follows[size:], runs)]
        found = found + runs
    return found
