"""The messages' part of the front door."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from prefmem_pg.domain.messages import Message, NewMessage
from prefmem_pg.domain.reports import ExtractionReport
from prefmem_pg.domain.search import Page
from prefmem_pg.domain.text import check_id
from prefmem_pg.domain.times import aware_or_none
from prefmem_pg.errors import InvalidInput
from prefmem_pg.importers.fields import new_message
from prefmem_pg.memory.opening import Opening
from prefmem_pg.steps.extract import Scope, extract
from prefmem_pg.steps.ingest import IngestedBatch, OrdinalCounter, ingest
from prefmem_pg.steps.listing import list_messages
from prefmem_pg.steps.spending import as_one_run
from prefmem_pg.steps.waiting import decide_waiting


class Messages(Opening):
    """The part of PreferenceMemory that takes in and reads conversations."""

    def add_messages(
        self,
        user_id: str,
        messages: Iterable[Mapping[str, Any] | NewMessage],
        *,
        dialog_id: str | None = None,
        session_id: str | None = None,
        source: str = "api",
        allow_erased: bool = False,
    ) -> list[Message]:
        """Store messages and return them as they are stored, in their order; nothing is extracted yet. Idempotent.

        Takes dicts of our own fields or of the OpenAI and Anthropic APIs. All or nothing: InvalidInput says which
        message is wrong and why. An external_id that is stored already gives the stored message, whatever is sent.
        What was forgotten, or whose user was, is left out; ``allow_erased`` takes it in, as new consent.
        """
        parts = self._ready()
        ids = {"user_id": check_id("user_id", user_id), "dialog_id": dialog_id, "session_id": session_id}
        given = [_as_new_message(place, message, ids) for place, message in enumerate(messages)]
        stored: list[Message] = []
        for batch in ingest(
            self.database,
            given,
            user_id=user_id,
            source=source,
            model_id=parts.model_id,
            allow_erased=allow_erased,
        ):
            earlier = self._messages_by_id(user_id, list(batch.result.earlier.values()))
            refused = frozenset(batch.erased)
            stored += [
                earlier.get(batch.result.earlier.get(place, message.message_id), message)
                for place, message in enumerate(batch.messages)
                if place not in refused
            ]
        return stored

    def ingest(
        self,
        messages: Iterable[NewMessage],
        *,
        source: str = "api",
        allow_erased: bool = False,
        ordinals: OrdinalCounter | None = None,
    ) -> Iterator[IngestedBatch]:
        """Store messages of many users in batches, as the pipeline, and yield what became of each batch. Idempotent.

        For files and streams: constant memory, a transaction a batch. ``ordinals`` carries the numbering of equal
        messages over several calls for one file.
        """
        parts = self._ready()
        return ingest(
            self.database,
            messages,
            user_id=None,
            source=source,
            model_id=parts.model_id,
            allow_erased=allow_erased,
            ordinals=ordinals,
        )

    @as_one_run
    def extract(
        self,
        *,
        user_id: str | None = None,
        dialog_id: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        again: bool = False,
        on_dialog: Callable[[ExtractionReport], None] | None = None,
    ) -> ExtractionReport:
        """Read unread messages, find preferences and decide them; return the counts. Running it again costs nothing.

        ``since`` <= occurred_at < ``until``. ``again`` reads all messages in scope anew, in a further pass. What fails
        is recorded, tried again by the next call, and never stops the rest; candidates that wait come first.
        """
        parts = self._ready()
        scope = Scope(
            user_id=user_id,
            dialog_id=dialog_id,
            since=aware_or_none("since", since),
            until=aware_or_none("until", until),
            again=again,
        )
        decider, extractor = parts.decider(), parts.extractor()
        report = ExtractionReport() if dialog_id else decide_waiting(decider, user_id=user_id)
        return report.plus(extract(decider, extractor, scope, workers=parts.workers(extractor), on_dialog=on_dialog))

    def list_messages(
        self, user_id: str, *, dialog_id: str | None = None, page_size: int = 50, after: str | None = None
    ) -> Page:
        """Return a page of messages, oldest first; ``after`` is what the page before gave."""
        self._ready()
        check_id("user_id", user_id)
        return list_messages(self.database, user_id, dialog_id=dialog_id, page_size=page_size, after=after)

    def _messages_by_id(self, user_id: str, message_ids: Sequence[UUID]) -> dict[UUID, Message]:
        if not message_ids:
            return {}
        with self.database.transaction(user_id=user_id) as repositories:
            return {m.message_id: m for m in repositories.messages.list_by_ids(user_id, message_ids)}


def _as_new_message(place: int, message: Mapping[str, Any] | NewMessage, ids: Mapping[str, str | None]) -> NewMessage:
    if isinstance(message, NewMessage):
        if message.user_id != ids["user_id"]:
            raise InvalidInput(f"message {place}: belongs to user {message.user_id}, not {ids['user_id']}")
        return message
    if not isinstance(message, Mapping):
        raise InvalidInput(f"message {place}: must be a dict, not {type(message).__name__}")
    try:
        return new_message(message, defaults=ids)
    except InvalidInput as exc:
        raise InvalidInput(f"message {place}: {exc}") from exc
