"""What was read of a dialog -> decisions, runs and read marks, in one transaction; and what failed, on record."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final, TypeVar
from uuid import UUID

from prefmem_pg.db.runs import NewRun
from prefmem_pg.db.session import Repositories
from prefmem_pg.domain.reports import ExtractionReport
from prefmem_pg.domain.withdrawals import Remark
from prefmem_pg.providers.protocols import PreferenceExtractor
from prefmem_pg.steps.decide import Decider
from prefmem_pg.steps.goals import attach
from prefmem_pg.steps.plan import Outcome
from prefmem_pg.steps.reading import Read

R = TypeVar("R", bound=Remark)

MAX_ATTEMPTS: Final = 3
"""Tries before a stretch of messages is parked, so that a poisoned one does not block the others for ever."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Whose dialog is read, by what, and in which pass; ``again`` reads what was read before."""

    decider: Decider
    extractor: PreferenceExtractor
    user_id: str
    dialog_id: str
    pass_: int = 1
    again: bool = False

    @property
    def version(self) -> str:
        return f"{self.extractor.name}/{self.extractor.version}"


def store(reading: Reading, reads: Sequence[Read]) -> ExtractionReport:
    """Decide and store the chunks that were read, all or nothing; record those that failed. Return the counts."""
    failed = [read for read in reads if read.failure is not None]
    done = [read for read in reads if read.failure is None]
    report = ExtractionReport()
    if failed:
        report = report.plus(record_failures(reading, failed))
    return report.plus(_store_done(reading, done)) if done else report


def _store_done(reading: Reading, done: Sequence[Read]) -> ExtractionReport:
    candidates = [replace(one, dialog_id=reading.dialog_id) for read in done for one in read.candidates]
    owners = [read for read in done for _ in read.candidates]
    withdrawals = _in_order([(read, read.withdrawals) for read in done])
    order = [message_id for read in done for message_id in read.new_ids]
    candidates, follow_ups = attach(candidates, [one for read in done for one in read.follow_ups], order)

    def claim(repositories: Repositories, outcomes: Sequence[Outcome]) -> bool:
        return _claim(repositories, reading, done, owners, outcomes)

    decisions = reading.decider.decide(
        reading.user_id,
        candidates,
        actor=reading.extractor.name,
        run_id=done[0].run_id,
        claim=claim,
        withdrawals=withdrawals,
        reached=_in_order([(read, read.reached) for read in done]),
        follow_ups=follow_ups,
    )
    if decisions is None:
        return ExtractionReport(skipped=1)
    counts: dict[str, Any] = Counter(  # Any: the counts go to fields of the report by name
        "waiting" if decision.preference is None else decision.action for decision in decisions
    )
    counts |= {
        "messages": len(order),
        "candidates": len(candidates),
        "ungrounded": sum(sum(read.refused.values()) for read in done),
        "withdrawals": len(withdrawals),
    }
    return ExtractionReport(runs=len(done), **counts)


def _in_order(remarks: Sequence[tuple[Read, Sequence[R]]]) -> list[R]:
    """Return the remarks of all chunks; what earlier chunks hold was said before them."""
    earlier: frozenset[UUID] = frozenset()
    found: list[R] = []
    for read, own in remarks:
        found += [replace(one, said=one.said | earlier) for one in own]
        earlier |= frozenset(read.new_ids)
    return found


def _claim(
    repositories: Repositories,
    reading: Reading,
    done: Sequence[Read],
    owners: Sequence[Read],
    outcomes: Sequence[Outcome],
) -> bool:
    """Write the runs and the read marks, unless another process has read these messages meanwhile."""
    ids = [message_id for read in done for message_id in read.new_ids]
    known = (
        len(repositories.messages.list_by_ids(reading.user_id, ids))
        if reading.again
        else repositories.runs.count_unread(reading.user_id, ids)
    )
    if known < len(ids):  # read, or forgotten
        return False
    actions: dict[UUID, Counter[str]] = {read.run_id: Counter() for read in done}
    for read, outcome in zip(owners, outcomes, strict=False):
        actions[read.run_id][outcome.action] += 1
    runs = [_as_run(reading, read, state="done", counts=actions[read.run_id]) for read in done]
    ids_by_hash = repositories.runs.add_runs(reading.user_id, runs)
    if len(ids_by_hash) < len(runs):
        return False
    _adopt_calls(repositories, reading, done, ids_by_hash)
    for read in done:
        repositories.runs.mark_read(reading.user_id, read.new_ids, run_id=ids_by_hash[read.input_hash])
    return True


def record_failures(reading: Reading, failed: Sequence[Read]) -> ExtractionReport:
    """Write down what failed. What nobody answered is tried again without end; all else is parked at its third try.

    What a model declined is parked at once: it would decline again.
    """
    parked = 0
    with reading.decider.database.transaction(user_id=reading.user_id) as repositories:
        if repositories.preferences.lock_known_user(reading.user_id) is None:
            return ExtractionReport(skipped=1)  # erased meanwhile
        for read in failed:
            if _record(repositories, reading, read) == "parked":
                parked += 1
    errors = {f"{reading.user_id}/{reading.dialog_id}": read.error or "" for read in failed}
    return ExtractionReport(failed=len(failed) - parked, parked=parked, errors=errors)


def _record(repositories: Repositories, reading: Reading, read: Read) -> str:
    tried = repositories.runs.attempts(
        reading.user_id, read.input_hash, extractor_version=reading.version, pass_=reading.pass_
    )
    is_lost = read.failure == "refused" or (read.failure == "invalid" and tried + 1 >= MAX_ATTEMPTS)
    run = _as_run(reading, read, state="parked" if is_lost else "failed", counts=Counter())
    ids = repositories.runs.add_runs(reading.user_id, [run])
    _adopt_calls(repositories, reading, [read], ids)
    if is_lost:
        # Read marks keep a parked stretch out of later calls; its run says that it was not understood.
        repositories.runs.mark_read(reading.user_id, read.new_ids, run_id=ids.get(read.input_hash, read.run_id))
    return run.state


def _adopt_calls(
    repositories: Repositories, reading: Reading, reads: Sequence[Read], ids_by_hash: Mapping[bytes, UUID]
) -> None:
    """Let what a further try of the same messages has cost count for the run that keeps their record."""
    kept = {read.run_id: ids_by_hash.get(read.input_hash, read.run_id) for read in reads}
    repositories.runs.adopt_calls(reading.user_id, {tried: run for tried, run in kept.items() if tried != run})


def _as_run(reading: Reading, read: Read, *, state: str, counts: Counter[str]) -> NewRun:
    now = datetime.now(UTC)
    refused = {f"refused: {reason}": count for reason, count in read.refused.items()}
    return NewRun(
        run_id=read.run_id,
        dialog_id=reading.dialog_id,
        input_hash=read.input_hash,
        extractor=reading.extractor.name,
        extractor_version=reading.version,
        model=reading.extractor.model,
        prompt_version=getattr(reading.extractor, "prompt_version", None),
        pass_=reading.pass_,
        state=state,
        attempts=0 if read.failure == "unavailable" else 1,
        counts={"messages": len(read.new_ids), "candidates": len(read.candidates), **refused, **counts},
        error=read.error,
        started_at=now,
        finished_at=now,
    )
