"""Unread messages -> batches at a provider, each input once, whatever dies on the way."""

import hashlib
import json
import logging
from collections.abc import Collection, Iterator, MutableMapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from decimal import Decimal
from typing import Final
from uuid import UUID

from prefmem_pg.db.batches import BatchItem, BatchRow
from prefmem_pg.db.session import Database
from prefmem_pg.domain.ids import new_id
from prefmem_pg.domain.reports import BatchReport
from prefmem_pg.errors import BudgetExceeded, ProviderUnavailable, Truncated
from prefmem_pg.providers.chat.extractor import ChatExtractor
from prefmem_pg.providers.metered_chat import planned_chat
from prefmem_pg.providers.protocols import BatchModel, ChatRequest, Chunk
from prefmem_pg.providers.serving import serving
from prefmem_pg.steps.batch_ledger import Asked, BatchLedger, Reserved
from prefmem_pg.steps.decide import Decider
from prefmem_pg.steps.extract import Scope, cut_dialog, list_dialogs
from prefmem_pg.steps.reading import as_read, halve
from prefmem_pg.steps.spending import tally
from prefmem_pg.steps.store_reads import Reading, store

log = logging.getLogger(__name__)

MOST_ITEMS: Final = 5_000
"""Anthropic takes 100,000 requests or 256 MB in a batch; smaller ones come back sooner and are held in memory whole."""
MOST_CHARACTERS: Final = 50_000_000
ORPHANED_AFTER: Final = timedelta(minutes=15)
"""A submission takes minutes at most: what has no id of the provider's by then lost its process on the way."""
CLOCK_SKEW: Final = timedelta(minutes=10)


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchReader:
    """What reads by batches: it submits and collects them."""

    decider: Decider
    extractor: ChatExtractor
    model: BatchModel
    ledger: BatchLedger

    @property
    def database(self) -> Database:
        return self.decider.database


def submit_batches(reader: BatchReader, scope: Scope, *, orphaned_after: timedelta = ORPHANED_AFTER) -> BatchReport:
    """Hand in what is to be asked of all unread messages in scope; return the counts.

    A batch is on record before it is sent: a second call submits nothing that is on its way, and one that was cut off
    while it was sending is looked up at the provider first. Raises what the provider's refusal is, and BudgetExceeded
    once what budgets have room for is handed in.
    """
    report = BatchReport(released=settle_orphans(reader.database, reader.model, orphaned_after=orphaned_after))
    refused: dict[str, BudgetExceeded] = {}
    for waiting, silent in _piles(reader, scope, refused):
        report = report.plus(silent).plus(_submit(reader, waiting, refused))
        if any(exceeded.user_id is None for exceeded in refused.values()):
            break
    if refused:
        # That all have to wait says more than that one has.
        first = min(refused.values(), key=lambda exceeded: exceeded.user_id is not None)
        message = f"{first} ({report.items} requests were handed in)"
        raise BudgetExceeded(message, user_id=first.user_id, submitted=report)
    return report


def _piles(reader: BatchReader, scope: Scope, refused: Collection[str]) -> Iterator[tuple[list[Asked], BatchReport]]:
    """Yield what makes up a batch each, and what was stored at once because it needs no asking.

    What follows of users who are refused by then is left out: dialogs are read in order.
    """
    waiting: list[Asked] = []
    characters, silent = 0, BatchReport()
    for chunk in _chunks(reader.database, scope):
        if chunk.user_id in refused:
            continue
        for part, request in _requests(reader.extractor, chunk):
            if request is None:
                silent = silent.plus(_store_silent(reader, part))
                continue
            waiting.append(_asked(reader.model, part, request))
            characters += len(request.system) + len(request.text)
        if len(waiting) >= MOST_ITEMS or characters >= MOST_CHARACTERS:
            yield waiting, silent
            waiting, characters, silent = [], 0, BatchReport()
    yield waiting, silent


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


def _chunks(database: Database, scope: Scope) -> Iterator[Chunk]:
    for dialog in list_dialogs(database, scope):
        chunks, _ = cut_dialog(database, dialog, scope)
        yield from chunks


def _requests(extractor: ChatExtractor, chunk: Chunk) -> Iterator[tuple[Chunk, ChatRequest | None]]:
    """Yield what to ask of a chunk, in parts when it is too long for one question."""
    try:
        yield chunk, extractor.request(chunk)
    except Truncated:
        for half in halve(chunk):
            yield from _requests(extractor, half)


def _asked(model: BatchModel, chunk: Chunk, request: ChatRequest) -> Asked:
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
    with serving(chunk.user_id):
        return Asked(item, request, planned_chat(request, provider=model.provider, model=model.name, is_batch=True))


def _store_silent(reader: BatchReader, chunk: Chunk) -> BatchReport:
    reading = Reading(
        decider=reader.decider, extractor=reader.extractor, user_id=chunk.user_id, dialog_id=chunk.dialog_id
    )
    stored = store(reading, [as_read(reader.extractor, chunk, new_id(), [])])
    return BatchReport(silent=1, messages=stored.messages)


def _submit(reader: BatchReader, waiting: Sequence[Asked], refused: MutableMapping[str, BudgetExceeded]) -> BatchReport:
    """Hand in a batch of what is not on its way and what budgets have room for; add whose rest waits to ``refused``."""
    if not waiting:
        return BatchReport()
    batch_id = new_id()
    sent = _note(reader, batch_id, waiting, refused)
    if not sent:
        return BatchReport()

    try:
        provider_batch_id = reader.model.submit({str(one.asked.item.item_id): one.asked.request for one in sent})
    except ProviderUnavailable:
        raise  # it may have arrived: what became of it is looked up before anything is sent again
    except Exception as exc:
        _give_up(reader.database, batch_id, sent, f"{type(exc).__name__}: it was not taken")
        if isinstance(exc, Truncated) and len(sent) > 1:
            return _submit_halves(reader, [one.asked for one in sent], refused)
        raise

    with reader.database.transaction(user_id=None) as repositories:
        repositories.batches.set_state(batch_id, "submitted", provider_batch_id=provider_batch_id)
    log.info("batch handed in", extra={"batch": provider_batch_id, "items": len(sent)})
    items = [one.asked.item for one in sent]
    new = sum(len(item.message_ids) - item.first_new for item in items)
    return BatchReport(batches=1, items=len(items), messages=new)


def _submit_halves(
    reader: BatchReader, asked: Sequence[Asked], refused: MutableMapping[str, BudgetExceeded]
) -> BatchReport:
    """Hand in as two batches what was too much for one, under new ids: the old ones are on record as not taken."""
    anew = [replace(one, item=replace(one.item, item_id=new_id())) for one in asked]
    middle = len(anew) // 2
    return _submit(reader, anew[:middle], refused).plus(_submit(reader, anew[middle:], refused))


def _note(
    reader: BatchReader, batch_id: UUID, waiting: Sequence[Asked], refused: MutableMapping[str, BudgetExceeded]
) -> list[Reserved]:
    """Put a batch on record with what it may cost, before it is sent; return what goes into it."""
    run = tally()
    with run.lock:
        with reader.database.transaction(user_id=None) as repositories:
            reserved = reader.ledger.admit(repositories, reader.model, waiting, refused)
            if not reserved:
                return []
            taken = repositories.batches.add(
                batch_id,
                [one.asked.item for one in reserved],
                provider=reader.model.provider,
                purpose="extract",
                model=reader.model.name,
                prompt_version=reader.extractor.prompt_version,
            )
            noted = [one for one in reserved if one.asked.item.item_id in taken]
            if noted:
                repositories.calls.add_batch([(one.call, one.row) for one in noted])
            else:
                repositories.batches.set_state(batch_id, "failed", error="all of it was on its way")
        run.add(_most(noted))
    return noted


def _give_up(database: Database, batch_id: UUID, sent: Sequence[Reserved], why: str) -> None:
    with database.transaction(user_id=None) as repositories:
        repositories.batches.set_state(batch_id, "failed", error=why)
        repositories.batches.release(batch_id, "canceled", error=why)
    tally().add(-_most(sent))


def _most(reserved: Sequence[Reserved]) -> Decimal:
    return sum((one.most for one in reserved), Decimal(0))
