"""A plan -> rows: preferences, postings, versions, evidence, vectors and statistics, under the user's lock."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from prefmem_pg.db.embeddings import NewPreferenceVector, StatsChange
from prefmem_pg.db.session import Repositories
from prefmem_pg.domain.preferences import Decision, Preference
from prefmem_pg.providers.bank import Bank
from prefmem_pg.steps.means import both_hubs, next_mean
from prefmem_pg.steps.plan import Plan
from prefmem_pg.steps.profile import keep_in_step

Vector = NDArray[np.float32]


def write_plan(repositories: Repositories, plan: Plan, *, bank: Callable[[], Bank], model_id: int) -> list[Decision]:
    """Write everything that the plan holds and raise the user's revision; return a decision for each outcome.

    ``Decider.keep_up`` then follows, after the transaction: it makes the vectors of further models. The caller holds
    the user's lock. A constant number of statements, whatever the number of candidates. Raises
    Conflict when a row has moved on since it was read.
    """
    if not (plan.outcomes or plan.versions):
        return []
    user_id = plan.user_id
    changed = [*plan.updates, *plan.inserts]
    lengths_before = repositories.preferences.drop_terms(user_id, list(plan.updates))
    before = {p.preference_id: p for p in repositories.preferences.list_by_ids(user_id, list(plan.updates))}
    _write_rows(repositories, plan)
    lengths_after = repositories.preferences.add_terms(user_id, changed)
    repositories.history.add_versions(plan.versions)
    repositories.history.add_evidence(user_id, plan.evidence, run_id=plan.run_id)
    _count_repeats(repositories, plan)

    stats: dict[str, StatsChange] = {}
    _count_terms(stats, before, lengths_before, sign=-1)
    _count_terms(stats, {**plan.updates, **plan.inserts}, lengths_after, sign=1)
    # Of every model: what a vector was made of is not there any more. embed_missing fills what no vector came for.
    restated = [pid for pid, row in plan.updates.items() if row.statement != before[pid].statement]
    repositories.embeddings.drop_preference_vectors(user_id, restated)
    if plan.vectors:
        languages = {pid: _row(plan, pid).language for pid in plan.vectors}
        add_vectors(repositories, user_id, plan.vectors, languages, stats, bank=bank(), model_id=model_id)
    repositories.embeddings.refresh_copies(user_id, list(plan.updates))
    at_work = repositories.embeddings.change_stats(user_id, stats, scope="preference", model_id=model_id, at=plan.now)
    if reworded := [*plan.inserts, *restated]:
        plan.behind = dict.fromkeys(at_work - {model_id}, reworded)
    written = [*plan.inserts.values(), *plan.updates.values()]
    keep_in_step(repositories, user_id, written, plan.updates, at=plan.now)
    repositories.preferences.raise_revision(user_id)
    return _decisions(repositories, plan)


def add_vectors(
    repositories: Repositories,
    user_id: str,
    vectors: Mapping[UUID, Vector],
    languages: Mapping[UUID, str],
    stats: dict[str, StatsChange],
    *,
    bank: Bank,
    model_id: int,
) -> None:
    """Store vectors with their hubness, and put the new means of their languages into ``stats``."""
    hubs = move_means(repositories, user_id, vectors, languages, stats, bank=bank, model_id=model_id)
    rows = [
        NewPreferenceVector(preference_id=pid, vector=vectors[pid], hub_en=english, hub_zh=chinese)
        for pid, (english, chinese) in hubs.items()
    ]
    repositories.embeddings.add_preference_vectors(user_id, rows, model_id=model_id)


def move_means(
    repositories: Repositories,
    user_id: str,
    vectors: Mapping[UUID, Vector],
    languages: Mapping[UUID, str],
    stats: dict[str, StatsChange],
    *,
    bank: Bank,
    model_id: int,
) -> dict[UUID, tuple[float, float]]:
    """Put the new means of the vectors' languages into ``stats``; return each one's hubness in English and Chinese."""
    means = repositories.embeddings.read_memory_means(user_id, scope="preference", model_id=model_id)
    hubs: dict[UUID, tuple[float, float]] = {}
    for language in sorted({languages[pid] for pid in vectors}):
        ids = [pid for pid in vectors if languages[pid] == language]
        stacked = np.stack([vectors[pid] for pid in ids])
        change = stats.setdefault(language, StatsChange())
        change.memory_mean = next_mean(means.get(language), stacked.sum(axis=0), len(ids), language=language, bank=bank)
        change.vector_count = len(ids)
        hubs |= dict(zip(ids, both_hubs(stacked, change.memory_mean, bank), strict=True))
    return hubs


def _write_rows(repositories: Repositories, plan: Plan) -> None:
    """End what is replaced, then store what replaces it, then link the two.

    In this order the unique index never sees two activated rows of one statement, and no link points into the void.
    """
    linked = {pid: p for pid, p in plan.updates.items() if p.superseded_by in plan.inserts}
    unlinked = [replace(p, superseded_by=None) if pid in linked else p for pid, p in plan.updates.items()]
    activated = [p for p in unlinked if p.status == "activated"]
    repositories.preferences.update_many([p for p in unlinked if p.status != "activated"], expected=plan.expected)
    repositories.preferences.update_many(activated, expected=plan.expected)
    if plan.inserts:
        repositories.preferences.insert_many(list(plan.inserts.values()))
    links = {pid: p.superseded_by for pid, p in linked.items() if p.superseded_by is not None}
    repositories.preferences.link_superseded(plan.user_id, links)


def _count_repeats(repositories: Repositories, plan: Plan) -> None:
    """Let confidence and mentions grow by the evidence that is new; a call without evidence counts once."""
    spans = [(pid, span) for pid, evidence in plan.repeats for span in evidence]
    fresh = repositories.history.add_evidence(plan.user_id, spans, run_id=plan.run_id)
    growth = dict(fresh)
    for pid, evidence in plan.repeats:
        if not evidence:
            growth[pid] = growth.get(pid, 0) + 1
    repositories.preferences.grow(plan.user_id, growth, at=plan.now)


def _count_terms(
    stats: dict[str, StatsChange], rows: Mapping[UUID, Preference], lengths: Mapping[UUID, int], *, sign: int
) -> None:
    for pid, length in lengths.items():
        change = stats.setdefault(rows[pid].language, StatsChange())
        change.row_count += sign
        change.total_length += sign * length


def _row(plan: Plan, preference_id: UUID) -> Preference:
    return plan.inserts.get(preference_id) or plan.updates[preference_id]


def _decisions(repositories: Repositories, plan: Plan) -> list[Decision]:
    ids: Sequence[UUID] = [pid for o in plan.outcomes for pid in (o.preference_id, *o.superseded)]
    stored = {p.preference_id: p for p in repositories.preferences.list_by_ids(plan.user_id, ids)}
    return [
        Decision(
            action=o.action,
            preference=stored[o.preference_id],
            reason=o.reason,
            superseded=tuple(stored[pid] for pid in o.superseded),
        )
        for o in plan.outcomes
    ]
