"""The judge's decision: a pure function from two readings to a verdict."""

from typing import Final

from prefmem_pg.domain.preferences import Relation, Verdict
from prefmem_pg.providers.offline.judge_additions import is_addition
from prefmem_pg.providers.offline.judge_alignment import align
from prefmem_pg.providers.offline.judge_numbers import leaves_room, same_number
from prefmem_pg.providers.offline.judge_pairing import Match, names_concept, pair_up, settings_differ
from prefmem_pg.providers.offline.judge_pets import PET
from prefmem_pg.providers.offline.judge_poles import are_opposed
from prefmem_pg.providers.offline.judge_reading import Item, Reading
from prefmem_pg.providers.offline.judge_saying import name, names, say_numbers
from prefmem_pg.providers.offline.judge_scope import BOUNDS, CONTEXTS
from prefmem_pg.providers.offline.judge_values import indifferent, is_over, replaced

CLOSE: Final = 0.90
"""At this cosine two statements of one language may be duplicates; below, rules that half fit do not count."""


NO_FIELD: Final = frozenset(
    {
        "option",
        "place",
        "talk",
        "restaurant_visit",
        "recipe",
        "tone_word",
        "smell",
        "languag",
        "answer",
        "home",
        "contact",
        "season",
        "commute",
        "first_place",
    }
)
"""Background concepts that go with every field of life, so that two of them mean no two fields."""


LIGHT: Final = frozenset("做搞弄来去走用要有是给让先再重定趟回遍次挺蛮些练常总都也就才只真好买订点坐靠乘搭")
"""Single characters that add nothing to what is named beside them; what is done with a thing is compared by verbs."""


def decide(candidate: Reading, existing: Reading, similarity: float | None = None) -> Verdict:
    """Say how a candidate stands to an existing statement. Similarity proposes only: it never makes a duplicate."""
    if PET in candidate.persons ^ existing.persons:
        return Verdict(relation="unsure", reason="one speaks of an animal's taste, not the user's", certainty=0.5)
    if candidate.persons != existing.persons:
        return Verdict(relation="different", reason="they speak of different people", certainty=0.9)
    if {"wants", "has"} <= candidate.claims ^ existing.claims:
        return Verdict(relation="unsure", reason="one has what the other wishes for", certainty=0.5)
    if not candidate.items or not existing.items:
        return _without_content(candidate, existing)
    candidate, existing = align(candidate, existing)
    match = pair_up(candidate, existing)
    return (
        replaced(match, candidate, existing)
        or _opposed(match, candidate, existing)
        or _rivals(match, candidate, existing)
        or _numbers(match, candidate, existing)
        or indifferent(match, candidate, existing)
        or _same(match, candidate, existing)
        or _undecided(match, similarity)
    )


def _without_content(candidate: Reading, existing: Reading) -> Verdict:
    if not candidate.items and not existing.items and candidate.stance == existing.stance != 0:
        return Verdict(relation="unsure", reason="neither statement names a thing that the rules know", certainty=0.3)
    return Verdict(relation="unsure", reason="a statement names nothing that the rules can compare", certainty=0.2)


def _opposed(match: Match, candidate: Reading, existing: Reading) -> Verdict | None:
    """Decide when both speak of one thing with opposite signs."""
    if not match.opposed:
        return None
    told = names(match.opposed)
    if names_concept(existing, "allergy") and not names_concept(candidate, "allergy"):
        # Liking something does not end an allergy, and an allergy lost is a danger.
        return Verdict(relation="unsure", reason=f"an allergy concerns {told}; it is not taken back", certainty=0.6)
    if match.only_existing and match.only_candidate and not match.shared:
        return Verdict(relation="unsure", reason=f"opposite about {told}, but each adds other things", certainty=0.4)
    if _is_bounded(candidate) != _is_bounded(existing):
        return Verdict(relation="different", reason=f"opposite about {told}, but at another time", certainty=0.5)
    if len(match.only_existing) > 2 or (match.only_existing and match.only_candidate):
        return Verdict(relation="unsure", reason=f"opposite about {told}, but not only about that", certainty=0.4)
    if is_over(match, candidate, existing):
        return Verdict(relation="changed", reason=f"no longer so: {told}", certainty=0.65)
    if candidate.markers - existing.markers - {"fear"} or existing.markers - candidate.markers - {"fear"}:
        return Verdict(relation="unsure", reason=f"opposite about {told}, in different respects", certainty=0.4)
    if any(not names_concept(existing, i.concept) for i in match.shared):
        return Verdict(relation="unsure", reason=f"opposite about {told}, but alike in effect", certainty=0.4)
    if _doings_differ(candidate, existing):
        return Verdict(relation="unsure", reason=f"opposite about {told}, but other things are done", certainty=0.4)
    certainty = 0.9 if not (match.only_existing or match.only_candidate) else 0.75
    return Verdict(relation="changed", reason=f"the opposite is now said about {told}", certainty=certainty)


def _rivals(match: Match, candidate: Reading, existing: Reading) -> Verdict | None:
    """Decide when each names another value of the same thing."""
    if not match.rivals:
        return None
    reason = ", ".join(sorted({f"{name(o)} → {name(i)}" for i, o in match.rivals}))
    if any(i.sign < 0 for i, _ in match.rivals):
        return Verdict(relation="different", reason=f"both refuse, each another value: {reason}", certainty=0.7)
    if match.only_existing and match.only_candidate:
        return Verdict(relation="different", reason=f"other values of other things: {reason}", certainty=0.7)
    if len(match.only_existing) + len(match.only_candidate) > 1:
        return Verdict(
            relation="unsure", reason=f"another value, but perhaps of another thing: {reason}", certainty=0.4
        )
    if _backgrounds_differ(candidate, existing):
        return Verdict(relation="unsure", reason=f"another value, in another field: {reason}", certainty=0.4)
    return Verdict(relation="changed", reason=f"another value of the same thing: {reason}", certainty=0.85)


def _numbers(match: Match, candidate: Reading, existing: Reading) -> Verdict | None:
    """Decide when both give numbers that do not agree."""
    here, there = candidate.numbers, existing.numbers
    if not here or not there or _numbers_agree(candidate, existing):
        return None
    reason = f"{say_numbers(there)} → {say_numbers(here)}"
    if any(bound == "model" for bound, _ in (*here, *there)):
        return Verdict(relation="different", reason=f"other names or models: {reason}", certainty=0.85)
    if leaves_room(here, there):
        return Verdict(relation="different", reason=f"both bounds hold together: {reason}", certainty=0.7)
    if match.only_existing or match.only_candidate:
        return Verdict(relation="different", reason=f"other numbers and other things: {reason}", certainty=0.7)
    return Verdict(relation="changed", reason=f"another number for the same thing: {reason}", certainty=0.85)


def _same(match: Match, candidate: Reading, existing: Reading) -> Verdict | None:
    """Decide when everything that one side says is found on the other."""
    if (match.only_existing and match.only_candidate) or not match.shared or settings_differ(candidate, existing):
        return None
    rest = match.only_existing or match.only_candidate
    if are_opposed(candidate.poles, existing.poles):
        refuse = any(i.sign < 0 for i in match.shared)  # "off my plate" and "not on my plate" are one
        relation: Relation = "unsure" if rest or refuse else "changed"
        return Verdict(relation=relation, reason=f"about {names(match.shared)}, the other way", certainty=0.6)
    if not (_says_the_same(candidate, existing) or _likes_the_time(match, candidate, existing)) and not any(
        i.sign and not (rest and i.concept in CONTEXTS) for i in match.shared
    ):
        return Verdict(relation="unsure", reason=f"only the circumstances agree: {names(match.shared)}", certainty=0.4)
    blocked = _blocked(match, candidate, existing)
    if blocked is not None:
        return blocked
    extra = match.only_candidate
    if not extra and not match.only_existing:
        if candidate.numbers and not existing.numbers:
            return Verdict(relation="richer", reason="the same, with a number", certainty=0.75)
        if existing.numbers and not candidate.numbers and not _implied_by_day_part(match.shared, existing.numbers):
            return Verdict(relation="unsure", reason="the same without the number", certainty=0.4)
        if _new_reasons(candidate, existing):
            return Verdict(relation="richer", reason="the same, with a reason", certainty=0.75)
        return Verdict(relation="same", reason=f"the same about {names(match.shared)}", certainty=0.9)
    if extra:
        if _leaves_background(candidate, existing, extra):
            return Verdict(relation="unsure", reason=f"alike, but of {names(extra)}", certainty=0.4)
        if is_addition(extra, match.shared, candidate):
            return Verdict(relation="richer", reason=f"the same, and more: {names(extra)}", certainty=0.75)
        return Verdict(relation="unsure", reason=f"about the same, narrowed by {names(extra)}", certainty=0.4)
    told = {_clause_of(i, existing) for i in match.shared}
    if all(i.clause not in told for i in match.only_existing):
        return Verdict(relation="same", reason=f"already said, with more: {names(match.only_existing)}", certainty=0.7)
    return Verdict(relation="unsure", reason=f"the same without {names(match.only_existing)}", certainty=0.4)


def _likes_the_time(match: Match, candidate: Reading, existing: Reading) -> bool:
    """Say whether the time itself is what both like or dislike: "winter is my favourite season"."""
    if match.only_existing or match.only_candidate or candidate.stance != existing.stance:
        return False
    if any(i.concept not in CONTEXTS and i.concept != "season" for i in (*candidate.items, *existing.items)):
        return False
    return all("like" in r.roles or "dislike" in r.roles for r in (candidate, existing))


def _says_the_same(candidate: Reading, existing: Reading) -> bool:
    here, there = ({(i.concept, i.sign) for i in r.items} for r in (candidate, existing))
    return here == there


def _blocked(match: Match, candidate: Reading, existing: Reading) -> Verdict | None:
    """Find what keeps two statements about one thing from being the same statement."""
    about = names(match.shared)
    if (candidate.stance < 0) != (existing.stance < 0) and _is_bounded(candidate) != _is_bounded(existing):
        return Verdict(relation="unsure", reason=f"about {about}, within other bounds", certainty=0.4)
    if _markers_differ(candidate, existing):
        return Verdict(relation="unsure", reason=f"about {about}, in different respects", certainty=0.5)
    if _strays_differ(match, candidate, existing):
        return Verdict(relation="unsure", reason=f"about {about}, with words that are not known", certainty=0.4)
    if _doings_differ(candidate, existing):
        return Verdict(relation="unsure", reason=f"about {about}, but other things are done with it", certainty=0.4)
    if _backgrounds_differ(candidate, existing):
        return Verdict(relation="unsure", reason=f"about {about}, in different fields", certainty=0.4)
    if {candidate.frequency, existing.frequency} == {2, 3}:
        return Verdict(relation="changed", reason=f"how often has changed: {about}", certainty=0.7)
    return None


def _undecided(match: Match, similarity: float | None) -> Verdict:
    unknown = any(not i.known for i in (*match.only_existing, *match.only_candidate))
    near = similarity is not None and similarity >= CLOSE
    reason = f"{names(match.only_existing) or 'nothing else'} against {names(match.only_candidate) or 'nothing else'}"
    if near and (unknown or match.shared):
        return Verdict(relation="unsure", reason=f"close in wording, but {reason}", certainty=0.4)
    return Verdict(relation="different", reason=f"other things: {reason}", certainty=0.85 if not match.shared else 0.7)


def _backgrounds_differ(candidate: Reading, existing: Reading) -> bool:
    here = {i.concept for i in candidate.items if i.background} - NO_FIELD
    there = {i.concept for i in existing.items if i.background} - NO_FIELD
    return bool(here and there and here.isdisjoint(there))


def _is_bounded(reading: Reading) -> bool:
    return any(bound in BOUNDS for bound, _ in reading.numbers)


def _markers_differ(candidate: Reading, existing: Reading) -> bool:
    """Say whether a thing concerns the user in different respects; to plan to do without it is to be against it."""
    differ = candidate.markers ^ existing.markers
    if "hopes" in candidate.claims & existing.claims and candidate.verbs == existing.verbs:
        differ -= {"plan"}
    if "has" in candidate.claims & existing.claims:
        differ -= {"own"}  # "two cats live with me" and "I have two cats"
    if names_concept(candidate, "home") and names_concept(existing, "home"):
        differ -= {"live"}  # "I live in a small flat" and "my flat is small"
    if "plan" in candidate.markers & existing.markers:
        differ -= {"learn"}  # who wants to swim and who wants to learn it want the same
    refuse = all(i.sign < 0 for i in (*candidate.strong, *existing.strong))
    return bool(differ - {"plan", "fear"} if refuse else differ)


def _strays_differ(match: Match, candidate: Reading, existing: Reading) -> bool:
    """Say whether unknown single characters may turn the meaning ("炒饭" and "饭", "喂猫" and "养猫").

    One that only one side has, and not beside what both name, is a verb or a particle that adds nothing.
    """
    here, there = _strays(candidate), _strays(existing)
    named = {i.concept for i in match.shared if not i.background and i.concept not in CONTEXTS}
    if here == there or (len(named) > 1 and not match.only_candidate and not match.only_existing):
        return False
    if here - there and there - here:
        return True
    if match.only_candidate if there - here else match.only_existing:
        return True
    longer = candidate if here - there else existing
    told = {i.concept for i in match.shared}
    places = {i.place for i in longer.items if i.concept in told}
    extra = [i for i in longer.items if i.concept in here ^ there]
    return any(places.intersection(range(i.place - 2, i.place + 3)) for i in extra)


def _strays(reading: Reading) -> frozenset[str]:
    return frozenset(i.concept for i in reading.items if i.background and not i.known and i.concept not in LIGHT)


def _doings_differ(candidate: Reading, existing: Reading) -> bool:
    return bool(candidate.verbs and existing.verbs) and candidate.verbs.isdisjoint(existing.verbs)


def _leaves_background(candidate: Reading, existing: Reading, extra: tuple[Item, ...]) -> bool:
    """Say whether the candidate puts its own thing in the place of a background one: "red car" and "red dress"."""
    here = {i.concept for i in candidate.items}
    background = [i.concept for i in existing.items if i.background and i.known]
    lost = bool(background) and here.isdisjoint(background)
    told = {i.clause for i in candidate.items if i not in extra}
    return lost and any(i.clause in told for i in extra)


def _new_reasons(candidate: Reading, existing: Reading) -> bool:
    return any(i.is_reason and not names_concept(existing, i.concept) for i in candidate.items)


def _clause_of(item: Item, reading: Reading) -> int:
    return next((i.clause for i in reading.items if i.concept == item.concept), -1)


def _numbers_agree(candidate: Reading, existing: Reading) -> bool:
    def covered(left: Reading, right: Reading) -> bool:
        return all(any(_same_bound(b, c) and same_number(v, w) for c, w in right.numbers) for b, v in left.numbers)

    return covered(candidate, existing) or covered(existing, candidate)


def _same_bound(left: str, right: str) -> bool:
    """Say whether two bounds say the same; who gives a bare number means it as a bound where there is one."""
    return left == right or {left, right} in ({"", "most"}, {"", "least"})


def _implied_by_day_part(shared: tuple[Item, ...], numbers: tuple[tuple[str, str], ...]) -> bool:
    """Say whether every number is a time within a part of the day that both statements name."""
    parts = {"morning": range(300, 721), "evening": range(1020, 1321), "late_night": range(1260, 1441)}
    named = [parts[i.concept] for i in shared if i.concept in parts]
    return all(mark[1] == "c" and any(int(mark[2:].rstrip("?")) in p for p in named) for _, mark in numbers)
