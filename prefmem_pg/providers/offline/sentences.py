"""Cuts a text into sentences and clauses, each with its place in the text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

# Some cues look around themselves: their time grows with the square of what has no end mark.
MAX_SENTENCE_CHARACTERS: Final = 320
_OPENING_CHARACTERS: Final = 18
_SENTENCE_END = re.compile(
    # What all of them begin with comes first: the rest is not tried at every letter.
    r"(?=[.!?。！？…\n,，])(?:"
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bvs)(?<!\betc)(?<!\bSt)(?<!\bNo)(?<!\bapprox)"
    r"(?<!\bmr)(?<!\bmrs)(?<!\bdr)(?<!\bet al)"
    r"[.!?]+[\"'”’)\]]*(?=\s|$)|[!?]+(?=[^\W\d_])|[。！？…]+[”’」』）]*|\n+|[?!]+(?=[\u4e00-\u9fff])"
    # Where a speaker changes language at a comma, each language has its own cues.
    r"|(?<=[A-Za-z]), (?=[\u4e00-\u9fff]{2})|(?<=[\u4e00-\u9fff])[,，] ?(?!but\b)(?=[A-Za-z']+ [A-Za-z']+ [A-Za-z])"
    r")"
)

# No two of them fit the same word ("only", "really"): a run of such words would take twice as long for each more.
_ADVERBS = r"(?:(?:\w+ly|also|always|just|do|still|much|never|instead|am|have|tend to|would)\s+)*"
_VERBS = (
    r"(?:like|love|adore|enjoy|prefer|favou?r|hate|dislike|detest|loathe|avoid|refuse|can't stand"
    r"|cannot stand|don't (?:like|eat|drink|enjoy|want|use)"
    r"|do not (?:like|eat|drink|enjoy|want|use)|won't|will only|never \w+|only \w+|always \w+|allergic"
    r"|(?:\w+[- ])?intolerant)"
)
# A taste without a subject behind a comma. Not "like", which gives an example there, nor "love" in a list of things.
_FURTHER_TASTE = (
    r"(?:(?:also|really|absolutely|still)\s+)?(?:(?:love|hate)(?!\s*,| and\b| or\b)|adore|enjoy|prefer|dislike|detest"
    r"|loathe|avoid|refuse|can't stand|cannot stand|(?:don't|do not) (?:like|eat|drink|enjoy|want|use))\b"
)
_SUBJECT = r"(?:I|I'm|I've|I'd|I'll|we|we're|we've|my|please)"
_ORDER = (
    r"(?:(?:so|and|but|please|just|also)\s+){0,2}(?:don't|do not|no|keep|give me|use|answer|reply|start with|write|send"
    r"|show|put|skip|whatever you|whenever you|never \w+ing|call me|round|move|forget|drop what|scrap"
    r"|ignore|not \w+ \w+ please)"
)
_ASKING = r"(?:any|what|what's|how|where|which|who|when|do|does|can|could|would|will|should|is|are|got|have you)"
_ENGLISH_BREAK = re.compile(
    r"\s*[\U0001f300-\U0001faff\u2600-\u27bf]+\ufe0f?\s+(?=(?:the|I|I'm|I've|my|we|it|it's|this|that's|no|remember"
    r"|please)\s)|"
    rf"\s*[;—–]\s*|\s+-+\s+|\s*,?\s+(?=(?:though|although|whereas|because|cuz|cause|which)\s)"
    rf"|\s*,?\s+(?=but\s)(?<!can't )(?<!nothing )(?<!anything )(?<!all )(?<!cannot )(?<!couldn't"
    rf" )(?<!anywhere )(?<!nobody )"
    rf"|\s*,?\s+(?=so\s+(?:{_SUBJECT}|{_ASKING}|no|keep|don't)\b)|\s*,?\s+(?=(?:and|or"
    rf"|while)\s+(?!I (?:just )?(?:parted|don't (?:get|mix|agree|go)|do not get|never (?:get|got|mix)"
    rf"|are)\b)(?:{_SUBJECT})\b)|\s*,\s+(?=(?:{_SUBJECT})\b)"
    rf"|\s*,\s+(?=(?:and |but |so )?{_ASKING}\b)|\s*,?\s+(?=(?:as|since)\s+(?:I|I'm|I've|it|it's|they|we|my)\b)"
    rf"|\s*,?\s+(?=(?:and|yet)\s+{_ADVERBS}{_VERBS}\b)|\s+(?<!want )(?<!need )(?<!like )(?<!me )(?=any (?:tips|advice"
    rf"|suggestions|recommendations|ideas)\b)"
    rf"|\s*,\s+(?={_FURTHER_TASTE})"
    rf"|\s*,\s+(?=that's (?:how|what|why|when|the)\b)|\s*,\s+(?={_ORDER}\b)|\s*,\s+(?=(?!(?:and|or|but"
    rf"|so)\b)[\w' -]{{1,50}}\b(?:drives? me|keeps? me"
    rf"|gives? me|makes? me|is a crime|is a no\b))",
    re.IGNORECASE,
)
# "Use tables and keep it short": where one order begins a clause, each further one is a clause of its own.
_COMMANDS: Final = (
    r"(?:always|never|don't|do not|keep|use|answer|reply|respond|write|speak|talk|give me|send me|show me|call me|put"
    r"|skip|avoid|drop|stop|spell|format|include|add|start|quote|cite|round|address)"
)
_COMMAND: Final = re.compile(rf"(?:(?:and|but|so|also|please|just|ok),? )*{_COMMANDS}\b", re.IGNORECASE)
_FURTHER_COMMAND: Final = re.compile(rf"\s*,?\s+(?=(?:and|but)\s+(?:please\s+|just\s+)?{_COMMANDS}\s)", re.IGNORECASE)
# "My husband and I" is one subject.
_SHARED_SUBJECT = re.compile(r"(?:(?:and|but|so|also)\s+)?(?:(?:my|our)\s+\w+(?:\s+\w+)?)", re.IGNORECASE)
_CHINESE_BREAK = re.compile(
    r"\s*[，,；;]\s*|——+|\s+(?=[\u4e00-\u9fff])(?<=[\u4e00-\u9fff]\s)|(?<=[\u4e00-\u9fff])(?=(?:但是?|不过"
    r"|可是|然而|因为)(?:我|更|也|却|不|讨厌|喜欢))"
)

_HALF = re.compile(
    r"\w{0,8}(?:最|讨厌|喜欢|怕|烦|爱)\w{0,4}的(?:并|倒)?不是\w{1,8}|(?:除了|与其|比起|相比|相较"
    r"|较之|宁可|宁愿|情愿|要么)[^，,]{1,14}"
    r"|(?:要|让|叫|想让|指望)我\w{1,10}"
)
# "没有暖手宝，我的手就不是手": what is missing, before what comes of it.
_LACK = re.compile(r"[^我，,]{0,4}(?:没有?[^我，,]{1,6}|不(?:来|喝|吃|听|放|加|蘸|配|抽)[^我，,]{1,6}[^的])")
_COMES_OF_IT = re.compile(r"(?:我|就|那|整个人|浑身|心里)")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the text: ``text == whole[start:end]``."""

    start: int
    end: int
    text: str


def sentences(text: str) -> Iterator[Span]:
    """Yield the sentences of a text with their end marks, in order; blank ones are left out, endless ones are cut."""
    start = 0
    for end in (*(match.end() for match in _SENTENCE_END.finditer(text)), len(text)):
        while end - start > MAX_SENTENCE_CHARACTERS:
            limit = start + MAX_SENTENCE_CHARACTERS
            cut = max(text.rfind(mark, start + 1, limit) for mark in " ,，、\t")
            cut = cut if cut > start else limit
            if span := _trimmed(text, start, cut):
                yield span
            start = cut
        if span := _trimmed(text, start, end):
            yield span
        start = end


@lru_cache(maxsize=64)  # several readers look at the same sentence
def english_clauses(sentence: Span) -> tuple[Span, ...]:
    """Cut an English sentence where a clause with a subject or verb of its own begins."""
    pieces = [
        part
        for piece in _cut(sentence, _ENGLISH_BREAK)
        for part in (_cut(piece, _FURTHER_COMMAND) if _COMMAND.match(piece.text) else [piece])
    ]
    for index in range(len(pieces) - 1, 0, -1):
        if _SHARED_SUBJECT.fullmatch(pieces[index - 1].text) and pieces[index].text.lower().startswith("and "):
            start, end = pieces[index - 1].start, pieces[index].end
            text = sentence.text[start - sentence.start : end - sentence.start]
            pieces[index - 1 : index + 1] = [Span(start, end, text)]
    return tuple(pieces)


def goes_on_ordering(clause: str) -> bool:
    """Say whether an English clause adds an order to the one before ("Call me Jo | and use my first name")."""
    return clause.lower().startswith(("and ", "but ")) and bool(_COMMAND.match(clause))


@lru_cache(maxsize=64)  # as above
def chinese_clauses(sentence: Span) -> tuple[Span, ...]:
    """Cut a Chinese sentence at its commas, spaces and turning words; half a comparison stays with its other half."""
    pieces = _cut(sentence, _CHINESE_BREAK)
    for index in range(len(pieces) - 1, 0, -1):
        before, piece = pieces[index - 1].text, pieces[index].text
        if _HALF.fullmatch(before) or (_LACK.fullmatch(before) and _COMES_OF_IT.match(piece)):
            start, end = pieces[index - 1].start, pieces[index].end
            pieces[index - 1 : index + 1] = [
                Span(start, end, sentence.text[start - sentence.start : end - sentence.start])
            ]
    return tuple(pieces)


def scene(clauses: Sequence[Span], index: int) -> str:
    """Return a clause with the few words before it that may set its time ("This time, I …", "今天，我 …")."""
    before = clauses[index - 1].text if index else ""
    return f"{before} {clauses[index].text}" if len(before) <= _OPENING_CHARACTERS else clauses[index].text


def _cut(sentence: Span, pattern: re.Pattern[str]) -> list[Span]:
    pieces: list[Span] = []
    start = 0
    for match in pattern.finditer(sentence.text):
        if piece := _trimmed(sentence.text, start, match.start()):
            pieces.append(Span(sentence.start + piece.start, sentence.start + piece.end, piece.text))
        start = match.end()
    if piece := _trimmed(sentence.text, start, len(sentence.text)):
        pieces.append(Span(sentence.start + piece.start, sentence.start + piece.end, piece.text))
    return pieces


def _trimmed(text: str, start: int, end: int) -> Span | None:
    piece = text[start:end]
    stripped = piece.strip()
    if not stripped:
        return None
    start += len(piece) - len(piece.lstrip())
    return Span(start, start + len(stripped), stripped)
