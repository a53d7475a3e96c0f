"""Batches that a provider has answered -> decisions, by the way that every answer goes; then deleted over there."""

import logging
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Final

from prefmem_pg.db.batches import BatchItem, BatchRow, collecting_alone
from prefmem_pg.db.runs import UnreadDialog
from prefmem_pg.domain.reports import ExtractionReport
from prefmem_pg.errors import (
    InvalidAnswer,
    NotFound,
    PrefmemError,
    ProviderError,
    ProviderUnavailable,
    Truncated,
    described,
)
from prefmem_pg.providers.chat.asking import outcome_of
from prefmem_pg.providers.chat.schemas import EXTRACTION
from prefmem_pg.providers.protocols import BatchResult, ChatRequest, Chunk
from prefmem_pg.steps.chunks import as_chunk
from prefmem_pg.steps.reading import Outage, Read, as_read, failed, halve, read_all
from prefmem_pg.steps.store_reads import Reading, store
from prefmem_pg.steps.submit_batches import ORPHANED_AFTER, BatchReader, settle_orphans

log = logging.getLogger(__name__)

_MISSING: Final = BatchResult(item_id="", state="expired", error="the provider gave no result for it")
_STATES: Final = ("succeeded", "errored", "expired", "canceled")


def collect_batches(reader: BatchReader, *, orphaned_after: timedelta = ORPHANED_AFTER) -> ExtractionReport:
    """Deal with every batch that has ended; return the counts. One that has not is left for a later call.

    Each answer is stored by itself, as if it had just come: a second call, or one after a crash, goes on where the
    first left off. What expired or was canceled is unread again; what failed by its own fault is parked in the end.
    A batch that cannot be collected is named in ``errors`` and does not hold up the others. While another process
    collects, this one does nothing and says so.
    """
    with collecting_alone(reader.database.engine) as is_alone:
        if not is_alone:
            return ExtractionReport(skipped=1, errors={"batches": "another process is collecting them now"})
        settle_orphans(reader.database, reader.model, orphaned_after=orphaned_after)
        with reader.database.transaction(user_id=None) as repositories:
            batches = [batch for batch in repositories.batches.list_open() if batch.provider_batch_id is not None]

        total = ExtractionReport()
        for batch in batches:
            total = total.plus(_collect(reader, batch))
        return total


def _collect(reader: BatchReader, batch: BatchRow) -> ExtractionReport:
    assert batch.provider_batch_id is not None, "only what was taken is collected"
    report, name = ExtractionReport(), f"batch {batch.provider_batch_id}"
    try:
        if batch.state == "submitted":
            if not reader.model.has_ended(batch.provider_batch_id):
                return report
            report = _store_results(reader, batch, _by_item(reader.model.results(batch.provider_batch_id)))
        reader.model.delete(batch.provider_batch_id)
    except NotFound:
        lost = _forget(reader, batch)
        return ExtractionReport(errors={name: f"the provider has it no more: {lost} requests are unread again"})
    except ProviderError as exc:
        log.warning("a batch was not collected", extra={"batch": batch.provider_batch_id, "error": type(exc).__name__})
        return report.plus(ExtractionReport(errors={name: f"is tried again later: {exc}"}))
    with reader.database.transaction(user_id=None) as repositories:
        repositories.batches.set_state(batch.batch_id, "collected")
    return report


def _by_item(results: Iterable[BatchResult]) -> dict[str, BatchResult]:
    """Return the result of each item; of several the first that holds an answer, which was paid."""
    found: dict[str, BatchResult] = {}
    for result in results:
        if result.item_id not in found or found[result.item_id].answer is None:
            found[result.item_id] = result
    return found


def _forget(reader: BatchReader, batch: BatchRow) -> int:
    with reader.database.transaction(user_id=None) as repositories:
        repositories.batches.set_state(batch.batch_id, "failed", error="the provider has no such batch any more")
        return repositories.batches.release(batch.batch_id, "expired", error="its batch is gone", may_be_paid=True)


def _store_results(reader: BatchReader, batch: BatchRow, results: Mapping[str, BatchResult]) -> ExtractionReport:
    with reader.database.transaction(user_id=None) as repositories:
        items = repositories.batches.list_waiting(batch.batch_id)

    report = ExtractionReport()
    for item in items:
        result = results.get(str(item.item_id), _MISSING)
        report = report.plus(_store_item(reader, item, _chunk(reader, item), result))

    counts = {state: sum(1 for one in results.values() if one.state == state) for state in _STATES}
    with reader.database.transaction(user_id=None) as repositories:
        repositories.batches.set_state(batch.batch_id, "ended", counts=counts)
    return report


def _chunk(reader: BatchReader, item: BatchItem) -> Chunk | None:
    """Return what an item showed; None when messages of it were forgotten since, so that numbers are off."""
    with reader.database.transaction(user_id=None) as repositories:
        messages = {m.message_id: m for m in repositories.messages.list_by_ids(item.user_id, item.message_ids)}
        zone = repositories.runs.time_zone(item.user_id)
    if len(messages) < len(item.message_ids):
        return None
    shown = tuple(messages[message_id] for message_id in item.message_ids)
    dialog = UnreadDialog(user_id=item.user_id, dialog_id=shown[0].dialog_id, unread=0, time_zone=zone)
    return as_chunk(dialog, shown, item.first_new)


def _store_item(reader: BatchReader, item: BatchItem, chunk: Chunk | None, result: BatchResult) -> ExtractionReport:
    _settle(reader, item, chunk, result)
    if chunk is None:
        _end(reader, item, "canceled", "messages of it are gone")
        return ExtractionReport()

    reads, stopped = _reads(reader, item, chunk, result)
    reading = Reading(
        decider=reader.decider, extractor=reader.extractor, user_id=item.user_id, dialog_id=chunk.dialog_id
    )
    report = ExtractionReport(dialogs=1).plus(store(reading, reads))
    state, error = result.state, result.error
    failures = [read.error for read in reads if read.failure is not None]
    if stopped is not None:
        failures.append(str(stopped))
        report = report.plus(ExtractionReport(errors={f"{item.user_id}/{chunk.dialog_id}": described(stopped)}))
    if failures and state == "succeeded":
        state, error = "errored", failures[0]
    _end(reader, item, state, error)
    return report


def _settle(reader: BatchReader, item: BatchItem, chunk: Chunk | None, result: BatchResult) -> None:
    if result.answer is None:
        reader.ledger.settle(item, outcome=result.state, may_be_paid=result is _MISSING)
        return
    outcome = outcome_of(result.answer, EXTRACTION)
    question = _question(reader, chunk) if reader.ledger.keeps else None
    reader.ledger.settle(item, outcome=outcome, answer=result.answer, question=question)


def _question(reader: BatchReader, chunk: Chunk | None) -> ChatRequest | None:
    try:
        return None if chunk is None else reader.extractor.question(chunk)
    except Truncated:  # it was sent when more was let through
        return None


def _end(reader: BatchReader, item: BatchItem, state: str, error: str | None) -> None:
    with reader.database.transaction(user_id=None) as repositories:
        repositories.batches.end_item(item.user_id, item.item_id, state, error=error)


def _reads(
    reader: BatchReader, item: BatchItem, chunk: Chunk, result: BatchResult
) -> tuple[list[Read], PrefmemError | None]:
    """Return what was read of an item, and what kept the rest of it from being asked for.

    An answer that was cut is asked for in halves, here and now, and so is a request that was too long; what may not be
    asked stays unread.
    """
    try:
        if result.answer is None:
            raise _failure(result)
        found = reader.extractor.read(chunk, result.answer)
    except Truncated:
        return read_all(reader.extractor, halve(chunk) or [chunk], Outage())
    except ProviderError as exc:
        return [failed(chunk, item.run_id, exc)], None
    return [as_read(reader.extractor, chunk, item.run_id, found)], None


def _failure(result: BatchResult) -> ProviderError:
    why = result.error or f"{result.state} at the provider"
    if result.is_too_long:
        return Truncated(why)
    return InvalidAnswer(why) if result.is_lasting else ProviderUnavailable(why)
