"""How a user says that something shall be forgotten, in English and Chinese: patterns over one sentence."""

import re
from typing import Final

_I = re.IGNORECASE
_POLITE = (
    r"(?:(?:please|sorry|oh|no|wait|actually|hmm|well|ok(?:ay)?|you (?:can|should|may|must)|(?:can|could) you|and|so"
    r"|also|just|(?:you got (?:that|this|it) wrong|never ?mind(?: that| it)?|(?:that was (?:just )?|it was )?(?:just )?"
    r"(?:a joke|kidding|joking)|I was (?:just |only )?(?:kidding|joking)))[,.!;]? )*"
)
_SOMEONE = (
    r"(?:my (?:\w+ )?(?:sister|brother|mother|mum|mom|father|dad|wife|husband|partner|son|daughter|friend|boss"
    r"|colleague|roommate|flatmate|cousin|uncle|aunt|girlfriend|boyfriend|kid|child|neighbou?r|grand\w+)"
    r"|a friend(?: of mine)?|someone else|somebody else|him|her|them)"
)
_FORGET = r"(?:forget|drop|delete|erase|disregard|ignore|scratch|strike|remove|scrap|discard)"
_NOT_KEEP = (
    r"(?:don't|do not) (?:remember|save|store|keep|note(?: down)?|memori[sz]e|record|write down"
    r"|(?:keep|make) (?:a )?(?:record|note) of)"
)
_MEMORY = r"(?: from (?:your |the )?(?:memory|memories|records?|notes))"
_PERSON = (
    r"(?:我)?(?:的)?(?:姐姐?|妹妹?|哥哥?|弟弟?|妈妈?|爸爸?|老婆|老公|妻子|丈夫|朋友|同事|室友"
    r"|同学|儿子|女儿|孩子|老板|爷爷|奶奶|邻居|表[哥弟姐妹]|别人|他|她)"
)
_ZH_POLITE = r"(?:(?:请|麻烦|帮我|算了|哦|不|等等|抱歉|不对|不好意思|开玩笑的)(?:你)?[，, ]?)*(?:你)?"
_ZH_JUST = r"(?:我)?(?:刚才|刚刚)(?:说|讲|提)?(?:过)?(?:的)?(?:那|这)?(?:个|条|句)?(?:话|内容|东西)?"
_ZH_THAT = rf"(?:[这那](?:个|条|句话|句|些|件事)|它|{_ZH_JUST})"
_ZH_NOT_KEEP = r"(?:别|不要|不用|不必|无需)(?:再)?(?:记住?|记下来?|记录|保存|存)"
_ZH_ERASE = r"(?:忘掉|忘了|忘记|删掉|删了|删除|去掉|清掉|抹掉)"
_ZH_VOID = r"(?:不算(?:数)?|作废|取消|当我没说(?:过)?)"
_ZH_EARLIER = r"(?:之前|以前|前面|先前|原来)(?:说|讲|提)(?:过)?的"
_ZH_STATED = (
    r"我(?:最|很|特别|比较)?(?:喜欢|爱|讨厌|不(?:喜欢|爱|吃|喝|能|会)|是|对|有|养|住在|吃|喝|想去)[^，。！？,!?]{1,20}?"
)
_ZH_FACT = r"(?:的)?(?:这件事|这事|这一点|事情?)"
_ZH_END = r"(?:吧|了|啊|哈|谢谢)*\W*$"

# Each fills its sentence: "forget that, let's eat" is talk about something else.
LAST: Final = re.compile(
    rf"{_POLITE}(?:{_FORGET} (?:about )?(?:that|this|it|what I (?:just |have just )?said|the last (?:one|thing|part))"
    rf"(?: part| one| bit)?{_MEMORY}?|{_FORGET} (?:that )?I (?:ever )?(?:said|mentioned) (?:that|this|it|anything)"
    rf"|{_NOT_KEEP} (?:that|this|it)(?: down)?|I take (?:that|it) back"
    r"|I (?:never|didn't) (?:said|say|mean)(?: that| it)?|that(?:'s| is| was)? not true(?: (?:about|for) me)?"
    rf"|that(?:'s| is| was) (?:about |for )?{_SOMEONE},? (?:and )?not me|that(?:'s| is| was) not (?:about )?me"
    rf"(?:,? (?:but|it(?:'s| was|'s about)|that(?:'s| was)) (?:about )?{_SOMEONE})?"
    rf"|not me, {_SOMEONE}|I was (?:talking|speaking) (?:about|of) {_SOMEONE}(?:,? not (?:about )?(?:me|myself))?)"
    r"(?: please| thanks| again)?|"
    rf"{_ZH_POLITE}(?:"
    rf"{_ZH_NOT_KEEP}{_ZH_THAT}?|{_ZH_THAT}(?:都|就)?{_ZH_NOT_KEEP}"
    rf"|(?:把)?{_ZH_THAT}(?:给|都|就)?{_ZH_ERASE}|{_ZH_ERASE}{_ZH_THAT}|{_ZH_THAT}(?:都|就)?{_ZH_VOID}"
    r"|(?:就)?当我没说(?:过)?|我收回(?:刚才的话|刚才说的)?|我没(?:这么)?说过"
    rf"|(?:那|这|刚才(?:说)?的?|刚才那个)(?:其实)?(?:是|说的是){_PERSON}(?:的)?[，, ]?(?:而)?不是我(?:自己)?"
    rf"|(?:那|这|刚才说的)(?:个)?不是我[，, ]?(?:那)?是{_PERSON}|不是我[，, ]?是{_PERSON}"
    r")(?:吧|了|啊|哈|谢谢)*",
    _I,
)
# About what was named just before in the same message: "I don't like fruit any more, drop what I said before".
BEFORE: Final = re.compile(
    rf"\b{_FORGET} (?:what(?:ever)?|everything|all|anything) (?:that )?I(?:'ve| have)? (?:said|told you|mentioned)"
    r"(?: about (?:it|that|them|this))?(?: before| earlier| previously| so far)?\s*[.!]*$"
    rf"|{_ZH_ERASE}(?:我)?{_ZH_EARLIER}(?:话|那些)?\W*$"
    rf"|{_ZH_EARLIER}(?:话|那些)?(?:都|就)?(?:{_ZH_VOID}|{_ZH_ERASE}|{_ZH_NOT_KEEP}){_ZH_END}",
    _I,
)
ABOUT: Final = re.compile(
    rf"^{_POLITE}{_FORGET} (?:what(?:ever)?|everything|all|anything) (?:that )?(?:I(?:'ve| have)? (?:said|told you"
    r"|mentioned)|you (?:know|have|remember)|I (?:like|liked|love|loved))"
    r"(?: before| earlier)? (?:about|on|regarding) (?:my )?(?P<en>(?!(?:it|that|this|them)\b)[\w' -]{2,40}?)"
    r"(?: before| earlier| please)?\W*$"
    rf"|^{_POLITE}{_FORGET} (?:all )?(?:of )?my (?P<en2>[\w' -]{{2,30}}?) (?:preferences?|likes|tastes|habits)\W*$"
    rf"|^{_POLITE}(?:{_FORGET}|{_NOT_KEEP}) (?:the fact )?(?:that )?(?:I (?:said|told you|mentioned) (?:that )?)?"
    r"(?P<en3>I(?:'m|'ve| (?:am|was|have|had|like|liked|love|loved|hate|hated|enjoy|prefer|live|work|eat|drink|play|use"
    r"|want|need|don't|do not|can't|never|always)) [\w' -]{2,60}?)(?: please)?\W*$"
    rf"|(?:^{_POLITE}|, (?:and |so )?(?:you can )?)(?:forget|scrap) (?:about )?(?:the|that) "
    r"(?P<en4>(?!(?:first|last|other|same|whole) )[\w' -]{2,30}?) (?:thing|rule|phase|business)"
    r"(?: now| then| please)?\W*$"
    rf"|{_ZH_ERASE}(?:我)?(?:之前|以前|前面|先前)?(?:说|讲|提)?(?:过)?的?(?:所有|全部)?(?:关于|有关)(?:我(?:的)?)?"
    r"(?P<zh>[^\W\d_]{1,8}?)(?:的)?(?:一切|全部|所有|内容|偏好|喜好|习惯|话|记录|事情?|东西)?(?:吧|了)?\W*$"
    rf"|^{_ZH_POLITE}(?:把)?(?:我)?{_ZH_EARLIER}(?:关于|有关)?(?P<zh2>(?!话|那些)[^\W\d_]{{1,8}}?)的(?:事情?|话|内容)"
    rf"(?:都|就)?(?:{_ZH_VOID}|{_ZH_ERASE}|{_ZH_NOT_KEEP}){_ZH_END}"
    rf"|^{_ZH_POLITE}(?:{_ZH_ERASE}|{_ZH_NOT_KEEP})(?P<zh3>{_ZH_STATED}){_ZH_FACT}?{_ZH_END}"
    rf"|^{_ZH_POLITE}把(?P<zh4>{_ZH_STATED}){_ZH_FACT}(?:给|都|就)?{_ZH_ERASE}{_ZH_END}"
    r"|(?:^|[，, ])(?:所以)?(?:我)?(?:之前|以前|原来)?那(?:个|条)(?P<zh5>[^\W\d_]{2,10}?)的?"
    rf"(?:规矩|规定|要求|说法|原则)(?:都|就)?(?:{_ZH_VOID}|{_ZH_ERASE}){_ZH_END}",
    _I,
)
NOT_TO_FORGET: Final = re.compile(r"(?:\b(?:don't|do not|never|can't|won't|not) |别|不要|不会|没)$", _I)
PRECHECK: Final = re.compile(
    r"\b(?:forget|drop|delete|erase|disregard|ignore|scratch|strike|remove|scrap|discard|remember|save|store|keep|note"
    r"|memori[sz]e|take|never|didn't|not|don't|won't|longer)\b"
    r"|忘|删|去掉|清掉|抹掉|取消|别|不[要用必算再是想打准计去]|无需|作废|没说|收回",
    _I,
)


def is_command(text: str) -> bool:
    """Say whether a sentence does nothing but ask for something to be forgotten: it is no preference itself."""
    told = text.strip()
    if LAST.fullmatch(told.rstrip(" .。!！~～…,，")):
        return True
    return any(found is not None and found.start() == 0 for found in (BEFORE.search(told), ABOUT.search(told)))
