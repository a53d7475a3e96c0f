"""Runs of one to three words, hashed: what a quick look at a sentence goes by, without a pattern or a vector."""

import re
from itertools import pairwise
from typing import Final
from zlib import crc32

BUCKETS: Final = 8_192
_TOKEN: Final = re.compile(r"[a-z]+(?:'[a-z]+)?|[\u4e00-\u9fff]|\d+|[^\w\s]")


def gram_buckets(text: str) -> list[int]:
    """Return the buckets of a masked sentence, each once, in no order; a Chinese character counts as a word."""
    tokens = ["^", *("0" if token.isdigit() else token for token in _TOKEN.findall(text.lower())), "$"]
    pairs = [f"{one} {two}" for one, two in pairwise(tokens)]
    triples = [f"{pair} {three}" for pair, three in zip(pairs, tokens[2:], strict=False)]
    return list({crc32(gram.encode()) % BUCKETS for gram in (*tokens, *pairs, *triples)})
