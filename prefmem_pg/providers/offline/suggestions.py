"""Whether the user accepts or refuses the one thing that the assistant suggests."""

import re
from typing import Final

from prefmem_pg.providers.offline.choice_cues import OF_OTHERS, UNDECIDED, WEIGHS
from prefmem_pg.providers.offline.choices import Choice
from prefmem_pg.providers.offline.mask import mask
from prefmem_pg.providers.offline.options import Option
from prefmem_pg.providers.offline.questions import asks
from prefmem_pg.providers.offline.sentences import sentences

MAX_CHARACTERS: Final = 200

_I: Final = re.IGNORECASE
_SUGGESTS: Final = re.compile(
    r"\b(?:how about|what about|shall (?:i|we)|should i|would you like(?: me)?(?: to)?"
    r"|do you want(?: me)?(?: to)?|want me to|may i suggest"
    r"|i(?:'d| would)? (?:suggest|recommend)|why not|you could (?:try)?|you might (?:like|enjoy|try)"
    r"|have you considered|maybe try|let's try"
    r"|why don't you|can i (?:add|offer|suggest|book|show))\b\s*"
    r"|(?:要不要|要不|不如|建议(?:您|你)?|推荐(?:您|你)?(?:试试)?|可以试试|您看|需要我|我(?:来)?给(?:您|你)"
    r"|想不想|考虑(?:一下)?)",
    _I,
)
_ACCEPTS: Final = re.compile(
    r"^\W*(?:yes|yeah|yep|yup|sure|ok(?:ay)?|great|perfect|good idea|nice idea|love it|i love (?:it|that)|deal"
    r"|absolutely|definitely|of course"
    r"|sounds? (?:good|great|perfect|lovely|fun|nice|fantastic|delicious|wonderful)|that (?:works|sounds (?:good"
    r"|great|perfect|lovely|fun|nice))|let's do (?:it|that)|i'd (?:like|love) (?:that|it|to)|please do"
    r"|go ahead|why not|i like (?:it|that))\b"
    r"|^\W*(?:好(?:的|啊|呀|主意|极了|，|,|！|!|。|$)|可以|行(?:啊|吧|，|,|。|！|$)|没问题|就这么|不错|太好了"
    r"|要的|那就(?:这|它|来)|正合我意|听起来不错|同意|对，就|嗯，?(?:好|可以|就))",
    _I,
)
_REFUSES: Final = re.compile(
    r"^\W*(?:no|nope|nah|not (?:for me|really|my|a fan|keen|interested|that)|no thanks?|no thank you|i(?:'d"
    r"| would) rather not|i'd prefer not|please don't|don't|i don't (?:like|want|eat|drink|do|enjoy)"
    r"|i(?:'m| am) not (?:a fan|keen|into|interested|fond)|i hate|i can't stand|never|rather not)\b"
    r"|^\W*(?:不(?:要|用了|想|喜欢|行|爱|太(?:想|喜欢|行)|了|吃|喝|看|是很喜欢)|算了|别(?!的)|免了|没兴趣|我不)",
    _I,
)
_HEDGES: Final = re.compile(r"\bbut\b|\bhowever\b|\binstead\b|但是?|不过|可是|换成|还是算了", _I)


def read_suggestion(offer: str, answer: str) -> tuple[tuple[Option, ...], Choice] | None:
    """Return the one thing suggested, with whether it was taken or refused; None when nothing is decided."""
    if len(answer) > MAX_CHARACTERS:
        return None
    suggested = _suggested(offer)
    spans = list(sentences(mask(answer)))
    if suggested is None or not spans:
        return None
    first = spans[0]
    told = answer.strip()
    if asks(first.text) or UNDECIDED.search(told) or WEIGHS.search(told) or OF_OTHERS.search(told):
        return None
    reason = (spans[1].start, spans[-1].end) if len(spans) > 1 else None
    if _REFUSES.match(first.text):
        return (suggested,), Choice((), (0,), first.start, first.end, reason)
    if _ACCEPTS.match(first.text) and not _HEDGES.search(told):
        return (suggested,), Choice((0,), (), first.start, first.end, reason)
    return None


def _suggested(offer: str) -> Option | None:
    """Return what the last sentence of the offer suggests."""
    for span in reversed(list(sentences(offer[-1_000:]))):
        match = _SUGGESTS.search(span.text)
        if match:
            text = span.text[match.end() :].strip(" ?？.。!！,，")
            return Option("", text) if text else None
        if not span.text.endswith(("?", "？")):
            return None
    return None
