"""How the concepts of two statements pair up: shared, opposed, rivals, and what only one side names."""

from dataclasses import dataclass

from prefmem_pg.providers.offline.judge_lexicon import axes, frames_of, kinds_of
from prefmem_pg.providers.offline.judge_reading import Item, Reading


@dataclass(frozen=True, slots=True)
class Match:
    """How the concepts of two readings pair up; each field holds items of the side that it names."""

    shared: tuple[Item, ...]
    opposed: tuple[Item, ...]
    rivals: tuple[tuple[Item, Item], ...]
    only_existing: tuple[Item, ...]
    only_candidate: tuple[Item, ...]


def pair_up(candidate: Reading, existing: Reading) -> Match:
    """Pair the concepts of two readings: equal ones by sign, then values that exclude each other."""
    weighed = (
        "framed" in candidate.roles | existing.roles
        or "only" in candidate.roles & existing.roles
        or (names_concept(candidate, "answer") and names_concept(existing, "answer"))
    )
    likes = is_plain_liking(candidate) and is_plain_liking(existing)
    here, there = candidate.strong, existing.strong
    shared = [i for i in here if _find(i, existing, i.sign)]
    told = {i.concept for i in shared}
    opposed = [
        i
        for i in here
        if not i.is_reason and i.concept not in told and ((i.sign and _opposite(i, existing)) or _breaks(i, there))
    ]
    opposed += [i for i in there if i.background and i.concept not in told and i.sign < 0 and _opposite(i, candidate)]
    rest = [i for i in here if i not in shared and i not in opposed]
    left = [
        i
        for i in there
        if not _find(i, candidate, 1) and not _find(i, candidate, -1) and not (opposed and _breaks(i, here))
    ]
    rivals = []
    for item in rest:
        for other in left:
            if _exclusive(item, other, weighed=weighed, likes=likes and not shared):
                rivals.append((item, other))
    agreeing = [(i, o) for i, o in rivals if i.sign * o.sign < 0 and _is_binary(i, o)]
    rivals = [(i, o) for i, o in rivals if i.sign * o.sign > 0]
    shared += [i for i, _ in agreeing]
    if agreeing:
        # "Never online" and "only in shops" agree, and so they do about what is bought there.
        clauses = {i.clause for i, _ in agreeing}
        shared += [i for i in opposed if i.clause in clauses]
        opposed = [i for i in opposed if i.clause not in clauses]
    taken = {id(x) for pair in (*agreeing, *rivals) for x in pair}
    return Match(
        shared=tuple(shared),
        opposed=tuple(opposed),
        rivals=tuple(rivals),
        only_existing=tuple(i for i in left if id(i) not in taken and not _is_told(i, shared)),
        only_candidate=tuple(i for i in rest if id(i) not in taken and not _is_told(i, shared)),
    )


def names_concept(reading: Reading, concept: str) -> bool:
    """Say whether a reading names a concept, with whatever sign."""
    return any(i.concept == concept for i in reading.items)


def is_plain_liking(reading: Reading) -> bool:
    """Say whether a statement likes without choosing: who likes tea may like coffee too."""
    return "like" in reading.roles and reading.roles.isdisjoint(("framed", "only", "choose", "often", "habit"))


def _find(item: Item, reading: Reading, sign: int) -> Item | None:
    """Find the item of a reading that names the same with this sign; a circumstance has any sign."""
    for other in reading.items:
        if other.concept == item.concept and (other.sign == sign or 0 in (other.sign, sign)):
            return other
    return None


def _opposite(item: Item, reading: Reading) -> bool:
    return any(o.concept == item.concept and o.sign * item.sign < 0 and not o.is_reason for o in reading.items)


def _breaks(item: Item, others: tuple[Item, ...]) -> bool:
    """Say whether one side wants a kind of what the other refuses: beef against "no meat"."""
    general = kinds_of()
    for other in others:
        wanted, refused = (item, other) if item.sign > 0 else (other, item)
        if wanted.sign > 0 > refused.sign and refused.concept in general.get(wanted.concept, ()):
            return True
    return False


def _exclusive(left: Item, right: Item, *, weighed: bool, likes: bool = False) -> bool:
    pair, table = frozenset((left.concept, right.concept)), axes()
    return pair in table.always or (pair in table.likable and not likes) or (weighed and pair in table.weighed)


def settings_differ(candidate: Reading, existing: Reading) -> bool:
    """Say whether they name values that exclude each other, be it only as circumstances: at home, at the office."""
    here, there = ({i.concept for i in side.items if i.sign > 0} for side in (candidate, existing))
    return any(frozenset((one, other)) in axes().always for one in here - there for other in there - here)


def _is_told(item: Item, shared: list[Item]) -> bool:
    """Say whether an item adds nothing to a shared one: it rejects the alternative, or goes without saying.

    "Home rather than the office", "economy class on flights".
    """
    if any(item.concept in frames_of().get(s.concept, ()) for s in shared):
        return True
    return item.sign < 0 and any(s.sign > 0 and _exclusive(item, s, weighed=True) for s in shared)


def _is_binary(left: Item, right: Item) -> bool:
    return frozenset((left.concept, right.concept)) in axes().binary
