"""The summarizer over any chat model: the abstract of a dialog or of a day, in the user's language."""

import logging
from collections.abc import Sequence
from itertools import groupby
from typing import Final

from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.text import detect_language
from prefmem_pg.errors import InvalidAnswer, ProviderRefused
from prefmem_pg.prompts import load, version_of
from prefmem_pg.providers.chat.asking import ask
from prefmem_pg.providers.chat.conversation import render
from prefmem_pg.providers.chat.fencing import fence
from prefmem_pg.providers.chat.schemas import SUMMARY
from prefmem_pg.providers.chat.shapes import text
from prefmem_pg.providers.protocols import Abstract, ChatModel, ChatRequest, Chunk, Passage, Summarizer
from prefmem_pg.providers.retry import RetryPolicy

log = logging.getLogger(__name__)

MAX_TOKENS: Final = 512
MAX_CHARACTERS: Final = 2_000
LONGEST_MESSAGE: Final = 2_000
"""Characters of a message that are read for an abstract."""
MOST_SHOWN: Final = 40_000
"""Characters that are shown at once; what is longer is told in parts first."""


class ChatSummarizer:
    """Asks a chat model for the abstract of a passage. Thread-safe.

    ``offline`` says whether there is anything to tell, without a call, and tells it itself when the model declines or
    its answers are of no use. Raises any other ProviderError.
    """

    version: str = "1"

    def __init__(self, chat: ChatModel, *, offline: Summarizer, policy: RetryPolicy | None = None) -> None:
        self.name = chat.provider
        self._chat = chat
        self._offline = offline
        self._policy = policy

    def summarize(self, passage: Passage) -> Abstract | None:
        """Return the abstract, drawn from all messages of the passage; see Summarizer."""
        by_rules = self._offline.summarize(passage)
        if by_rules is None:
            return None
        try:
            told = self._tell_day(passage) if passage.scope == "day" else self._tell_dialog(passage, passage.messages)
        except (ProviderRefused, InvalidAnswer) as exc:
            log.warning("told offline: the model could not", extra={"error": type(exc).__name__})
            return by_rules
        return Abstract(text=told, message_ids=tuple(message.message_id for message in passage.messages))

    def _tell_day(self, passage: Passage) -> str:
        dialogs = [list(said) for _, said in groupby(passage.messages, lambda message: message.dialog_id)]
        shown = [_shown(passage, said) for said in dialogs]
        if sum(map(len, shown)) > MOST_SHOWN:
            shown = [fence("abstract", self._tell_dialog(passage, said)) for said in dialogs]
        return self._ask("summarize_day", "\n".join(shown), passage.language)

    def _tell_dialog(self, passage: Passage, said: Sequence[Message]) -> str:
        parts = [_shown(passage, part) for part in _parts(said)]
        if len(parts) > 1:
            parts = [fence("abstract", self._ask("summarize_dialog", part, passage.language)) for part in parts]
        return self._ask("summarize_dialog", "\n".join(parts), passage.language)

    def _ask(self, name: str, shown: str, language: str) -> str:
        request = ChatRequest(
            purpose="summarize",
            system=load(name, language).text,
            text=shown,
            schema=SUMMARY,
            schema_name="summary",
            max_tokens=MAX_TOKENS,
            prompt_version=version_of(name),
            language=language,
        )
        summary = text(ask(self._chat, request, policy=self._policy), "summary")
        if not summary or len(summary) > MAX_CHARACTERS:
            raise InvalidAnswer(f"the summary has {len(summary)} characters")
        if (detect_language(summary) == "zh") != (language == "zh"):
            raise InvalidAnswer("the summary is not in the language of what it sums up")
        return summary


def _parts(said: Sequence[Message]) -> list[list[Message]]:
    """Return the messages in stretches that are each short enough to be shown at once."""
    parts: list[list[Message]] = [[]]
    shown = 0
    for message in said:
        length = min(len(message.content), LONGEST_MESSAGE)
        if parts[-1] and shown + length > MOST_SHOWN:
            parts.append([])
            shown = 0
        parts[-1].append(message)
        shown += length
    return parts


def _shown(passage: Passage, said: Sequence[Message]) -> str:
    first = said[0]
    chunk = Chunk(user_id=first.user_id, dialog_id=first.dialog_id, messages=tuple(said), time_zone=passage.time_zone)
    return render(chunk, longest=LONGEST_MESSAGE)
