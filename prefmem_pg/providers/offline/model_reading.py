"""Reads by the trained model: finds what no cue tells, and judges what the cues found."""

import logging
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from prefmem_pg.domain.preferences import Polarity
from prefmem_pg.domain.text import detect_language
from prefmem_pg.errors import PrefmemError
from prefmem_pg.providers.offline.attribution import begins_with_others
from prefmem_pg.providers.offline.cue import CONSTRAINT, TASTE, Cue
from prefmem_pg.providers.offline.dangers import denies_danger
from prefmem_pg.providers.offline.finding import Finding
from prefmem_pg.providers.offline.idle_zh import is_idle
from prefmem_pg.providers.offline.polarity import statement_polarity
from prefmem_pg.providers.offline.questions import asks, chinese_asks, first_question
from prefmem_pg.providers.offline.reject import is_passing, is_past, is_reported, is_task, refuses_sentence
from prefmem_pg.providers.offline.sentence_model import DIMENSIONS, EMBEDDER, Reading, load_sentence_model
from prefmem_pg.providers.offline.sentences import Span, chinese_clauses, english_clauses
from prefmem_pg.providers.offline.signs import sign, told_sign
from prefmem_pg.providers.offline.traits import POLARITIES, as_told, traits, traits_but_polarity, with_polarity
from prefmem_pg.providers.protocols import EmbeddingModel

MOST_LOOKS: Final = 24
"""Sentences of one message that are looked at, at most: who pastes a book is not telling of themselves in it."""
FOUND: Final = 0.5
"""How probable it has to be that a sentence without a cue holds something."""
UNLIKELY: Final = 0.75
"""How probable it has to be where a rule speaks against it."""
KEPT_BESIDE_A_QUESTION: Final = 0.87
"""How probable it has to be for a pre-filter, in a message that asks as well; chosen on development data."""
DOUBTED: Final = 0.4
"""Below that a sentence with a cue holds nothing after all."""
DOUBTED_GOAL: Final = 0.15
"""The same of what somebody is set on, which rules tell well."""
DOUBTED_AROUND: Final = 0.2
"""Below that a whole message holds nothing, whatever its sentences seem to, unless one is plain."""
PLAIN: Final = 0.85
"""From that on a sentence means what it says, whatever is asked beside it ("I'm vegetarian. What can I cook?")."""
DOUBTED_DANGER: Final = 0.1
"""Below that, by the sentence and by what stands around it, nothing endangers the user or theirs after all."""
AROUND_CHARACTERS: Final = 400
"""Of a message that is heard as a whole, at most; a vector of more says little of any sentence in it."""
LEAST_AROUND: Final = 4
"""Characters that a message has besides the sentence, to be worth a vector of its own."""
FOUND_IN_ALL: Final = 0.5
WHOLE_CHARACTERS: Final = 100
"""How probable a message has to be that is kept as a whole, and how long it may be to be one statement."""
LEAST_LETTERS: Final = 3
SHORT_CHARACTERS: Final = 50
SURE: Final = 0.985
"""What the model must reach on a sentence beside a question, and on a long one without a word of the user."""
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


# Thanks, verdicts on what was just said, greetings, reports of what there is or was done, and what is no sentence of
# its own: no side, or one of the moment.
_REACTS: Final = re.compile(
    r"\W*(?:thanks|thank you|thx|cheers|sorry|hello|hi|congrat\w*)\b(?!.*\b(?:I|my|never|always|no|prefer)\b)"
    r"|\W*(?:(?:just|and|also|hi|hey|ok),? )*(?:(?:an?|one|another|quick|short|last|more|small) )+question\b"
    r"(?! at a time| per\b)(?!.*\b(?:I|my|me|always|never)\b)"
    r"|\W*(?:that|this|those|these)(?:'s| is| are| was| were| really| sounds?| looks?| helped| makes sense| worked?)\b"
    r"(?!.*\b(?:I|my)\b)|\W*(?:(?:well|oh|and|but|yes|no),? )?(?:they|it|he|she)\b"
    r"|\W*I (?:hadn't|haven't|didn't know|never knew)\b|\W*I'?(?:ll| will| might) (?:definitely|certainly|also"
    r"|surely)\b"
    r"|\W*(?:thank you|thanks) for (?:all )?(?:your|the)\b"
    r"|\W*I (?:\w+ly |do )*appreciate (?:you|your|the|that|this|it)\b"
    r"|\W*I(?:'ve| have) (?:\w+ed|been|had|done|seen|read|taken) [^.!?;]{0,40}\bbefore\b"
    r"|\W*I(?:'ve| have)? just (?:\w+ed|got|began|went|had|made|found|bought|came|took)\b|\W*I'm (?:on|at|in) [A-Z]"
    r"|\W*(?:those|these|that|this) sounds?\b"
    r"|\W*(?:(?:lastly|as an? [\w' -]{1,40}),? )?I'm (?:always|constantly) (?:looking|trying|on the lookout|up for)\b"
    r"|(?:.*, )?(?:so |well,? |and )?I'll (?:be (?:sure|mindful|careful|back)|look into|start (?:by|with)"
    r"|give (?:it|that|this)|keep (?:that|it|this|you)|check|try)\b"
    r"|\W*I think (?:I'll|I might|we'll|starting|implementing|using|that(?:'s|'ll)?|this|these|it(?:'s|'ll)?|having"
    r"|adding|a good)\b|\W*(?:we|I)(?:'ve| have) been (?:looking|considering|thinking|wondering|toying)\b"
    r"|(?:.*, )?(?:but )?I'm (?:intrigued|curious|wondering|struggling|torn)\b"
    r"|\W*there (?:is|are|was|were|will be|'ll be) (?!.*\b(?:I|me|my|our|us|always|nothing|never)\b)"
    r"|\W*(?:I|we) (?:sent|was at|were at|arrived|missed|called|met|told|asked|saw|counted|signed|submitted|uploaded"
    r"|printed|paid)\b(?!.*\b(?:never|always|again|since|until|every|anymore)\b)"
    r"|\W*(?:I'm|I am|we're|we are) (?:still )?waiting\b"
    r"|\W*I can't find (?:my|the)\b|\W*(?:I'm|we're) (?:going|off|heading|on my way|at|on) (?:to|for|out|the"
    r"|[A-Z]-?\d)\b(?!.*\b(?:one day|year)\b)"
    r"|\W*I (?:really )?appreciate (?:you|your|the)\b|\W*(?:we|they|I)(?:'re|'m| are| am) (?:\w+ )?(?:out of|short of"
    r"|low on)\b|.*\b(?:left|yet|on hand)\W*$"
    r"|\W*(?:speaking of|as an?|when it comes to|on (?:a|another)) [^,]*$"
    r"|\W*(?:[他她它]们?|[这那](?:个|些|样|种|里)?)(?!.*我)|\W*(?:(?:多|非常)?感?谢|你好|您好|抱歉|对不起|不好意思|恭喜)"
    r"|\W*[那这](?:就|样|下)?(?:太?好|行|对|不错|可以|明白)"
    r"|\W*(?:请|麻烦|帮我|给我|再|那)*(?:推荐|介绍|查查|查一下|找找)(?!.*(?:以后|每次|别|不要|总|一律|都))",
    re.IGNORECASE,
)


class ModelReader:
    """What the model makes of sentences and messages. Without a model or an embedder it says so once and never raises.

    ``embedder`` has to be the one that the weights were trained on; None reads by cues alone.
    """

    def __init__(self, embedder: EmbeddingModel | None) -> None:
        is_known = embedder is not None and (embedder.name, embedder.dimensions) == (EMBEDDER, DIMENSIONS)
        self._embedder = embedder if is_known else None
        self._model = load_sentence_model() if is_known else None
        self._heard: tuple[str, float | None] | None = None
        if self._embedder is not None and self._model is None:
            _log.warning("the model of sentences is missing or broken: reading by cues alone")

    @property
    def is_ready(self) -> bool:
        """Say whether there is a model to ask."""
        return self._model is not None and self._embedder is not None

    def find(self, sentence: Span, message: str, *, leads_to_question: bool = False) -> list[Finding]:
        """Return the one finding of a sentence without a cue, or none. ``message`` is all that was said, masked.

        ``leads_to_question``: the message asks something. What is told beside a question mostly explains it, so more
        is wanted there, most of all of long sentences; a long one without a word of the user is mostly a general truth.
        """
        model = self._model
        told = told_part(sentence) if model else None
        if model is None or told is None or (found := self._worth_a_vector(told.text)) is None:
            return []
        reading = self._read(told.text, found)
        if reading is None:
            return []
        is_short = len(told.text) <= SHORT_CHARACTERS
        least = UNLIKELY if _speaks_against(told.text) else FOUND
        if leads_to_question or (not is_short and not _OF_SELF.search(told.text)):
            least = SURE
        if reading.holds < least or self._is_nothing_around(reading, told.text, message):
            return []
        return [Finding(told.start, told.end, _cue(reading), polarity=_side(reading, told.text))]

    def judged(self, findings: Sequence[Finding], sentence: Span, message: str) -> list[Finding]:
        """Return what is left of the findings of a sentence: none that are nothing to the model, and with its signs.

        ``message`` is all that was said, masked: what stands around a sentence may say that it is a role, a quote or a
        thought. What endangers the user goes only when hardly anything speaks for it.
        """
        model = self._model
        if model is None or not findings:
            return [*findings]
        text = (told_part(sentence) or sentence).text  # what is asked beside a wish says nothing against the wish
        found = as_told((f.cue.confidence, sign(f.cue, message[f.start : f.end]), f.cue.kind) for f in findings)
        reading = self._read(text, traits(text, found))
        if reading is None:
            return [*findings]
        if any(finding.is_safety for finding in findings):
            around = self._around(text, message)
            is_doubted = around is not None and max(reading.holds, around) < DOUBTED_DANGER
            return [] if is_doubted else [*findings]
        is_goal = all(finding.cue.kind == "goal" for finding in findings)
        if reading.holds < (DOUBTED_GOAL if is_goal else DOUBTED) or self._is_nothing_around(reading, text, message):
            return []
        if len(findings) > 1 or findings[0].cue.kind != "explicit" or reading.polarity == "neutral":
            return [*findings]
        return [replace(findings[0], polarity=_side(reading, message[findings[0].start : findings[0].end]))]

    def find_in_all(self, message: str) -> list[Finding]:
        """Return the one finding of a short message none of whose sentences tells anything alone, or none.

        "Marzipan? Not for me." "香菜？双份！" "Would you refrain from using dashes?" ``message`` is masked.
        """
        text = message.strip()
        if len(text) > WHOLE_CHARACTERS or _CODE.search(text) or (found := self._worth_a_vector(text)) is None:
            return []
        reading = self._read(text, found)
        if reading is None or reading.holds < (SURE if asks(text) else FOUND_IN_ALL):
            return []
        start = message.index(text)
        return [Finding(start, start + len(text), _cue(reading), polarity=_side(reading, text))]

    def _is_nothing_around(self, reading: Reading, text: str, message: str) -> bool:
        """Say whether a message makes nothing of a sentence in it that is not plain by itself."""
        if reading.holds >= PLAIN:
            return False
        around = self._around(text, message)
        return around is not None and around < DOUBTED_AROUND

    def _around(self, text: str, message: str) -> float | None:
        """Return how probably a message holds something; None for one that is hardly more than the text, or long."""
        whole = message.strip()
        if len(whole) > AROUND_CHARACTERS or len(whole) - len(text) < LEAST_AROUND:
            return None
        heard = self._heard  # each sentence of a message asks for the same
        if heard is None or heard[0] != whole:
            reading = self._read(whole, traits(whole))
            self._heard = heard = (whole, reading.holds if reading else None)
        return heard[1]

    def may_hold(self, text: str, *, leads_to_question: bool) -> bool:
        """Say whether a sentence without a cue, or a whole message, may hold something: what a pre-filter keeps.

        What asks seldom tells as well, and most of what is said to an assistant asks: more is wanted of it.
        """
        model = self._model
        if len(_LETTER.findall(text)) < LEAST_LETTERS or _CODE.search(text):
            return False
        if model is None:
            return not asks(text)
        reading = self._read(text, traits(text))
        if reading is None:
            return not asks(text)
        return reading.holds >= (
            KEPT_BESIDE_A_QUESTION if leads_to_question else model.threshold("kept", detect_language(text))
        )

    def _worth_a_vector(self, text: str) -> Sequence[float] | None:
        """Return the traits of a text without a cue when it stays open what it holds; what is cheap is asked first."""
        model, language = self._model, detect_language(text)
        if model is None:
            return None
        glanced = model.glance(text)
        if glanced < model.threshold("glanced", language) or _REACTS.match(text):
            return None
        if refuses_sentence(text) or denies_danger(text):
            return None
        found = traits_but_polarity(text)
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
        return model.read(text, vector, found, detect_language(text))


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
    if len(_LETTER.findall(text)) < LEAST_LETTERS or _CODE.search(text) or (asked < len(clauses) and asks(text)):
        return None
    return Span(sentence.start, sentence.start + len(text), text)


def _speaks_against(text: str) -> bool:
    """Say whether a rule knows a reason why a sentence says nothing lasting of the user."""
    reasons = (begins_with_others, is_task, is_idle, is_passing, is_reported, is_past)
    return any(is_so(text) for is_so in reasons)


def _side(reading: Reading, text: str) -> Polarity:
    """Return the side: that of the grammar where it tells one ("I like neither"), which the model only half hears."""
    return (told_sign(text) if reading.kind == "explicit" else None) or reading.polarity


def _cue(reading: Reading) -> Cue:
    return Cue(
        reason="reads like one",
        pattern=_NEVER,
        kind=reading.kind,
        polarity=reading.polarity,
        confidence=round(min(reading.holds, MOST_CONFIDENCE), 2),
        importance=CONSTRAINT if reading.polarity == "negative" else TASTE,
    )
