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
    "fifteen": 15,
    "twenty": 20,
    "twenty-five": 25,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
_HUNDREDS: Final = {"hundred": 100, "thousand": 1_000, "百": 100, "千": 1_000, "万": 10_000}
_HAN: Final = {digit: n for n, digit in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "几": 3}


def read_number(text: str) -> int:
    """Return the number that digits, English words ("two hundred") or Chinese numerals mean; 0 for anything else.

    "A few" and 几 count as three.
    """
    text = text.strip().lower().replace(",", "")
    if text.isdecimal():
        return int(text)
    if text in _ENGLISH:
        return _ENGLISH[text]
    for unit in ("万", "千", "百", "thousand", "hundred"):
        before, found, after = text.partition(unit)
        if found:
            # 二百五 is 250: a lone digit behind a unit counts tenths of it.
            rest = _HAN[after] * _HUNDREDS[unit] // 10 if after in _HAN else read_number(after.lstrip("零〇"))
            return (read_number(before) if before.strip() else 1) * _HUNDREDS[unit] + rest
    tens, ten, ones = text.rpartition("十")
    return (_HAN.get(tens, 1) * 10 if ten else 0) + _HAN.get(ones, 0)
