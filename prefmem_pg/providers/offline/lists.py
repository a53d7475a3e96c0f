"""Finds what a message lists: numbered and bulleted lines, or things named one after another in a sentence. Pure."""

import re
from typing import Final

MAX_ITEM_CHARACTERS: Final = 80
READ_CHARACTERS: Final = 8_000

_LINE: Final = re.compile(
    r"^\s*(?:\(?\d{1,2}[.):、．]|[-*•·▪]|[①②③④⑤⑥⑦⑧⑨⑩]|[（(][一二三四五六七八九十\d][）)]|[一二三四五六七八九十][、．.]"
    r"|第[一二三四五六七八九十][个家款种]?[：:、])\s*(?P<item>\S.*)$",
    re.MULTILINE,
)
_TAIL: Final = re.compile(r"\s+[-–—]+\s+.*$|\s*[:：(（].*$|[，。；;].*$|都[很是不有可能].*$|(?<=[a-z0-9])\. .*$|,\s.*$")
_MARKUP: Final = re.compile(r"[*_`#]+|\[([^\]]*)\]\([^)]*\)")
_INLINE_NUMBERED: Final = re.compile(
    r"(?:^|[\s,;，；。:：])(?:\(?[1-9][.)、]|[①②③④⑤⑥])\s*([^\n,;，；。]{2,80}?)(?=[,;，；。\n.]|\s+\(?[1-9][.)]"
    r"|\s*[①②③④⑤⑥]|$)"
)
# Bounded, so that a long run without spaces is not tried in every cut.
_NAME: Final = r"[\w'’&-]{1,30}(?: [\w'’&-]{1,30}){0,4}"
_ENGLISH: Final = re.compile(
    r"(?:^|[:,.]\s|\b(?:is|are|try|like|recommend|suggest|visit|have|choose|between|either|consider|offer|pick|with"
    r"|for)\s)"
    rf"(?P<items>{_NAME}(?:, {_NAME})*,? (?:and|or) {_NAME})(?=[.?!,;:\n]|$)"
)
_ENGLISH_LEAD: Final = re.compile(
    r"^(?:.*\b)?(?:try|visit|recommend|suggest|choose|consider|pick|take|offer|have|are|is|like)\s+", re.IGNORECASE
)
_CHINESE: Final = re.compile(
    r"(?P<items>(?:《[^》]{1,30}》|[^，。！？：:、；\n《]){1,20}(?:、(?:《[^》]{1,30}》|[^，。！？：:、；\n《]){1,20})+"
    r"(?:(?:和|或者?|还有|以及)(?:《[^》]{1,30}》|[^，。！？：:、；\n《]){1,20})?"
    r"|(?<=[有是：:去选买吃试荐看])[^，。！？：:、；\n]{1,12}(?:和|或者?|还是|以及)[^，。！？：:、；\n]{1,12})"
)
_LEAD: Final = re.compile(
    r"^.*?(?:推荐|可以去|可以试试|可以选|可以|试试|比如|例如|包括|有|是|去|选|吃|看|读)(?:您|你)?(?:去|试试|吃"
    r"|看)?(?=[^、]{2})"
)


def find_items(text: str) -> list[str]:
    """Return the things that a text lists, in order, each shortened to its name; none when it lists nothing."""
    text = text[:READ_CHARACTERS]
    lines = [match["item"] for match in _LINE.finditer(text)]
    if len(lines) >= 2:
        return [_name(line) for line in lines]
    numbered = _INLINE_NUMBERED.findall(text)
    if len(numbered) >= 2:
        return [_name(item) for item in numbered]
    for match in _CHINESE.finditer(text):
        parts = re.split(r"、|和|或者?|还是|还有|以及", match["items"])
        if len(parts) >= 2:
            return [_name(_LEAD.sub("", parts[0], count=1)), *map(_name, parts[1:])]
    if named := _ENGLISH.search(text):
        first, *others = (part for part in re.split(r",? (?:and|or) |, ", named["items"]) if part.strip())
        return [_name(_ENGLISH_LEAD.sub("", first)), *map(_name, others)]
    return []


def _name(item: str) -> str:
    plain = _MARKUP.sub(r"\1", item).strip()
    if plain.startswith("《") and "》" in plain:
        return plain[: plain.index("》") + 1]
    return (_TAIL.sub("", plain).strip() or plain)[:MAX_ITEM_CHARACTERS].strip(" .。,，?？!！吧")
