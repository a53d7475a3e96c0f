"""Batches that a provider has answered -> decisions, by the way that every answer goes; then deleted over there."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from typing import Final

from prefmem_pg.db.batches import BatchItem, BatchRow
from prefmem_pg.db.runs import UnreadDialog
from prefmem_pg.domain.reports import ExtractionReport
from prefmem_pg.errors import InvalidAnswer, NotFound, ProviderError, ProviderUnavailable, Truncated
from prefmem_pg.providers.chat.extractor import ChatExtractor
from prefmem_pg.providers.protocols import BatchModel, BatchResult, ChatAnswer, ChatRequest, Chunk
from prefmem_pg.steps.chunks import as_chunk
from prefmem_pg.steps.decide import Decider
from prefmem_pg.steps.reading import Read, as_read, failed, halve, read_chunk
from prefmem_pg.steps.store_reads import Reading, store
from prefmem_pg.steps.submit_batches import ORPHANED_AFTER, settle_orphans

Note = Callable[[BatchItem, ChatRequest, ChatAnswer], None]
"""Puts an answer into the ledger, for the user of the item."""

_MISSING: Final = BatchResult(item_id="", state="expired", error="the provider gave no result for it")


@dataclass(frozen=True, slots=True, kw_only=True)
class Collecting:
    """What collecting needs. ``note`` None: no ledger is kept."""

    decider: Decider
    extractor: ChatExtractor
    model: BatchModel
    note: Note | None = None


def collect_batches(collecting: Collecting, *, orphaned_after: timedelta = ORPHANED_AFTER) -> ExtractionReport:
    """Deal with every batch that has ended; return the counts. One that has not is left for a later call.

    Each answer is stored by itself, as if it had just come: a second call, or one after a crash, goes on where the
    first left off. What expired or was canceled is unread again; what failed by its own fault is parked in the end.
    """
    database = collecting.decider.database
    settle_orphans(database, collecting.model, orphaned_after=orphaned_after)
    with database.transaction(user_id=None) as repositories:
        batches = [batch for batch in repositories.batches.list_open() if batch.provider_batch_id is not None]

    total = ExtractionReport()
    for batch in batches:
        total = total.plus(_collect(collecting, batch))
    return total


def _collect(collecting: Collecting, batch: BatchRow) -> ExtractionReport:
    assert batch.provider_batch_id is not None, "only what was taken is collected"
    report = ExtractionReport()
    if batch.state == "submitted":
        try:
            if not collecting.model.has_ended(batch.provider_batch_id):
                return report
            results = {result.item_id: result for result in collecting.model.results(batch.provider_batch_id)}
        except NotFound:
            _forget(collecting, batch)
            return report
        report = _store_results(collecting, batch, results)

    collecting.model.delete(batch.provider_batch_id)
    with collecting.decider.database.transaction(user_id=None) as repositories:
        repositories.batches.set_state(batch.batch_id, "collected")
    return report


def _forget(collecting: Collecting, batch: BatchRow) -> None:
    with collecting.decider.database.transaction(user_id=None) as repositories:
        repositories.batches.set_state(batch.batch_id, "failed", error="the provider has no such batch any more")
        repositories.batches.release(batch.batch_id, "expired", error="its batch is gone")


def _store_results(collecting: Collecting, batch: BatchRow, results: Mapping[str, BatchResult]) -> ExtractionReport:
    database = collecting.decider.database
    with database.transaction(user_id=None) as repositories:
        items = repositories.batches.list_waiting(batch.batch_id)

    report = ExtractionReport()
    for user_id, own in groupby(items, lambda item: item.user_id):
        for item, chunk in _chunks(collecting, user_id, list(own)):
            result = results.get(str(item.item_id), _MISSING)
            report = report.plus(_store_item(collecting, item, chunk, result))

    counts = {state: sum(1 for one in results.values() if one.state == state) for state in _STATES}
    with database.transaction(user_id=None) as repositories:
        repositories.batches.set_state(batch.batch_id, "ended", counts=counts)
    return report


_STATES: Final = ("succeeded", "errored", "expired", "canceled")


def _chunks(
    collecting: Collecting, user_id: str, items: Sequence[BatchItem]
) -> Iterator[tuple[BatchItem, Chunk | None]]:
    """Yield each item with what it showed; None when messages of it were forgotten since, so that numbers are off."""
    for item in items:
        with collecting.decider.database.transaction(user_id=None) as repositories:
            messages = {m.message_id: m for m in repositories.messages.list_by_ids(user_id, item.message_ids)}
            zone = repositories.runs.time_zone(user_id)
        if len(messages) < len(item.message_ids):
            yield item, None
            continue
        shown = tuple(messages[message_id] for message_id in item.message_ids)
        dialog = UnreadDialog(user_id=user_id, dialog_id=shown[0].dialog_id, unread=0, time_zone=zone)
        yield item, as_chunk(dialog, shown, item.first_new)


def _store_item(collecting: Collecting, item: BatchItem, chunk: Chunk | None, result: BatchResult) -> ExtractionReport:
    report = ExtractionReport()
    state, error = result.state, result.error
    if chunk is None:
        state, error = "canceled", "messages of it are gone"
    else:
        if result.answer is not None:
            _note(collecting, item, chunk, result.answer)
        reads = list(_reads(collecting, item, chunk, result))
        reading = Reading(
            decider=collecting.decider,
            extractor=collecting.extractor,
            user_id=item.user_id,
            dialog_id=chunk.dialog_id,
        )
        report = ExtractionReport(dialogs=1).plus(store(reading, reads))
        failures = [read.error for read in reads if read.failure is not None]
        if failures and state == "succeeded":
            state, error = "errored", failures[0]
    with collecting.decider.database.transaction(user_id=None) as repositories:
        repositories.batches.end_item(item.user_id, item.item_id, state, error=error)
    return report


def _reads(collecting: Collecting, item: BatchItem, chunk: Chunk, result: BatchResult) -> Iterator[Read]:
    """Yield what was read of an item. An answer that was cut is asked for in halves, here and now."""
    if result.answer is None:
        why = result.error or f"{result.state} at the provider"
        yield failed(chunk, item.run_id, InvalidAnswer(why) if result.is_lasting else ProviderUnavailable(why))
        return
    try:
        found = collecting.extractor.read(chunk, result.answer)
    except Truncated as exc:
        halves = halve(chunk)
        if not halves:
            yield failed(chunk, item.run_id, exc)
        for half in halves:
            yield from read_chunk(collecting.extractor, half)
        return
    except ProviderError as exc:
        yield failed(chunk, item.run_id, exc)
        return
    yield as_read(collecting.extractor, chunk, item.run_id, found)


def _note(collecting: Collecting, item: BatchItem, chunk: Chunk, answer: ChatAnswer) -> None:
    if collecting.note is None:
        return
    with collecting.decider.database.transaction(user_id=None) as repositories:
        is_noted = repositories.batches.is_noted(item.user_id, item.run_id)
    request = collecting.extractor.request(chunk)
    if not is_noted and request is not None:
        collecting.note(item, request, answer)
