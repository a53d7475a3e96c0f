"""What in a choice was the reason: the qualities that set the taken option apart, and those that the user named."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from prefmem_pg.providers.offline.choice_cues import REFUSES
from prefmem_pg.providers.offline.choice_words import by_measure
from prefmem_pg.providers.offline.choices import Choice, read_choice
from prefmem_pg.providers.offline.judge_lexicon import axes, names
from prefmem_pg.providers.offline.judge_pieces import pieces
from prefmem_pg.providers.offline.judge_reading import read
from prefmem_pg.providers.offline.judge_scope import CONTEXTS, UNITS
from prefmem_pg.providers.offline.judge_text import is_han, normalise, stem
from prefmem_pg.providers.offline.options import Option, read_options
from prefmem_pg.providers.offline.suggestions import read_suggestion

_TOO: Final = re.compile(r"\btoo\b|\bnot\b|n't\b|\bless\b|太|不", re.IGNORECASE)
_VAGUE: Final = (
    "option place talk answer dollar euro yuan pound price number day today budget time_word person thing book_trip"
    " reserve buy eat drink sleep work use want need plan recommend beginning ending tight"
)
_NO_QUALITY: Final = CONTEXTS | UNITS | frozenset(_VAGUE.split())
MEASURED: Final = frozenset({"cheap", "expensive", "near", "far", "fast", "slow", "brief", "long", "early", "late"})
"""Concepts that numbers show: "the cheaper one" names a quality though no option says that it is cheap."""


@dataclass(frozen=True, slots=True)
class Quality:
    """A quality that spoke for an option (``sign`` 1) or against it (-1), by the name of its concept."""

    name: str
    sign: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceSignal:
    """One choice as evidence: what was taken of what, the words that say so, and the qualities that set it apart.

    ``passed`` are qualities that another option of the list had and that did not win: they speak against a habit.
    """

    choice: Choice
    options: tuple[Option, ...]
    qualities: frozenset[Quality]
    passed: frozenset[Quality]

    @property
    def decided(self) -> tuple[str, ...]:
        """The texts of the options that were taken; of those that were refused when none was taken."""
        return tuple(self.options[place].text for place in self.choice.chosen or self.choice.refused)


def read_signal(offer: str, answer: str) -> ChoiceSignal | None:
    """Return the choice that an answer to the assistant's offer makes; None when it makes none."""
    options = read_options(offer)
    choice = read_choice(answer, options) if options else None
    if choice is None:
        suggestion = read_suggestion(offer, answer)
        if suggestion is None:
            return None
        options, choice = suggestion
    texts = [option.text for option in options]
    return ChoiceSignal(
        choice=choice,
        options=options,
        qualities=frozenset(_spoke_for(choice, texts, answer)),
        passed=frozenset(_passed(choice, texts)),
    )


def _spoke_for(choice: Choice, options: Sequence[str], answer: str) -> Iterator[Quality]:
    """Yield what sets the taken options apart, or speaks against a refused one, and what the user's reason names."""
    if not choice.chosen:
        for place in choice.refused:
            yield from (Quality(one.name, -one.sign) for one in _apart(place, options))
        return
    yield from frozenset.intersection(*(_apart(place, options) for place in choice.chosen))
    said = answer[choice.start : choice.end]
    if by_measure(said, options) in choice.chosen:
        yield from (one for one in _qualities(said) if one.name in MEASURED)
    if choice.reason:
        words = answer[slice(*choice.reason)]
        is_against = bool(_TOO.search(words) or REFUSES.search(words))
        for one in _qualities(words):
            yield from _turned(one.name) if is_against else (one,)


def _turned(name: str) -> Iterator[Quality]:
    """Yield what a complaint shows: "too noisy" is against noise, and for its only alternative."""
    yield Quality(name, -1)
    for pair in axes().binary:
        if name in pair:
            yield from (Quality(other, 1) for other in pair if other != name)


def _passed(choice: Choice, options: Sequence[str]) -> Iterator[Quality]:
    if choice.chosen:
        for place in range(len(options)):
            if place not in choice.chosen:
                yield from _apart(place, options)


def _apart(place: int, options: Sequence[str]) -> frozenset[Quality]:
    """Return the qualities that an option has and no other option names."""
    others = {one.name for at, option in enumerate(options) if at != place for one in _qualities(option)}
    return frozenset(one for one in _qualities(options[place]) if one.name not in others)


def _qualities(text: str) -> frozenset[Quality]:
    known = names()
    return frozenset(
        Quality(item.concept, item.sign or 1)
        for item in read(text).items
        if item.known and not item.background and item.concept in known and item.concept not in _NO_QUALITY
    )


def words_for(name: str, texts: Sequence[str]) -> str:
    """Return the words that stand for a concept in the first of the texts that names it, "" when none does."""
    for text in texts:
        for piece in pieces(text):
            if name not in piece.concepts:
                continue
            if is_han(piece.text):
                return piece.text
            words = re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", text)
            size = len(piece.text.split())
            for at in range(len(words) - size + 1):
                if [stem(word) for word in normalise(" ".join(words[at : at + size])).split()] == piece.text.split():
                    return " ".join(words[at : at + size]).lower()
    return ""
