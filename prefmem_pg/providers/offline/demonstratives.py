"""Names what "that one" and 那家 point at: the one thing that the turn before names, where a rule can tell."""

import re
from typing import Final

_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_POINTS: Final = re.compile(
    r"\b(?:that|this) one\b|\b(?:those|these) ones\b"
    r"|(?:(?<=\bstand )|(?<=\bhate )|(?<=\bdislike ))(?:that|this|it)\b(?! \w)"
    r"|(?<=\bnever )(?:eat|drink|use|buy|wear|order|put|take|want|touch) (?:that|this|it)\b(?! one)"
    r"|[那这](?:家店?|款|种|牌子|本|部|首|道菜?|间|班|趟|件|双|条|支|台|个)(?![\u4e00-\u9fff]*(?:月|星期|礼拜|时候|人|方面))",
    re.IGNORECASE,
)
_KIND: Final = re.compile(r"\bthe (?P<which>[a-z]+) one\b", re.IGNORECASE)
_VERB: Final = re.compile(r"^(\w+) (?:that|this|it)$", re.IGNORECASE)
_OFFERS: Final = re.compile(
    r"\b(?:how about|what about|have you (?:ever )?(?:tried|seen|read|heard)|(?:do|did) you (?:like|mean|want|use|need)"
    r"|would you like|thinking (?:about|of)|recommend|suggest|(?:you could |maybe |why not )try|there(?:'s| is)"
    r"|tried)\s+"
    r"(?P<en>(?:(?:the|a|an|some|my|your)\s+)?[\w'&-]+(?:\s+[\w'&-]+){0,5})(?=\s*(?:[?.!,;]|$))"
    r"|(?:试试|尝尝|推荐(?:给)?(?:你|您)?|[你您]是说|是不是|考虑|在?(?:喝|吃|买|用|穿|住|听|玩|看|聊|想)(?!不))"
    r"(?:一下|的是|看看)?(?P<zh>[\u4e00-\u9fffA-Za-z0-9]{2,14}?)(?=吗|呢|吧|怎么样|如何|[？?。，,！!]|$)",
    re.IGNORECASE,
)
_WHICH_SHOP: Final = re.compile(r"(?<=[\u4e00-\u9fff])[那这](?:家|间|款|种)(?=[\u4e00-\u9fff])")
_SEVERAL: Final = re.compile(r"\b(?:or|and)\b|还是|或者?|和|跟|、", re.IGNORECASE)


def points(sentence: str) -> bool:
    """Say whether a sentence points at something that the turn before may name."""
    return bool(_KIND.search(sentence) or _POINTS.search(sentence))


def named(sentence: str, before: str) -> str | None:
    """Return the sentence with the thing in the place of what points at it; None when nothing points or names one.

    ``before`` is the turn or sentence right before. Two things in it, or none, are no answer to "which one?".
    """
    if (kind := _KIND.search(sentence)) and (noun := _noun_of(kind["which"], before)):
        return f"{sentence[: kind.start()]}the {kind['which']} {noun}{sentence[kind.end() :]}"
    pointers = list(_POINTS.finditer(sentence))
    if len(pointers) != 1:
        return None
    things = {_WHICH_SHOP.sub("的", found["en"] or found["zh"]).strip() for found in _OFFERS.finditer(before)}
    if len(things) != 1:
        return None
    (thing,), (point,) = things, pointers
    if _SEVERAL.search(thing) or bool(_HAN.search(thing)) != bool(_HAN.search(sentence)):
        return None
    verb = _VERB.match(point.group())
    lead = f"{verb[1]} " if verb else ""
    return sentence[: point.start()] + lead + thing + sentence[point.end() :]


def _noun_of(which: str, before: str) -> str | None:
    """Return what the turn before calls by this quality: "aisle" beside "an aisle seat" is a seat."""
    nouns = {noun.lower() for noun in re.findall(rf"\b{re.escape(which)} ([a-z]{{3,}})\b", before, re.IGNORECASE)}
    return nouns.pop() if len(nouns) == 1 else None
