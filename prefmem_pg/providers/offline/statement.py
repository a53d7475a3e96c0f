"""Makes the statement of a finding: the user's own words, trimmed, standing on their own."""

import re
from dataclasses import dataclass
from typing import Final

from prefmem_pg.providers.offline.times import Moment

MAX_CHARACTERS: Final = 300

_TAIL = re.compile(
    r"[\s.。,，;；:：!！?？~～…、—-]+$|(?:[,，]?\s*(?:by the way|btw|though|lol|haha+|you know|thanks"
    r"|thank you|顺便说一下|哈哈+|谢谢|吧|啦|哦|呀|哈))[\s.。!！,，]*$",
    re.IGNORECASE,
)
# "And put prices …", "但肉还是不碰": what joined it to the words before; "So many" and "可乐" begin otherwise.
_HEAD = re.compile(
    r"(?:(?:and|but|also|ok(?:ay)?)\b[,!. ]+(?=\S+ \S|[\u4e00-\u9fff]{2})|so,? (?=(?:I|we|please|no|never|keep"
    r"|don't)\b)|(?:但是|不过"
    r"|所以|而且)[，,]?"
    r"|但(?=我|请|是|肉|也)|可(?=我|还是)|[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f\u200d]+\s*(?=\w))+",
    re.IGNORECASE,
)
_QUOTES: Final = '"“”「」『』'
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+(?:'[^\W_\u3400-\u9fff]+)?")
_REPEATED = re.compile(r"(.{1,40}?)\1{7,}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Wording:
    """A statement, with the place in the message of the words that it is made of."""

    text: str
    start: int
    end: int


def word(content: str, start: int, end: int, *, lead: str = "") -> Wording | None:
    """Return the statement for a place in the message, or None when nothing that can stand alone is left."""
    while start < end and (content[start].isspace() or content[start] in _QUOTES + ",，:：;；-—"):
        start += 1
    if not lead and (head := _HEAD.match(content, start, end)):
        start = head.end()
    end = _shorter(content, start, end)
    while (tail := _TAIL.search(content, start, end)) and tail.start() > start:
        end = tail.start()
    quote = content[start:end]
    opening = sum(quote.count(mark) for mark in '"“')
    if quote[-1:] in ('"', "”", "」", "』") and opening < 1 + (quote[-1:] == '"'):
        end -= 1
        quote = content[start:end].rstrip(".。!！ ")
        end = start + len(quote)
    if is_degenerate(lead + quote):
        return None
    return Wording(lead + " ".join(quote.split()), start, end)


def dated(wording: Wording, moment: Moment, *, is_chinese: bool) -> str:
    """Return the statement with the day written after its relative time, so that it stays true when read later."""
    if not moment.is_relative:
        return wording.text
    day = f"（{moment.written}）" if is_chinese else f" ({moment.written})"
    return wording.text[: moment.end] + day + wording.text[moment.end :]


def is_degenerate(text: str) -> bool:
    """Say whether a text holds no statement: too little, or the same thing over and over."""
    words = _WORD.findall(text)
    if len(words) < 2 or (len(words) == 2 and len(text) < 4):
        return True
    if any(len(one) > 80 for one in words) or _REPEATED.search(text):
        return True
    return len(words) >= 30 and len({one.lower() for one in words}) < len(words) * 0.25


def _shorter(content: str, start: int, end: int) -> int:
    """Return an end that keeps within the limit, at a comma or a space when there is one in the second half."""
    if end - start <= MAX_CHARACTERS:
        return end
    limit = start + MAX_CHARACTERS
    cut = max(content.rfind(mark, start + MAX_CHARACTERS // 2, limit) for mark in ",，;； ")
    return cut if cut > start else limit
