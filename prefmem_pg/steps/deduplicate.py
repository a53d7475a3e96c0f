"""Pairs of stored preferences -> fewer ones, user by user: the rules of deciding, applied to what is there already."""

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from prefmem_pg.db.neighbours import Neighbour, Probe
from prefmem_pg.db.upkeep import Watermark
from prefmem_pg.domain.preferences import Preference
from prefmem_pg.domain.reports import DeduplicationReport
from prefmem_pg.errors import ProviderError, described
from prefmem_pg.providers.serving import serving
from prefmem_pg.steps.decide import Decider
from prefmem_pg.steps.pairs import Pair, choose_pair, write_pair
from prefmem_pg.steps.plan import Plan
from prefmem_pg.steps.retire import list_users
from prefmem_pg.steps.think import RULES, Verdicts
from prefmem_pg.steps.write import write_plan

log = logging.getLogger(__name__)

ROWS_A_BATCH: Final = 200
MARGIN: Final = timedelta(minutes=10)
"""A decision stamps its rows before it gets the lock: rows this much older than the mark are looked at again."""


def deduplicate(
    decider: Decider,
    *,
    user_id: str | None,
    on_user: Callable[[DeduplicationReport], None] | None = None,
) -> DeduplicationReport:
    """Decide pairs of current preferences anew; return the counts.

    What has been compared is compared again only when it or the judge has changed, so that a second run reads one mark
    for each user and nothing else. A pair that a person has taken apart by undo() stays apart. A user for whom the
    judge fails is reported, and tried again by the next run.
    """
    total = DeduplicationReport()
    for user in list_users(decider.database, user_id):
        try:
            report = deduplicate_user(decider, user)
        except ProviderError as exc:
            log.warning("the judge failed", extra={"error": type(exc).__name__})
            report = DeduplicationReport(users=1, failed=1, errors={user: described(exc)})
        total = total.plus(report)
        if on_user is not None:
            on_user(report)
    return total


def deduplicate_user(decider: Decider, user_id: str) -> DeduplicationReport:
    """Decide the pairs of one user's changed rows and their neighbours, a batch of rows after the other."""
    judge = _judge_of(decider)
    with decider.database.transaction(user_id=user_id) as repositories:
        mark = repositories.upkeep.read_watermark(user_id)
        state = repositories.preferences.read_state(user_id)
        apart = repositories.history.list_taken_apart(user_id)
        started_at = datetime.now(UTC)
    if state is None:
        return DeduplicationReport()
    revision = state.revision
    known = mark if mark is not None and mark.judge == judge else None
    if known is not None and known.revision == revision:
        return DeduplicationReport(users=1)
    since = known.at - MARGIN if known is not None else None

    report = DeduplicationReport(users=1)
    verdicts = Verdicts(decider.judge)
    after: UUID | None = None
    seen = set(apart)
    while True:
        with decider.database.transaction(user_id=user_id) as repositories:
            rows = repositories.upkeep.list_changed(
                user_id, since=since, after=after, limit=ROWS_A_BATCH, model_id=decider.model_id
            )
            probes = [
                Probe(statement=p.statement or "", kind=p.kind, topic=p.topic, entities=p.entities, vector=v)
                for p, v in rows
            ]
            near = repositories.preferences.find_neighbours(user_id, probes, model_id=decider.model_id) if rows else []

        with serving(user_id):
            pairs = _choose([p for p, _ in rows], near, verdicts, seen, across_kinds=decider.across_kinds)
        # Nor by way of a third one that says the same as both.
        pairs = [p for p in pairs if frozenset((p.winner.preference_id, p.loser.preference_id)) not in apart]

        stored = store_pairs(decider, user_id, pairs)
        report = report.plus(stored)
        revision += bool(stored.merged + stored.superseded)
        if len(rows) < ROWS_A_BATCH:
            break
        after = rows[-1][0].preference_id
    report = replace(report, compared=len(seen - apart))
    with decider.database.transaction(user_id=user_id) as repositories:
        # The revision that this run leaves: when others have written meanwhile, the store's is higher already.
        mark = Watermark(at=started_at, judge=judge, revision=revision if not report.skipped else -1)
        repositories.upkeep.set_watermark(user_id, mark)
    return report


def _choose(
    rows: Sequence[Preference],
    near: Sequence[Sequence[Neighbour]],
    verdicts: Verdicts,
    seen: set[frozenset[UUID]],
    *,
    across_kinds: bool,
) -> list[Pair]:
    """Return what ends in whom, each pair looked at once.

    A row that was merged still links those that say the same to the row that took it in, so that a cluster becomes
    one; beyond that a row that has ended takes part no more.
    """
    ended: dict[UUID, Pair] = {}
    pairs = []
    for row, neighbours in zip(rows, near, strict=True):
        for neighbour in neighbours:
            other = neighbour.preference
            key = frozenset((row.preference_id, other.preference_id))
            if len(key) < 2 or key in seen or other.status != "activated":
                continue
            if not across_kinds and other.kind != row.kind:
                continue
            seen.add(key)
            pair = _standing(choose_pair(row, neighbour, verdicts), ended)
            if pair is not None:
                ended[pair.loser.preference_id] = pair
                pairs.append(pair)
    return pairs


def _standing(pair: Pair | None, ended: Mapping[UUID, Pair]) -> Pair | None:
    """Return the pair of the rows that now stand for the two, or None when they are one row or none."""
    if pair is None:
        return None
    winner, loser = (_representative(row, ended) for row in (pair.winner, pair.loser))
    if winner is None or loser is None or winner.preference_id == loser.preference_id or loser.is_pinned:
        return None
    if pair.event == "supersede" and (winner, loser) != (pair.winner, pair.loser):
        return None
    return replace(pair, winner=winner, loser=loser)


def _representative(row: Preference, ended: Mapping[UUID, Pair]) -> Preference | None:
    while (pair := ended.get(row.preference_id)) is not None:
        if pair.event == "supersede":
            return None
        row = pair.winner
    return row


def store_pairs(decider: Decider, user_id: str, pairs: Sequence[Pair]) -> DeduplicationReport:
    """Write the pairs whose rows are as they were read; the others wait for the next run."""
    if not pairs:
        return DeduplicationReport()
    ids = sorted({row.preference_id for pair in pairs for row in (pair.winner, pair.loser)})
    done: Counter[str] = Counter()
    with decider.database.transaction(user_id=user_id) as repositories:
        if not repositories.preferences.user_is_known(user_id):
            return DeduplicationReport()
        repositories.preferences.lock_user(user_id)
        rows = {p.preference_id: p for p in repositories.preferences.list_by_ids(user_id, ids)}
        evidence = repositories.history.list_evidence(user_id, ids)
        plan = Plan(user_id=user_id, actor="deduplicate", run_id=None, now=datetime.now(UTC))
        for pair in pairs:
            read = (pair.winner, pair.loser)
            now = [rows.get(row.preference_id) for row in read]
            if any(a is None or a.version != b.version or a.status != b.status for a, b in zip(now, read, strict=True)):
                done["skipped"] += 1
                continue
            winner, loser = pair.winner.preference_id, pair.loser.preference_id
            fresh = replace(pair, winner=rows[winner], loser=rows[loser])
            # A moment of its own for each pair, so that each can be undone by itself.
            plan.now += timedelta(microseconds=1)
            write_pair(plan, fresh, evidence.get(loser, []), evidence.get(winner, []))
            evidence[winner] = [*evidence.get(winner, []), *evidence.get(loser, [])]
            done["merged" if pair.event == "merge" else "superseded"] += 1
        write_plan(repositories, plan, bank=decider.bank, model_id=decider.model_id)
    decider.keep_up(plan)
    return DeduplicationReport(merged=done["merged"], superseded=done["superseded"], skipped=done["skipped"])


def _judge_of(decider: Decider) -> str:
    model = f"+{decider.judge.name}/{decider.judge.version}" if decider.judge else ""
    scope = "" if decider.across_kinds else " within kinds"
    return f"{RULES.name}/{RULES.version}{model}{scope}"
