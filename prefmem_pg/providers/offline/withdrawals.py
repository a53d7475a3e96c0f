"""Finds what the user takes back, in English and Chinese: rules over whole sentences and clauses."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.preferences import Candidate, Kind
from prefmem_pg.domain.withdrawals import Withdrawal
from prefmem_pg.providers.offline.destinations import refused_destination
from prefmem_pg.providers.offline.mask import mask
from prefmem_pg.providers.offline.sentences import Span, sentences
from prefmem_pg.providers.protocols import Chunk

LOOKS_BACK: Final = 3
"""How many messages of the user before it "that" may mean."""

_I = re.IGNORECASE
_POLITE = r"(?:(?:please|sorry|oh|no|wait|actually|hmm|well|ok(?:ay)?|you (?:can|should|may)|and|so|also|just)[,.!]? )*"
_SOMEONE = (
    r"(?:my (?:\w+ )?(?:sister|brother|mother|mum|mom|father|dad|wife|husband|partner|son|daughter|friend|boss"
    r"|colleague|roommate|flatmate|cousin|uncle|aunt|girlfriend|boyfriend|kid|child|neighbou?r|grand\w+)"
    r"|a friend(?: of mine)?|someone else|somebody else|him|her|them)"
)
_FORGET = r"(?:forget|drop|delete|erase|disregard|ignore|scratch|remove|scrap)"
_PERSON = (
    r"(?:我)?(?:的)?(?:姐姐?|妹妹?|哥哥?|弟弟?|妈妈?|爸爸?|老婆|老公|妻子|丈夫|朋友|同事|室友"
    r"|同学|儿子|女儿|孩子|老板|爷爷|奶奶|邻居|表[哥弟姐妹]|别人|他|她)"
)

# Each fills its sentence: "forget that, let's eat" is talk about something else.
_LAST: Final = re.compile(
    rf"{_POLITE}(?:{_FORGET} (?:about )?(?:that|this|it|what I (?:just |have just )?said|the last (?:one|thing|part))"
    r"(?: part| one| bit)?"
    r"|(?:don't|do not) (?:remember|save|store|keep|note|memori[sz]e) (?:that|this|it)|I take (?:that|it) back"
    r"|I (?:never|didn't) (?:said|say|mean)(?: that| it)?|that(?:'s| is| was)? not true(?: (?:about|for) me)?"
    rf"|that(?:'s| is| was) (?:about |for )?{_SOMEONE},? (?:and )?not me|that(?:'s| is| was) not (?:about )?me"
    rf"(?:,? (?:but|it(?:'s| was|'s about)|that(?:'s| was)) (?:about )?{_SOMEONE})?"
    rf"|not me, {_SOMEONE}|I was (?:talking|speaking) (?:about|of) {_SOMEONE}(?:,? not (?:about )?(?:me|myself))?)"
    r"(?: please| thanks| again)?|"
    r"(?:请|麻烦|算了|哦|不|等等|抱歉|不对)?[，, ]?(?:你)?(?:"
    r"(?:别|不要|不用|不必|无需)(?:再)?(?:记住?|记下来?|保存|存)(?:这个|这条|那个|那条|它|刚才的|刚才那个|刚刚的)?"
    r"|(?:把)?(?:这个|这条|那个|那条|它|刚才(?:说|讲)的(?:话)?|我刚才?说的(?:话)?|刚刚说的)(?:给)?(?:忘掉|忘了|忘记|删掉|删了|删除|去掉)"
    r"|(?:忘掉|忘了|忘记|删掉|删除|去掉)(?:这个|这条|那个|那条|它|我?刚才(?:说|讲)的(?:话)?|刚刚说的)"
    r"|(?:就)?当我没说(?:过)?|我收回(?:刚才的话|刚才说的)?|我没(?:这么)?说过"
    rf"|(?:那|这|刚才(?:说)?的?|刚才那个)(?:其实)?(?:是|说的是){_PERSON}(?:的)?[，, ]?(?:而)?不是我(?:自己)?"
    rf"|(?:那|这|刚才说的)(?:个)?不是我[，, ]?(?:那)?是{_PERSON}|不是我[，, ]?是{_PERSON}"
    r")(?:吧|了|啊|哈|谢谢)?",
    _I,
)
# About what was named just before in the same message: "I don't like fruit any more, drop what I said before".
_BEFORE: Final = re.compile(
    rf"\b{_FORGET} (?:what(?:ever)?|everything|all|anything) (?:that )?I(?:'ve| have)? (?:said|told you|mentioned)"
    r"(?: about (?:it|that|them|this))?(?: before| earlier| previously| so far)?\s*[.!]*$"
    r"|(?:忘掉|忘了|忘记|删掉|删除|去掉|取消)(?:我)?(?:之前|以前|前面|先前|原来)(?:说|讲|提)(?:过)?的(?:话|那些)?\W*$"
    r"|(?:之前|以前|前面|先前|原来)(?:说|讲|提)(?:过)?的(?:话|那些)?(?:都|就)?(?:不算了?|作废|忘掉|忘了|删掉|删了|取消)(?:吧|了)?\W*$",
    _I,
)
_ABOUT: Final = re.compile(
    rf"^{_POLITE}{_FORGET} (?:what(?:ever)?|everything|all|anything) (?:that )?(?:I(?:'ve| have)? (?:said|told you"
    r"|mentioned)|you (?:know|have|remember)|I (?:like|liked|love|loved))"
    r"(?: before| earlier)? (?:about|on|regarding) (?:my )?(?P<en>(?!(?:it|that|this|them)\b)[\w' -]{2,40}?)"
    r"(?: before| earlier| please)?\W*$"
    rf"|^{_POLITE}{_FORGET} (?:all )?(?:of )?my (?P<en2>[\w' -]{{2,30}}?) (?:preferences?|likes|tastes|habits)\W*$"
    r"|(?:忘掉|忘了|忘记|删掉|删除|去掉)(?:我)?(?:之前|以前|前面|先前)?(?:说|讲|提)?(?:过)?的?(?:所有|全部)?(?:关于|有关)(?:我(?:的)?)?"
    r"(?P<zh>[^\W\d_]{1,8}?)(?:的)?(?:一切|全部|所有|内容|偏好|喜好|习惯|话|记录|事情?|东西)?(?:吧|了)?\W*$",
    _I,
)
_NOT_TO_FORGET = re.compile(r"(?:\b(?:don't|do not|never|can't|won't|not) |别|不要|不会|没)$", _I)
_PRECHECK = re.compile(
    r"\b(?:forget|drop|delete|erase|disregard|ignore|scratch|remove|scrap|remember|save|store|keep|note|memori[sz]e|take"
    r"|never|didn't|not|don't|won't|longer)\b|忘|删|去掉|取消|别|不[要用必算是再想打准计去]|无需|作废|没说|收回",
    _I,
)


def find_withdrawals(chunk: Chunk, candidates: Sequence[Candidate] = ()) -> list[Withdrawal]:
    """Return what the chunk's new user messages take back; ``candidates`` are what was found in the chunk."""
    before: list[Message] = []
    found: list[Withdrawal] = []
    for place, message in enumerate(chunk.messages):
        if message.role != "user":
            continue
        taken_back = list(_in_message(message, before, candidates)) if place >= chunk.first_new else []
        found += taken_back
        before.append(message)
    return found


def _in_message(message: Message, before: Sequence[Message], candidates: Sequence[Candidate]) -> Iterator[Withdrawal]:
    content = message.content[:2_000]
    if not _PRECHECK.search(content):
        return
    spans = list(sentences(mask(content)))
    for index, sentence in enumerate(spans):
        told = sentence.text.rstrip(" .。!！~～…,，")
        if about := _ABOUT.search(sentence.text):
            subject = next(text for text in about.groups() if text)
            if not _NOT_TO_FORGET.search(sentence.text[: about.start()]):
                yield _withdrawal(message, sentence, before, subject=subject.strip())
        elif earlier := _BEFORE.search(sentence.text):
            start = sentence.start + earlier.start()
            named = [
                c for c in candidates for s in c.evidence if s.message_id == message.message_id and s.start < start
            ]
            if _NOT_TO_FORGET.search(sentence.text[: earlier.start()]):
                continue
            if named:
                # What the message says of its subject now stays; what was said of it before goes.
                yield _withdrawal(message, spans[0], before, subject=named[-1].statement)
            else:
                yield _withdrawal(message, sentence, before)
        elif _LAST.fullmatch(told):
            yield _withdrawal(message, sentence, before, is_first=index == 0)
        elif place := refused_destination(told):
            yield _withdrawal(message, sentence, before, subject=place, kind="goal")


def _withdrawal(
    message: Message,
    sentence: Span,
    before: Sequence[Message],
    *,
    subject: str | None = None,
    kind: Kind | None = None,
    is_first: bool = True,
) -> Withdrawal:
    """Return the withdrawal; one that follows other sentences of its message means these."""
    last = [(one.message_id, len(one.content)) for one in reversed(before[-LOOKS_BACK:])]
    own = [] if is_first else [(message.message_id, sentence.start)]
    return Withdrawal(
        message_id=message.message_id,
        start=sentence.start,
        quote=message.content[sentence.start : sentence.end],
        at=message.occurred_at,
        places=() if subject else tuple(own + last),
        subject=subject,
        kind=kind,
        said=frozenset(one.message_id for one in before),
    )
