"""The offline extractor: rules over the user's own sentences, without a model or a network."""

import re
from collections.abc import Iterator
from typing import Final

from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.preferences import Candidate, EvidenceSpan
from prefmem_pg.domain.text import detect_language
from prefmem_pg.providers.offline import cues_en, cues_ja, cues_zh
from prefmem_pg.providers.offline.chinese import read_chinese
from prefmem_pg.providers.offline.cue import CLEAR, Cue, find_cue
from prefmem_pg.providers.offline.destinations import destination, destination_again, refused_destination
from prefmem_pg.providers.offline.english import read_english
from prefmem_pg.providers.offline.entities import find_entities
from prefmem_pg.providers.offline.finding import Finding
from prefmem_pg.providers.offline.mask import mask
from prefmem_pg.providers.offline.questions import asks
from prefmem_pg.providers.offline.reject import is_passing, refuses_message
from prefmem_pg.providers.offline.sentences import Span, sentences
from prefmem_pg.providers.offline.statement import MAX_CHARACTERS, dated, word
from prefmem_pg.providers.offline.times import find_moment
from prefmem_pg.providers.offline.topics import find_topic
from prefmem_pg.providers.protocols import Chunk

MAX_READ: Final = 40_000
"""Characters of a message that are read, as many as the search vector holds."""


_CHANGE_OF_PLAN: Final = Cue(
    reason="changes the plan", pattern=re.compile(r"(?!)"), polarity="positive", confidence=CLEAR, kind="goal"
)


class OfflineExtractor:
    """Finds what users state about themselves, in English and Chinese, with the same result each time."""

    name = "offline"
    version = "1"
    model: str | None = None

    def extract(self, chunk: Chunk) -> list[Candidate]:
        """Return the candidates of the chunk's new user messages, in the order of their evidence; never raises."""
        return [
            candidate
            for message in chunk.messages[chunk.first_new :]
            if message.role == "user"
            for candidate in _candidates(message, chunk.time_zone)
        ]


def _candidates(message: Message, time_zone: str) -> Iterator[Candidate]:
    content = message.content[:MAX_READ]
    if not (cues_en.PRECHECK.search(content) or cues_zh.PRECHECK.search(content) or cues_ja.PRECHECK.search(content)):
        return
    masked = mask(content)
    if refuses_message(masked):
        return
    spans = list(sentences(masked))
    seen: set[str] = set()
    for index, sentence in enumerate(spans):
        following = spans[index + 1] if index + 1 < len(spans) else None
        for finding in _read(sentence):
            candidate = _candidate(message, content, finding, sentence, following, time_zone)
            if candidate and candidate.statement not in seen:
                seen.add(candidate.statement)
                yield candidate


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
    moment = find_moment(wording.text, message.occurred_at, time_zone)
    if cue.kind == "explicit" and refused_destination(wording.text):
        return None  # a plan that is given up, which is no taste
    goes_to = destination(wording.text) if cue.kind in ("explicit", "goal") else None
    topic, entities = find_topic(wording.text), find_entities(wording.text)
    if goes_to:
        topic = "travel"
        entities = tuple(
            dict.fromkeys((goes_to, *(name for name in entities if not name.startswith((goes_to, "Let's")))))
        )
    language = detect_language(wording.text)
    statement = wording.text
    if moment:
        statement = dated(wording, moment, is_chinese=language == "zh")
    return Candidate(
        statement=statement,
        kind="goal" if goes_to else cue.kind,
        polarity=cue.polarity,
        language=language,
        context=_context(content, finding, sentence, following),
        topic=topic,
        entities=entities,
        confidence=cue.confidence,
        importance=max(cue.importance, 0.9) if finding.is_safety else cue.importance,
        is_safety=finding.is_safety,
        evidence=(
            EvidenceSpan(
                message_id=message.message_id,
                start=wording.start,
                end=wording.end,
                quote=message.content[wording.start : wording.end],
            ),
        ),
        valid_from=moment.at if moment else message.occurred_at,
        dialog_id=message.dialog_id,
        session_id=message.session_id,
    )


def _context(content: str, finding: Finding, sentence: Span, following: Span | None) -> str:
    """Return the reason when one is given, else the sentence; a goal takes the question after it along."""
    if finding.reason:
        start, end = finding.reason
    else:
        start, end = sentence.start, sentence.end
        if finding.cue.kind == "goal" and following and asks(following.text):
            end = following.end
    return " ".join(content[start:end].split())[:MAX_CHARACTERS]
