"""Reads by the trained model what the cues leave open: sentences without a cue, and those with a weak one."""

import logging
import re
from collections.abc import Sequence
from typing import Final

from prefmem_pg.domain.preferences import Polarity
from prefmem_pg.domain.text import detect_language
from prefmem_pg.errors import PrefmemError
from prefmem_pg.providers.offline.attribution import begins_with_others
from prefmem_pg.providers.offline.cue import CONSTRAINT, TASTE, Cue
from prefmem_pg.providers.offline.finding import Finding
from prefmem_pg.providers.offline.idle_zh import is_idle
from prefmem_pg.providers.offline.polarity import statement_polarity
from prefmem_pg.providers.offline.questions import asks, chinese_asks, first_question
from prefmem_pg.providers.offline.reject import (
    is_passing,
    is_past,
    is_reported,
    is_task,
    refuses_sentence,
)
from prefmem_pg.providers.offline.sentence_model import DIMENSIONS, EMBEDDER, Reading, load_sentence_model
from prefmem_pg.providers.offline.sentences import Span, chinese_clauses, english_clauses
from prefmem_pg.providers.offline.traits import POLARITIES, traits, traits_but_polarity, with_polarity
from prefmem_pg.providers.protocols import EmbeddingModel

MOST_LOOKS: Final = 24
"""Sentences of one message that are embedded at most: who pastes a book is not telling of themselves in it."""
SURE_CUE: Final = 0.85
"""A cue above this confidence needs no second opinion."""
SHORT_CHARACTERS: Final = 50
FAIRLY_SURE: Final = 0.8
SURE: Final = 0.97
"""What the model must reach on a short and on a longer sentence beside a question."""
LEAST_OWN: Final = 0.2
"""Whose a sentence is, the rules of attribution say first; this only stops what is plainly another's."""
MOST_CONFIDENCE: Final = 0.75

_log = logging.getLogger(__name__)
_NEVER: Final = re.compile(r"(?!)")
_OF_SELF: Final = re.compile(r"\b(?:I|my|me|mine|myself|we|our|us)\b|\bI'|[\u4e00-\u9fff]")
_LETTER: Final = re.compile(r"[^\W\d_]")
_CODE: Final = re.compile(
    r"[{}]|\w\(\)|;\s*$|==|^\s*(?:SELECT|def|import|Traceback)\b|\b[A-Z]?\w*(?:Error|Exception)\b"
    r"|\b(?:exit|error|status) code \d|(?<![A-Za-z])git (?:push|pull|clone|commit|merge|rebase)\b"
    r"|(?:退出|返回|错误|状态)码\d"
)

# Thanks, verdicts on what was just said, greetings, and what is no sentence of its own: no side, or one of the moment.
_REACTS: Final = re.compile(
    r"\W*(?:thanks|thank you|thx|cheers|sorry|hello|hi|congrat\w*)\b(?!.*\b(?:I|my|never|always|no|prefer)\b)"
    r"|\W*(?:that|this|those|these)(?:'s| is| are| was| were| really| sounds?| looks?| helped| makes sense| worked?)\b"
    r"(?!.*\b(?:I|my)\b)|\W*(?:(?:well|oh|and|but|yes|no),? )?(?:they|it|he|she)\b"
    r"|\W*I (?:hadn't|haven't|didn't know|never knew)\b|\W*I'?(?:ll| will| might) (?:definitely|certainly|also"
    r"|surely)\b"
    r"|\W*(?:thank you|thanks) for (?:all )?(?:your|the)\b"
    r"|\W*I (?:\w+ly |do )*appreciate (?:you|your|the|that|this|it)\b"
    r"|\W*I(?:'ve| have) (?:\w+ed|been|had|done|seen|read|taken) [^.!?;]{0,40}\bbefore\b"
    r"|\W*I(?:'ve| have)? just (?:\w+ed|got|began|went|had|made|found|bought|came|took)\b|\W*I'm (?:on|at|in) [A-Z]"
    r"|\W*(?:those|these|that|this) sounds?\b"
    r"|\W*(?:lastly, )?I'm always (?:looking|trying)\b"
    r"|\W*I can't find (?:my|the)\b|\W*(?:I'm|we're) (?:going|off|heading|on my way|at|on) (?:to|for|out|the"
    r"|[A-Z]-?\d)\b(?!.*\b(?:one day|year)\b)"
    r"|\W*I (?:really )?appreciate (?:you|your|the)\b|\W*(?:we|they|I)(?:'re|'m| are| am) (?:\w+ )?(?:out of|short of"
    r"|low on)\b|.*\b(?:left|yet|on hand)\W*$"
    r"|\W*(?:speaking of|as an?|when it comes to|on (?:a|another)) [^,]*$"
    r"|\W*(?:[他她它]们?|[这那](?:个|些|样|种|里)?)(?!.*我)|\W*(?:(?:多|非常)?感?谢|你好|您好|抱歉|恭喜)"
    r"|\W*[那这](?:就|样|下)?(?:太?好|行|对|不错|可以|明白)",
    re.IGNORECASE,
)


class ModelReader:
    """The second opinion on a sentence. Without a model or an embedder it has none, says so once, and never raises.

    ``embedder`` has to be the one that the weights were trained on; None reads by cues alone.
    """

    def __init__(self, embedder: EmbeddingModel | None) -> None:
        is_known = embedder is not None and (embedder.name, embedder.dimensions) == (EMBEDDER, DIMENSIONS)
        self._embedder = embedder if is_known else None
        self._model = load_sentence_model() if is_known else None
        if self._embedder is not None and self._model is None:
            _log.warning("the model of sentences is missing or broken: reading by cues alone")

    @property
    def is_ready(self) -> bool:
        """Say whether there is a model to ask."""
        return self._model is not None and self._embedder is not None

    def find(self, sentence: Span, *, leads_to_question: bool = False) -> list[Finding]:
        """Return the one finding of a sentence without a cue, or none.

        ``leads_to_question``: the message asks something. What is told beside a question mostly explains it, so more
        is wanted there, most of all of long sentences; a long one without a word of the user is mostly a general truth.
        """
        model = self._model
        told = told_part(sentence) if model else None
        if model is None or told is None or (found := self._worth_a_vector(told.text)) is None:
            return []
        reading = self._read(told.text, found)
        if reading is None or reading.is_durable < 0.5 or reading.is_own < LEAST_OWN:
            return []
        least = model.threshold("found", detect_language(told.text))
        is_short = len(told.text) <= SHORT_CHARACTERS
        if leads_to_question:
            least = max(least, FAIRLY_SURE if is_short else SURE)
        elif not is_short and not _OF_SELF.search(told.text):
            least = max(least, SURE)
        if reading.holds < least:
            return []
        return [Finding(told.start, told.end, _cue(reading, told.text))]

    def doubts(self, findings: Sequence[Finding], sentence: Span) -> bool:
        """Say whether the findings of a sentence, all by weak cues, are none to the model."""
        model = self._model
        if model is None or any(f.is_safety or f.cue.confidence > SURE_CUE for f in findings):
            return False
        text = (told_part(sentence) or sentence).text  # what is asked beside a wish says nothing against the wish
        reading = self._read(text, traits(text, cue_confidence=max(f.cue.confidence for f in findings)))
        return reading is not None and reading.holds < model.threshold("doubted", detect_language(text))

    def may_hold(self, sentence: Span) -> bool:
        """Say whether a sentence without a cue may hold something: what a pre-filter has to keep."""
        told = told_part(sentence)
        if told is None or refuses_sentence(told.text):
            return False
        model = self._model
        if model is None:
            return True
        reading = self._read(told.text, traits(told.text, cue_confidence=0.0))
        return reading is not None and reading.holds >= model.threshold("kept", detect_language(told.text))

    def _worth_a_vector(self, text: str) -> Sequence[float] | None:
        """Return the traits of a text without a cue when it stays open what it holds; what is cheap is asked first."""
        model, language = self._model, detect_language(text)
        if model is None:
            return None
        glanced = model.glance(text)
        if glanced < model.threshold("glanced", language) or _says_nothing_lasting(text):
            return None
        found = traits_but_polarity(text, cue_confidence=0.0)
        if not any(model.pays(glanced, with_polarity(found, side), language) for side in POLARITIES):
            return None  # whatever its polarity, which costs more than all the other traits
        found = with_polarity(found, statement_polarity(text))
        return found if model.pays(glanced, found, language) else None

    def _read(self, text: str, found: Sequence[float]) -> Reading | None:
        """Return what the model makes of a text; None without a vector."""
        model = self._model
        if model is None or self._embedder is None:
            return None
        try:
            vector = self._embedder.embed_queries([text])[0]
        except PrefmemError as exc:
            _log.warning("no vectors (%s): reading by cues alone", exc)
            self._model = None
            return None
        return model.read(vector, found, detect_language(text))


def told_part(sentence: Span) -> Span | None:
    """Return the part of a sentence before it begins to ask; None when nothing is told that could be read."""
    text = sentence.text
    if detect_language(text) == "zh":
        clauses = chinese_clauses(sentence)
        marked = text.rstrip("”’\"'」） ").endswith(("?", "？"))
        last = len(clauses) - 1
        asked = next(
            (i for i, c in enumerate(clauses) if chinese_asks(c.text, is_marked=marked and i == last)), len(clauses)
        )
    else:
        clauses = english_clauses(sentence)
        asked = first_question(clauses, text)
    if asked < len(clauses):
        text = text[: clauses[asked].start - sentence.start].rstrip(" ,，;；—-")
    if len(_LETTER.findall(text)) < 3 or _CODE.search(text) or (asked < len(clauses) and asks(text)):
        return None
    return Span(sentence.start, sentence.start + len(text), text)


def _says_nothing_lasting(text: str) -> bool:
    if _REACTS.match(text) or begins_with_others(text) or is_task(text):
        return True
    if is_idle(text):
        return True
    return refuses_sentence(text) or is_passing(text) or is_reported(text) or is_past(text)


def _cue(reading: Reading, text: str) -> Cue:
    polarity: Polarity = statement_polarity(text)
    if polarity == "neutral" or reading.kind != "explicit":
        polarity = reading.polarity
    return Cue(
        reason="reads like one",
        pattern=_NEVER,
        kind=reading.kind,
        polarity=polarity,
        confidence=round(min(reading.holds, MOST_CONFIDENCE), 2),
        importance=CONSTRAINT if polarity == "negative" else TASTE,
    )
