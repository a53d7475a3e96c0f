"""Does the evidence carry a candidate? Pure: a reason to refuse it, or None.

What a model adds to what was said is refused here and counted by reason, never mended. The checks of meaning are for
models; an extractor of rules takes its wording from the text itself.
"""

import re
import zlib
from collections import Counter
from collections.abc import Sequence
from typing import Final

from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.preferences import Candidate, EvidenceSpan
from prefmem_pg.domain.text import MAX_STATEMENT_CHARACTERS, detect_language, fold
from prefmem_pg.providers.offline.mask import mask
from prefmem_pg.providers.offline.polarity import statement_polarity
from prefmem_pg.providers.offline.reject import is_reported, refuses_message, refuses_sentence
from prefmem_pg.providers.offline.sentences import sentences
from prefmem_pg.providers.offline.withdrawal_phrases import is_command
from prefmem_pg.providers.protocols import Chunk
from prefmem_pg.steps.attribution import is_courtesy, is_for_once, is_of_another, loses_negation

MAX_CANDIDATES: Final = 100
"""Of one chunk of ten messages; what comes after them is a model that repeats itself."""
IMPLICIT_SIGNALS: Final = 2
"""Pieces of the user's side that a guess needs: one question shows nothing."""

_LEAST_SHARE: Final = 0.12
_REPEATS_FROM: Final = 200
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_FUNCTION_WORDS: Final = (
    "i me my mine we our us you your he she it its they them the a an and or but to of in on at for with as is am"
    " are was were be been do does did not no so that this user users like likes love loves prefer prefers want wants"
    " have has s t m ve re d ll"
)
_COMMON: Final = frozenset(_FUNCTION_WORDS.split())
_DATE = re.compile(r"\d{4}[-/.年]\d{1,2}(?:[-/.月]\d{1,2}日?)?|\b(?:19|20)\d\d\b年?")


def ground(candidates: Sequence[Candidate], chunk: Chunk, *, by_model: bool) -> tuple[list[Candidate], Counter[str]]:
    """Return the candidates that their evidence carries, and how many were refused, by reason."""
    sound: list[Candidate] = []
    refused: Counter[str] = Counter()
    for place, candidate in enumerate(candidates):
        reason = refusal(candidate, chunk, by_model=by_model) if place < MAX_CANDIDATES else "too many"
        if reason is None:
            sound.append(candidate)
        else:
            refused[reason] += 1
    return sound, refused


def refusal(candidate: Candidate, chunk: Chunk, *, by_model: bool) -> str | None:
    """Return why a candidate is refused, the first reason of: form, evidence, meaning; None for a sound one."""
    return (
        _refuse_form(candidate)
        or _refuse_evidence(candidate, chunk)
        or (_refuse_meaning(candidate, chunk) if by_model else None)
    )


def _refuse_form(candidate: Candidate) -> str | None:
    statement = candidate.statement
    if not any(character.isalnum() for character in statement):
        return "empty"  # blank, signs, or emoji alone: nothing that could be found or compared
    if len(statement) > MAX_STATEMENT_CHARACTERS:
        return "too long"
    if is_command(statement):
        return "command"
    raw = statement.encode()
    if len(raw) >= _REPEATS_FROM and len(zlib.compress(raw)) < _LEAST_SHARE * len(raw):
        return "repetition"
    return "altered" if _CONTROL.search(statement) else None


def _refuse_evidence(candidate: Candidate, chunk: Chunk) -> str | None:
    """Refuse what no new message of the user supports; further signals may lie in what was read before."""
    if not candidate.evidence:
        return "quote"
    known = {message.message_id: message for message in chunk.messages}
    new = {message.message_id for message in chunk.messages[chunk.first_new :]}
    for place, span in enumerate(candidate.evidence):
        message = known.get(span.message_id)
        if message is None or (place == 0 and span.message_id not in new):
            return "message"
        if message.role != "user":
            return "author"
        if not 0 <= span.start < span.end or message.content[span.start : span.end] != span.quote:
            return "quote"
    return None


def _refuse_meaning(candidate: Candidate, chunk: Chunk) -> str | None:
    span = candidate.evidence[0]
    place = next(i for i, m in enumerate(chunk.messages) if m.message_id == span.message_id)
    message = chunk.messages[place]
    masked = mask(message.content)
    if refuses_message(masked):
        return "instruction"
    if not masked[span.start : span.end].strip():
        return "not said"  # code, a quotation, or memories that were put into the prompt
    if candidate.kind == "implicit":
        return _refuse_guess(candidate)
    sentence = _sentence(message.content, span)
    if is_courtesy(span.quote):
        return "courtesy"
    if refuses_sentence(sentence):
        return "hypothetical"
    if candidate.kind == "explicit" and is_for_once(sentence):
        return "once"
    if is_of_another(sentence, candidate.statement) or is_reported(sentence):
        return "another"
    return _refuse_wording(candidate, chunk.messages[max(0, place - 2) : place + 1], sentence)


def _refuse_guess(candidate: Candidate) -> str | None:
    quotes = " ".join(span.quote for span in candidate.evidence)
    if len({(span.message_id, span.start) for span in candidate.evidence}) < IMPLICIT_SIGNALS:
        return "signals"
    return None if _same_script(candidate.statement, quotes) else "language"


def _refuse_wording(candidate: Candidate, near: Sequence[Message], sentence: str) -> str | None:
    statement, span = candidate.statement, candidate.evidence[0]
    if loses_negation(near[-1].content, span.start, span.end, statement):
        return "negation"
    poles = {statement_polarity(statement), statement_polarity(span.quote)}
    if poles == {"positive", "negative"}:
        return "negation"
    if not _same_script(statement, span.quote):
        return "language"
    said = " ".join(message.content for message in near)
    if _numbers(span.quote) and not _numbers(statement) <= _numbers(said):
        return "number"
    return None if _pieces(statement) & _pieces(said) else "unsupported"


def _sentence(content: str, span: EvidenceSpan) -> str:
    """Return the sentences that the span touches."""
    touched = [one for one in sentences(content) if one.start < span.end and span.start < one.end]
    return content[touched[0].start : touched[-1].end] if touched else span.quote


def _same_script(statement: str, quote: str) -> bool:
    """Say whether a statement is in a language of its quote: Han, kana and Hangul apart from all others.

    A quote in both scripts ("我喜欢 dark mode") allows either.
    """
    if not any(character.isalpha() for character in quote):
        return True
    signs = len(_HAN.findall(quote))
    others = len(_WORD.findall(_HAN.sub(" ", quote)))
    if signs and others and min(signs, others) * 4 >= max(signs, others):
        return True
    return (detect_language(statement) == "en") == (detect_language(quote) == "en")


def _numbers(text: str) -> set[str]:
    return set(_NUMBER.findall(_DATE.sub(" ", fold(text))))


def _pieces(text: str) -> set[str]:
    """Return what two texts must share some of to be about one thing: beginnings of words, pairs of characters."""
    pieces: set[str] = set()
    for word in _WORD.findall(fold(text)):
        if _HAN.search(word):
            pieces |= {word[i : i + 2] for i in range(max(1, len(word) - 1))}
        elif word not in _COMMON:
            pieces.add(word[:4])
    return pieces
