"""Unread messages -> batches at a provider, each input once, whatever dies on the way."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from prefmem_pg.db.batches import BatchItem, BatchRow
from prefmem_pg.db.session import Database
from prefmem_pg.domain.ids import new_id
from prefmem_pg.domain.reports import BatchReport
from prefmem_pg.errors import ProviderUnavailable, Truncated
from prefmem_pg.providers.chat.extractor import ChatExtractor
from prefmem_pg.providers.protocols import BatchModel, ChatRequest, Chunk
from prefmem_pg.steps.decide import Decider
from prefmem_pg.steps.extract import Scope, cut_dialog, list_dialogs
from prefmem_pg.steps.reading import as_read, halve
from prefmem_pg.steps.store_reads import Reading, store

MOST_ITEMS: Final = 5_000
"""Anthropic takes 100,000 requests or 256 MB in a batch; smaller ones come back sooner and are held in memory whole."""
MOST_CHARACTERS: Final = 50_000_000
ORPHANED_AFTER: Final = timedelta(minutes=3)
"""A submission takes a minute at most: what has no id of the provider's by then lost its process on the way."""
CLOCK_SKEW: Final = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A chunk and what is asked of it."""

    item: BatchItem
    request: ChatRequest


def submit_batches(
    decider: Decider,
    extractor: ChatExtractor,
    model: BatchModel,
    scope: Scope,
    *,
    orphaned_after: timedelta = ORPHANED_AFTER,
) -> BatchReport:
    """Hand in what is to be asked of all unread messages in scope; return the counts.

    A batch is on record before it is sent: a second call submits nothing that is on its way, and one that was cut off
    while it was sending is looked up at the provider first. Raises what the provider's refusal is.
    """
    report = BatchReport(released=settle_orphans(decider.database, model, orphaned_after=orphaned_after))
    waiting: list[_Asked] = []
    for chunk in _chunks(decider, scope):
        for part, request in _requests(extractor, chunk):
            if request is None:
                report = report.plus(_store_silent(decider, extractor, part))
            else:
                waiting.append(_asked(part, request))
        if len(waiting) >= MOST_ITEMS or sum(len(one.request.text) for one in waiting) >= MOST_CHARACTERS:
            report = report.plus(_submit(decider.database, extractor, model, waiting))
            waiting = []
    return report.plus(_submit(decider.database, extractor, model, waiting))


def settle_orphans(database: Database, model: BatchModel, *, orphaned_after: timedelta = ORPHANED_AFTER) -> int:
    """Find out what became of batches whose submitting was cut off; return how many items are free again.

    One that the provider has is taken up by the ids of its items, once it has ended; until then it stays as it is.
    """
    with database.transaction(user_id=None) as repositories:
        orphans = [
            batch
            for batch in repositories.batches.list_open()
            if batch.state == "submitting" and repositories.batches.age(batch) >= orphaned_after
        ]
        known = repositories.batches.list_provider_ids()
        items = {batch.batch_id: repositories.batches.list_waiting(batch.batch_id) for batch in orphans}

    released = 0
    for batch in orphans:
        released += _settle(database, model, batch, items[batch.batch_id], known)
    return released


def _settle(database: Database, model: BatchModel, batch: BatchRow, items: Sequence[BatchItem], known: set[str]) -> int:
    listed = model.list_since(batch.created_at - CLOCK_SKEW)
    likely = [one for one in listed if one.provider_batch_id not in known and one.items >= len(items)]
    ids = {str(item.item_id) for item in items}
    found = None
    for one in likely:
        if not one.has_ended:
            return 0  # may be it: nothing is sent again before that is known
        if any(result.item_id in ids for result in model.results(one.provider_batch_id)):
            found = one.provider_batch_id
            break

    with database.transaction(user_id=None) as repositories:
        if found is not None:
            repositories.batches.set_state(batch.batch_id, "submitted", provider_batch_id=found)
            known.add(found)
            return 0
        repositories.batches.set_state(batch.batch_id, "failed", error="it never arrived at the provider")
        return repositories.batches.release(batch.batch_id, "canceled", error="its batch never arrived")


def _chunks(decider: Decider, scope: Scope) -> Iterator[Chunk]:
    for dialog in list_dialogs(decider.database, scope):
        chunks, _ = cut_dialog(decider.database, dialog, scope)
        yield from chunks


def _requests(extractor: ChatExtractor, chunk: Chunk) -> Iterator[tuple[Chunk, ChatRequest | None]]:
    """Yield what to ask of a chunk, in parts when it is too long for one question."""
    try:
        yield chunk, extractor.request(chunk)
    except Truncated:
        for half in halve(chunk):
            yield from _requests(extractor, half)


def _asked(chunk: Chunk, request: ChatRequest) -> _Asked:
    body = json.dumps(asdict(request), sort_keys=True, ensure_ascii=False)
    ids = tuple(message.message_id for message in chunk.messages)
    new = b"".join(message_id.bytes for message_id in ids[chunk.first_new :])
    item = BatchItem(
        user_id=chunk.user_id,
        item_id=new_id(),
        run_id=new_id(),
        request_hash=hashlib.sha256(new + body.encode()).digest(),
        message_ids=ids,
        first_new=chunk.first_new,
    )
    return _Asked(item, request)


def _store_silent(decider: Decider, extractor: ChatExtractor, chunk: Chunk) -> BatchReport:
    reading = Reading(decider=decider, extractor=extractor, user_id=chunk.user_id, dialog_id=chunk.dialog_id)
    stored = store(reading, [as_read(extractor, chunk, new_id(), [])])
    return BatchReport(silent=1, messages=stored.messages)


def _submit(database: Database, extractor: ChatExtractor, model: BatchModel, waiting: Sequence[_Asked]) -> BatchReport:
    if not waiting:
        return BatchReport()
    batch_id = new_id()
    with database.transaction(user_id=None) as repositories:
        taken = repositories.batches.add(
            batch_id,
            [one.item for one in waiting],
            provider=model.provider,
            purpose="extract",
            model=model.name,
            prompt_version=extractor.prompt_version,
        )
    sent = [one for one in waiting if one.item.item_id in taken]
    if not sent:
        _give_up(database, batch_id, "all of it was on its way")
        return BatchReport()

    try:
        provider_batch_id = model.submit({str(one.item.item_id): one.request for one in sent})
    except ProviderUnavailable:
        raise  # it may have arrived: what became of it is looked up before anything is sent again
    except Exception as exc:
        _give_up(database, batch_id, f"{type(exc).__name__}: it was not taken")
        raise

    with database.transaction(user_id=None) as repositories:
        repositories.batches.set_state(batch_id, "submitted", provider_batch_id=provider_batch_id)
    new = sum(len(one.item.message_ids) - one.item.first_new for one in sent)
    return BatchReport(batches=1, items=len(sent), messages=new)


def _give_up(database: Database, batch_id: UUID, why: str) -> None:
    with database.transaction(user_id=None) as repositories:
        repositories.batches.set_state(batch_id, "failed", error=why)
        repositories.batches.release(batch_id, "canceled", error=why)
