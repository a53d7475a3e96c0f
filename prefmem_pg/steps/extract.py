"""Unread messages -> candidates with evidence -> decisions, a dialog at a time."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Final

from prefmem_pg.db.claims import Claims, dialog_claims
from prefmem_pg.db.runs import UnreadDialog
from prefmem_pg.db.session import Database
from prefmem_pg.domain.reports import ExtractionReport
from prefmem_pg.errors import BudgetExceeded
from prefmem_pg.providers.protocols import Chunk, PreferenceExtractor
from prefmem_pg.steps.chunks import as_chunk, cut_chunks
from prefmem_pg.steps.decide import Decider
from prefmem_pg.steps.reading import Outage, read_all
from prefmem_pg.steps.side_by_side import side_by_side
from prefmem_pg.steps.store_reads import Reading, store

USERS_A_PAGE: Final = 100
CHUNKS_A_TRANSACTION: Final = 20
"""Chunks of one dialog that are decided together: what a kill costs, and what a lock is held for."""
PAID_CHUNKS_A_TRANSACTION: Final = 1
"""What a provider has answered is stored before it is asked again, so that a kill costs one answer a worker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which messages to read. ``again`` reads those that were read before as well, in a new pass."""

    user_id: str | None = None
    dialog_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    again: bool = False


@dataclass(frozen=True, slots=True)
class _Job:
    """One call of extract(): what its workers share."""

    decider: Decider
    extractor: PreferenceExtractor
    scope: Scope
    claims: Claims
    outage: Outage = field(default_factory=Outage)
    spent: dict[str, BudgetExceeded] = field(default_factory=dict)
    """Users whose own budget is spent: theirs waits, and the others go on."""

    def is_over(self, user_id: str) -> bool:
        """Say whether nothing more of a user is to be read by this call."""
        return self.outage.is_on or user_id in self.spent


def extract(
    decider: Decider,
    extractor: PreferenceExtractor,
    scope: Scope,
    *,
    workers: int = 1,
    on_dialog: Callable[[ExtractionReport], None] | None = None,
) -> ExtractionReport:
    """Read every unread message in scope and decide what is found; return the counts.

    Each stretch of chunks of a dialog is one transaction: candidates, decisions, run and read marks together. What
    fails is recorded with its run and tried again by the next call; what fails by its own fault is parked after three
    tries. ``workers`` read dialogs of different users side by side. Of calls at once one asks a paid model; the second
    waits for the dialog, and finds it read (batches in flight are not waited for). When the provider is down for good,
    a key is wrong or a budget is spent, the rest stays unread; the latter two are raised once what was read is stored.
    A user whose own budget is spent holds up nobody else.
    """
    total = ExtractionReport()
    groups = (list(dialogs) for _, dialogs in groupby(list_dialogs(decider.database, scope), lambda d: d.user_id))

    with dialog_claims(decider.database.engine, are_needed=calls_provider(extractor)) as claims:
        job = _Job(decider, extractor, scope, claims)
        for report in side_by_side(groups, lambda dialog: _extract_dialog(job, dialog), workers=workers):
            total = total.plus(report)
            if on_dialog is not None and report.dialogs:
                on_dialog(report)
    if job.spent:
        raise next(iter(job.spent.values()))
    if job.outage.is_on:
        total = total.plus(ExtractionReport(errors={"provider": "is not available: the rest stays unread for now"}))
    return total


def cut_dialog(database: Database, dialog: UnreadDialog, scope: Scope) -> tuple[list[Chunk], int]:
    """Return the chunks of what is to be read of a dialog, and the number of the pass."""
    with database.transaction(user_id=dialog.user_id) as repositories:
        unread = repositories.runs.unread_ids(
            dialog.user_id, dialog.dialog_id, since=scope.since, until=scope.until, again=scope.again
        )
        if not unread:
            return [], 1
        messages = repositories.messages.list_dialog(dialog.user_id, dialog.dialog_id)
        pass_ = repositories.runs.last_pass(dialog.user_id, dialog.dialog_id) + 1 if scope.again else 1
    return [as_chunk(dialog, *cut) for cut in cut_chunks(messages, frozenset(unread))], pass_


def list_dialogs(database: Database, scope: Scope) -> Iterator[UnreadDialog]:
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


def _extract_dialog(job: _Job, dialog: UnreadDialog) -> ExtractionReport:
    if job.is_over(dialog.user_id):
        return ExtractionReport()
    with job.claims.hold(dialog.user_id, dialog.dialog_id):
        # Asked again: it may have ended for this user while the dialog was waited for.
        return ExtractionReport() if job.is_over(dialog.user_id) else _extract_claimed(job, dialog)


def _extract_claimed(job: _Job, dialog: UnreadDialog) -> ExtractionReport:
    chunks, pass_ = cut_dialog(job.decider.database, dialog, job.scope)
    if not chunks:
        return ExtractionReport()

    reading = Reading(
        decider=job.decider,
        extractor=job.extractor,
        user_id=dialog.user_id,
        dialog_id=dialog.dialog_id,
        pass_=pass_,
        again=job.scope.again,
    )
    step = PAID_CHUNKS_A_TRANSACTION if calls_provider(job.extractor) else CHUNKS_A_TRANSACTION
    report = ExtractionReport(dialogs=1)
    for first in range(0, len(chunks), step):
        reads, stopped = read_all(job.extractor, chunks[first : first + step], job.outage)
        report = report.plus(store(reading, reads))
        if isinstance(stopped, BudgetExceeded) and stopped.user_id is not None:
            job.spent[stopped.user_id] = stopped
            break
        if stopped is not None:
            raise stopped
    return report


def calls_provider(extractor: PreferenceExtractor) -> bool:
    """Say whether an extractor pays for its answers."""
    return bool(getattr(extractor, "calls_provider", False))
