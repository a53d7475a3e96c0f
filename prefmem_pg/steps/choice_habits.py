"""What the user chooses again and again: qualities that two choices or more show. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from prefmem_pg.db.upkeep import Answer, Said
from prefmem_pg.domain.preferences import Candidate, EvidenceSpan
from prefmem_pg.domain.text import detect_language, fold
from prefmem_pg.providers.offline.choice_signals import ChoiceSignal, Quality, read_signal, words_for
from prefmem_pg.providers.offline.judge_lexicon import names
from prefmem_pg.providers.offline.topics import find_topic
from prefmem_pg.steps.behaviour import BEHAVIOUR

CHOICES: Final = 2
"""How many choices must show the same quality: one never does."""
SHARE: Final = 2 / 3
"""Of the choices where the quality was to be had, so many at least must have gone to it."""
CONFIDENCE: Final = 0.6
MOST: Final = 5
"""Qualities proposed at once, those with most choices first: of one pair of hotels a person need not review twenty."""

_STATEMENTS: Final = {
    ("en", 1): "Tends to choose “{name}” when there are several options",
    ("en", -1): "Tends to turn down “{name}” when options are offered",
    ("zh", 1): "有多个选项时倾向选择“{name}”",
    ("zh", -1): "有选项时倾向拒绝“{name}”",
}


@dataclass(frozen=True, slots=True)
class _Seen:
    """A choice with the message that makes it."""

    said: Said
    signal: ChoiceSignal


def find_choice_habits(answers: Sequence[Answer]) -> list[Candidate]:
    """Return implicit candidates for qualities that at least two choices show, each with the words of all of them."""
    seen = _distinct(answers)
    shown: dict[Quality, list[_Seen]] = {}
    passed: Counter[Quality] = Counter()
    for one in seen:
        for quality in one.signal.qualities:
            shown.setdefault(quality, []).append(one)
        passed.update(quality for quality in one.signal.passed if quality not in one.signal.qualities)
    kept = {
        quality: choices
        for quality, choices in shown.items()
        if len(choices) >= CHOICES
        and len(choices) >= SHARE * (len(choices) + passed[quality] + _against(quality, shown))
    }
    best = sorted(kept, key=lambda quality: (-len(kept[quality]), quality.name, quality.sign))
    return [_candidate(quality, kept[quality]) for quality in best[:MOST]]


def _distinct(answers: Sequence[Answer]) -> list[_Seen]:
    """Read the choices; saying one again in its dialog, or answering one offer twice, is no second choice."""
    found: dict[tuple[str, ...], _Seen] = {}
    offers = set()
    for answer in answers:
        signal = read_signal(answer.offer, answer.said.content)
        if signal is None or answer.offer_id in offers:
            continue
        offers.add(answer.offer_id)
        found.setdefault((answer.said.dialog_id, *map(fold, signal.decided)), _Seen(answer.said, signal))
    return list(found.values())


def _against(quality: Quality, shown: dict[Quality, list[_Seen]]) -> int:
    return len(shown.get(Quality(quality.name, -quality.sign), ()))


def _candidate(quality: Quality, choices: Sequence[_Seen]) -> Candidate:
    language = detect_language(" ".join(one.said.content for one in choices))
    written = "zh" if language == "zh" else "en"
    offered = [text for one in choices for text in one.signal.decided]
    said = [one.said.content for one in choices]
    english, chinese = names()[quality.name]
    known = (chinese or english) if written == "zh" else (english or chinese)
    name = words_for(quality.name, [*offered, *said]) or known
    topics = Counter(topic for text in offered if (topic := find_topic(text)) != "other")
    return Candidate(
        statement=_STATEMENTS[written, quality.sign].format(name=name),
        kind="implicit",
        polarity="positive" if quality.sign > 0 else "negative",
        language=written,
        topic=topics.most_common(1)[0][0] if topics else find_topic(name),
        tags=(BEHAVIOUR,),
        context=f"{len(choices)}×: " + "; ".join(dict.fromkeys(text[:100] for text in offered)),
        confidence=CONFIDENCE,
        evidence=tuple(_span(one) for one in choices),
        valid_from=choices[0].said.occurred_at,
        dialog_id=choices[-1].said.dialog_id,
    )


def _span(one: _Seen) -> EvidenceSpan:
    start, end = one.signal.choice.start, one.signal.choice.end
    return EvidenceSpan(message_id=one.said.message_id, start=start, end=end, quote=one.said.content[start:end])
