"""Whose words are these, and do they hold? Patterns over a quote and its sentence, in English and Chinese. Pure."""

import re
from typing import Final

_I = re.IGNORECASE

_COURTESY = re.compile(
    r"(?:\W|\b(?:ok(?:ay)?|thanks?|thank you|thx|ty|cheers|great|cool|nice|perfect|good|sure|fine|got it|i see|noted"
    r"|right|alright|sounds good|will do|no problem|awesome|hi|hello|hey|bye|very much|so much|a lot|then|that helps?"
    r"|makes sense|interesting)\b"
    r"|好的?|行|嗯+|哦+|谢谢(?:你|您)?|多谢|感谢|明白了?|知道了|收到|了解|可以|没问题|你好|您好|再见|不错|了|吧|啊|呢|哈+)*",
    _I,
)
# "don't mind", "can't live without" and their like negate nothing, or themselves.
_IDIOMS = re.compile(
    r"\b(?:don't|do not|doesn't|wouldn't) mind\b|\b(?:can't|cannot|couldn't) (?:live|do|go|start|work|\w+) without\b"
    r"|\bnot only\b|\b(?:can't|cannot) (?:wait|get enough)\b|\bno (?:problem|worries|matter)\b|\bwhy not\b"
    r"|\bnothing (?:beats|better)\b|不介意|不错|离不开|少不了|不仅|没问题|不得了|忍不住|没关系|差不多|不过|好不好"
    r"|是不是|能不能|可不可以|有没有|要不要|不如|特别|别的|别人|分别|区别|级别|性别|告别|个别|识别|类别",
    _I,
)
_INTERJECTION = re.compile(r"^\W*(?:no|nope|nah|不是?|没有?)[,，.!。！]\s*(?=\w)", _I)
_NEGATION = re.compile(
    r"n't\b|n’t\b|\b(?:not|never|no|none|nothing|without|cannot|can ?not|nor|neither|dont|cant|wont|no longer)\b"
    r"|[不没别無无勿莫甭]|未曾",
    _I,
)
# A statement may put the negation otherwise: by a verb, or by naming what is left out.
_NEGATIVE: Final = re.compile(
    _NEGATION.pattern + r"|\b(?:dislik|hat(?:e|es|ed|ing)\b|avoid|allerg|refus|detest|loath|intoleran|except|exclud"
    r"|stop|quit|gave up|give up|skip|instead of|rather than|over\b|free\b|against|lack|unable|unwilling)\w*"
    r"|-free\b|讨厌|避免|忌|拒绝|过敏|戒|反感|厌|免|除了|排除|而非|少",
    _I,
)
_JUST_BEFORE = re.compile(
    r"(?:n't|n’t|\bnot|\bnever|\bno|\bno longer|\bwithout|\bcannot|[不没别])\s*"
    r"(?:(?:\w+ly|to|a|an|the|any|even|much|like|want|eat|drink|really|want to|会|想|要|再|太|怎么|是很|很|能|可以|爱"
    r"|喜欢|吃|喝|用)\s*){0,3}$",
    _I,
)
_OTHERS: Final = (
    r"(?:friend|wife|husband|partner|mom|mum|mother|dad|father|parent|sister|brother|sibling|son|daughter|kid|child"
    r"|boss|manager|colleague|coworker|roommate|flatmate|neighbou?r|cousin|uncle|aunt|girlfriend|boyfriend|fianc[eé]e?"
    r"|grand\w+|client|customer|teacher|team|family|guest|people|everyone|everybody|someone|they|he|she)"
)
_TASTE: Final = (
    r"(?:hat|lov|lik|dislik|prefer|enjoy|ador|avoid|eat|drink|want|need|use|us|detest)(?:es|s|ed|e)?\b"
    r"|(?:can't|cannot|doesn't|don't|won't|never|always|is|are|has|have|only)\b"
)
_OF_ANOTHER = re.compile(
    rf"^(?!\W*people like (?:me|us)\b)\W*(?:(?:and|but|so|also|because|well|actually)\s+)?"
    rf"(?:(?:my|our|his|her|their|the|a)\s+(?:\w+\s+){{0,2}}?)?"
    rf"(?P<who>{_OTHERS})s?\b(?:,?\s+(?:[A-Z]\w+|\w+ly|of mine|always|really|also|just|still|both|all),?){{0,3}}\s+"
    rf"(?:{_TASTE})",
    _I,
)
_FIRST_PERSON = re.compile(r"\b(?:I|I'm|I've|I'd|I'll|me|myself|we|we're|us|mine)\b")
_OTHERS_ZH: Final = (
    r"(?:姐姐?|妹妹?|哥哥?|弟弟?|妈妈?|爸爸?|母亲|父亲|老婆|老公|妻子|丈夫|媳妇|朋友|同事|室友|同学|儿子|女儿|孩子|老板|领导"
    r"|爷爷|奶奶|外婆|外公|邻居|表[哥弟姐妹]|堂[哥弟姐妹]|闺蜜|对象|男朋友|女朋友|客户|大家|别人|他们?|她们?)"
)
_OF_ANOTHER_ZH = re.compile(
    rf"^\W*(?:(?:但是?|不过|而且|因为|其实)[,，]?)?(?:我们?(?:的)?|俺)?(?:\w{{0,2}}?)(?P<who>{_OTHERS_ZH})(?:\w{{0,3}}?)"
    r"(?:特别|很|最|非常|一直|从来|也|都|就|超|比较)*(?:喜欢|讨厌|爱|不|想|要|吃|喝|用|偏好|对|受不了|是)"
)
# "我媳妇不能吃辣，我是四川的": behind the comma the user speaks of themselves.
_OWN_AGAIN_ZH: Final = re.compile(
    rf"[，,；;。]\s*(?:但是?|可是?|不过|而|所以|其实)?(?:我|咱)们?(?:俩)?(?!的|家|{_OTHERS_ZH})"
)
_ONCE = re.compile(
    r"\bjust (?:for )?(?:this once|once|today|tonight|this time)\b"
    r"|\b(?:only|just) (?:this time|this once|for (?:now|today))\b"
    r"|\bthis one time\b|\bthis time only\b|\bfor now\b|\bone[- ]off\b|\bthis once\b"
    r"|就(?:这一?|一)[次回]|仅(?:此|限)?(?:这一?|一)?[次回]|只(?:有|是)?这一?[次回]|这一?[次回](?:就|先)|暂时|今天(?:就|先)|就今天",
    _I,
)
_LASTING = re.compile(
    r"\b(?:from now on|always|from today|every|each|never|in (?:the )?future|whenever|usually|generally|normally)\b"
    r"|以后|今后|每|从(?:今天|现在|今)|往后|总是|一直|从来|平时|一般|永远",
    _I,
)


def is_courtesy(quote: str) -> bool:
    """Say whether a quote holds nothing but thanks, greetings and assent: "ok thanks" takes up no advice."""
    return bool(_COURTESY.fullmatch(quote))


def is_for_once(sentence: str) -> bool:
    """Say whether a sentence says that it holds this once only."""
    return bool(_ONCE.search(sentence)) and not _LASTING.search(sentence)


def is_of_another(sentence: str, statement: str) -> bool:
    """Say whether a sentence tells another person's taste and the statement hides that it does.

    "My wife is allergic to nuts" may be known of the user as such, not as the user's own allergy.
    """
    for pattern in (_OF_ANOTHER, _OF_ANOTHER_ZH):
        found = pattern.match(sentence)
        rest = sentence[found.end() :] if found else ""
        if found and not _FIRST_PERSON.search(rest) and not _OWN_AGAIN_ZH.search(rest):
            who = found["who"].casefold()
            return who not in statement.casefold() or (pattern is _OF_ANOTHER and who in ("he", "she", "they"))
    return False


def loses_negation(content: str, start: int, end: int, statement: str) -> bool:
    """Say whether what is quoted is negated, in it or right before it, and the statement is not."""
    quote = _IDIOMS.sub(" ", _INTERJECTION.sub("", content[start:end]))
    before = _IDIOMS.sub(" ", content[max(0, start - 40) : start])
    is_negated = bool(_NEGATION.search(quote) or _JUST_BEFORE.search(before))
    return is_negated and not _NEGATIVE.search(_IDIOMS.sub(" ", statement))
