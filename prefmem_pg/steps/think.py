"""Candidates and their neighbours -> a plan, one candidate after the other, so that a batch meets itself too."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, get_args
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from prefmem_pg.db.neighbours import Neighbour
from prefmem_pg.domain.preferences import Candidate, Preference, Relation, Verdict
from prefmem_pg.domain.text import fold
from prefmem_pg.errors import InvalidAnswer, PrefmemError, ProviderError
from prefmem_pg.providers.offline.judge import OfflineJudge
from prefmem_pg.providers.protocols import Comparison, Judge, Statement
from prefmem_pg.steps.choose import PROPOSE_SIMILARITY, RULES_SIMILARITY, View, choose_action
from prefmem_pg.steps.given_metadata import why_left_out
from prefmem_pg.steps.goals import judge_goals
from prefmem_pg.steps.plan import Plan

VerdictKey = tuple[int, UUID, int]
"""Place of the candidate, the preference that it was compared with, and that preference's version."""

_UNRELATED: Final = Verdict(relation="different", reason="too far apart to be about one thing", certainty=0.5)
RULES: Final = OfflineJudge()


class NeedsModel(PrefmemError):
    """A verdict is needed that only a model can give, and none may be called now."""


@dataclass
class Verdicts:
    """Verdicts by rule where rules can tell, else by the model, each asked once.

    ``model`` None: rules alone decide, and what they are unsure of counts as different. Unless ``asks_of_several``,
    it is asked of the nearest one that rules are unsure of.
    """

    model: Judge | None
    asks_of_several: bool = False
    known: dict[VerdictKey, Verdict] = field(default_factory=dict)

    def of(
        self, place: int, candidate: Candidate, near: Sequence[tuple[Preference, float | None]], *, may_ask: bool
    ) -> list[Verdict]:
        """Return a verdict for each neighbour; NeedsModel when the model would have to be asked and may not."""
        comparisons = [
            Comparison(candidate=_statement(candidate), existing=_statement(p), similarity=s) for p, s in near
        ]
        verdicts = [_unless_entailed(v, c) for v, c in zip(RULES.compare(comparisons), comparisons, strict=True)]
        if self.model is None:
            return verdicts
        keys = [(place, p.preference_id, p.version) for p, _ in near]
        unsure = [i for i, v in enumerate(verdicts) if v.relation == "unsure" and _is_near(candidate, *near[i])]
        # The same one in every round, or a second round would ask of the next.
        grey = [i for i in (unsure if self.asks_of_several else unsure[:1]) if keys[i] not in self.known]
        if grey:
            if not may_ask:
                raise NeedsModel("the rules are unsure and the model may not be asked while the lock is held")
            answers = _ask(self.model, [comparisons[i] for i in grey])
            self.known |= {keys[i]: answer for i, answer in zip(grey, answers, strict=True)}
        return [self.known.get(key, verdict) for key, verdict in zip(keys, verdicts, strict=True)]


def _ask(judge: Judge, comparisons: Sequence[Comparison]) -> list[Verdict]:
    """Return a verdict for each comparison; whatever else a judge does is a ProviderError, so that candidates wait."""
    try:
        answers = list(judge.compare(comparisons))
    except ProviderError:
        raise
    # A judge of the caller's own may raise anything: what it was asked about must not be lost.
    except Exception as exc:
        raise InvalidAnswer(f"judge {judge.name}: {type(exc).__name__}: {exc}") from exc
    relations = get_args(Relation)
    if len(answers) != len(comparisons) or any(getattr(a, "relation", None) not in relations for a in answers):
        raise InvalidAnswer(f"judge {judge.name} did not give one verdict for each of {len(comparisons)} comparisons")
    return answers


def _unless_entailed(verdict: Verdict, comparison: Comparison) -> Verdict:
    """Return the verdict; the same thing said less fully than it is known adds nothing."""
    if verdict.relation != "unsure":
        return verdict
    turned = replace(comparison, candidate=comparison.existing, existing=comparison.candidate)
    [other] = RULES.compare([turned])
    if other.relation != "richer":
        return verdict
    return Verdict(relation="same", reason="said more fully already", certainty=other.certainty)


def think(
    plan: Plan,
    candidates: Sequence[Candidate],
    vectors: Sequence[NDArray[np.float32] | None],
    neighbours: Sequence[Sequence[Neighbour]],
    verdicts: Verdicts,
    *,
    may_ask: bool,
    across_kinds: bool = True,
    compares: bool = True,
) -> Plan:
    """Fill the plan with the choice for each candidate, in their order; return it.

    ``neighbours`` are what the store held; rows that the plan itself has made or changed are seen as they now are.
    """
    for place, (candidate, vector) in enumerate(zip(candidates, vectors, strict=True)):
        near = _near(plan, candidate, vector, neighbours[place])
        if not compares or not across_kinds:
            near = [n for n in near if n.is_exact or (compares and n.preference.kind == candidate.kind)]
        asked = [n for n in near if may_be_about_one_thing(n, candidate)]
        answers = verdicts.of(place, candidate, [(n.preference, n.similarity) for n in asked], may_ask=may_ask)
        told = dict(zip((n.preference.preference_id for n in asked), answers, strict=True))
        told |= {n.preference.preference_id: v for n in near if (v := judge_goals(candidate, n.preference))}
        told |= _judge_rejected(candidate, near)
        views = [
            View(
                preference=n.preference,
                similarity=n.similarity,
                is_exact=n.is_exact,
                is_heard=n.is_heard,
                verdict=told.get(n.preference.preference_id, _UNRELATED),
            )
            for n in near
        ]
        choice = choose_action(candidate, views)
        details = {
            "judge": verdicts.model.name if verdicts.model else RULES.name,
            "compared": [_explain(view) for view in views if view.preference.preference_id in told],
        }
        if not compares and choice.target is not None:
            candidate = replace(candidate, metadata={})  # to load the same again changes nothing
        if choice.target is not None and choice.action != "rejected" and not choice.is_late:
            choice = replace(choice, reason=choice.reason + why_left_out(plan.current(choice.target), candidate))
        plan.add(candidate, choice, vector, details=details)
    return plan


_folded = lru_cache(maxsize=4_096)(fold)


def _judge_rejected(candidate: Candidate, near: Sequence[Neighbour]) -> dict[UUID, Verdict]:
    """Return how the candidate stands to what a person has rejected, by rules: no model is asked about a no."""
    rejected = [n for n in near if n.preference.status == "rejected" and not n.is_exact]
    said = _statement(candidate)
    verdicts = RULES.compare(
        [Comparison(candidate=said, existing=_statement(n.preference), similarity=n.similarity) for n in rejected]
    )
    return {n.preference.preference_id: v for n, v in zip(rejected, verdicts, strict=True)}


def _near(
    plan: Plan, candidate: Candidate, vector: NDArray[np.float32] | None, stored: Sequence[Neighbour]
) -> list[Neighbour]:
    """Return the stored neighbours and those made by this plan, as they now stand, the nearest first."""
    found = [_as_it_stands(plan, neighbour, candidate) for neighbour in stored]
    for preference in plan.inserts.values():
        other = plan.vectors.get(preference.preference_id)
        similarity = float(vector @ other) if vector is not None and other is not None else None
        new = Neighbour(preference=preference, similarity=similarity, is_exact=_same_statement(candidate, preference))
        if new.is_exact or may_be_about_one_thing(new, candidate) or preference.kind == candidate.kind == "goal":
            found.append(new)
    alive = [n for n in found if n.preference.status in ("activated", "rejected") or n.is_exact]
    return sorted(alive, key=lambda n: (not n.is_exact, -(n.similarity or 0.0), n.preference.preference_id))


def _as_it_stands(plan: Plan, neighbour: Neighbour, candidate: Candidate) -> Neighbour:
    current = plan.current(neighbour.preference)
    is_exact = neighbour.is_exact if current is neighbour.preference else _same_statement(candidate, current)
    return replace(neighbour, preference=current, is_exact=is_exact)


def _same_statement(candidate: Candidate, preference: Preference) -> bool:
    live = preference.status in ("activated", "resolving", "rejected", "archived")
    return live and preference.statement is not None and _folded(candidate.statement) == _folded(preference.statement)


def may_be_about_one_thing(neighbour: Neighbour, candidate: Candidate) -> bool:
    """Say whether a verdict is worth having: not far by vector, without a vector, or sharing topic and a name."""
    if neighbour.preference.statement is None or neighbour.preference.status != "activated":
        return False
    return _is_near(candidate, neighbour.preference, neighbour.similarity, least=RULES_SIMILARITY)


def _is_near(
    candidate: Candidate, other: Preference, similarity: float | None, *, least: float = PROPOSE_SIMILARITY
) -> bool:
    if similarity is None or similarity >= least:
        return True
    return bool(set(other.entities) & set(candidate.entities))


def _statement(given: Candidate | Preference) -> Statement:
    return Statement(
        text=given.statement or "",
        kind=given.kind,
        polarity=given.polarity,
        language=given.language,
        topic=given.topic,
        entities=given.entities,
    )


def _explain(view: View) -> dict[str, object]:
    similarity = None if view.similarity is None else round(view.similarity, 4)
    return {
        "preference_id": str(view.preference.preference_id),
        "similarity": similarity,
        "relation": view.verdict.relation,
        "reason": view.verdict.reason,
        "certainty": view.verdict.certainty,
    }
