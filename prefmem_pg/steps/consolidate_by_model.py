"""What a chat model sees in a user's memory that rules do not: the same said in other words, habits, a profile."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from prefmem_pg.domain.preferences import Preference
from prefmem_pg.domain.profile import KEYS, ProfileEntry, newest
from prefmem_pg.domain.reports import ConsolidationReport, DeduplicationReport
from prefmem_pg.errors import ProviderError, described
from prefmem_pg.providers.chat.consolidator import Merge, find_habits, propose_merges
from prefmem_pg.providers.chat.profiler import Setting, propose_profile
from prefmem_pg.providers.protocols import ChatModel, Comparison, Statement
from prefmem_pg.providers.retry import RetryPolicy
from prefmem_pg.steps.ask_once import AskOnce
from prefmem_pg.steps.decide import Decider
from prefmem_pg.steps.deduplicate import store_pairs
from prefmem_pg.steps.pairs import Pair
from prefmem_pg.steps.propose_habits import propose_habits
from prefmem_pg.steps.think import RULES

log = logging.getLogger(__name__)

MOST_ROWS: Final = 200
"""Preferences of a user that are looked at, the newest."""
STATEMENTS_A_QUESTION: Final = 60
MOST_MESSAGES: Final = 100
"""Messages of a user in which habits are looked for, the newest."""
INFERRED: Final = 0.6
"""Confidence of a setting that a model has drawn from statements."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidatingModel:
    """A chat model, how it is asked again, and whether its answers are replayed."""

    chat: ChatModel
    policy: RetryPolicy
    replays: bool = False

    def asking(
        self,
        decider: Decider,
        user_id: str,
        *,
        message_ids: Sequence[UUID] = (),
        rows: Sequence[Preference] = (),
    ) -> AskOnce:
        """Return what asks for a user, about these messages or preferences."""
        return AskOnce(
            database=decider.database,
            chat=self.chat,
            policy=self.policy,
            user_id=user_id,
            replays=self.replays,
            message_ids=tuple(message_ids),
            preference_ids=tuple(row.preference_id for row in rows),
            since=max((row.updated_at for row in rows), default=None),
        )


def consolidate_by_model(decider: Decider, model: ConsolidatingModel, user_id: str) -> ConsolidationReport:
    """Merge, propose habits and infer settings for one user; return the counts. A failure is named in ``errors``.

    Each part is stored when it is there. What was answered about the same memory is not asked again.
    """
    report = ConsolidationReport()
    try:
        merged = _merge(decider, model, user_id)
        report = ConsolidationReport(merged=merged.merged)
        report = report.plus(ConsolidationReport(implicit=_find_habits(decider, model, user_id)))
        return report.plus(ConsolidationReport(profile=_infer_profile(decider, model, user_id)))
    except ProviderError as exc:
        log.warning("the model could not consolidate", extra={"error": type(exc).__name__})
        return report.plus(ConsolidationReport(failed=1, errors={user_id: described(exc)}))


def _merge(decider: Decider, model: ConsolidatingModel, user_id: str) -> DeduplicationReport:
    rows = [row for row in _rows(decider, user_id) if not (row.is_pinned or row.is_safety or row.kind == "goal")]
    by_topic = sorted(rows, key=lambda row: (row.topic or "", row.valid_from, row.preference_id))
    report = DeduplicationReport()
    for first in range(0, len(by_topic), STATEMENTS_A_QUESTION):
        shown = by_topic[first : first + STATEMENTS_A_QUESTION]
        if len(shown) < 2:
            continue
        asking = model.asking(decider, user_id, rows=shown)
        merges = propose_merges(asking, [_statement(row) for row in shown])
        pairs = [pair for merge in merges for pair in _pairs(shown, merge, across_kinds=decider.across_kinds)]
        report = report.plus(store_pairs(decider, user_id, pairs))
    return report


def _pairs(shown: Sequence[Preference], merge: Merge, *, across_kinds: bool) -> list[Pair]:
    """Return who ends in the one that is kept; what rules know to be another thing stays."""
    winner = shown[merge.keep]
    pairs = []
    for loser in (shown[place] for place in merge.places if place != merge.keep):
        [verdict] = RULES.compare([Comparison(candidate=_statement(loser), existing=_statement(winner))])
        if verdict.relation == "changed" or (loser.kind != winner.kind and not across_kinds):
            continue
        details = {
            "compared": [str(winner.preference_id), str(loser.preference_id)],
            "similarity": None,
            "relation": "same",
            "certainty": INFERRED,
        }
        pairs.append(Pair("merge", winner, loser, merge.reason or "the model says that it is the same", details))
    return pairs


def _find_habits(decider: Decider, model: ConsolidatingModel, user_id: str) -> int:
    with decider.database.transaction(user_id=user_id) as repositories:
        ids = repositories.upkeep.list_last_said(user_id, limit=MOST_MESSAGES)
        said = repositories.messages.list_by_ids(user_id, ids)
    if len({message.dialog_id for message in said}) < 2:
        return 0
    return propose_habits(decider, user_id, find_habits(model.asking(decider, user_id, message_ids=ids), said))


def _infer_profile(decider: Decider, model: ConsolidatingModel, user_id: str) -> int:
    rows = _rows(decider, user_id)
    rows.sort(key=lambda row: (row.valid_from, row.preference_id))
    if not rows:
        return 0
    ids = [row.preference_id for row in rows]
    settings = propose_profile(model.asking(decider, user_id, rows=rows), [_statement(row) for row in rows])
    if settings is None:
        return 0
    now = datetime.now(UTC)
    with decider.database.transaction(user_id=user_id) as repositories:
        if repositories.preferences.lock_known_user(user_id) is None:
            return 0
        stored = repositories.preferences.list_by_ids(user_id, ids)
        standing = {row.preference_id: row.version for row in stored if row.status == "activated"}
        entries = [entry for setting in settings if (entry := _entry(setting, rows, standing)) is not None]
        keys = [*KEYS, *(entry.key for entry in entries)]
        dropped = repositories.profiles.drop_inferred(user_id, except_keys=keys)
        return dropped + repositories.profiles.upsert(user_id, newest(entries), at=now)


def _entry(setting: Setting, rows: Sequence[Preference], standing: dict[UUID, int]) -> ProfileEntry | None:
    """Return a setting as an entry of the inferred layer; None for what rules fill, and for what has changed since."""
    sources = [rows[place] for place in setting.places]
    if setting.key in KEYS or any(standing.get(row.preference_id) != row.version for row in sources):
        return None
    last = max(sources, key=lambda row: (row.valid_from, row.preference_id))
    return ProfileEntry(
        layer="inferred",
        key=setting.key,
        value=setting.value,
        confidence=INFERRED,
        preference_id=last.preference_id,
        reason=last.statement or "",
        stated_at=last.valid_from,
    )


def _rows(decider: Decider, user_id: str) -> list[Preference]:
    """Return what a model may see: nothing sensitive, unless it keeps the user safe."""
    with decider.database.transaction(user_id=user_id) as repositories:
        found = repositories.preferences.list_current(user_id, limit=MOST_ROWS)
    return [row for row in found if row.statement and (row.sensitivity == "none" or row.is_safety)]


def _statement(row: Preference) -> Statement:
    return Statement(
        text=row.statement or "",
        kind=row.kind,
        polarity=row.polarity,
        language=row.language,
        topic=row.topic,
        entities=row.entities,
    )
