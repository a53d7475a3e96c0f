"""How many tokens a text may be, without any model's tokenizer: a bound that is meant to be high."""

import re
from typing import Final

_PIECE: Final = re.compile(r"[a-z]+|[A-Z][a-z]*|[^\S\n]+|.", re.DOTALL)
_CJK: Final = re.compile("[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uff00-\uffef]")
LETTERS_A_TOKEN: Final = 3
"""English words run at four and more letters a token, names and the letters of an id at two or three."""
TOKENS_OF_CJK: Final = 2
"""Chinese takes 0.6 to 1.6 tokens a character with common tokenizers; two leave room for rare characters."""


def count_tokens(text: str) -> int:
    """Return an upper bound of the tokens that common tokenizers make of a text.

    A word counts a token for every three letters begun; a digit, a sign and a line break one each, so that ids are not
    taken for prose; white space none before a word, a longer stretch one; a Chinese, Japanese or Korean character two;
    everything else the bytes of its UTF-8, of which a byte-level tokenizer cannot make more.
    """
    return sum(map(_tokens, _PIECE.findall(text)))


def _tokens(piece: str) -> int:
    if piece.isascii():
        if piece.isalpha():
            return -(-len(piece) // LETTERS_A_TOKEN)
        return int(len(piece) > 1 or not piece.isspace() or piece == "\n")
    return TOKENS_OF_CJK if _CJK.match(piece) else len(piece.encode())
