"""Tells the asking part of a sentence from the telling part, in English and in Chinese."""

import re
from collections.abc import Sequence

from prefmem_pg.providers.offline.sentences import Span

_OPENER = (
    r"^(?:(?:so|and|but|or|also|then|anyway|hey|hi|ok|okay|well|oh|thanks|please|now|sorry|sure|great"
    r"|if so|hmm)[,!. ]+)*"
)
_ASKS = re.compile(
    _OPENER + r"(?:do|does|did|is|are|was|were|am|can|could|would|will|should|shall|may|might|have|has|had|what"
    r"|what's|whats|how|how's|why|where|where's"
    r"|when|who|which|whose|any|anything|anyone|don't|isn't|aren't|won't|got any|know any|think|wondering|got)\b",
    re.IGNORECASE,
)
_ASKS_UNMARKED = re.compile(
    _OPENER + r"(?:what(?! (?:works|matters|counts|helps|suits|bothers|annoys|puts|drives|gets"
    r"|I (?:like|love|hate|want|need|value"
    r"|look|care|enjoy|prefer|really|can't)|we (?:like|love|want|need|value)))|what's|how|why|where|which|who|(?:can"
    r"|could|would|will) you|should I|do you|are there|is there|does"
    r"|did you|any (?:tips|advice|ideas|suggestions|recommendations)"
    r"|I (?:was |am |'m )?(?:wonder(?:ing)?|want to know|need to know))\b",
    re.IGNORECASE,
)
_CHINESE_ASKS = re.compile(
    r"(?:吗|呢|么|嘛|没有)[？?]?\W*$|(?<![没无论管])(?<!没有)什么(?!\w{0,4}[都也]|时候都)|(?<!不)怎么(?!都|也|说"
    r"|样都|太|\w{1,3}(?:都|也))|(?<!不管)哪(?!怕|里都|儿都|都)|多(?:少|久|大|远|长|高|贵)(?!有|都|会|的)|(?:各|一?共|总共)(?:有|是|需)?要?几(?![十百千万])\w{1,2}(?=[？?]?\W*$)|几(?:点"
    r"|号|个人"
    r"|时)|为什么|为啥|能不能"
    r"|可不可以|是不是|有没有|要不要"
    r"|会不会|(?:还是|或者?)不(?:喜欢|爱|想|要|去|吃|买)(?=\W*$)|我(?:到底|究竟|是)?该(?:说|选|答|回|不该)|行不行"
    r"|好不好|如何(?!都)|有啥|咋|请问|谁(?!都|也)|吧[？?]"
)
_CHINESE_REQUEST = re.compile(
    r"有什么|有没有|有啥|有哪些|帮我|帮忙|给我(?:推荐|来|写|找|订|列|介绍|做|讲|放|生成)|请问|求推荐"
    r"|请(?:推荐|帮)|推荐(?:一下|几|点|个|一)|能推荐|该(?:怎么|如何|去|选|买|带)|怎么|如何|哪|需要(?:准备"
    r"|带|注意)|要(?:准备|注意|带)(?:什么|哪些)|多少"
)


# "Can you always …?" asks for no answer: it is an order for all time.
_STANDING = re.compile(
    r"\W*(?:(?:and|so|also|ok|please|oh)[, ]+)*(?:can|could|would|will) you (?:please |just |kindly )?(?:always|never"
    r"|from now on|going forward|in (?:the )?future)\b",
    re.IGNORECASE,
)


def first_question(clauses: Sequence[Span], sentence: str) -> int:
    """Return the index of the clause from which an English sentence asks; the number of clauses when it does not.

    A question mark with nothing that opens a question makes the last clause the question ("…, right?").
    """
    marked = sentence.rstrip("\"'”’)] ").endswith(("?", "？"))
    if _STANDING.match(sentence):
        return len(clauses)
    pattern = _ASKS if marked else _ASKS_UNMARKED
    for index, clause in enumerate(clauses):
        if pattern.match(clause.text):
            return index
    return len(clauses) - 1 if marked else len(clauses)


def asks(sentence: str) -> bool:
    """Say whether a sentence in either language asks something."""
    if _STANDING.match(sentence):
        return False
    return sentence.endswith(("?", "？")) or bool(_ASKS_UNMARKED.match(sentence) or _CHINESE_ASKS.search(sentence))


def chinese_asks(clause: str, *, is_marked: bool) -> bool:
    """Say whether a Chinese clause asks something; ``is_marked``: the sentence ends here with a question mark."""
    return is_marked or bool(_CHINESE_ASKS.search(clause))


def request_start(clause: str) -> int:
    """Return where a request begins inside a Chinese clause ("我想去北京|有什么推荐"), or its length."""
    match = _CHINESE_REQUEST.search(clause)
    return match.start() if match else len(clause)
