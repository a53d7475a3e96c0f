"""Hides what the user did not say: code, pasted text, quotations, parts played, links and recalled memories."""

import re
from collections.abc import Sequence

from prefmem_pg.domain.hanzi import TO_SIMPLIFIED
from prefmem_pg.providers.offline.pasted import pasted_places
from prefmem_pg.providers.offline.voices import lent_places

# Cantonese words of one character for which the rules know the other one.
_CANTONESE: dict[int, int | str] = {ord(own): plain for own, plain in zip("唔冇嘅咗", "不没的了", strict=True)}
# Length is kept, so that offsets into the masked text are offsets into the message.
_PLAIN: dict[int, int | str] = {
    ord("\u2019"): "'",
    ord("\u2018"): "'",
    ord("\u00a0"): " ",
    **TO_SIMPLIFIED,
    **_CANTONESE,
}

_FENCED = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_LINK = re.compile(r"(?:https?://|www\.)[^\s，。！？）]+")
_TAGGED = re.compile(
    r"<(memor(?:y|ies)|relevant[-_]memories|context|user[-_](?:memory|memories|preferences|profile)|system"
    r"|document|quote)\b[^>]*>"
    r".*?(?:</\1>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_RECALLED = re.compile(
    r"(?:^|(?<=\n)|(?<=[.!?:。！？] ))[ \t#*\[【]*(?:(?:relevant|related|recalled|retrieved|known|stored"
    r"|saved|past|user'?s?|long-term)[ ]"
    r"(?:user )?(?:memor(?:y|ies)|preferences?|facts?|context|profile)|memories|what (?:i"
    r"|we) know about (?:the user|you)"
    r"|(?:相关|用户|已知|历史|长期|召回的?)(?:的)?(?:记忆|偏好|画像|信息))[^\n:：]{0,40}[\]】*]*[ ]*[:：]"
    r"(?:[^\n]*)(?:\n[ \t]*(?:[-*•·]|\d+[.)、])[^\n]*)*",
    re.IGNORECASE,
)
_SPEAKER_LINE = re.compile(
    r"^[ \t]*(?:assistant|ai|bot|chatgpt|claude|system|agent|助手|助理|系统|客服|机器人)[ ]*[:：].*$",
    re.MULTILINE | re.IGNORECASE,
)
_TO_WORK_ON = re.compile(
    r"(?:^|[.!?]\s+|\bplease |\byou |\bthen )(?:translate|proofread|rewrite|rephrase|paraphrase|summari[sz]e|correct"
    r"|edit|polish|fix|analy[sz]e|classify)\b[^\n:]{0,60}:(?!\d).*\Z"
    r"|(?:翻译|润色|改写|校对|总结|概括|修改|分析|译[成为]|翻成|翻一?下)[^\n：:。]{0,30}[：:](?!\d).*\Z",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
_QUOTATION = re.compile(
    r"\"[^\"\n]{12,}\"|\"(?=[^\"\n]*[\u4e00-\u9fff])[^\"\n]{6,}\"|“[^“”\n]{6,}”|「[^「」\n]{6,}」|『[^『』\n]{6,}』"
    r"|(?<=[:：] )'[^'\n]{12,}'|(?<!\w)'(?=\w)(?:[^'\n]|(?<=\w)'(?=\w)){12,}'(?!\w)"
)
_QUOTATION_MARKS = "\"'“「『"
# Each with what it cannot do without: looking for a sign costs a hundredth of looking for the pattern.
_NOT_OWN = (
    (("```", "~~~"), _FENCED),
    (("<",), _TAGGED),
    ((":", "："), _RECALLED),
    ((">",), _QUOTED_LINE),
    ((":", "："), _SPEAKER_LINE),
    (("://", "www."), _LINK),
    ((":", "："), _TO_WORK_ON),
)
_ENCLOSED = re.compile(r"\A\W*[\"“「『][^\"”」』]*[\"”」』]\W*\Z")


def mask(content: str) -> str:
    """Return the text with everything that is not the user's own speech blanked, each character by one space.

    A message that is one quotation as a whole stays: people and programs wrap what they say in quotes.
    """
    text = content.translate(_PLAIN)
    for signs, pattern in _NOT_OWN:
        if any(sign in text for sign in signs):
            text = pattern.sub(_blank, text)
    text = _without(text, pasted_places(text))
    if any(mark in text for mark in _QUOTATION_MARKS) and not _ENCLOSED.match(text):
        text = _QUOTATION.sub(_blank, text)
    return _without(text, lent_places(text))


def _without(text: str, places: Sequence[tuple[int, int]]) -> str:
    """Return the text with these places blank, in one pass: a paste may hold a place on every line."""
    pieces: list[str] = []
    done = 0
    for start, end in sorted(places):
        if end > done:
            start = max(start, done)
            pieces += (text[done:start], _blanked(text[start:end]))
            done = end
    return "".join((*pieces, text[done:])) if pieces else text


def _blank(match: re.Match[str]) -> str:
    return _blanked(match.group())


def _blanked(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
