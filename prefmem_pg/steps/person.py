"""A person's actions in the store: read, embed what was reworded, then write one version under the user's lock."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from prefmem_pg.db.session import Repositories
from prefmem_pg.domain.preferences import Event, Preference, Version
from prefmem_pg.errors import NotFound, ProviderError
from prefmem_pg.providers.embedding import embed_documents
from prefmem_pg.providers.serving import serving
from prefmem_pg.steps.decide import Decider, Vector
from prefmem_pg.steps.edit import check_version, edited, moved
from prefmem_pg.steps.plan import Plan
from prefmem_pg.steps.undo import anchor_of, event_of, to_undo, undone
from prefmem_pg.steps.write import write_plan


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Who does it, and why."""

    user_id: str
    actor: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Change:
    """A row as it is and as it shall be."""

    before: Preference
    after: Preference
    event: Event


Changes = Callable[[Mapping[UUID, Preference], datetime], list[_Change]]


def update(
    decider: Decider, act: Act, preference_id: UUID, fields: Mapping[str, Any], *, expected_version: int | None
) -> Preference:
    """Put checked fields into a preference and return it; without a difference nothing is written."""

    def changes(rows: Mapping[UUID, Preference], now: datetime) -> list[_Change]:
        before = rows[preference_id]
        check_version(before, expected_version)
        return [_Change(before, edited(before, fields, now=now), "update")]

    return _carry_out(decider, act, [preference_id], changes)[preference_id]


def move(decider: Decider, act: Act, preference_id: UUID, event: Event) -> Preference:
    """Archive, restore, approve or reject a preference and return it; InvalidInput when its status forbids it."""

    def changes(rows: Mapping[UUID, Preference], now: datetime) -> list[_Change]:
        before = rows[preference_id]
        return [_Change(before, moved(before, event, now=now), event)]

    return _carry_out(decider, act, [preference_id], changes)[preference_id]


def undo(decider: Decider, act: Act, version_id: UUID) -> list[Preference]:
    """Take back a change, with all rows that it concerned; return them. A further version each, none is deleted."""
    with decider.database.transaction(user_id=act.user_id) as repositories:
        version = repositories.history.get_version(act.user_id, version_id)
        anchor = anchor_of(version)
        together = repositories.history.list_made_together(act.user_id, version, anchor) if anchor else [version]

    by_row = to_undo(version, together)

    def changes(rows: Mapping[UUID, Preference], now: datetime) -> list[_Change]:
        backs = [(rows[pid], undone(rows[pid], versions, now=now)) for pid, versions in by_row.items()]
        return [_Change(before, after, event_of(before, after)) for before, after in backs]

    details = {"undone": [str(one.version_id) for versions in by_row.values() for one in versions]}
    dropped = [(pid, span) for pid, versions in by_row.items() for one in versions for span in _spans_added(one)]
    rows = _carry_out(decider, act, list(by_row), changes, details=details, dropped=dropped)
    return [rows[pid] for pid in by_row]


def _carry_out(
    decider: Decider,
    act: Act,
    ids: Sequence[UUID],
    changes: Changes,
    *,
    details: dict[str, Any] | None = None,
    dropped: Sequence[tuple[UUID, tuple[UUID, int]]] = (),
) -> dict[UUID, Preference]:
    with decider.database.transaction(user_id=act.user_id) as repositories:
        seen = _rows(repositories, act.user_id, ids)

    # Checked before anything is paid for; what counts is the same under the lock.
    foreseen = changes(seen, datetime.now(UTC))
    texts = {c.after.statement for c in foreseen if c.after.statement and c.after.statement != c.before.statement}
    vectors = _embed(decider, act.user_id, sorted(texts))

    with decider.database.transaction(user_id=act.user_id) as repositories:
        repositories.preferences.lock_user(act.user_id)
        rows = _rows(repositories, act.user_id, ids)
        plan = Plan(user_id=act.user_id, actor=act.actor, run_id=None, now=datetime.now(UTC))
        for change in changes(rows, plan.now):
            if change.after is change.before:
                continue
            plan.change(change.before, change.after, change.event, act.reason, details or {})
            if change.after.statement != change.before.statement and change.after.statement in vectors:
                plan.vectors[change.before.preference_id] = vectors[change.after.statement]
        write_plan(repositories, plan, bank=decider.bank, model_id=decider.model_id)
        if plan.versions and dropped:
            repositories.history.drop_evidence(act.user_id, dropped)
        rows = _rows(repositories, act.user_id, ids)
    decider.keep_up(plan)
    return rows


def _rows(repositories: Repositories, user_id: str, ids: Sequence[UUID]) -> dict[UUID, Preference]:
    rows = {p.preference_id: p for p in repositories.preferences.list_by_ids(user_id, ids)}
    for preference_id in ids:
        if preference_id not in rows:
            raise NotFound(f"user {user_id} has no preference {preference_id}")
    return rows


def _embed(decider: Decider, user_id: str, texts: Sequence[str]) -> dict[str, Vector]:
    """Return vectors of the texts; none when the embedder cannot answer now, embed_missing() makes them later."""
    if not texts:
        return {}
    try:
        decider.bank()  # now: a model that has none shipped must not embed it while the lock is held
        with serving(user_id):
            return dict(zip(texts, embed_documents(decider.embedder, texts), strict=True))
    except ProviderError:
        return {}


def _spans_added(version: Version) -> list[tuple[UUID, int]]:
    """Return (message, start) of the evidence that a merge has brought to the row."""
    return [(UUID(message_id), start) for message_id, start in version.details.get("evidence_added", ())]
