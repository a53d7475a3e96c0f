"""Where the user wants to go: wishes and refusals that name a place, in English and Chinese."""

import re
from typing import Final

_I = re.IGNORECASE
_NAME = r"(?P<place>[A-Z][\w'-]+(?: (?:[A-Z][\w'-]+|of|the))*)"
_GO = (
    r"(?:(?i:go(?:ing)?|travel(?:l?ing)?|fly(?:ing)?|head(?:ing)?) (?i:back )?"
    r"(?i:on (?:a )?(?:trip|holiday|vacation) )?(?i:to )"
    r"|(?i:visit(?:ing)?) |(?i:take|taking) (?i:a |an )(?i:trip|holiday|vacation) (?i:to ))"
)
_TRIP = r"(?i:planning|organi[sz]ing|booking) (?i:a |an |my |our )(?i:trip|holiday|vacation) (?i:to )"
_WISH = (
    r"(?i:want|like|love|rather|prefer|plan|planning|hope|hoping|decided|intend|going|wish|thinking)(?i: to| on| of)*"
)
_SAYS = (
    r"(?<![\w'])(?i:I|we)(?i:'d| would|'ll| will|'m| am|'re| are|'ve| have)?"
    r"(?i: (?:\w+ly|still|now|also|do|rather|have))*"
)
_CHANGES = r"(?i:rather|decided|will|'ll)(?i: to)?"
_REFUSES = r"(?i:no longer want|don't want|do not want|am not going|won't|will not)(?i: to)?"
_ENGLISH_AGAIN: Final = re.compile(rf"(?:{_SAYS} {_CHANGES}|^(?i:let's)) {_GO}{_NAME}")
_ENGLISH: Final = re.compile(rf"(?:{_SAYS} (?:{_WISH} {_GO}|{_TRIP})|^(?i:let's) {_GO}){_NAME}")
_ENGLISH_REFUSED: Final = re.compile(
    rf"(?<![\w'])(?i:I|we) {_REFUSES} {_GO}{_NAME} (?i:any ?more|after all|now)\b"
    rf"|(?<![\w'])(?i:I|we) (?i:no longer want to) {_GO}{_NAME.replace('place', 'place2')}"
)
_HAN_PLACE = r"(?P<place>[\u4e00-\u9fff]{2,6}?|[A-Z][A-Za-z]+)"
_AFTER = r"(?:旅游|旅行|玩儿?|度假|看看|逛逛|转转|出差)?(?:一趟|几天)?(?:了|吧|啊|呢|呀)*(?=$|[，,。！!？?；;、\s])"
_CHINESE: Final = re.compile(
    r"(?:想|要|打算|计划|准备|决定|希望|还是|改|又|改成|换成)(?:再|先)?(?:去|到)" + _HAN_PLACE + _AFTER
)
_CHINESE_AGAIN: Final = re.compile(
    r"(?:还是(?:想|要|决定)?|又(?:想|要)|改(?:成|为)?(?:想|要)?|换成|决定(?:还是)?)(?:再|先)?(?:去|到)"
    + _HAN_PLACE
    + _AFTER
)
_CHINESE_REFUSED: Final = re.compile(
    r"(?:不(?:再)?(?:想|要|打算|准备|计划)(?:再)?|不)(?:去|到)" + _HAN_PLACE + r"(?:旅游|旅行|玩儿?)?了"
)
_NO_PLACE: Final = re.compile(
    r"[吃买喝睡看学做洗哪玩他她它你我]|上班|开会|公司|学校|医院|外面|那里|这里|跑步|健身|运动|一个|旅游|旅行|度假"
    r"|超市|银行|[一二两三四五六七八九十\d][点号月周]|[明后]天|下周|周[一二三四五六日]"
    r"|^(?:The|A|My|This|That|It|Bed|Work|School|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|I)$"
)
_ADDS: Final = re.compile(r"\b(?:also|too|as well|another|one day|both)\b|也|还想|另外|以后还|顺便", _I)
_TIMES: Final = re.compile(
    r"\b(?:20\d\d|(?:next|this) (?:year|month|week|spring|summer|autumn|fall|winter)|january|february|march"
    r"|april|may|june|july|august|september|october|november|december|christmas|easter)\b"
    r"|20\d\d年|[今明后]年|下个?月|下周|这个?月|本周|\d{1,2}月|[春夏秋冬][天季]|春节|国庆|五一|暑假|寒假|元旦|中秋",
    _I,
)


def destination(text: str) -> str | None:
    """Return the place that the user wishes to go to, or None."""
    return None if refused_destination(text) else _place(_ENGLISH.search(text) or _CHINESE.search(text))


def destination_again(text: str) -> tuple[int, int] | None:
    """Return where a change of plan names a place, without the words of a wish ("还是去北京", "let's go to …")."""
    match = _ENGLISH_AGAIN.search(text) or _CHINESE_AGAIN.search(text)
    return match.span() if match and _place(match) else None


def refused_destination(text: str) -> str | None:
    """Return the place that the user does not want to go to any more, or None."""
    return _place(_ENGLISH_REFUSED.search(text) or _CHINESE_REFUSED.search(text))


def replaces(later: str, earlier: str) -> bool | None:
    """Say whether a later wish takes the place of an earlier one; None when they are no two wishes of going somewhere.

    The same place again is no replacement; nor is "also", nor another time.
    """
    here, there = destination(later), destination(earlier)
    if here is None or there is None:
        return None
    times = [{match.group().lower() for match in _TIMES.finditer(text)} for text in (later, earlier)]
    is_other_time = bool(times[0] and times[1]) and times[0].isdisjoint(times[1])
    return here.lower() != there.lower() and not _ADDS.search(later) and not is_other_time


def _place(match: re.Match[str] | None) -> str | None:
    if match is None:
        return None
    place = next((text for text in match.groupdict().values() if text), "")
    return None if not place or _NO_PLACE.search(place) else place
