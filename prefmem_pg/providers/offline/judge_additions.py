"""Whether what a statement adds leaves what was said standing."""

from typing import Final

from prefmem_pg.providers.offline.judge_reading import Item, Reading
from prefmem_pg.providers.offline.judge_scope import UNITS
from prefmem_pg.providers.offline.judge_text import is_han

SUBJECT: Final = 2
"""A thing that is named by the second word is what the sentence speaks of."""


def is_addition(extra: tuple[Item, ...], shared: tuple[Item, ...], candidate: Reading) -> bool:
    """Say whether what the candidate adds leaves what was said standing, so that the candidate entails it.

    A word right beside a shared one makes another thing of it ("jazz" and "jazz dance"), and a condition on a
    refusal weakens it ("no coffee" and "no coffee after lunch").
    """
    told, clauses = {i.place for i in shared}, {i.clause for i in shared}
    places = sorted({i.place for i in candidate.items})
    for item in sorted(extra, key=lambda i: i.place):
        if item.concept in UNITS:
            return False
        if item.clause not in clauses:
            continue
        before = max((p for p in places if p < item.place), default=-1)
        behind = min((p for p in places if p > item.place), default=-1)
        after_told = before in told and any(before < j < item.place for j in candidate.joined)
        before_told = behind in told and any(item.place < j < behind for j in candidate.joined)
        if item.place <= SUBJECT and all(item.place < place for place in told) and not is_han(item.text):
            return False  # somebody else does it: "an accountant does my taxes"
        if after_told or before_told:
            told.add(item.place)
        elif item.sign <= 0 or {item.place - 1, item.place, item.place + 1} & told or _makes_one_word(item, shared):
            return False
    return True


def _makes_one_word(item: Item, shared: tuple[Item, ...]) -> bool:
    """Say whether Chinese words stand so close that they name one thing: "咖啡味蛋糕" is no coffee."""
    close = (s for s in shared if s.clause == item.clause and abs(s.place - item.place) <= 2)
    return item.known and is_han(item.text) and any(is_han(s.text) for s in close)
