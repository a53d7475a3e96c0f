"""The offline extractor: rules over the user's own sentences, without a model or a network."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.preferences import Candidate, EvidenceSpan
from prefmem_pg.domain.text import detect_language
from prefmem_pg.providers.offline import cues_en, cues_ja, cues_zh
from prefmem_pg.providers.offline.answers import only_says_yes, read_answer
from prefmem_pg.providers.offline.antecedents import complete
from prefmem_pg.providers.offline.bareness import is_bare, only_points
from prefmem_pg.providers.offline.chinese import read_chinese
from prefmem_pg.providers.offline.choice_signals import ChoiceSignal, read_signal
from prefmem_pg.providers.offline.cue import CLEAR, CONSTRAINT, Cue, find_cue
from prefmem_pg.providers.offline.demonstratives import named, points
from prefmem_pg.providers.offline.destinations import destination, destination_again, refused_destination
from prefmem_pg.providers.offline.ellipses import read_ellipsis
from prefmem_pg.providers.offline.english import read_english
from prefmem_pg.providers.offline.entities import find_entities
from prefmem_pg.providers.offline.finding import Finding
from prefmem_pg.providers.offline.mask import mask
from prefmem_pg.providers.offline.model_reading import MOST_LOOKS, ModelReader, told_part
from prefmem_pg.providers.offline.occasions_zh import is_for_now
from prefmem_pg.providers.offline.questions import asks
from prefmem_pg.providers.offline.reject import (
    is_passing,
    refuses_message,
)
from prefmem_pg.providers.offline.sarcasm import goes_on, is_sarcastic, likes_what_nobody_likes, takes_back
from prefmem_pg.providers.offline.sentences import Span, sentences
from prefmem_pg.providers.offline.signs import sign
from prefmem_pg.providers.offline.statement import MAX_CHARACTERS, dated, word
from prefmem_pg.providers.offline.style_of_task import is_of_task
from prefmem_pg.providers.offline.times import find_moment
from prefmem_pg.providers.offline.topics import find_topic
from prefmem_pg.providers.protocols import Chunk, EmbeddingModel

MAX_READ: Final = 40_000
"""Characters of a message that are read, as many as the search vector holds."""

MODEL: Final = "sentences 6"
"""What a run names as its model when the sentence model was there to be asked."""

MOST_SENTENCES: Final = 3
"""Of a message that may hold as a whole what none of its sentences holds alone."""
_LOOKS_BACK: Final = 2
_QUESTION_CHARACTERS: Final = 300


_CHANGE_OF_PLAN: Final = Cue(
    reason="changes the plan", pattern=re.compile(r"(?!)"), polarity="positive", confidence=CLEAR, kind="goal"
)


class OfflineExtractor:
    """Finds what users state about themselves, in English and Chinese, with the same result each time."""

    name = "offline"
    version = "7"
    model: str | None = None

    def __init__(self, *, embedder: EmbeddingModel | None = None) -> None:
        """``embedder``: the local one, for the model that judges with the cues; None reads by cues alone."""
        self._reader = ModelReader(embedder)
        self.model = MODEL if self._reader.is_ready else None

    def extract(self, chunk: Chunk) -> list[Candidate]:
        """Return the candidates of the chunk's new user messages, in the order of their evidence; never raises."""
        return [
            candidate
            for place, message in enumerate(chunk.messages)
            if place >= chunk.first_new and message.role == "user"
            for candidate in _candidates(message, chunk.messages[:place], chunk.time_zone, self._reader)
        ]

    def read_choice(self, offer: str, answer: str) -> ChoiceSignal | None:
        """Return the choice that an answer to the assistant's offer makes: evidence, and no preference by itself."""
        return read_signal(offer, answer)


def _question(before: Sequence[Message]) -> str:
    """Return what the assistant asked in its last sentence, right before a message of the user; "" when it did not."""
    if not before or before[-1].role != "assistant":
        return ""
    spans = list(sentences(before[-1].content[-_QUESTION_CHARACTERS:]))
    return spans[-1].text if spans and spans[-1].text.endswith(("?", "？")) else ""


def _said_before(before: Sequence[Message]) -> str:
    """Return the end of what the user said last, which may name what "it" is."""
    last = next((message.content for message in reversed(before[-_LOOKS_BACK:]) if message.role == "user"), "")
    return mask(last[-_QUESTION_CHARACTERS:])


def _turn_before(before: Sequence[Message]) -> str:
    """Return the end of what was said right before, by whomever; "" when nothing was."""
    return mask(before[-1].content[-_QUESTION_CHARACTERS:]) if before else ""


def _candidates(
    message: Message, earlier: Sequence[Message], time_zone: str, reader: ModelReader
) -> Iterator[Candidate]:
    content = message.content[:MAX_READ]
    is_short = len(content) <= MAX_CHARACTERS  # may be said without any of the words of a full sentence
    if not is_short and not any(cues.PRECHECK.search(content) for cues in (cues_en, cues_zh, cues_ja)):
        return
    masked = mask(content)
    if refuses_message(masked):
        return
    question = _question(earlier)
    spans = list(sentences(masked))
    seen: set[str] = set()
    was_told = False
    looks = MOST_LOOKS if reader.is_ready else 0
    leads_to_question = bool(looks) and any(asks(span.text) for span in spans)
    for index, sentence in enumerate(spans):
        following = spans[index + 1] if index + 1 < len(spans) else None
        is_answer = index == 0 or (index == 1 and only_says_yes(spans[0].text))
        findings = _findings(sentence, question if is_answer else "")
        if points(sentence.text):
            findings = _pointed(sentence, spans[index - 1].text if index else _turn_before(earlier)) or findings
        was_told |= bool(findings)
        of_task = [finding for finding in findings if is_of_task(finding, masked, spans)]
        findings = [finding for finding in findings if finding not in of_task]
        if looks and not of_task:
            looks -= 1
            findings = _heard_by_model(reader, findings, sentence, masked, leads_to_question=leads_to_question)
        if index and is_for_now(sentence.text, spans[index - 1].text):
            findings = [finding for finding in findings if not finding.cue.reason.startswith("tells the assistant")]
        was_told |= bool(findings)
        if not findings or likes_what_nobody_likes(sentence.text) or (following and takes_back(following.text)):
            continue
        if index and is_sarcastic(spans[index - 1].text) and goes_on(sentence.text):
            continue
        *before, own = (
            Span(span.start, span.end, _unmasked(content, masked, span))
            for span in spans[max(0, index - _LOOKS_BACK) : index + 1]
        )
        near = [*(span.text for span in reversed(before)), question, _said_before(earlier)]
        for finding in complete(findings, own, near):
            candidate = _candidate(message, content, finding, sentence, following, time_zone)
            if candidate and candidate.statement not in seen:
                seen.add(candidate.statement)
                yield candidate
    if looks and not was_told and _may_tell_as_a_whole(spans):  # what was refused, a joke, is not told by the whole
        whole = Span(0, len(masked), masked)
        found = (_candidate(message, content, one, whole, None, time_zone) for one in reader.find_in_all(masked))
        yield from (candidate for candidate in found if candidate)


def _heard_by_model(
    reader: ModelReader, findings: list[Finding], sentence: Span, message: str, *, leads_to_question: bool
) -> list[Finding]:
    """Return what the model finds where rules found nothing, or leaves of what they found."""
    if not findings:
        return reader.find(sentence, message, leads_to_question=leads_to_question)
    if destination(sentence.text) or any(_needs_context(finding) for finding in findings):
        return findings
    return reader.judged(findings, sentence, message)


def _may_tell_as_a_whole(spans: Sequence[Span]) -> bool:
    return 1 < len(spans) <= MOST_SENTENCES or (len(spans) == 1 and not told_part(spans[0]))


def _findings(sentence: Span, question: str) -> list[Finding]:
    """Read a sentence; an answer about allergies is kept whole, whatever else is found in it."""
    answered = read_answer(sentence, question)
    if any(finding.is_safety for finding in answered):
        return answered
    return _read(sentence) or answered or read_ellipsis(sentence)


def _needs_context(finding: Finding) -> bool:
    """Say whether a finding means nothing without what was said before."""
    return bool(finding.said_as) or finding.cue.reason == "answers a question"


def _pointed(sentence: Span, before: str) -> list[Finding]:
    """Read a sentence that points at what was named right before ("I never buy that one") as if it named it."""
    whole = named(sentence.text, before)
    findings = _read(Span(0, len(whole), whole)) if whole else []
    if whole is None or len(findings) != 1 or findings[0].cue.kind != "explicit":
        return []
    told = findings[0].lead + whole[findings[0].start : findings[0].end].strip(" ,，.。!！")
    return [replace(findings[0], start=sentence.start, end=sentence.end, lead="", reason=None, said_as=told)]


def _unmasked(content: str, masked: str, span: Span) -> str:
    """Return a sentence in its own characters (the mask has simplified ones), with what is hidden left blank."""
    pairs = zip(content[span.start : span.end], masked[span.start : span.end], strict=True)
    return "".join(" " if hidden == " " else own for own, hidden in pairs)


def _read(sentence: Span) -> list[Finding]:
    language = detect_language(sentence.text)
    if language == "ja":
        match = find_cue(sentence.text, cues_ja.CUES)
        is_asked = sentence.text.endswith(("?", "？", "か", "か。"))
        return (
            [Finding(sentence.start, sentence.end, match.cue, is_safety=match.cue.is_safety)]
            if match and not is_asked
            else []
        )
    first, second = (read_chinese, read_english) if language == "zh" else (read_english, read_chinese)
    return first(sentence) or second(sentence) or _read_change_of_plan(sentence)


def _read_change_of_plan(sentence: Span) -> list[Finding]:
    """Find a goal that is named without the words of a wish: "还是去北京", "let's go to Rome instead"."""
    if not (place := destination_again(sentence.text)) or is_passing(sentence.text.replace("现在", "")):
        return []
    return [Finding(sentence.start + place[0], sentence.start + place[1], _CHANGE_OF_PLAN)]


def _candidate(
    message: Message, content: str, finding: Finding, sentence: Span, following: Span | None, time_zone: str
) -> Candidate | None:
    wording = word(content, finding.start, finding.end, lead=finding.lead)
    if wording is None:
        return None
    cue = finding.cue
    told = finding.said_as or wording.text
    if cue.kind != "fact" and not finding.is_safety and (is_bare(told) or only_points(told)):
        return None  # it names nothing, and nothing beside it said what it is about
    moment = find_moment(wording.text, message.occurred_at, time_zone)
    if cue.kind == "explicit" and refused_destination(told):
        return None  # a plan that is given up, which is no taste
    goes_to = destination(told) if cue.kind in ("explicit", "goal") else None
    topic, entities = find_topic(told), find_entities(told)
    if goes_to:
        topic = "travel"
        entities = tuple(
            dict.fromkeys((goes_to, *(name for name in entities if not name.startswith((goes_to, "Let's")))))
        )
    language = detect_language(wording.text)
    statement = told
    if moment:
        statement = dated(wording, moment, is_chinese=language == "zh")
    return Candidate(
        statement=statement,
        kind="goal" if goes_to else cue.kind,
        polarity=finding.polarity or sign(cue, wording.text),
        language=language,
        context=_context(content, finding, sentence, following),
        topic=topic,
        entities=entities,
        confidence=cue.confidence,
        importance=_importance(finding, topic),
        is_safety=finding.is_safety,
        evidence=(
            EvidenceSpan(
                message_id=message.message_id,
                start=wording.start,
                end=wording.end,
                quote=message.content[wording.start : wording.end],
            ),
        ),
        valid_from=moment.at if moment and not moment.is_ahead else message.occurred_at,
        dialog_id=message.dialog_id,
        session_id=message.session_id,
    )


def _importance(finding: Finding, topic: str) -> float:
    """Put what endangers above what binds, and that above what pleases."""
    if finding.is_safety:
        return max(finding.cue.importance, 0.9)
    is_condition = finding.cue.kind == "fact" and topic == "health"
    return max(finding.cue.importance, CONSTRAINT) if is_condition else finding.cue.importance


def _context(content: str, finding: Finding, sentence: Span, following: Span | None) -> str:
    """Return the reason when one is given, else the sentence; a goal takes the question after it along."""
    if finding.reason:
        start, end = finding.reason
    else:
        start, end = sentence.start, sentence.end
        if finding.cue.kind == "goal" and following and asks(following.text):
            end = following.end
    return " ".join(content[start:end].split())[:MAX_CHARACTERS]
