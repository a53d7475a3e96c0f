"""A question -> what a user might have said that bears on it, by a chat model; and the query builder over it."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.sessions import BuiltQuery
from prefmem_pg.domain.text import detect_language
from prefmem_pg.errors import ConfigurationError, ProviderError
from prefmem_pg.prompts import load, version_of
from prefmem_pg.providers.chat.asking import ask
from prefmem_pg.providers.chat.fencing import fence
from prefmem_pg.providers.chat.schemas import QUERIES
from prefmem_pg.providers.chat.shapes import texts
from prefmem_pg.providers.protocols import ChatModel, ChatRequest, QueryBuilder
from prefmem_pg.providers.retry import RetryPolicy

log = logging.getLogger(__name__)

MOST: Final = 4
LONGEST: Final = 200
MAX_TOKENS: Final = 256


class ChatQueryBuilder:
    """Adds to a message what may bear on it by a chat model, after ``offline`` has said what it leaves unsaid.

    When the model fails or may not be asked, the message is searched as ``offline`` gives it, and the reason says so.
    """

    def __init__(self, chat: ChatModel, *, offline: QueryBuilder, policy: RetryPolicy | None = None) -> None:
        self.name = chat.provider
        self._chat = chat
        self._offline = offline
        self._policy = policy

    def build(self, message: str, turns: Sequence[Message]) -> BuiltQuery:
        """Return the query; see QueryBuilder. Raises no ProviderError."""
        built = self._offline.build(message, turns)
        try:
            found = expand_query(self._chat, built.text, policy=self._policy)
        except (ProviderError, ConfigurationError) as exc:
            log.warning("a question was not expanded", extra={"error": type(exc).__name__})
            return replace(built, reason=f"{built.reason}; not expanded: {type(exc).__name__}")
        if not found:
            return built
        more = "; ".join(found)
        text = f"{built.text}（{more}）" if detect_language(message) == "zh" else f"{built.text} ({more})"
        reason = "what may bear on it" if built.text == message else f"{built.reason}, and what may bear on it"
        return replace(built, text=text, reason=reason)


def expand_query(chat: ChatModel, query: str, *, policy: RetryPolicy | None = None) -> list[str]:
    """Return up to four statements to search for beside the question, the most direct first; raises a ProviderError."""
    language = detect_language(query)
    request = ChatRequest(
        purpose="expand",
        system=load("expand_query", language).text,
        text=fence("question", query[:2_000]),
        schema=QUERIES,
        schema_name="queries",
        max_tokens=MAX_TOKENS,
        prompt_version=version_of("expand_query"),
        language=language,
    )
    found = texts(ask(chat, request, policy=policy), "queries")
    return [one for one in found if len(one) <= LONGEST and one != query][:MOST]
