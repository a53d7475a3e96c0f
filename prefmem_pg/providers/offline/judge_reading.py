"""What a statement says: signed concepts, numbers with their bounds, and how it is framed."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from prefmem_pg.providers.offline.judge_claims import claims
from prefmem_pg.providers.offline.judge_pets import PET, speaks_for_pet
from prefmem_pg.providers.offline.judge_pieces import STANCE, Piece, clauses
from prefmem_pg.providers.offline.judge_poles import poles
from prefmem_pg.providers.offline.judge_scope import (
    CONTEXTS,
    MARKERS,
    PREPOSITIONS,
    clause_sign,
    find_bound,
    is_bound,
    is_choice_to,
    is_local_negation,
    is_parted,
    is_removal,
    is_switch,
)
from prefmem_pg.providers.offline.judge_text import is_han

_TURNED: Final = {"before": "after", "after": "before", "most": "least", "least": "most"}
_SUBJECTS: Final = frozenset({"i", "we", "so", "please", "我", "我们", "请", "所以"})
"""Words that begin a new statement, so that its sign owes nothing to the clause before."""

_FREQUENCY: Final = {"often": 3, "sometimes": 2, "rarely": 1, "never": 0}


@dataclass(frozen=True, slots=True)
class Item:
    """A concept in its place.

    ``sign`` is 1 when the user is for it or it holds, -1 when against or it does not, and 0 for the circumstances
    of a refusal ("no calls *on Sunday*"), which are neither.
    """

    concept: str
    sign: int
    clause: int
    place: int
    background: bool = False
    known: bool = True
    is_reason: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """All that the judge's rules look at. ``stance`` is the sign of the first clause that takes a side, else 0."""

    items: tuple[Item, ...]
    numbers: tuple[tuple[str, str], ...]
    roles: frozenset[str]
    persons: frozenset[str]
    markers: frozenset[str]
    verbs: frozenset[str]
    stance: int
    frequency: int | None
    joined: frozenset[int]
    poles: frozenset[str]
    claims: frozenset[str]

    @property
    def strong(self) -> tuple[Item, ...]:
        """The concepts that distinguish: those that are not background, or all when there are no others.

        A background concept that is refused by itself ("no explanation") counts too.
        """
        named = {(i.clause, i.sign) for i in self.items if not i.background}
        found = (i for i in self.items if not i.background or (i.sign < 0 and (i.clause, i.sign) not in named))
        return tuple(i for i in found if not i.is_reason) or self.items


@dataclass(slots=True)
class _Draft:
    items: list[Item] = field(default_factory=list)
    numbers: list[tuple[str, str]] = field(default_factory=list)
    persons: set[str] = field(default_factory=set)
    markers: set[str] = field(default_factory=set)
    verbs: set[str] = field(default_factory=set)
    roles: set[str] = field(default_factory=set)
    joined: set[int] = field(default_factory=set)
    stances: list[int] = field(default_factory=list)
    place: int = 0


def read(text: str) -> Reading:
    """Read a statement. Total: every text has a reading, if only one of unknown words."""
    draft = _Draft()
    if speaks_for_pet(text):
        draft.persons.add(PET)
    sign, cut = 1, clauses(text)
    for number, clause in enumerate(cut):
        main, reason = _cut_reason(clause)
        main, relative = _cut_relative(main)
        start = len(draft.items)
        if clause[0].text in _SUBJECTS or (clause[0].has("and") and clause[1:] and clause[1].has("often")):
            sign = 1
        sign = _ClauseReader(main, number, sign, draft).run()
        is_verdict = len(draft.items) == start or any(p.text in ("it", "them") for p in clause)
        if is_verdict and start and sign < 0 and draft.stances[-2:-1] == [0]:
            # "Tea, no longer for me": a verdict by itself is on what was named before it.
            draft.items[:start] = [replace(i, sign=-i.sign) for i in draft.items[:start]]
            draft.stances[-2] = -1
        turned = -sign if any(p.has("negate") for p in relative) else sign
        _ClauseReader(relative, number, turned, draft, is_relative=True).run()
        sign = turned if relative else sign
        _ClauseReader(reason, number, 1, draft, is_reason=True).run()
    reading = Reading(
        items=_without_pictures(draft.items),
        numbers=tuple(draft.numbers),
        roles=frozenset(draft.roles),
        persons=frozenset(draft.persons),
        markers=frozenset(draft.markers),
        verbs=frozenset(draft.verbs),
        stance=next((s for s in draft.stances if s), 0),
        frequency=next((level for role, level in _FREQUENCY.items() if role in draft.roles), None),
        joined=frozenset(draft.joined),
        poles=poles(piece for clause in cut for piece in clause),
        claims=claims(text),
    )
    return _turn_bounds(reading)


def _cut_reason(clause: Sequence[Piece]) -> tuple[Sequence[Piece], Sequence[Piece]]:
    """Cut off "because …": it explains the statement and is no part of what is stated."""
    for index, piece in enumerate(clause):
        if piece.has("because") and not is_bound(clause, index):
            return clause[:index], clause[index + 1 :]
    return clause, ()


def _cut_relative(clause: Sequence[Piece]) -> tuple[Sequence[Piece], Sequence[Piece]]:
    """Cut off "that …" behind a noun: its attitudes describe the noun and are not the user's."""
    for index, piece in enumerate(clause):
        if piece.text in ("that", "which", "who", "whose") and index and clause[index - 1].is_content:
            return clause[:index], clause[index + 1 :]
    return clause, ()


class _ClauseReader:
    """Walks one clause from left to right and adds what it says to a draft."""

    def __init__(
        self,
        clause: Sequence[Piece],
        number: int,
        inherited: int,
        draft: _Draft,
        *,
        is_reason: bool = False,
        is_relative: bool = False,
    ) -> None:
        self.clause = clause
        self.number = number
        self.draft = draft
        self.is_reason = is_reason
        self.is_main = not (is_reason or is_relative)
        self.scope = inherited if is_relative else clause_sign(clause, inherited)
        self.is_local = False  # a negation of what follows only: "without", "not"
        self.is_lesser = False  # after "rather than": the alternative that was not chosen
        self.awaits_choice = False  # after "compared to": the alternative comes first
        self.is_adjunct = False  # within a refusal, after a preposition: where or when, not what
        self.seen_content = False
        self.seen_like = False
        self.first = len(draft.items)

    def run(self) -> int:
        """Read the clause; return the sign that a following clause without a stance inherits."""
        for index, piece in enumerate(self.clause):
            self.draft.place += 1
            if piece.meaning is not None and self.is_main:
                self.draft.roles |= piece.meaning.roles
            if piece.is_number:
                self.draft.numbers.append((find_bound(self.clause, index), piece.text))
            else:
                self._turn(index)
                self._name(index)
        self._free_circumstances()
        if self.is_main:
            self.draft.stances.append(self.scope if any(p.has(*STANCE) for p in self.clause) else 0)
        return self.scope

    def _turn(self, index: int) -> None:
        """Notice what changes the sign of the words that follow."""
        piece, clause = self.clause[index], self.clause
        if piece.has("and"):
            self.draft.joined.add(self.draft.place)
            self.is_local = self.is_local and not piece.has("like")
        names_thing = any(not i.background for i in self.draft.items[self.first :])
        self.is_adjunct = names_thing and (self.is_adjunct or piece.text in PREPOSITIONS)
        is_local = is_local_negation(clause, index, seen_content=self.seen_content, seen_like=self.seen_like)
        if is_switch(clause, index) or is_removal(clause, index, seen_content=self.seen_content):
            self._remove(index)
        elif piece.has("without") or is_local or is_parted(clause, index):
            self.is_local = self.is_main or not is_local
            if is_local and self.is_main and is_han(piece.text):
                self._sign_again(self.first, 0)
        elif piece.has("prefer_over") and not self.seen_content:
            self.awaits_choice = True
        elif (piece.has("reject") and not is_bound(clause, index) and self.seen_content) or (
            self.seen_like and is_choice_to(clause, index)
        ):
            self.is_lesser = True
        elif piece.has("like"):
            self.awaits_choice = self.is_lesser = False
        self.seen_like = self.seen_like or piece.has("like")

    def _remove(self, index: int) -> None:
        """Turn what a verb behind its object takes away: "把洋葱去掉", "从茶换到咖啡"."""
        marks = [i for i, p in enumerate(self.clause[:index]) if p.text in ("把", "将", "从")]
        start = self.draft.place - (index - marks[-1]) if marks else 0
        items = self.draft.items
        for at in range(self.first, len(items)):
            if items[at].place > start:
                items[at] = replace(items[at], sign=-abs(items[at].sign))

    def _name(self, index: int) -> None:
        """Add the concepts, persons and markers that a piece names."""
        piece, draft = self.clause[index], self.draft
        if piece.has("verb") and self.is_main:
            draft.verbs.update(c for c in piece.concepts if c.startswith("v_"))
        if piece.has("person") and not self.seen_content and self.is_main:
            draft.persons.update(piece.concepts)
        if piece.has("marker"):
            draft.markers.update(MARKERS.intersection(piece.concepts) if self.is_main else ())
            if not MARKERS.issuperset(piece.concepts):
                self._add(piece, self.scope)
        elif piece.text == "fre" and draft.items and draft.items[-1].place == draft.place - 1:
            draft.items[-1] = replace(draft.items[-1], sign=-draft.items[-1].sign)
        elif piece.is_content and not is_bound(self.clause, index):
            turned = self.is_local or self.is_lesser or self.awaits_choice
            sign = -self.scope if turned else self.scope
            self._add(piece, 0 if self.is_adjunct and sign < 0 and not self.is_lesser else sign)
            self.seen_content = True

    def _free_circumstances(self) -> None:
        """Leave times of a refusal unsigned: "no meetings on Friday" refuses meetings, not Friday."""
        mine = self.draft.items[self.first :]
        if any(i.concept not in CONTEXTS and not i.background for i in mine):
            self._sign_again(self.first, 0, only=CONTEXTS)

    def _sign_again(self, first: int, sign: int, *, only: frozenset[str] | None = None) -> None:
        items = self.draft.items
        for index in range(first, len(items)):
            if only is None or (items[index].sign < 0 and items[index].concept in only):
                items[index] = replace(items[index], sign=sign)

    def _add(self, piece: Piece, sign: int) -> None:
        clause, place = self.number, self.draft.place
        if piece.meaning is None:
            # A single Han character between known words is a verb or a particle more often than the point.
            background = len(piece.text) == 1 and is_han(piece.text)
            item = Item(
                piece.text, sign, clause, place, background, known=False, is_reason=self.is_reason, text=piece.text
            )
            self.draft.items.append(item)
            return
        for concept, turn, background in piece.meaning.concepts:
            if concept.startswith("v_"):
                continue
            if concept in MARKERS:
                self.draft.markers.update({concept} if self.is_main else ())
                continue
            signed = self._own_sign(concept, turn, sign)
            # A safety fact counts wherever it stands: "no cats, because I am allergic".
            is_reason = self.is_reason and concept != "allergy"
            self.draft.items.append(
                Item(concept, signed, clause, place, background, is_reason=is_reason, text=piece.text)
            )

    def _own_sign(self, concept: str, turn: int, sign: int) -> int:
        """Sign what brings its own: an allergy holds though its object is refused; "vegetarian" is no meat."""
        if concept == "allergy":
            return -sign
        if turn < 0:
            return 1 if any(p.has("negate", "dislike") for p in self.clause) else -1
        return sign


def _without_pictures(items: Sequence[Item]) -> tuple[Item, ...]:
    """Leave out pictures that are in no table, where words say what the statement is about."""
    words = tuple(i for i in items if i.known or any(c.isalnum() for c in i.concept))
    return words if any(not i.background for i in words) else tuple(items)


def _turn_bounds(reading: Reading) -> Reading:
    """Write "not before ten" as "after ten", so that both ways to say it meet."""
    refuses = bool(reading.items) and all(i.sign < 0 for i in reading.strong)
    if not refuses or not any(bound in _TURNED for bound, _ in reading.numbers):
        return reading
    return replace(
        reading,
        items=tuple(replace(i, sign=1) for i in reading.items),
        numbers=tuple((_TURNED.get(bound, bound), value) for bound, value in reading.numbers),
    )
