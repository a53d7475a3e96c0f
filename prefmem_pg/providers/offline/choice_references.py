"""Which places of a list a text names: "the second one", "option B", "#3", "第一个", "both", "the cheaper one"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from prefmem_pg.providers.offline.options import Option

_I: Final = re.IGNORECASE
_PLACES: Final = "first second third fourth fifth sixth seventh eighth"
_COUNT: Final = "one two three four five six seven eight nine ten"
_ORDINALS: Final = {
    **{word: place for place, word in enumerate(_PLACES.split())},
    **{f"{n}{end}": n - 1 for n, end in ((1, "st"), (2, "nd"), (3, "rd"), *((n, "th") for n in range(4, 11)))},
}
_NUMBERS: Final = {word: n for n, word in enumerate(_COUNT.split(), start=1)}
_HAN: Final = {word: n for n, word in enumerate("一二三四五六七八九十", start=1)} | {"两": 2}
_CLASSIFIERS: Final = "个种家款项条间部本套点份道套辆场首台位号只趟班处双件"

_NOT_PLACES: Final = (
    r"(?! (?:of all|time|times|thing|step|floor|day|days|week|half|class|grade|name|person|thought|place|place\b"
    r"|language|hand|date|opinion|child|son|daughter|world))"
)
_ORDINAL: Final = re.compile(
    rf"(?:\b(?:the|your|that|this|number|option|choice|and|or|take|pick|choose|with|not|skip)\s+|^\W*(?:not )?"
    rf"|[,(]\s*)"
    rf"(?P<o>{'|'.join(_ORDINALS)})\b(?!-){_NOT_PLACES}",
    _I,
)
_ENDING: Final = re.compile(
    r"\b(?P<l>last|final|bottom)(?= (?:one|option|choice|suggestion|idea|plan|pick|of)|\s*[,.!;)]|\s*$)"
    r"|(?P<p>second[- ]to[- ]last|penultimate|next to last)|(?P<f>first|top)(?= (?:one|option|choice|pick))"
    r"|\b(?P<m>(?:the )?(?:middle|one in the middle))\b",
    _I,
)
_NUMBERED: Final = re.compile(
    r"(?:\b(?:options?|numbers?|no\.|choices?|plans?|suggestions?|answers?|ideas?)[ #]*|#)(?P<n>\d{1,2}|[a-h]\b"
    rf"|{'|'.join(_NUMBERS)})(?P<more>(?:(?:, | and | & |/| or )(?:option )?(?:\d{{1,2}}|[a-h])\b)*)",
    _I,
)
_BARE: Final = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|yes|yeah|sure|hmm|um|well|so|please|thanks|i'?ll (?:take|have|go with|do|pick|choose)"
    r"|i (?:pick|choose|want|prefer|vote(?: for)?)|let'?s (?:do|go with|try|take)|go(?:ing)? with|give me"
    r"|definitely|it'?s|my (?:pick|choice|vote)"
    r" (?:is|goes to)|选|我选|就选?|那就|好的?|嗯|要|我要|来|还是)(?![a-z])[,，.:： ]*)*"
    r"(?P<n>\d{1,2}|[A-Ha-h]|[一二三四五六七八九十])(?P<more>(?:\s*(?:,|、|and|&|和|跟)\s*(?:\d{1,2}|[A-Ha-h]))*)"
    r"(?:\s*(?:please|thanks|thank you|it is|sounds \w+|looks \w+|for me|then|吧|好了|就行|就好|谢谢|号|号吧|！"
    r"|。|了))*\W*$",
    _I,
)
_LETTER_CUE: Final = re.compile(
    r"\b(?:take|have|go with|pick|choose|prefer|want|do|option|like|for|with)\s+(?P<n>[A-H])\b(?!')"
    r"|^\W*(?P<s>[A-H])(?= (?:sounds?|looks?|is|seems?|it|works?|please|for|would|fits?|suits?)\b|[,!.])"
    r"|(?:选|要|就|喜欢|还是|用|订|买)\s?(?P<z>[A-Ha-h])(?![A-Za-z])|(?<![A-Za-z])(?P<y>[A-H])(?=\s?(?:方案|选项"
    r"|套餐|款|吧|好了|就行|就好|不错|更))",
)
_CHINESE: Final = (
    re.compile(rf"第(?P<n>[一二三四五六七八九十\d]{{1,2}})[{_CLASSIFIERS}]?(?!次|天|名|时间|年|层|周|步)"),
    re.compile(r"(?P<n>[一二三四五六七八九十\d]{1,2})号(?!线|楼|到|出|去|来|回|开)"),
    re.compile(
        r"(?:方案|选项|选择|选|套餐)\s?(?P<n>[一二三四五六七八九十]|\d{1,2}"
        r"|[A-Ha-h])(?![A-Za-z\d])(?![个种家款项条些下])"
    ),
)
_CHINESE_ENDS: Final = re.compile(
    rf"(?P<l>最后(?:那|这)?(?:一|1)?[{_CLASSIFIERS}])|(?P<p>倒数第二[{_CLASSIFIERS}]?)|(?P<m>中间(?:的"
    rf"|那)(?:一?[{_CLASSIFIERS}])?)"
    rf"|(?P<f>头一[{_CLASSIFIERS}]|最上面(?:的|那)(?:一?[{_CLASSIFIERS}])?)|(?P<b>最下面(?:的"
    rf"|那)(?:一?[{_CLASSIFIERS}])?)",
)
_FIRST_FEW: Final = re.compile(
    rf"\b(?P<side>first|last) (?P<n>two|three|2|3)\b|(?P<zside>前|后)(?:面)?(?P<zn>[两二三23])[{_CLASSIFIERS}]?", _I
)
_FORMER: Final = re.compile(r"\bthe former\b|前者", _I)
_LATTER: Final = re.compile(r"\bthe latter\b|后者", _I)
_ALL: Final = re.compile(
    r"\bboth\b(?! (?:sides|hands|parents|of us|my))|\ball (?:of them|three|four|the options)\b|\beach of them\b"
    r"|(?:两|二|俩|三|四)[个种家款项条本部]?(?:我)?(?:都|全)(?:要|选|来|买|订|试|想要|喜欢)|(?:我)?(?:都要"
    r"|全都?要|都来一)",
    _I,
)
_OF_TWO: Final = re.compile(r"both|[两二俩]", _I)


@dataclass(frozen=True, slots=True)
class Reference:
    """Places of the list that are named at ``start`` to ``end`` of a text."""

    places: tuple[int, ...]
    start: int
    end: int


def find_references(text: str, options: Sequence[Option]) -> list[Reference]:
    """Return what a text names by its place or label, in order; places beyond the list name nothing."""
    size = len(options)
    found = [
        *_few(text, size),
        *_ends(text, size),
        *_ordinals(text, size),
        *_labels(text, options),
    ]
    found = found or _all(text, size)
    kept: list[Reference] = []
    for one in sorted(found, key=lambda reference: (reference.start, -reference.end)):
        if one.places and (not kept or one.start >= kept[-1].end):
            kept.append(one)
    return kept


def _few(text: str, size: int) -> list[Reference]:
    found = []
    for match in _FIRST_FEW.finditer(text):
        given = match["n"] or match["zn"]
        count = 3 if given in ("three", "3", "三") else 2
        is_first = (match["side"] or "").lower() == "first" or match["zside"] == "前"
        if count < size:
            places = range(count) if is_first else range(size - count, size)
            found.append(Reference(tuple(places), *match.span()))
    return found


def _ends(text: str, size: int) -> list[Reference]:
    found = []
    for match in (*_ENDING.finditer(text), *_CHINESE_ENDS.finditer(text)):
        named = match.lastgroup
        if named == "m" and size % 2 == 0:
            continue
        place = {"l": size - 1, "b": size - 1, "p": size - 2, "f": 0, "m": size // 2}[named or "l"]
        found.append(Reference((place,), *match.span()))
    if size == 2:
        found += [Reference((0,), *match.span()) for match in _FORMER.finditer(text)]
        found += [Reference((1,), *match.span()) for match in _LATTER.finditer(text)]
    return found


def _ordinals(text: str, size: int) -> list[Reference]:
    found = [
        Reference((_ORDINALS[match["o"].lower()],), *match.span("o"))
        for match in _ORDINAL.finditer(text)
        if _ORDINALS[match["o"].lower()] < size
    ]
    for pattern in _CHINESE:
        for match in pattern.finditer(text):
            place = _place(match["n"], size)
            if place is not None:
                found.append(Reference((place,), *match.span()))
    return found


def _labels(text: str, options: Sequence[Option]) -> list[Reference]:
    size, has_letters = len(options), options[0].label.isalpha()
    found = []
    for match in (*_NUMBERED.finditer(text), *_BARE.finditer(text)):
        names = [match["n"], *re.findall(r"\d{1,2}|\b[a-hA-H]\b", match["more"] or "")]
        places = tuple(place for name in names if (place := _place(name, size)) is not None)
        if match.re is _BARE and match["n"].isalpha() and match["n"].isascii() and not has_letters:
            continue  # "a" and "I" are words
        found.append(Reference(places, match.start("n"), match.end()))
    if has_letters:
        for match in _LETTER_CUE.finditer(text):
            name = match["n"] or match["z"] or match["y"] or match["s"]
            place = _place(name, size)
            if place is not None:
                found.append(Reference((place,), *match.span(match.lastgroup or 0)))
    return found


def _all(text: str, size: int) -> list[Reference]:
    """Read "both" and "都要"; of a list of three, "both" is said of what was named before."""
    whole = tuple(range(size))
    return [
        Reference(whole, *match.span()) for match in _ALL.finditer(text) if size == 2 or not _OF_TWO.search(match[0])
    ]


def _place(name: str, size: int) -> int | None:
    """Return the place that a number or a letter stands for; None when the list is shorter."""
    lower = name.lower()
    if lower.isdecimal():
        place = int(lower) - 1
    elif lower in _NUMBERS:
        place = _NUMBERS[lower] - 1
    elif len(lower) == 1 and lower.isascii():
        place = ord(lower) - ord("a")
    else:
        place = _HAN.get(lower, 99) - 1
    return place if 0 <= place < size else None
