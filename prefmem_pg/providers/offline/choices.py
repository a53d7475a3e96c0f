"""Finds which option of the assistant's list the user takes or refuses, and why."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from prefmem_pg.providers.offline.choice_cues import (
    ACTS,
    ADDS,
    ASKS,
    CONCEDES,
    CONTRASTS,
    DECLINES,
    EXCEPT,
    OF_OTHERS,
    PICKS,
    POINTS_BACK,
    REASONS,
    REFUSES,
    REFUSES_REST,
    UNDECIDED,
    WEIGHS,
)
from prefmem_pg.providers.offline.choice_references import find_references
from prefmem_pg.providers.offline.choice_words import best_fit, by_measure, marks
from prefmem_pg.providers.offline.mask import mask
from prefmem_pg.providers.offline.options import Option
from prefmem_pg.providers.offline.questions import asks
from prefmem_pg.providers.offline.sentences import Span, sentences

MAX_CHARACTERS: Final = 1_000
"""Longer messages do other things than to answer an offer."""
MAX_NAME_MARKS: Final = 8
"""A message without a word of choosing is one when it is no more than a name or a description."""
NAMED: Final = 0.6
"""Share of the words of such a message that must be those of the option."""
MAX_LABEL: Final = 24
"""Characters of a first sentence that may name an option and nothing else."""
OR: Final = re.compile(r"\bor\b|或者?|还是.*还是", re.IGNORECASE)
_VERDICT: Final = re.compile("|".join(f"(?:{cue.pattern})" for cue in (REFUSES, PICKS, REASONS)), re.IGNORECASE)
_CLAUSE: Final = re.compile(
    r"\s*[,;，；。]\s*|\s+[-–—]+\s+|(?<!anything)(?<!everything)(?<!all)(?<!any)\s+(?=(?:but|because|since"
    r"|although|though|while|whereas)\s)|(?=但是?|不过|因为|可是)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Choice:
    """Places in the list that were taken and refused, the words that say so, and the reason given for it.

    ``start`` to ``end`` is the sentence that takes (or refuses), ``reason`` the place of the words that say why. Places
    are those of the list; offsets are those of the message.
    """

    chosen: tuple[int, ...]
    refused: tuple[int, ...]
    start: int
    end: int
    reason: tuple[int, int] | None = None


def read_choice(said: str, options: Sequence[Option]) -> Choice | None:
    """Return what the user's answer takes or refuses of the options; None when it decides nothing.

    A question, a hypothesis, somebody else's pick, "either is fine" and "let me think" decide nothing.
    """
    if len(options) < 2 or len(said) > MAX_CHARACTERS:
        return None
    spans = list(sentences(mask(said)))
    if any(UNDECIDED.search(span.text) and not EXCEPT.search(span.text) for span in spans):
        return None
    chosen: dict[int, Span] = {}
    refused: dict[int, Span] = {}
    for span in spans:
        if not _is_open_to_read(span.text):
            continue
        taken, left = _read(span.text, options, is_alone=len(spans) == 1 or _is_label(span, spans))
        if not chosen or ADDS.search(span.text):
            chosen |= {place: span for place in taken if place not in chosen}
        refused |= {place: span for place in left if place not in chosen}
    takes = [place for place in sorted(chosen) if place not in refused]
    if not takes and len(refused) == len(options) - 1:
        # Who refuses all but one has taken it.
        takes = [place for place in range(len(options)) if place not in refused]
    if not takes and not refused:
        return None
    first = chosen[takes[0]] if takes and takes[0] in chosen else next(iter(refused.values()))
    return Choice(tuple(takes), tuple(sorted(refused)), first.start, first.end, _reason(spans, first))


def _is_open_to_read(sentence: str) -> bool:
    if OF_OTHERS.search(sentence) or WEIGHS.search(sentence) or DECLINES.search(sentence):
        return False
    return bool(ACTS.search(sentence)) or not (ASKS.search(sentence) or asks(sentence))


def _read(sentence: str, options: Sequence[Option], *, is_alone: bool) -> tuple[set[int], set[int]]:
    """Return the places that a sentence takes, and those that it refuses."""
    main, rest = _cut_contrast(sentence)
    taken, left = _by_reference(main, options, is_alone=is_alone)
    left |= {place for one in find_references(rest, options) for place in one.places}
    if not taken and not left:
        place = _by_description(main, options, is_alone=is_alone)
        taken = set() if place is None else {place}
        left = _refused_by_description(main, rest, options) - taken
    return taken - left, left


def _by_reference(text: str, options: Sequence[Option], *, is_alone: bool) -> tuple[set[int], set[int]]:
    taken: set[int] = set()
    left: set[int] = set()
    is_pick = bool(PICKS.search(text) or ACTS.search(text))
    for clause in _clauses(text):
        found = find_references(clause, options)
        places = {place for one in found for place in one.places}
        if not places:
            continue
        if REFUSES.search(clause):
            left |= places
        elif is_pick or (is_alone and _is_bare(text)):
            if len(found) > 1 and OR.search(clause):
                continue  # narrowed down, not decided
            taken |= places
    return taken, left


def _by_description(text: str, options: Sequence[Option], *, is_alone: bool) -> int | None:
    """Return the place that is taken by what it is: by the clause that chooses, else by all that does not refuse."""
    is_pick = bool(PICKS.search(text) or ACTS.search(text))
    if not is_pick and not is_alone:
        return None
    texts = [option.text for option in options]
    kept = [clause for clause in _clauses(text) if not (REFUSES.search(clause) or CONCEDES.search(clause))]
    picking = [clause for clause in kept if PICKS.search(clause) or ACTS.search(clause)]
    picking = [clause for clause in picking if not POINTS_BACK.match(clause)]
    for said in (*picking, ", ".join(kept)) if is_pick else kept[:1]:
        place = by_measure(said, texts)
        if place is not None and (is_pick or _is_bare(text)):
            return place
        fit = best_fit(said, texts)
        # Without a word of choosing: a name or a description that is all that was said.
        if fit.place is not None and (is_pick or (fit.share >= NAMED and len(marks(said)) <= MAX_NAME_MARKS)):
            return fit.place
    return None


def _refused_by_description(main: str, rest: str, options: Sequence[Option]) -> set[int]:
    """Return the places that are turned down by what they are; "the others" are turned down by nothing of their own."""
    texts = [option.text for option in options]
    refusing = [clause for clause in _clauses(main) if REFUSES.search(clause) and not REFUSES_REST.search(clause)]
    bare = (UNDECIDED.sub(" ", REFUSES.sub(" ", said)) for said in (*refusing, rest))
    fits = (best_fit(said, texts) for said in bare if said.strip())
    return {fit.place for fit in fits if fit.place is not None and fit.share >= NAMED / 2}


def _is_label(span: Span, spans: Sequence[Span]) -> bool:
    """Say whether an answer begins with no more than a reference: "2. It is close to the sea"."""
    return span is spans[0] and len(span.text) <= MAX_LABEL


def _is_bare(text: str) -> bool:
    """Say whether little is said besides the reference: "第二个吧", "Option 2 please"."""
    words = re.findall(r"[a-z']+|[\u4e00-\u9fff]", text.lower())
    return len(words) <= 8


def _clauses(text: str) -> list[str]:
    return [clause for clause in _CLAUSE.split(text) if clause]


def _cut_contrast(sentence: str) -> tuple[str, str]:
    """Cut off what was not taken: "rather than …", "而不是…"."""
    match = CONTRASTS.search(sentence)
    return (sentence[: match.start()], sentence[match.end() :]) if match and match.start() > 0 else (sentence, "")


def _reason(spans: Sequence[Span], first: Span) -> tuple[int, int] | None:
    """Return the place of the words that say why: a because-clause or a complaint, else the next sentence's verdict."""
    match = REASONS.search(first.text)
    if match:
        return first.start + match.end(), first.end
    behind = list(_CLAUSE.finditer(first.text))
    if behind and REFUSES.search(first.text, behind[0].end()):
        return first.start + behind[0].end(), first.end
    for span in spans:
        if span.start >= first.end and not span.text.endswith(("?", "？")) and _VERDICT.search(span.text):
            return span.start, span.end
    return None
