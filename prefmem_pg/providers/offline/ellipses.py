"""Finds what is said without a verb or a subject: "short answers first, details later", "长途飞机，永远选过道"."""

import re
from typing import Final

from prefmem_pg.domain.preferences import Polarity
from prefmem_pg.providers.offline.cue import CONSTRAINT, WEAK, Cue
from prefmem_pg.providers.offline.finding import Finding
from prefmem_pg.providers.offline.questions import asks
from prefmem_pg.providers.offline.reject import is_passing, refuses_sentence
from prefmem_pg.providers.offline.sentences import Span

MAX_CHARACTERS: Final = 110

_DAY: Final = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|satur|sat|sun)(?:day)?s?"
_DAYS: Final = rf"{_DAY}(?:(?:,? (?:to|and|till|through|-)|,|-) ?{_DAY})*"
_POLITE: Final = r"(?:,? please|,? always|,? as (?:usual|ever|always)|,? thanks?)?\W*"
_TELLING: Final = (
    r"(?:short |long |full |big )?(?:answers?|conclusions?|results?|code|examples?|summar(?:y|ies)|explanations?"
    r"|hints?|facts|details|numbers|bad news|good news|bottom line|steps)"
)


def _cue(pattern: str, polarity: Polarity = "positive", importance: float = CONSTRAINT) -> Cue:
    return Cue("leaves words out", re.compile(pattern, re.IGNORECASE), "explicit", polarity, WEAK, importance)


# Each begins at the first word of its sentence, save for the words of politeness.
CUES: Final = (
    _cue(
        r"(?!this|that|it|just|the|my|his|her|their)[\w' -]{2,30} only (?:after|before|on|in|at|for|when|with"
        r"|until)\b[\w' -]*\W*$"
    ),
    _cue(rf"{_TELLING} first,? (?:then |and |the |no )?[\w' -]{{3,40}}{_POLITE}$"),
    _cue(
        r"(?:[\w' -]{3,40}: )?(?:all |every |any )?[\w-]+(?: [\w-]+)? in (?:metric|celsius|fahrenheit|euros?|dollars?"
        rf"|pounds|grams|kilos?|kilomet(?:re|er)s|miles|upper case|lower case|bold|english|\w+ese){_POLITE}$"
    ),
    _cue(r"[\w' -]{3,40},? (?:or nothing|or not at all|every time|any day|without exception)\W*$"),
    _cue(r"[\w' -]{3,40}, (?:always|every time)(?:,? (?:on|in|at|for|when|with) [\w' -]{3,40})?\W*$"),
    _cue(
        r"(?:hotels?|rooms?|seats?|flights?|trains?|restaurants?|coffee|tea"
        r"|summaries|answers|replies|e-?mails|reports)(?: for me)?: (?!\d)(?!.*\b(?:is|are|was|were|has|have|can|the"
        r")\b)[\w' -]{3,40}(?:, [\w' -]{3,40})*\W*$"
    ),
    _cue(
        rf"(?:metric|imperial|celsius|fahrenheit|euros?|dollars|kilomet(?:re|er)s"
        rf"|grams)(?: units)?(?: only)?(?:,? please){_POLITE}$"
    ),
    _cue(r"(?:all|every) [\w -]{3,30} in \w+(?:,| and) (?:all|every) [\w -]{3,30} in \w+\W*$"),
    _cue(r"(?:keep|make|write|answer|use|send|an?)\b [\w' ,-]{3,60},? as (?:usual|always|every \w+)\W*$"),
    _cue(r"nothing (?:before|after|over|under|above|below) [\w: ]{2,20}\W*$", "negative"),
    _cue(r"not (?:after|before|on|in) (?:\w+ ?){1,3}\W*$", "negative"),
    _cue(r"(?:and |so |then )?(?:never|not) on [\w' ]{3,30}\W*$", "negative"),
    _cue(
        rf"{_DAYS} (?:in the office|at home|from home|remote(?:ly)?|at the (?:gym|pool|office)|off)\b[\w', -]*\W*$",
        "neutral",
    ),
    _cue(r"(?:total |obviously,? )?(?:night owl|early bird|morning person) here\W*$", "neutral"),
    _cue(rf"(?:every|each) {_DAY}, [\w' -]{{3,40}}\W*$", "neutral"),
    _cue(
        r"(?:回答)?先(?:说|给|讲|写|列|放)(?:结论|答案|重点|要点|代码|结果|例子|总结|大意)\w{0,4}[，, ]\s?(?:再"
        r"|然后|最后|后)\w+"
    ),
    _cue(r"\w{2,8}(?:嘛|的话)[，, ]\s?(?!就|随便|都行|算了|再说|可以|不)\w{1,8}的(?:[，,、]\s?\w{1,8}的)*\W*$"),
    _cue(r"\w{2,8}[，, ]?(?:永远|一律|总是|向来|从来都?)(?:选|坐|喝|吃|用|买|住|穿|点|订|要)\w+"),
    _cue(r"\w{2,10}[，, ]?百\w不[厌腻烦]"),
    _cue(
        r"(?:周|星期)?[一二三四五六日、]{2,6}(?:去公司|在家|远程|坐班|上班|休息|健身|练琴)\w*(?:[，,]\w+)?\W*$",
        "neutral",
    ),
    _cue(r"周[一二三四五六日][\u4e00-\u9fff]{2,8}[，,](?:其他|其余|剩下|别的)\w+", "neutral"),
    _cue(r"(?:从来|基本|一口|一点)?(?:都|也)?不(?:吃|喝|碰|用|看|去|坐|穿)(?:的|了)?\W*$", "negative"),
)
_OPENING: Final = re.compile(
    r"(?:(?:and|but|so|also|ok(?:ay)?|yes|yeah|no|right|please|well|otherwise|obviously|good|back to normal now"
    r"|here'?s the thing)[,:!. ]+|(?:对了|还有|另外|那|嗯+|好的?|行)[，,：: ]*)+",
    re.IGNORECASE,
)


# One scan over words of which every cue above needs one.
_PRECHECK: Final = re.compile(
    r"\bfirst\b|\bin \w+(?: case)?\W*(?:$|,|please)|\bor not\w*|\b(?:any day|without exception|always|every|each"
    r"|nothing|not|never)\b"
    r"|: |\bonly\b|\bplease\b|\bas usual\b|\b(?:in the office|at home|from home|remote\w*|at the|off|here)\b|先"
    r"|[嘛话远律总向来从]|百"
    r"|[一二三四五六日周]|不",
    re.IGNORECASE,
)


def read_ellipsis(sentence: Span) -> list[Finding]:
    """Return the one finding of a sentence that is said in short as a whole, or none."""
    text = sentence.text
    if len(text) > MAX_CHARACTERS or not _PRECHECK.search(text):
        return []
    opening = _OPENING.match(text)
    start = opening.end() if opening else 0
    told = text[start:]
    cue = next((cue for cue in CUES if cue.pattern.match(told)), None)
    if cue is None or asks(told) or refuses_sentence(text) or is_passing(text):
        return []
    return [Finding(sentence.start + start, sentence.end, cue)]
