"""Completes findings that leave out what they are about, from the words beside them or from the question before."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from prefmem_pg.domain.preferences import Polarity
from prefmem_pg.providers.offline.bareness import is_bare, is_fragment, is_pronominal, lacks_object, missing_thing
from prefmem_pg.providers.offline.finding import Finding
from prefmem_pg.providers.offline.reject import is_passing
from prefmem_pg.providers.offline.sentences import Span, chinese_clauses, english_clauses

_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_TALKS_OF_USER: Final = re.compile(r"\b(?:I|I'm|we|my)\b|我")
_NEGATES: Final = re.compile(r"\b(?:no|not|never|don't|without)\b", re.IGNORECASE)
_OF_OTHERS: Final = re.compile(
    r"[他她]|老板|同事|朋友|老婆|老公|妈|爸|姐|哥|\b(?:he|she|they|his|her|my (?:boss|sister|brother|friend|mother"
    r"|father"
    r"|husband|wife|partner|son|daughter))\b",
    re.IGNORECASE,
)
# What befalls the body says little without what brings it on; "and so" of an idiom says nothing without its habit.
_ADDS_TO_WHAT_WAS_SAID: Final = re.compile(
    r"头[疼痛]|想吐|难受|心烦|恶心|想哭|犯困|雷打不动|風雨不改|风雨不改|清静|清靜|省事|天下第一|永远的神|越\S越"
    r"|折腾|折騰|难過|難受"
    r"|頭[疼痛]"
)
_PRONOUN: Final = re.compile(r"\b(?:it|them)(?=\W*$)", re.IGNORECASE)
_DOES_IT: Final = re.compile(r"[吃喝碰沾用看听聽学學买買住玩穿抽坐开開骑騎戴逛要上]|[a-z]")
_AN_ORDER: Final = re.compile(r"别|不要")
_ABOUT_ME: Final = re.compile(r"[别不]要?\S{1,2}我$")
_NAMED_BY_ASKING: Final = re.compile(
    r"(?!.*\b(?:what|how|why|when|where|who|which|do|does|did|can|could|will|would|is|are|right|really"
    r"|remember|ok)\b)(?:and |but |那|还有)?(?P<name>[A-Za-z0-9' -]{2,24})[?？]+$"
    r"|(?!.*(?:[您你吗哪谁几]|什么|怎么|多少|还是))(?P<zh>[\u4e00-\u9fff]{1,6}?)(?:呢"
    r"|嘛)?[?？]+$",
    re.IGNORECASE,
)
_NOT_TO_JOIN: Final = re.compile(
    r"(?:yes|yeah|yep|no|nope|ok|okay|sure|thanks|thank you|great|good|perfect|hi|hey|right|right,? so)\W*$|.*[?？]\W*$"
    r"|.*\b(?:he|she|they|his|her)\b|[他她]|(?:好的?|行|可以|没事|没关系|算了|嗯+|哈+|对|是的?|谢谢|不)\W*$",
    re.IGNORECASE,
)


def complete(findings: Sequence[Finding], sentence: Span, before: Sequence[str]) -> list[Finding]:
    """Return the findings of a sentence so that each says what it is about; what cannot be completed is left out.

    ``before`` are the texts that may name it, the nearest first: the user's own sentences, then a question to them.
    """
    if not any(_leans(finding, sentence) for finding in findings):
        return list(findings)
    cut = chinese_clauses if _HAN.search(sentence.text) else english_clauses
    clauses = cut(sentence)
    done: list[Finding] = []
    for place, finding in enumerate(findings):
        previous = done[-1] if done else None
        if previous and finding.end <= previous.end:
            continue  # it was joined to the one before
        if not _leans(finding, sentence):
            done.append(finding)
            continue
        whole = _completed(finding, previous, findings[place + 1 : place + 2], clauses, sentence, before)
        if whole and previous and whole.start <= previous.start:
            done[-1] = whole
        elif whole:
            done.append(whole)
    return done


def _leans(finding: Finding, sentence: Span) -> bool:
    if finding.cue.kind != "explicit" or finding.is_safety or finding.said_as or finding.lead:
        return False
    if finding.cue.reason == "answers a question":
        return False
    text = _text(finding, sentence)
    return is_bare(text) or is_fragment(text) or is_pronominal(text)


def _named(finding: Finding, text: str, before: Sequence[str]) -> Finding | None:
    """Say what "it" is at the end of a finding, by the nearest thing named before; None where nothing is."""
    for other in before:
        if thing := missing_thing(text, other):
            last = re.split(r"(?:, |\b)(?=(?:I|we)\b(?!.*\b(?:I|we)\b))", text)[-1]
            return replace(finding, said_as=_PRONOUN.sub(other[thing.start : thing.end].lower(), last))
    return None


def _completed(
    finding: Finding,
    previous: Finding | None,
    following: Sequence[Finding],
    clauses: Sequence[Span],
    sentence: Span,
    before: Sequence[str],
) -> Finding | None:
    text = _text(finding, sentence)
    bare = is_bare(text)
    if not bare and is_pronominal(text):
        return _named(finding, text, [sentence.text[: finding.start - sentence.start], *before])
    beside = next((clause for clause in reversed(clauses) if clause.end <= finding.start), None)
    is_adjacent = bool(previous and beside and previous.end >= beside.end)
    if previous and is_adjacent and _ADDS_TO_WHAT_WAS_SAID.search(text):
        return replace(previous, end=finding.end)
    if _ABOUT_ME.search(text) and (beside is None or is_adjacent):
        return None
    said_before = sentence.text[: finding.start - sentence.start]
    if (bare or _HAN.search(text)) and (thing := missing_thing(text, said_before)) and _in_one_script(thing.form, text):
        if previous is None and beside and missing_thing(text, beside.text) and not _NOT_TO_JOIN.match(beside.text):
            return replace(finding, start=beside.start)
        return _led_by(finding, sentence.text[thing.start : thing.end])
    if previous and is_adjacent:
        return replace(previous, end=finding.end)
    if following and following[0].start - finding.end <= 2 and not _leans(following[0], sentence):
        return replace(following[0], start=finding.start)
    if bare and (led := _from_before(finding, text, before)):
        return led
    if bare and beside and _PRONOUN.search(text) and not _NOT_TO_JOIN.match(beside.text):
        return replace(finding, start=beside.start)
    if bare and not (_AN_ORDER.match(text) and beside):
        return None
    return _joined(finding, beside, clauses, sentence)


def _from_before(finding: Finding, text: str, before: Sequence[str]) -> Finding | None:
    for place, other in enumerate(before):
        if place == 0 and (named := _NAMED_BY_ASKING.match(other)):
            return _led_by(finding, (named["name"] or named["zh"]).strip())
        if _OF_OTHERS.search(other) or not _DOES_IT.search(text):
            continue
        if (thing := missing_thing(text, other)) and _in_one_script(thing.form, text):
            return _led_by(finding, other[thing.start : thing.end])
    return None


def _joined(finding: Finding, beside: Span | None, clauses: Sequence[Span], sentence: Span) -> Finding | None:
    """Join a fragment with the clause before it, else with the one after; alone it stays as it is."""
    if beside and not _NOT_TO_JOIN.match(beside.text):
        if is_passing(f"{beside.text} {_text(finding, sentence)}"):
            return None
        start = sentence.start if _AN_ORDER.match(_text(finding, sentence)) else beside.start
        if _NEGATES.search(beside.text):
            return replace(finding, start=beside.start)
        sign: Polarity = "neutral" if _TALKS_OF_USER.search(beside.text) else "positive"
        return replace(finding, start=start, cue=replace(finding.cue, polarity=sign))
    after = next((clause for clause in clauses if clause.start >= finding.end), None)
    if after and beside is None and _TALKS_OF_USER.match(after.text) and not sentence.text.endswith(("?", "？")):
        return replace(finding, end=after.end)
    return None if lacks_object(_text(finding, sentence)) else finding


def _in_one_script(thing: str, text: str) -> bool:
    return bool(_HAN.search(thing)) == bool(_HAN.search(text))


def _led_by(finding: Finding, thing: str) -> Finding:
    lead = thing if _HAN.search(thing) else f"{thing[0].upper()}{thing[1:]}: "
    return replace(finding, lead=lead + finding.lead)


def _text(finding: Finding, sentence: Span) -> str:
    return sentence.text[finding.start - sentence.start : finding.end - sentence.start].rstrip(" .。!！,，~～")
