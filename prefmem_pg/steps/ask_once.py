"""A question to a chat model that is paid once: what it has answered for a user is not asked again."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from prefmem_pg.db.session import Database
from prefmem_pg.providers.chat.asking import ask
from prefmem_pg.providers.metered_chat import planned_chat
from prefmem_pg.providers.protocols import ChatModel, ChatRequest
from prefmem_pg.providers.retry import RetryPolicy
from prefmem_pg.providers.serving import serving


@dataclass(frozen=True, slots=True, kw_only=True)
class AskOnce:
    """An Ask for one user. None is returned for the very same request that the ledger knows as answered or declined.

    ``since`` is when what the request shows last changed: an answer from before is of another memory, although the
    words are the same. What was answered and lost in a crash is asked again when the user's memory has changed. With
    ``replays`` nothing is paid, so all is asked. ``message_ids`` and ``preference_ids`` name what the request shows.
    """

    database: Database
    chat: ChatModel
    policy: RetryPolicy
    user_id: str
    replays: bool = False
    message_ids: tuple[UUID, ...] = ()
    preference_ids: tuple[UUID, ...] = ()
    since: datetime | None = None

    def __call__(self, request: ChatRequest) -> dict[str, Any] | None:
        """Return the model's JSON object; see Ask. Raises a ProviderError."""
        with serving(self.user_id, message_ids=self.message_ids, preference_ids=self.preference_ids):
            planned = planned_chat(request, provider=self.chat.provider, model=self.chat.name)
            if not self.replays:
                with self.database.transaction(user_id=self.user_id) as repositories:
                    digest = planned.request_hash(planned.shares[0])
                    if repositories.calls.was_answered(self.user_id, digest, since=self.since):
                        return None
            return ask(self.chat, request, policy=self.policy)
