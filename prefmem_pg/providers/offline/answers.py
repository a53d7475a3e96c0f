"""Finds what is told in a few words, as the answer to a question about habits, allergies, tastes or a name."""

import re
from typing import Final

from prefmem_pg.domain.preferences import Kind, Polarity
from prefmem_pg.providers.offline.cue import CLEAR, CONSTRAINT, DANGER, TASTE, WEAK, Cue
from prefmem_pg.providers.offline.finding import Finding
from prefmem_pg.providers.offline.reject import is_passing, refuses_sentence
from prefmem_pg.providers.offline.sentences import Span

MAX_CHARACTERS: Final = 100

_NEVER: Final = re.compile(r"(?!)")


def _cue(kind: Kind, polarity: Polarity, confidence: float, importance: float, *, is_safety: bool = False) -> Cue:
    return Cue("answers a question", _NEVER, kind, polarity, confidence, importance, is_safety)


_ALLERGY: Final = _cue("fact", "negative", CLEAR, DANGER, is_safety=True)
_TASTE: Final = _cue("explicit", "positive", CLEAR, TASTE)
_HABIT: Final = _cue("explicit", "neutral", WEAK, TASTE)
_REFUSAL: Final = _cue("explicit", "negative", CLEAR, CONSTRAINT)
_DEVOTION: Final = _cue("explicit", "positive", CLEAR, TASTE)
_NAME: Final = _cue("explicit", "positive", CLEAR, CONSTRAINT)

_I: Final = re.IGNORECASE
_ASKS_ALLERGY: Final = re.compile(
    r"\b(?:any|you|your)\b[^?]*\b(?:allerg(?:y|ies|ic)|intoleran\w+)\b|(?:你|您|有)[^？?]*(?:过敏|不耐受|忌口)", _I
)
_ASKS_IF_ALLERGIC: Final = re.compile(
    r"\bare you (?:\w+ )?(?P<en>(?:allergic|intolerant) to [\w' -]{2,40}|\w+ intolerant)\?"
    r"|(?:您|你)(?:是不是|是否|会不会|会)?(?P<zh>对[\u4e00-\u9fff]{1,6}过敏|\w{0,4}不耐受)(?:吗|么|不|呢)?[？?]",
    _I,
)
_YES: Final = re.compile(
    r"(?:(?:yes|yeah|yep|yup|yea|i am|i do|indeed|correct|very|badly|severely)(?=[\s,.!…]*$|[,.!…])|(?:对"
    r"|是|有|嗯|很严重"
    r"|非常)的?(?=\W|$|[啊呀呢哦]))"
    r"(?:[\s,.!，。！、…]|[的啊呀呢哦](?=\W|$)|(?:very much|very|badly|severely|i am|很?严重)(?=\W*$))*",
    _I,
)
# Only where an answer begins: "pollen, but nothing serious" names one.
_SAYS_NO: Final = re.compile(
    r"\W*(?:(?:absolutely|probably|definitely|certainly|well|oh|hmm+|luckily|thanks|thank you|应该|目前|暂时|好像|从来"
    r"|谢谢|什么|都|暂)[\s,，。.]*)*"
    r"(?:(?:no|not|none|nothing|nope|nah|never|zero|n/a|maybe|sure|ok(?:ay)?|thanks|why|what|how|skip|pass|later"
    r"|forget|yes|yeah)\b|没|无|不|对了|算了|跳过|别|以后|再说|随便|看情况|为什么|怎么|可以|谢谢|帮我|[是有]吗)",
    _I,
)
_BUT_FOR: Final = re.compile(
    r"\b(?:except|apart from|other than|besides|just|only) (?!kidding|joking|checking|asking|in case)\w|除了|只有|就是",
    _I,
)
_ANYTHING: Final = re.compile(r"\b(?:any|some|every)\w*\b|什么|哪|任何|东西", _I)
_ASKS_NAME: Final = re.compile(
    r"\bwhat (?:should|shall|can|do|may|would you like me to) (?:I )?call you|\bwhat's your (?:first )?name"
    r"|\bhow (?:should|shall|can|may) I (?:call|address) you|(?:怎么|如何)称呼|(?:您|你)(?:叫什么|贵姓|的名字)",
    _I,
)
_DEGREE: Final = re.compile(r"(?:very|badly|severely|a lot|so|really|funny|much| )+|很|非常|特别|严重|有点|很少", _I)
_LETTER: Final = re.compile(r"[^\W\d_]")
_A_NAME: Final = re.compile(r"[A-Z][\w'.-]*(?: [A-Z][\w'.-]*){0,2}|[\u4e00-\u9fff]{2,4}")
_ASKS_HABIT: Final = re.compile(
    r"(?:which|what|when|how (?:many|often|long|much)|where)\b[\w' ]*? do you (?P<en>(?:usually |normally "
    r"|typically |always "
    r"|prefer to |like to |generally )?(?:work|practi[sc]e|train|exercise|run|swim|eat|drink|sleep|get up|wake up|cook"
    r"|study|read|shop|meditate|take your|play|go to the (?:gym|office))\b[\w' -]*)\?"
    r"|(?:您|你)?(?:一般|平时|通常)?(?:都)?(?:哪几天|周几|星期几|几点|什么时候|多久)(?:一般|通常|平时|都"
    r"|会)?(?P<zh>(?:在家|去|上|练|跑|游|健|做|吃|喝|睡|起|学|看|读|办)"
    r"[\u4e00-\u9fff]{0,6}?)(?:一次)?(?:呢|啊)?[？?]"
    r"|(?:一般|平时|通常)(?P<zh2>[喝吃用看听读练临写]\w{0,4}?)(?:什么|谁的|哪种|哪类"
    r"|哪个)(?P<zh3>[\u4e00-\u9fff]{0,4}?)(?:呢|啊)?[？?]",
    _I,
)
_ASKS_WHETHER: Final = re.compile(
    r"\b(?:do you (?:ever )?(?:eat|drink|like|use|smoke|watch|wear|take|play)) (?P<en>[\w' -]{2,40})\?"
    r"|(?:您|你)(?:平时|还|也|能|会)?[吃喝用看穿抽](?:不[吃喝用看穿抽])?(?P<zh>[\u4e00-\u9fff]{1,6}?)(?:吗|么"
    r"|呢)?[？?]",
    _I,
)
_ASKS_TASTE: Final = re.compile(
    r"\b(?:do you (?:usually |generally )?(?:prefer|like|favou?r)|would you rather|what's your favou?rite"
    r"|which (?:do|would) you prefer)\b[^?]*\?$"
    r"|(?:更?(?:喜欢|偏爱|偏好|习惯|爱)[^？?]{0,16}还是|(?:喜欢|偏好|爱[吃喝看听])(?:什么|哪))[^？?]*[？?]$",
    _I,
)
_LEAD: Final = {True: "I prefer ", False: "我更喜欢"}
"""What stands before an answer to a question of taste, by whether the answer is in letters of English."""
_NO_ANSWER: Final = re.compile(
    r"(?:no|none|nope|nothing|not|i|we|it|he|she|they|let|sure|maybe|depends|yes|yeah|ok|okay|thanks|why|what|how"
    r"|can|could"
    r"|the (?:first|second|third)|whatever|today|tomorrow|tonight|next|this|all good|good|fine|never"
    r"|surprise|you|your|up to|either|neither|both|any\w*|dunno|idk|doesn't|don't|skip|pass|forget it|my|our|hard to"
    r"|tough|very|badly|severely|a lot|later|hmm+|let's|same)\b"
    r"|没有?|无|不|随|都|看|我|你|您|好|行|嗯|今天|明天|这|那|可以|为什么|怎么|下周|算了|跳过|别|听|谁|他|她|两|很|非常|特别"
    r"|严重|以后|再说",
    _I,
)
_NEVER_DOES: Final = re.compile(
    r"(?:no|nope|nah)?[,. ]*(?:never|not any ?more|not at all|absolutely not|no way)\W*$|(?:不[，,。 ]*)?(?:从来?"
    r"|从来都|一口都?|一点都?|完全|绝对|坚决)?不"
    r"(?:吃|喝|用|看|穿|抽|碰)(?:了|的)?\W*$",
    _I,
)
_ALWAYS_DOES: Final = re.compile(
    r"(?:yes|yeah|yep)?[,. ]*(?:always|every (?:day|morning|night|week)|all the time|love (?:it|them))\W*$"
    r"|(?:对[，,。 ]*)?(?:天天|每天都?|经常|超爱|特别爱)[吃喝用看穿]?\W*$",
    _I,
)


def read_answer(answer: Span, question: str) -> list[Finding]:
    """Return what a short answer tells, led by what was asked about: "work from home: Mondays and Fridays"."""
    if not question or len(answer.text) > MAX_CHARACTERS or answer.text.endswith(("?", "？")):
        return []
    if refuses_sentence(answer.text) or is_passing(answer.text):
        return []
    if whether := _ASKS_WHETHER.search(question):
        thing = whether["en"] or whether["zh"]
        lead = thing if whether["zh"] else f"{thing[0].upper()}{thing[1:]}: "
        cue = _REFUSAL if _NEVER_DOES.match(answer.text) else _DEVOTION if _ALWAYS_DOES.match(answer.text) else None
        return [Finding(answer.start, answer.end, cue, lead)] if cue else []
    if _ASKS_ALLERGY.search(question) and len(answer.text) <= MAX_CHARACTERS // 2:
        return _allergy(answer, question)
    if _NO_ANSWER.match(answer.text):
        return []
    if _ASKS_NAME.search(question) and _A_NAME.fullmatch(name := answer.text.strip(" .。!！~～")):
        return [Finding(answer.start, answer.end, _NAME, "Call me " if name.isascii() else "叫我")]
    if _ASKS_TASTE.search(question) and len(answer.text) <= MAX_CHARACTERS // 2:
        said_as = _as_preference(answer.text, question)
        return [Finding(answer.start, answer.end, _TASTE, _LEAD[answer.text.isascii()], said_as=said_as)]
    if asked := _ASKS_HABIT.search(question):
        lead = asked["en"] or asked["zh"] or f"{asked['zh2']}{asked['zh3']}"
        mark = ": " if asked["en"] else "："
        return [Finding(answer.start, answer.end, _HABIT, f"{lead[0].upper()}{lead[1:]}{mark}")]
    return []


def only_says_yes(text: str) -> bool:
    """Say whether a sentence says yes and nothing else: what follows it is the answer."""
    return bool(_YES.fullmatch(text))


def _allergy(answer: Span, question: str) -> list[Finding]:
    """Return what an answer names; of one that only says yes, what was asked about."""
    yes = _YES.match(answer.text)
    start = yes.end() if yes else 0
    told = answer.text[start:].strip(" .。!！")
    if _SAYS_NO.match(told) and not _BUT_FOR.search(told):
        return []
    if _LETTER.search(told):
        lead = "Allergies: " if told.isascii() else "过敏："
        return (
            []
            if _DEGREE.fullmatch(told)
            else [Finding(answer.start + start, answer.end, _ALLERGY, lead, is_safety=True)]
        )
    asked = _ASKS_IF_ALLERGIC.search(question)
    if not yes or not asked or _ANYTHING.search(asked.group()):
        return []
    said_as = f"I'm {asked['en']}" if asked["en"] else f"我{asked['zh']}"
    return [Finding(answer.start, answer.end, _ALLERGY, f"{said_as}: ", said_as=said_as, is_safety=True)]


def _as_preference(answer: str, question: str) -> str:
    """Return an answer as a sentence; a word that the question has in small letters is no name."""
    told = answer.strip(" .。!！,，~～")
    if not told.isascii():
        return f"{_LEAD[False]}{told}"
    first = told.split()[0].strip(",")
    is_common = re.search(rf"\b{re.escape(first.lower())}\b", question) is not None
    return f"{_LEAD[True]}{told[0].lower() if is_common else told[0]}{told[1:]}"
