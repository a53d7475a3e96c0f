"""Finds the options that the assistant lists: numbered, lettered, with bullets, or in a sentence."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

MAX_READ: Final = 8_000
"""Characters of the assistant's message that are read: longer ones are documents, not offers."""
MOST: Final = 20
"""More entries are a catalogue in which a place says nothing."""
MOST_IN_A_SENTENCE: Final = 8

_I: Final = re.IGNORECASE
_HAN: Final = "一二三四五六七八九十"
_CIRCLED: Final = "①②③④⑤⑥⑦⑧⑨⑩"
_WORDS: Final = ("first", "second", "third", "fourth", "fifth", "sixth")
_BEFORE: Final = r"(?:(?<=^)|(?<=[\n\s：:（(。；;，,.!?！？]))[*_#>\s\-•·]*"
_NUMBERED: Final = re.compile(
    rf"{_BEFORE}(?:option|choice|plan|方案|选项|选择|推荐)?[ #]*[(（]?(?P<n>\d{{1,2}})"
    rf"(?:\ufe0f?\u20e3|[.)、:：）](?!\d))[*_]*[ \t]*",
    _I | re.MULTILINE,
)
_LETTERED: Final = re.compile(
    rf"{_BEFORE}(?:(?:option|choice|plan|方案|选项|选择)[ ]*(?P<a>[A-Ha-h])[*_]*[ ]*[.)、:：）—-]"
    r"|[(（]?(?P<b>[A-H])[.)、:：）])[*_]*[ \t]*",
    _I | re.MULTILINE,
)
_COUNTED: Final = re.compile(
    rf"(?P<c>[{_CIRCLED}])\s*|(?:(?<=^)|(?<=[\n\s：:。；;，,]))[*_\s]*(?:方案|选项|第)?(?P<h>[{_HAN}])"
    r"(?:[、.：:，,）)]|(?:种|个|家|款|条)?是|(?:种|个|家|款|条)[，,：:])[*_]*\s*",
    re.MULTILINE,
)
_SPELLED: Final = re.compile(rf"\b(?P<w>{'|'.join(_WORDS)})(?:ly)?(?: (?:option|one) is|[,:])\s+", _I)
_BEHIND: Final = re.compile(r"[(（](?P<n>\d)[)）](?=\s*[,.;，。；]|\s*$)", re.MULTILINE)
_BULLET: Final = re.compile(r"^[ \t]*(?:[-*•·▪◦–]|\U0001f539|\U0001f538)[ \t]+", re.MULTILINE)
_SENTENCE: Final = re.compile(r"[^.!?。！？\n]+(?:\.(?=\d)[^.!?。！？\n]+)*[.!?。！？]?")
_ENGLISH_COMMA: Final = re.compile(r"(?:\s*\(\d\))?[,;]\s+(?:or\s+|and\s+|then\s+there'?s\s+)?(?:maybe\s+)?", _I)
# "with nuts, seeds, and honey": a list inside an entry of a list that ends in ", or".
_NESTED: Final = re.compile(r"(?:,\s+(?!or\b|and\b|an? |the )[\w'-]+(?: [\w'-]+){0,2}(?=,))*,\s+and\b", _I)
_VERB: Final = re.compile(r"^(?:consider|try|have|offer|suggest|recommend|go for|check out|go with)(?:ing)?\s+", _I)
_ENGLISH_OR: Final = re.compile(r",?\s+or\s+(?:maybe\s+)?", _I)
_CHINESE_COMMA: Final = re.compile(r"[、；;]|[，,]?(?:或者?是?|还是|要么|以及|或)|[，,]")
_LEAD: Final = re.compile(
    r"^.*?\b(?:consider(?:ing)?|suggest|recommend|try|options? (?:are|include)|options?:|there(?:'s| is| are)"
    r"|have|like"
    r"|between|either|such as|are|include|offer(?:s|ing)?|how about|prefer|want|choose|want to|could|can)\b:?\s+",
    _I,
)
_CHINESE_LEAD: Final = re.compile(
    r"^.*?(?:可以(?:选|试试|考虑|去|看)?|推荐(?:您|你)?|考虑|有(?:以下|这些|几[个种家款])?|比如|例如|建议(?:您"
    r"|你)?|想要?|[：:]|(?:您|你)(?:要|想|选)|选)"
)
_LISTS: Final = re.compile(r"[,;] or\b|、|还是")
_OFFERS: Final = re.compile(r"(?:or )?(?:how|what) about\b|maybe\b|perhaps\b|or\b|要不|或者", _I)
_EMPTY: Final = re.compile(r"(?:either|perhaps|maybe|呢|吗|都可以|都行)\W*", _I)
_NO_OPTION: Final = re.compile(
    r"\b(?:several|many|a few|plenty of|various|some|lots of) (?:\w+ ){0,3}(?:options?|ways?|choices|approaches"
    r"|things|ideas"
    r"|places|alternatives|possibilities)\b|\b(?:here are|let me know|which (?:one|of)|would you|hope this)\b"
    r"|以下|有很多|几[个种]选择|告诉我|哪[个种家一]|您看|你看|随时",
    _I,
)


@dataclass(frozen=True, slots=True)
class Option:
    """One entry of the assistant's list. ``label`` is "2" or "b", or "" where the list has no labels."""

    label: str
    text: str


def read_options(said: str) -> tuple[Option, ...]:
    """Return the options of the assistant's message in their order, () when it lists none.

    Labelled lists come first, then bullets, then "A, B or C" in one sentence, and last sentences that each offer
    something. Of several lists the last one counts: it is what the user answers.
    """
    text = said[:MAX_READ]
    for read in (_numbered, _lettered, _counted, _labelled_behind, _bullets, _spelled, _inline, _by_sentence):
        found = read(text)
        if 2 <= len(found) <= MOST:
            return tuple(found)
    return ()


def _numbered(text: str) -> list[Option]:
    return _labelled(text, _NUMBERED, lambda match: int(match["n"]), str)


def _lettered(text: str) -> list[Option]:
    def number(match: re.Match[str]) -> int:
        return ord((match["a"] or match["b"]).lower()) - ord("a") + 1

    return _labelled(text, _LETTERED, number, lambda n: chr(ord("a") + n - 1))


def _counted(text: str) -> list[Option]:
    def number(match: re.Match[str]) -> int:
        return _CIRCLED.index(match["c"]) + 1 if match["c"] else _HAN.index(match["h"]) + 1

    return _labelled(text, _COUNTED, number, str)


def _spelled(text: str) -> list[Option]:
    return _labelled(text, _SPELLED, lambda match: _WORDS.index(match["w"].lower()) + 1, str)


def _labelled_behind(text: str) -> list[Option]:
    """Read "take the train (1), rent a car (2)": each label stands behind its option."""
    found, start = [], 0
    for number, match in enumerate(_BEHIND.finditer(text), start=1):
        if int(match["n"]) != number:
            return []
        entry = text[start : match.start()]
        begin = max(entry.rfind(mark) for mark in ".!?。！？") + 1 if number == 1 else 0
        found.append(Option(str(number), _clean(re.sub(r"^\W*(?:or|and)\b\W*", "", entry[begin:]))))
        start = match.end()
    return found if all(option.text for option in found) else []


def _labelled(
    text: str, pattern: re.Pattern[str], number: Callable[[re.Match[str]], int], label: Callable[[int], str]
) -> list[Option]:
    """Return the last run of labels 1 to n, each once, in order of the labels, with what stands behind each."""
    marks = list(pattern.finditer(text))
    marks = [match for match in marks if number(match) <= len(marks)]  # "Windows 10." at the end of an entry
    numbers = [number(match) for match in marks]
    run = _last_run(numbers)
    if numbers[run.stop : run.stop + 1] == [len(run) + 1]:
        return []  # a catalogue, which goes on behind the most that is read
    best = marks[run.start : run.stop]
    found = {}
    for place, match in enumerate(best):
        end = best[place + 1].start() if place + 1 < len(best) else len(text)
        body = text[match.end() : end]
        if place + 1 == len(best):
            body = _last(body, is_inline=_is_one_line(text, best))
        found[number(match)] = Option(label(number(match)), _clean(body))
    return [found[n] for n in sorted(found)] if all(option.text for option in found.values()) else []


def _last_run(numbers: Sequence[int]) -> range:
    """Return the places of the last stretch that holds each number from 1 to its length once, the longest such."""
    for end in range(len(numbers), 1, -1):
        for start in range(max(0, end - MOST), end - 1):
            if sorted(numbers[start:end]) == list(range(1, end - start + 1)):
                return range(start, end)
    return range(0)


def _is_one_line(text: str, run: Sequence[re.Match[str]]) -> bool:
    return "\n" not in text[run[0].end() : run[-1].start()].strip()


def _last(body: str, *, is_inline: bool) -> str:
    """Return the last entry without what follows the list: the next paragraph, in a running text the next sentence."""
    body = re.split(r"\n\s*\n", body.lstrip("\n"), maxsplit=1)[0]
    if is_inline:
        body = body.split("\n", 1)[0]
        sentences = [match.group() for match in _SENTENCE.finditer(body)]
        return sentences[0] if sentences else body
    return re.split(r"\n(?=\S)(?![ \t]*[-*•])", body, maxsplit=1)[0]


def _bullets(text: str) -> list[Option]:
    found: list[Option] = []
    lines = text.splitlines()
    for place, line in enumerate(lines):
        if _BULLET.match(line):
            # A paragraph between two lists begins a new one.
            if found and any(other.strip() for other in _between(lines, place)) and not _continues(lines, place):
                found = []
            found.append(Option("", _clean(_BULLET.sub("", line, count=1))))
    return found


def _between(lines: Sequence[str], place: int) -> Iterator[str]:
    for line in reversed(lines[:place]):
        if _BULLET.match(line):
            return
        yield line


def _continues(lines: Sequence[str], place: int) -> bool:
    """Say whether what stands before a bullet is indented: more about the entry before it."""
    return all(not line.strip() or line.startswith((" ", "\t")) for line in _between(lines, place))


def _inline(text: str) -> list[Option]:
    """Read "we have tea, coffee or juice" and "茶、咖啡还是果汁": the last sentence that offers alternatives."""
    offers = _by_sentence(text)
    for match in reversed(list(_SENTENCE.finditer(text))):
        sentence = match.group().strip()
        cut_up = _chinese_alternatives if re.search("[\u4e00-\u9fff]", sentence) else _english_alternatives
        pieces = [piece for piece in map(_clean, cut_up(sentence)) if piece and not _EMPTY.fullmatch(piece)]
        # Among several sentences that each offer something, an "or" belongs to its sentence unless it ends a list.
        if len(offers) >= 3 and (len(pieces) < 3 or not _LISTS.search(sentence)):
            continue
        if 2 <= len(pieces) <= MOST_IN_A_SENTENCE:
            return [Option("", piece) for piece in pieces]
    return []


def _english_alternatives(sentence: str) -> list[str]:
    """Cut at semicolons, else at the commas of a list, whose entries may hold lists of their own, else at "or"."""
    lead = _LEAD.match(sentence)
    body = _VERB.sub("", sentence[lead.end() :] if lead else sentence)
    if ";" in body:
        return re.split(r";\s+(?:or\s+|and\s+)?", body)
    if re.search(r",[^,]+,? (?:or|and)\b", body):
        if re.search(r"[,;] or\b", body):
            body = _NESTED.sub(lambda match: match.group().replace(",", "\0"), body)
        pieces = [piece.replace("\0", ",") for piece in _ENGLISH_COMMA.split(body)]
        if not re.search(r"[,;] (?:or|and)\b", body):
            pieces[-1:] = re.split(r"\s+(?:or|and)\s+", pieces[-1], maxsplit=1)
        return pieces
    return _ENGLISH_OR.split(body) if re.search(r"\bor\b", body) else []


def _chinese_alternatives(sentence: str) -> list[str]:
    if not re.search("、|还是|或者?|要么", sentence):
        return []
    lead = _CHINESE_LEAD.match(sentence)
    return _CHINESE_COMMA.split(sentence[lead.end() :] if lead else sentence)


def _by_sentence(text: str) -> list[Option]:
    sentences = (match.group().strip() for match in _SENTENCE.finditer(text))
    offers = [
        _clean(sentence)
        for sentence in sentences
        if not sentence.endswith(("?", "？")) or _OFFERS.match(sentence)
        if len(sentence) > 5 and not _NO_OPTION.search(sentence)
    ]
    return [Option("", offer) for offer in offers] if len(offers) > 1 else []


def _clean(text: str) -> str:
    return " ".join(re.sub(r"[*_`#]+", "", text).split()).strip(" ,，;；。.:：、?？!！\"“”'-–—(（")
