"""Unread messages -> candidates with evidence -> decisions, a dialog at a time."""

import hashlib
import logging
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from prefmem_pg.db.runs import NewRun, UnreadDialog
from prefmem_pg.db.session import Database, Repositories
from prefmem_pg.domain.ids import new_id
from prefmem_pg.domain.preferences import Candidate
from prefmem_pg.domain.reports import ExtractionReport
from prefmem_pg.domain.text import MAX_STATEMENT_CHARACTERS
from prefmem_pg.domain.withdrawals import Withdrawal
from prefmem_pg.errors import PrefmemError
from prefmem_pg.providers.offline.follow_ups import FollowUp, find_follow_ups
from prefmem_pg.providers.offline.withdrawal_phrases import is_command
from prefmem_pg.providers.offline.withdrawals import find_withdrawals
from prefmem_pg.providers.protocols import Chunk, PreferenceExtractor
from prefmem_pg.steps.chunks import as_chunk, cut_chunks
from prefmem_pg.steps.decide import Decider
from prefmem_pg.steps.goals import attach
from prefmem_pg.steps.plan import Outcome

log = logging.getLogger(__name__)

USERS_A_PAGE: Final = 100
CHUNKS_A_TRANSACTION: Final = 20
"""Chunks of one dialog that are decided together: what a kill costs, and what a lock is held for."""
MAX_ATTEMPTS: Final = 3
"""Tries before a stretch of messages is parked, so that a poisoned one does not block the others for ever."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which messages to read. ``again`` reads those that were read before as well, in a new pass."""

    user_id: str | None = None
    dialog_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    again: bool = False


@dataclass(frozen=True, slots=True)
class _Read:
    """A chunk with what was found in it, or why nothing could be found."""

    chunk: Chunk
    run_id: UUID
    input_hash: bytes
    candidates: tuple[Candidate, ...] = ()
    withdrawals: tuple[Withdrawal, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()
    error: str | None = None

    @property
    def new_ids(self) -> list[UUID]:
        return [message.message_id for message in self.chunk.messages[self.chunk.first_new :]]


def extract(
    decider: Decider,
    extractor: PreferenceExtractor,
    scope: Scope,
    *,
    on_dialog: Callable[[ExtractionReport], None] | None = None,
) -> ExtractionReport:
    """Read every unread message in scope and decide what is found; return the counts.

    Each stretch of up to 20 chunks of a dialog is one transaction: candidates, decisions, run and read marks together.
    What fails is recorded with its run, tried again by the next call, and parked after three tries; the rest goes on.
    """
    total = ExtractionReport()
    for dialog in _dialogs(decider.database, scope):
        report = _extract_dialog(decider, extractor, dialog, scope)
        total = total.plus(report)
        if on_dialog is not None:
            on_dialog(report)
    return total


def _dialogs(database: Database, scope: Scope) -> Iterator[UnreadDialog]:
    """Yield the dialogs in scope, user by user, a user's in order of time, so that the newest statement comes last."""
    after: str | None = None
    while True:
        with database.transaction(user_id=scope.user_id) as repositories:
            users = repositories.runs.list_users(
                user_id=scope.user_id, again=scope.again, after=after, limit=USERS_A_PAGE
            )
            dialogs = repositories.runs.list_dialogs(
                users,
                dialog_id=scope.dialog_id,
                since=scope.since,
                until=scope.until,
                again=scope.again,
            )
        yield from dialogs
        if len(users) < USERS_A_PAGE:
            return
        after = users[-1]


def _extract_dialog(
    decider: Decider, extractor: PreferenceExtractor, dialog: UnreadDialog, scope: Scope
) -> ExtractionReport:
    with decider.database.transaction(user_id=dialog.user_id) as repositories:
        unread = repositories.runs.unread_ids(
            dialog.user_id, dialog.dialog_id, since=scope.since, until=scope.until, again=scope.again
        )
        messages = repositories.messages.list_dialog(dialog.user_id, dialog.dialog_id)
        pass_ = repositories.runs.last_pass(dialog.user_id, dialog.dialog_id) + 1 if scope.again else 1

    report = ExtractionReport(dialogs=1)
    chunks = [as_chunk(dialog, *cut) for cut in cut_chunks(messages, frozenset(unread))]
    for first in range(0, len(chunks), CHUNKS_A_TRANSACTION):
        reads = [_read(extractor, chunk) for chunk in chunks[first : first + CHUNKS_A_TRANSACTION]]
        report = report.plus(_store(decider, extractor, dialog, reads, pass_=pass_, again=scope.again))
    return report


def _read(extractor: PreferenceExtractor, chunk: Chunk) -> _Read:
    """Ask the extractor; a failure of any kind stays with the chunk that caused it."""
    run_id = new_id()
    new = chunk.messages[chunk.first_new :]
    input_hash = hashlib.sha256(b"".join(m.message_id.bytes + m.content.encode() for m in new)).digest()
    try:
        found = extractor.extract(chunk)
    except PrefmemError as exc:
        return _Read(chunk, run_id, input_hash, error=str(exc))
    # An extractor of the caller's own may raise anything: one bad chunk must not sink the others.
    except Exception as exc:
        log.exception("the extractor failed", extra={"extractor": extractor.name, "dialog_id": chunk.dialog_id})
        return _Read(chunk, run_id, input_hash, error=f"{type(exc).__name__}: {exc}")
    sound = tuple(candidate for candidate in found if is_sound(candidate, chunk))
    withdrawals = tuple(find_withdrawals(chunk, sound))
    return _Read(chunk, run_id, input_hash, sound, withdrawals, tuple(find_follow_ups(chunk)))


def is_sound(candidate: Candidate, chunk: Chunk) -> bool:
    """Say whether a candidate has a usable statement and evidence in what the user said in the new messages."""
    said = {m.message_id: m.content for m in chunk.messages[chunk.first_new :] if m.role == "user"}
    return (
        bool(candidate.statement.strip())
        and not is_command(candidate.statement)
        and len(candidate.statement) <= MAX_STATEMENT_CHARACTERS
        and bool(candidate.evidence)
        and all(
            span.message_id in said and said[span.message_id][span.start : span.end] == span.quote != ""
            for span in candidate.evidence
        )
    )


def _store(
    decider: Decider,
    extractor: PreferenceExtractor,
    dialog: UnreadDialog,
    reads: Sequence[_Read],
    *,
    pass_: int,
    again: bool,
) -> ExtractionReport:
    """Decide and store the chunks that were read; record those that failed."""
    failed = [read for read in reads if read.error is not None]
    done = [read for read in reads if read.error is None]
    report = ExtractionReport()
    if failed:
        report = report.plus(_record_failures(decider, extractor, dialog, failed, pass_=pass_))
    if not done:
        return report
    candidates = [replace(candidate, dialog_id=dialog.dialog_id) for read in done for candidate in read.candidates]
    owners = [read for read in done for _ in read.candidates]
    withdrawals = _withdrawals(done)
    order = [message_id for read in done for message_id in read.new_ids]
    candidates, follow_ups = attach(candidates, [one for read in done for one in read.follow_ups], order)

    def claim(repositories: Repositories, outcomes: Sequence[Outcome]) -> bool:
        return _claim(repositories, extractor, dialog, done, owners, outcomes, pass_=pass_, again=again)

    decisions = decider.decide(
        dialog.user_id,
        candidates,
        actor=extractor.name,
        run_id=done[0].run_id,
        claim=claim,
        withdrawals=withdrawals,
        follow_ups=follow_ups,
    )
    if decisions is None:
        return report.plus(ExtractionReport(skipped=1))
    counts: dict[str, Any] = Counter(  # Any: the counts go to fields of the report by name
        "waiting" if decision.preference is None else decision.action for decision in decisions
    )
    read_messages = sum(len(read.new_ids) for read in done)
    counts |= {"messages": read_messages, "candidates": len(candidates), "withdrawals": len(withdrawals)}
    return report.plus(ExtractionReport(runs=len(done), **counts))


def _withdrawals(done: Sequence[_Read]) -> list[Withdrawal]:
    """Return what all chunks take back; what earlier chunks hold was said before it."""
    earlier: frozenset[UUID] = frozenset()
    found = []
    for read in done:
        found += [replace(one, said=one.said | earlier) for one in read.withdrawals]
        earlier |= frozenset(read.new_ids)
    return found


def _claim(
    repositories: Repositories,
    extractor: PreferenceExtractor,
    dialog: UnreadDialog,
    done: Sequence[_Read],
    owners: Sequence[_Read],
    outcomes: Sequence[Outcome],
    *,
    pass_: int,
    again: bool,
) -> bool:
    """Write the runs and the read marks, unless another process has read these messages meanwhile."""
    ids = [message_id for read in done for message_id in read.new_ids]
    known = (
        len(repositories.messages.list_by_ids(dialog.user_id, ids))
        if again
        else repositories.runs.count_unread(dialog.user_id, ids)
    )
    if known < len(ids):  # read, or forgotten
        return False
    now = datetime.now(UTC)
    actions: dict[UUID, Counter[str]] = {read.run_id: Counter() for read in done}
    for read, outcome in zip(owners, outcomes, strict=False):
        actions[read.run_id][outcome.action] += 1
    runs = [
        _as_run(extractor, dialog, read, pass_=pass_, state="done", now=now, counts=actions[read.run_id])
        for read in done
    ]
    if len(repositories.runs.add_runs(dialog.user_id, runs)) < len(runs):
        return False
    for read in done:
        repositories.runs.mark_read(dialog.user_id, read.new_ids, run_id=read.run_id)
    return True


def _record_failures(
    decider: Decider, extractor: PreferenceExtractor, dialog: UnreadDialog, failed: Sequence[_Read], *, pass_: int
) -> ExtractionReport:
    version = _version(extractor)
    now = datetime.now(UTC)
    parked = 0
    with decider.database.transaction(user_id=dialog.user_id) as repositories:
        if repositories.preferences.lock_known_user(dialog.user_id) is None:
            return ExtractionReport(skipped=1)  # erased meanwhile
        for read in failed:
            tried = repositories.runs.attempts(dialog.user_id, read.input_hash, extractor_version=version, pass_=pass_)
            state = "parked" if tried + 1 >= MAX_ATTEMPTS else "failed"
            run = _as_run(extractor, dialog, read, pass_=pass_, state=state, now=now, counts=Counter())
            ids = repositories.runs.add_runs(dialog.user_id, [run])
            if state == "parked":
                parked += 1
                # Read marks keep a parked stretch out of later calls; its run says that it was not understood.
                repositories.runs.mark_read(dialog.user_id, read.new_ids, run_id=ids.get(read.input_hash, read.run_id))
    errors = {f"{dialog.user_id}/{dialog.dialog_id}": read.error or "" for read in failed}
    return ExtractionReport(failed=len(failed) - parked, parked=parked, errors=errors)


def _as_run(
    extractor: PreferenceExtractor,
    dialog: UnreadDialog,
    read: _Read,
    *,
    pass_: int,
    state: str,
    now: datetime,
    counts: Counter[str],
) -> NewRun:
    return NewRun(
        run_id=read.run_id,
        dialog_id=dialog.dialog_id,
        input_hash=read.input_hash,
        extractor=extractor.name,
        extractor_version=_version(extractor),
        model=extractor.model,
        prompt_version=getattr(extractor, "prompt_version", None),
        pass_=pass_,
        state=state,
        attempts=1,
        counts={"messages": len(read.new_ids), "candidates": len(read.candidates), **counts},
        error=read.error,
        started_at=now,
        finished_at=now,
    )


def _version(extractor: PreferenceExtractor) -> str:
    return f"{extractor.name}/{extractor.version}"
