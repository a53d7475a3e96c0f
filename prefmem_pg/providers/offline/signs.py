"""Corrects the sign of a cue by the words of the statement: what the cue alone cannot tell."""

import re
from typing import Final

from prefmem_pg.domain.hanzi import TO_SIMPLIFIED
from prefmem_pg.domain.preferences import Polarity
from prefmem_pg.providers.offline.cue import Cue
from prefmem_pg.providers.offline.signs_en import english_sign, idiom_sign

# Cues that say how firmly or how often, not whether: a "not" behind them turns the sign.
_FIRM: Final = frozenset(
    {
        "standing instruction",
        "standing request",
        "holds to it",
        "says how they usually do it",
        "tells the assistant how to do it always",
        "tells a habit",
        "changed their ways",
    }
)
# Cues that say that something is wished, not whether more or less of it.
_OPEN: Final = _FIRM | {"reads like one", "leaves words out"}
_HABITS: Final = frozenset({"says how they usually do it", "tells a habit"})
_TURNS: Final = re.compile(
    r"(?:以后|今后|往后|从此|坚持|一律|始终|一直|永远|平时|一般|每次|都|现在|后)(?:我|就|都|也|绝对|坚决){0,2}"
    r"(?:不(?!超过|少于|低于|错|管|仅|光|只|但|过|同|断|得不|要求|是)(?:再|想|会|要|能)?[\u4e00-\u9fff]|别(?!人|的)"
    r"|戒|拒绝)"
    r"|(?:卸|退|弃|戒)(?:载|掉|订)?了|^不"
)
# "睡前我不想看手机": at such a time, and it is not wanted.
_NOT_THEN: Final = re.compile(
    r"(?:时候?|[饭睡班课会]前|[饭睡班课会]后|路上|期间|场合)[，,]?我?(?:就|都|也|总)?不(?:太|大|怎么)?(?:想|愿意?|肯)(?=\w)"
)
_CANNOT_WITHOUT: Final = re.compile(
    r"(?:没有?|离了|缺了?|少了)[^的\W]{1,6}?我?(?:就|真的|根本|完全|都)?(?:睡不着|活不了|活不下去|没法|不行)\w{0,3}$"
)
# Two negations that make a yes: "never without my pillow", "没有音乐干不了活", "什么都比不上".
_NOT_WITHOUT: Final = re.compile(
    r"\b(?:never|won't|wouldn't)\b(?: \w+){0,4} (?:without|anywhere but|anything but|any other)\b"
    r"|\bnever (?:get|got|grow|tire) (?:tired )?of\b|\bcan't get enough\b|\bnothing (?:I \w+ more|beats|like)\b"
    r"|([^的我])\1不[落漏]|一(?![般直向贯律])\w{1,2}(?:都|也)?(?:不|没)(?:[落漏](?:下过?)?|拉下|错过)"
    r"|(?:用|换|试|习惯|有了|吃|喝|住)\w{0,10}后(?:我)?(?:就|再|也)*回不去了?(?=\W|$)"
    r"|(?<!我)不(?:能|会|可|想|肯)不|(?:没有?|离了|缺了?)[^，,。的]{1,8}(?:我)?(?:就|真|根本|完全|都)?(?:干不了|睡不着"
    r"|活不了|没法|不行|吃不下|出不了)"
    r"|(?:什么|谁|哪\w|啥)都(?:比不[上过了]|不如|没法比)|除了\w{1,8}(?:我)?(?:哪儿?|什么|啥|谁)(?:也|都)不(?:想|愿"
    r"|肯|去|要)"
    r"|(?:从来|一点也?|并|都|也)不(?:会)?(?:嫌|怕|烦|腻|厌|介意)|怎么\w{1,2}(?:都|也)\w?不(?:腻|烦|厌|够)"
    r"|没有比\w{1,12}更(?!(?:让|令|叫)?\w?(?:抓狂|烦|讨厌|恶心|难受|糟|痛苦|无聊|崩溃|可怕|累|折磨))",
    re.IGNORECASE,
)
# Less of it, or none: "少放辣", "无糖", "免葱", "keep the jargon out of it". "我喜欢无糖的" is a liking all the same.
_LESS: Final = re.compile(
    r"\b(?:keep|leave) (?:\w+ ){1,4}out of\b|\bgo easy on\b|\bhold the\b|\bspare me\b|\bless \w+ (?:in|on|with)\b"
    r"|(?<!喜欢)(?<!爱)(?:无|免|去|少|零|戒)(?:放|加|点|搁|来|吃|用|一点)?(?:糖|盐|油|辣椒?|冰|葱|姜|蒜|香菜|味精|酱"
    r"|奶|咖啡因|肉|醋|香精|寒暄|客套|废话|铺垫)"
    r"|(?:少|别|不)(?:放|加|搁|要|用|吃|喝|说|寒暄|客套)\w|少来(?:这|那|点?\w?套|(?=\W|$))"
)
# How much of it is wanted, not that none is: "全糖去冰", "只喝无糖的".
_MEASURED: Final = re.compile(
    r"(?:全|[一二三五七半]分|正常|标准)糖|(?<!不)只(?:吃|喝|买|用|要|选|穿|点)\w{0,4}[无低零少]\w{1,3}的|(?:都|就"
    r"|一直)?(?:喝|买|用|选|点|要)[无低零少脱]\w{1,2}的(?=\W*$)"
)
_LIKES: Final = re.compile(r"喜欢|爱(?!好)|偏好|更|最|\b(?:love|like|prefer|enjoy)\b", re.IGNORECASE)
_HARMS: Final = re.compile(
    r"\b(?:makes?|made|leaves?|left) me (?:feel )?(?:\w+ )?(?:lonely|sick|ill|miserable|tired|anxious|nervous|sad"
    r"|dizzy|sleepy|queasy)\b"
    r"|\b(?:blurs?|swims?) (?:for|before|in front of)\b|\bmy (?:stomach|belly|head|skin|eyes?) (?:dies|revolts?"
    r"|hurts?|turns?|aches?|burns?)\b"
    r"|\b(?:ruins?|wrecks?|kills?|spoils?) (?:it|me|my|the|a|an)\b|\bcount me out\b|\bno,? thank(?:s| you)\b"
    r"|\bnever again\b|\bmiss the mark\b"
    r"|(?:晃眼|发花|闹腾|堵得慌|犯恶心|受不了|受够了|缓不过来|不自在|再也不|(?:真|就|都|可以)?不(?:用|必"
    r"|需要)了?(?=\W*$)|免了吧?|算了吧|别算我|跟我没缘分)",
    re.IGNORECASE,
)
_ROUTINE: Final = re.compile(
    r"\b(?:every|each) (?:\w+ )?(?:day|week|weekday|weekend|month|morning|evening|night|\w+day)s?\b|\b(?:once|twice"
    r"|\w+ times) a "
    r"(?:day|week|month|year)\b|\bdaily\b|\bon \w+days\b|\b\w+ (?:mornings|evenings|nights|days) a week\b|\bup at\b"
    r"|每(?:个?[周月年天晚早]|周[一二三四五六日末天]|星期)|天天|[点半]才?(?:睡|起)|周[一二三四五六日末]",
    re.IGNORECASE,
)
_CHOICE: Final = re.compile(
    r"\b(?:only|always|never|prefer|love|like|enjoy|favou?rite|best|over|instead|must|need)\b|只|最|爱|喜欢|必|坚持"
    r"|非|雷打|风雨|不改",
    re.IGNORECASE,
)
_LIST_WITH_A_NO: Final = re.compile(
    r"^(?:for|about|in|with|on)\b[^,:]*[,:] (?!no\b|never\b|don't\b|not\b)\S.*, no \w+", re.IGNORECASE
)


# "Don't start with praise, it annoys me every time": a rule for all time, and one against something.
_FORBIDS: Final = re.compile(
    r"^\W*(?:(?:please|pls|plz|and|but|also|so|ok(?:ay)?),? )*(?:don't|do not|dont|stop|quit|no more) "
    r"(?!(?:ever )?(?:mind|forget|hesitate|skip|omit|leave|drop|spare|miss|lose|hold back|have to|need|care|worry|stop"
    r"|be (?:afraid|shy)|get me wrong|start without|go without)|than\b)",
    re.IGNORECASE,
)


_DISLIKES: Final = re.compile(
    r"\b(?:hate|dread|loathe|fear|dislike|resent)|\btastes? nothing like\b|烦|讨厌|最怕|受不了|反感", re.IGNORECASE
)


def told_sign(statement: str) -> Polarity | None:
    """Return the side that a turn of phrase tells whatever the words in it say, in either language; else None."""
    plain = statement.translate(TO_SIMPLIFIED)
    if told := idiom_sign(statement):
        return told
    is_yes = _CANNOT_WITHOUT.match(plain) or _NOT_WITHOUT.search(plain)
    return "positive" if is_yes and not _DISLIKES.search(plain) else None


def sign(cue: Cue, statement: str) -> Polarity:
    """Return the polarity of a statement that the cue was found in.

    A habit that is told without a word of liking or choosing is neutral ("I bake on Sundays"); a firm "not" turns a
    firm yes ("以后不住民宿了"); one "no" at the end of a list of wishes does not make a prohibition of the list.
    """
    plain = statement.translate(TO_SIMPLIFIED)
    if cue.kind != "fact" and (told := english_sign(statement, is_goal=cue.kind == "goal")):
        return told
    if (
        cue.polarity == "negative"
        and not cue.is_safety
        and (_CANNOT_WITHOUT.match(plain) or _NOT_WITHOUT.search(plain))
    ):
        return "positive"
    if cue.reason in _FIRM and _FORBIDS.match(plain):
        return "negative"
    if cue.polarity == "negative" and _MEASURED.search(plain):
        return "positive"
    if cue.polarity != "negative" and cue.kind == "explicit" and _is_against(cue, plain):
        return "negative"
    if cue.polarity == "positive" and cue.kind == "explicit" and _NOT_THEN.search(plain):
        return "negative"
    if cue.polarity == "positive" and cue.reason in _FIRM and _TURNS.search(statement):
        return "negative"
    if cue.polarity == "positive" and cue.reason in _HABITS and _is_routine(statement):
        return "neutral"
    if cue.polarity == "negative" and cue.reason.startswith("tells the assistant") and _LIST_WITH_A_NO.match(statement):
        return "positive"
    return cue.polarity


def _is_against(cue: Cue, statement: str) -> bool:
    """Say whether a wish is for less of it, or what is told does the user harm."""
    if _LIKES.search(statement) or _MEASURED.search(statement) or _NOT_WITHOUT.search(statement):
        return False
    return cue.reason in _OPEN and bool(_LESS.search(statement) or _HARMS.search(statement))


def _is_routine(statement: str) -> bool:
    return bool(_ROUTINE.search(statement)) and not _CHOICE.search(statement)
