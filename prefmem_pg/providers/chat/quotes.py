"""Finding a model's quote in the text that it quotes from. Pure."""

import unicodedata
from typing import Final

# What models tidy without being asked. One character each, so that places can be told.
_PLAIN: Final = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " ", "\u2013": "-", "\u2014": "-", "‹": "<"}
    | dict(zip("，。！？：；（）", ",.!?:;()", strict=True))
)
_ENDS: Final = " \t\n\"'.。…,，"


def locate(quote: str, content: str) -> tuple[int, int] | None:
    """Return where the quote stands in the content, or None.

    Exactly, or else with case, white space, width and the shape of quotation marks left aside; words never are.
    """
    if not quote.strip():
        return None
    start = content.find(quote)
    if start >= 0:
        return start, start + len(quote)
    folded, places = _fold(content)
    for wanted in (_fold(quote)[0].strip(), _fold(quote)[0].strip(_ENDS)):
        start = folded.find(wanted) if wanted else -1
        if start >= 0:
            return places[start], places[start + len(wanted) - 1] + 1
    return None


def _fold(text: str) -> tuple[str, list[int]]:
    """Return the text folded, and for each of its characters the place that it comes from."""
    folded: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        plain = unicodedata.normalize("NFKC", character).translate(_PLAIN).casefold()
        for one in plain:
            if one.isspace():
                if folded and folded[-1] == " ":
                    continue
                one = " "
            folded.append(one)
            places.append(place)
    return "".join(folded), places
