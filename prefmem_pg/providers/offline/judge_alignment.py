"""Unknown Chinese words of two statements brought to the same cut: what they have in common becomes one word.

No dictionary says where an unknown word ends, so "国安队" and "国安", or "织着毛衣" and "织毛衣", would never meet.
"""

from dataclasses import replace
from typing import Final

from prefmem_pg.providers.offline.judge_reading import Item, Reading
from prefmem_pg.providers.offline.judge_text import is_han

EMPTY: Final = frozenset("的了着过地得一边们个儿子里中间之类款型队牌")
"""Characters that say nothing beside a word that both statements have."""

LONGEST: Final = 24
"""Longer unknown runs are no words; comparing them would cost more than it could tell."""


def align(candidate: Reading, existing: Reading) -> tuple[Reading, Reading]:
    """Return both readings with their unknown Chinese words cut where the other's begin or end."""
    here, there = list(candidate.items), list(existing.items)
    if not (any(map(_is_open, here)) and any(map(_is_open, there))):
        return candidate, existing
    _cut_by(here, there)
    return replace(candidate, items=tuple(here)), replace(existing, items=tuple(there))


def _cut_by(here: list[Item], there: list[Item]) -> None:
    """Cut the unknown words of both lists in place, the longest common stretch first."""
    done: set[str] = {i.concept for i in here} & {i.concept for i in there}
    while True:
        found = max(
            (
                (_common(left.concept, right.concept), left, right)
                for left in filter(_is_open, here)
                for right in filter(_is_open, there)
                if not done.intersection((left.concept, right.concept))
            ),
            key=lambda f: len(f[0]),
            default=("", None, None),
        )
        common, left, right = found
        if len(common) < 2 or left is None or right is None:
            return
        done.add(common)
        for items, item in ((here, left), (there, right)):
            place = items.index(item)
            items[place : place + 1] = _parts(item, common)


def _parts(item: Item, common: str) -> list[Item]:
    """Return the item as the common word with what stands before and behind it."""
    before, _, behind = item.concept.partition(common)
    rest = ["".join(c for c in part if c not in EMPTY) for part in (before, behind)]
    first, last = ([replace(item, concept=r, background=len(r) == 1)] if r else [] for r in rest)
    return [*first, replace(item, concept=common, background=False), *last]


def _is_open(item: Item) -> bool:
    return not item.known and 1 < len(item.concept) <= LONGEST and is_han(item.concept)


def _common(left: str, right: str) -> str:
    """Return the longest stretch that both words have."""
    for size in range(min(len(left), len(right)), 1, -1):
        for start in range(len(left) - size + 1):
            if left[start : start + size] in right:
                return left[start : start + size]
    return ""
