"""Small numbers as people write them in English and Chinese. Pure."""

from typing import Final

_ENGLISH: Final = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "a couple of": 2,
    "three": 3,
    "a few": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "twelve": 12,
}
_HAN: Final = {digit: n for n, digit in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "几": 3}


def read_number(text: str) -> int:
    """Return the number that digits, an English word or Chinese numerals below a hundred mean; 0 for anything else.

    "A few" and 几 count as three.
    """
    text = text.strip().lower()
    if text.isdecimal():
        return int(text)
    if text in _ENGLISH:
        return _ENGLISH[text]
    tens, ten, ones = text.rpartition("十")
    return (_HAN.get(tens, 1) * 10 if ten else 0) + _HAN.get(ones, 0)
