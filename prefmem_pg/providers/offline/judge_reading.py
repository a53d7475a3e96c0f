"""What a statement says, clause by clause: signed concepts, numbers with their bounds, and how it is framed."""

from dataclasses import dataclass, field, replace
from typing import Final

from prefmem_pg.providers.offline.judge_lexicon import Meaning, lexicon
from prefmem_pg.providers.offline.judge_text import STOP, is_han, normalise, stem, tokens

BOUNDS: Final = frozenset({"before", "after", "most", "least"})
_STANCE: Final = frozenset({"like", "dislike", "negate", "past"})
_FREQUENCY: Final = {"often": 3, "sometimes": 2, "rarely": 1, "never": 0}


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the text with what it means; ``meaning`` is None for a word that the tables do not know."""

    text: str
    meaning: Meaning | None = None

    def has(self, *roles: str) -> bool:
        """Say whether the piece plays one of these roles."""
        return self.meaning is not None and not self.meaning.roles.isdisjoint(roles)

    @property
    def is_content(self) -> bool:
        """Say whether the piece names something."""
        return self.meaning is None or bool(self.meaning.concepts)


@dataclass(frozen=True, slots=True)
class Item:
    """A concept in its place. ``sign`` is 1 when the user is for it or it holds, -1 when against or it does not."""

    concept: str
    sign: int
    clause: int
    place: int
    background: bool = False
    known: bool = True
    is_lesser: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """All that the judge's rules look at. ``stance`` is the sign of the first clause that takes a side, else 0."""

    items: tuple[Item, ...]
    numbers: tuple[tuple[str, str], ...]
    roles: frozenset[str]
    persons: frozenset[str]
    markers: frozenset[str]
    stance: int
    frequency: int | None
    joined: frozenset[int] = frozenset()

    @property
    def strong(self) -> tuple[Item, ...]:
        """The concepts that distinguish: those that are not background, or all when there are no others.

        A background concept that is refused by itself ("no explanation") counts too.
        """
        named = {(i.clause, i.sign) for i in self.items if not i.background}
        found = (i for i in self.items if not i.background or (i.sign < 0 and (i.clause, i.sign) not in named))
        return tuple(found) or self.items


@dataclass(slots=True)
class _Draft:
    items: list[Item] = field(default_factory=list)
    numbers: list[tuple[str, str]] = field(default_factory=list)
    persons: set[str] = field(default_factory=set)
    markers: set[str] = field(default_factory=set)
    roles: set[str] = field(default_factory=set)
    joined: set[int] = field(default_factory=set)
    stances: list[int] = field(default_factory=list)
    place: int = 0


def read(text: str) -> Reading:
    """Read a statement. Total: every text has a reading, if only one of unknown words."""
    draft = _Draft()
    sign = 1
    for number, clause in enumerate(clauses(text)):
        sign = _read_clause(clause, number, sign, draft)
    frequency = next((level for role, level in _FREQUENCY.items() if role in draft.roles), None)
    reading = Reading(
        items=tuple(draft.items),
        numbers=tuple(draft.numbers),
        roles=frozenset(draft.roles),
        persons=frozenset(draft.persons),
        markers=frozenset(draft.markers),
        stance=next((s for s in draft.stances if s), 0),
        frequency=frequency,
        joined=frozenset(draft.joined),
    )
    return _turn_bounds(reading)


def clauses(text: str) -> list[list[Piece]]:
    """Cut a statement into clauses of pieces, at punctuation, at "but", and at "and" before a new predicate."""
    found: list[list[Piece]] = [[]]
    all_pieces = pieces(text)
    for index, piece in enumerate(all_pieces):
        following = all_pieces[index + 1 : index + 3]
        if piece.text == STOP or piece.has("but"):
            found.append([])
        elif piece.has("and") and any(p.has(*_STANCE) for p in following) and found[-1]:
            found.append([piece])
        else:
            found[-1].append(piece)
    return [clause for clause in found if any(not p.has("drop", "filler") for p in clause)]


def pieces(text: str) -> list[Piece]:
    """Cut a statement into the longest known forms and unknown words; words without content are kept for position."""
    found: list[Piece] = []
    words: list[str] = []
    for token in [*tokens(normalise(text)), STOP]:
        if token == STOP or token[0] == "#" or is_han(token):
            found += _word_pieces(words)
            words = []
            found += _han_pieces(token) if token != STOP and token[0] != "#" else [Piece(token)]
        else:
            words.append(token)
    return [p for p in found[:-1] if not p.has("filler")]


def _word_pieces(words: list[str]) -> list[Piece]:
    stems, found, table = [stem(w) for w in words], [], lexicon()
    while stems:
        size, meaning = table.match_words(stems)
        found.append(Piece(" ".join(stems[: max(size, 1)]), meaning))
        stems = stems[max(size, 1) :]
    return found


def _han_pieces(run: str) -> list[Piece]:
    """Cut Han by the longest known form; the characters between known forms stay together as one unknown word."""
    found: list[Piece] = []
    unknown, table = "", lexicon()
    while run:
        size, meaning = table.match_han(run)
        if meaning is None:
            unknown, run = unknown + run[0], run[1:]
            continue
        if unknown:
            found.append(Piece(unknown))
        unknown = ""
        found.append(Piece(run[:size], meaning))
        run = run[size:]
    return [*found, Piece(unknown)] if unknown else found


def _read_clause(clause: list[Piece], number: int, inherited: int, draft: _Draft) -> int:
    """Add what a clause says to the draft; return the sign that a following clause without a stance inherits."""
    scope = _clause_sign(clause, inherited)
    has_stance = any(p.has(*_STANCE) for p in clause)
    local, lesser, seen_content, seen_like, pending_over = 1, False, False, False, False
    for index, piece in enumerate(clause):
        draft.place += 1
        if piece.meaning is not None:
            draft.roles |= piece.meaning.roles
        if piece.has("and"):
            draft.joined.add(draft.place)
            local = 1 if not lesser else local
        if piece.text.startswith("#"):
            draft.numbers.append((_bound(clause, index), piece.text))
            continue
        if piece.has("without") or _is_local_negation(clause, index, seen_content=seen_content, seen_like=seen_like):
            local = -1
        elif piece.has("prefer_over") and not seen_content:
            pending_over = True
        elif piece.has("reject") and not _is_bound(clause, index) and seen_content:
            lesser = True
        elif piece.has("like") and pending_over:
            pending_over = False
        if lesser and piece.has("like"):
            lesser = False
        seen_like = seen_like or piece.has("like")
        if piece.has("person") and not seen_content and not piece.has("drop"):
            draft.persons |= {c for c, _, _ in piece.meaning.concepts} if piece.meaning else set()
        if piece.has("marker") and piece.meaning is not None:
            draft.markers |= {c for c, _, _ in piece.meaning.concepts}
        elif piece.is_content and not _is_bound(clause, index):
            sign = scope * local * (-1 if lesser or pending_over else 1)
            _add(piece, sign, number, draft, is_lesser=lesser or pending_over)
            seen_content = True
        elif piece.text == "to" and seen_like and seen_content:
            lesser = True
    draft.stances.append(scope if has_stance else 0)
    return scope


def _add(piece: Piece, sign: int, number: int, draft: _Draft, *, is_lesser: bool) -> None:
    if piece.meaning is None:
        # A single Han character between known words is a verb or a particle more often than the point.
        background = len(piece.text) == 1 and is_han(piece.text)
        draft.items.append(Item(piece.text, sign, number, draft.place, background, known=False, is_lesser=is_lesser))
        return
    for concept, turn, background in piece.meaning.concepts:
        if concept == "fear":
            draft.markers.add(concept)
        else:
            item = Item(concept, sign * turn, number, draft.place, background, is_lesser=is_lesser)
            draft.items.append(item)


def _clause_sign(clause: list[Piece], inherited: int) -> int:
    """Multiply out the negations and attitudes of a clause; one without any goes on with the clause before it."""
    sign, any_stance, seen_content, seen_like = 1, False, False, False
    for index, piece in enumerate(clause):
        if _is_local_negation(clause, index, seen_content=seen_content, seen_like=seen_like):
            any_stance = True
        elif piece.has("like"):
            seen_like = any_stance = True
        elif piece.has("negate", "dislike") or (
            piece.has("past") and not _is_bound(clause, index) and not _beside_number(clause, index)
        ):
            sign, any_stance = -sign, True
        seen_content = seen_content or piece.is_content
    return sign if any_stance else inherited


def _is_local_negation(clause: list[Piece], index: int, *, seen_content: bool, seen_like: bool) -> bool:
    """Say whether a negation takes back only what follows: "tea not coffee", "要茶不要咖啡"."""
    piece = clause[index]
    if not piece.has("negate") or piece.has("like", "dislike") or not seen_content:
        return False
    following = next((p for p in clause[index + 1 :] if not p.has("often")), None)
    if following is None or not following.is_content or following.has(*_STANCE):
        return seen_like and any(p.is_content for p in clause[index + 1 :]) and not is_han(piece.text)
    return seen_like or not is_han(piece.text)


def _is_bound(clause: list[Piece], index: int) -> bool:
    return clause[index].has(*BOUNDS) and _beside_number(clause, index)


def _beside_number(clause: list[Piece], index: int) -> bool:
    return any(p.text.startswith("#") for p in clause[max(index - 2, 0) : index + 2])


def _bound(clause: list[Piece], index: int) -> str:
    """Name the bound that a number stands in: the word before it, or in Chinese after it and its unit."""
    for piece in (*clause[index + 1 : index + 3], *reversed(clause[max(index - 2, 0) : index])):
        if piece.has(*BOUNDS) and piece.meaning is not None:
            return next(b for b in ("before", "after", "most", "least") if b in piece.meaning.roles)
    previous = clause[index - 1] if index else None
    following = clause[index + 1] if index + 1 < len(clause) else None
    if previous and previous.is_content and not is_han(previous.text) and not (following and following.is_content):
        return "model"
    return ""


def _turn_bounds(reading: Reading) -> Reading:
    """Write "not before ten" as "after ten", so that both ways to say it meet."""
    turned = {"before": "after", "after": "before", "most": "least", "least": "most"}
    refuses = bool(reading.items) and all(i.sign < 0 for i in reading.strong)
    if not refuses or not any(bound in turned for bound, _ in reading.numbers):
        return reading
    return replace(
        reading,
        items=tuple(replace(i, sign=-i.sign) for i in reading.items),
        numbers=tuple((turned.get(bound, bound), value) for bound, value in reading.numbers),
        stance=1,
    )
