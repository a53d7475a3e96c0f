"""Scope within a clause: its sign, what a negation reaches, and which bound a number stands in."""

from collections.abc import Sequence
from typing import Final

from prefmem_pg.providers.offline.judge_pieces import STANCE, Piece
from prefmem_pg.providers.offline.judge_text import is_han

BOUNDS: Final = ("before", "after", "most", "least")
PREPOSITIONS: Final = frozenset({"in", "on", "at", "during", "after", "before", "into", "out"})
TIMES: Final = frozenset({"morning", "noon_time", "afternoon", "evening", "late_night", "sleep_before"})
DAYS: Final = frozenset({"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"})
SEASONS: Final = frozenset({"spring", "summer", "autumn", "winter", "weekday", "weekend"})
CONTEXTS: Final = TIMES | DAYS | SEASONS | {"early", "late", "breakfast", "lunch", "dinner"}
"""Concepts that more often say when than what."""

MARKERS: Final = frozenset({"fear", "own", "live", "plan", "learn", "job_is", "speak"})
"""In which respect a thing concerns the user: to own a dog is not to love dogs."""

UNITS: Final = frozenset({"hour", "minute", "second_unit", "week", "month", "year", "kilometre", "mile", "kilogram"})
"""Concepts that say what a number counts: another unit is another amount, not an addition."""

COUNTED: Final = frozenset(
    {"size", "price", "temperature", "volume", "age", "limit", "amount", "tip", "budget", "dollar", "euro", "yuan"}
)
"""Concepts that a number behind them measures."""

_REMOVERS: Final = frozenset({"leav", "keep", "take", "cut", "rul", "filter", "filt"})


_MODALS: Final = frozenset({"should", "must", "may", "shall", "might", "ought"})
_SWITCHES: Final = frozenset({"换到", "换成", "换成了", "改成", "转到", "转向", "转投", "改到", "改为"})


def clause_sign(clause: Sequence[Piece], inherited: int) -> int:
    """Multiply out the negations and attitudes of a clause; one without any goes on with the clause before it."""
    sign, any_stance, seen_content, seen_like = 1, False, False, False
    for index, piece in enumerate(clause):
        if is_local_negation(clause, index, seen_content=seen_content, seen_like=seen_like):
            any_stance = True
        elif piece.has("like", "only"):
            seen_like, any_stance = seen_like or piece.has("like"), True
        else:
            is_past = piece.has("past") and not _beside_number(clause, index)
            # 不过敏 is one word with two turns.
            turns = piece.has("negate", "dislike") + piece.has("allergy") + is_past
            sign, any_stance = sign * (-1) ** turns, any_stance or bool(turns)
        # A plan names nothing yet: "I plan to give up cigarettes" refuses all that follows.
        seen_content = seen_content or (piece.is_content and not MARKERS.issuperset(piece.concepts or ("",)))
    return sign if any_stance else inherited


def is_local_negation(clause: Sequence[Piece], index: int, *, seen_content: bool, seen_like: bool) -> bool:
    """Say whether a negation takes back only what follows: "tea not coffee", "要茶不要咖啡"."""
    piece = clause[index]
    if not piece.has("negate") or piece.has("like", "dislike", "allergy") or not seen_content:
        return False
    if index and clause[index - 1].text in _MODALS:
        return False  # "strangers should not" refuses the whole
    following = next((p for p in clause[index + 1 :] if not p.has("often")), None)
    if is_han(piece.text) and any(p.has(*STANCE) for p in clause[index + 1 :]):
        return False
    if is_han(piece.text) and _names_thing(clause[:index]) and _names_thing(clause[index + 1 :]):
        return True
    if following is None or not following.is_content or following.has(*STANCE):
        return seen_like and any(p.is_content for p in clause[index + 1 :]) and not is_han(piece.text)
    return seen_like or not is_han(piece.text)


def is_parted(clause: Sequence[Piece], index: int) -> bool:
    """Say whether a verb and its particle remove what stands between them: "leave emojis out"."""
    if clause[index].text not in _REMOVERS:
        return False
    # "Take" is a plain verb too: "take the bags that they hand out".
    end = index + 3 if clause[index].text == "take" else len(clause)
    return any(p.text in ("out", "away", "off") for p in clause[index + 2 : end])


def is_removal(clause: Sequence[Piece], index: int, *, seen_content: bool) -> bool:
    """Say whether a Chinese verb at the end takes away what stands before it: "洋葱去掉"."""
    if not (seen_content and clause[index].has("without") and is_han(clause[index].text)):
        return False
    return len(clause[index].text) > 1 and not any(p.is_content for p in clause[index + 1 :])


def is_switch(clause: Sequence[Piece], index: int) -> bool:
    """Say whether the verb names where to, after where from: "从茶换到咖啡"."""
    return clause[index].text in _SWITCHES and any(p.text == "从" for p in clause[:index])


def _names_thing(stretch: Sequence[Piece]) -> bool:
    """Say whether a stretch names something besides times, persons and stray single characters."""
    named = (p for p in stretch if p.is_content and not p.has("person") and (p.meaning or len(p.text) > 1))
    return any(not CONTEXTS.issuperset(p.concepts or ("",)) for p in named)


def is_choice_to(clause: Sequence[Piece], index: int) -> bool:
    """Say whether this is the "to" of "I prefer tea to coffee"."""
    if clause[index].text != "to" or index in (0, len(clause) - 1) or not any(p.has("framed") for p in clause):
        return False
    return clause[index - 1].is_content and clause[index + 1].is_content


def is_bound(clause: Sequence[Piece], index: int) -> bool:
    return clause[index].has(*BOUNDS) and _beside_number(clause, index)


def _beside_number(clause: Sequence[Piece], index: int) -> bool:
    return any(p.is_number for p in clause[max(index - 2, 0) : index + 2])


def find_bound(clause: Sequence[Piece], index: int) -> str:
    """Name the bound that a number stands in: the word before it, or in Chinese after it and its unit.

    A bare number behind a name is a model ("iPhone 15"), which no bound describes; "size 42" is none.
    """
    for piece in (*clause[index + 1 : index + 3], *reversed(clause[max(index - 2, 0) : index])):
        bound = next((b for b in BOUNDS if piece.has(b)), None)
        if bound is not None:
            return bound
    previous = clause[index - 1] if index else None
    following = clause[index + 1] if index + 1 < len(clause) else None
    counts = previous is not None and COUNTED.isdisjoint(previous.concepts)
    if previous and counts and previous.is_content and not is_han(previous.text) and not _measures(following):
        return "model"
    return ""


def _measures(piece: Piece | None) -> bool:
    return piece is not None and piece.is_content
