"""The abstract of a dialog or of a day, by a chat model."""

from collections.abc import Sequence
from typing import Final

from prefmem_pg.domain.text import detect_language
from prefmem_pg.errors import InvalidAnswer
from prefmem_pg.prompts import load, version_of
from prefmem_pg.providers.chat.asking import ask
from prefmem_pg.providers.chat.conversation import render
from prefmem_pg.providers.chat.fencing import fence
from prefmem_pg.providers.chat.schemas import SUMMARY
from prefmem_pg.providers.chat.shapes import text
from prefmem_pg.providers.protocols import ChatModel, ChatRequest, Chunk
from prefmem_pg.providers.retry import RetryPolicy

MAX_TOKENS: Final = 512
MAX_CHARACTERS: Final = 2_000
LONGEST_MESSAGE: Final = 2_000
"""Characters of a message that are read for an abstract."""


def summarize_dialog(chat: ChatModel, chunk: Chunk, *, policy: RetryPolicy | None = None) -> str:
    """Return the abstract of a dialog in two to five sentences, in the user's language. Raises a ProviderError."""
    return _summarize(chat, "summarize_dialog", render(chunk, longest=LONGEST_MESSAGE), chunk.language, policy)


def summarize_day(chat: ChatModel, abstracts: Sequence[str], *, policy: RetryPolicy | None = None) -> str:
    """Return the abstract of a day from those of its dialogs, in order of time. Raises a ProviderError."""
    shown = "\n".join(fence("dialog", abstract, n=place) for place, abstract in enumerate(abstracts, 1))
    return _summarize(chat, "summarize_day", shown, detect_language(" ".join(abstracts)), policy)


def _summarize(chat: ChatModel, name: str, shown: str, language: str, policy: RetryPolicy | None) -> str:
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
    summary = text(ask(chat, request, policy=policy), "summary")
    if not summary or len(summary) > MAX_CHARACTERS:
        raise InvalidAnswer(f"the summary has {len(summary)} characters")
    if (detect_language(summary) == "zh") != (language == "zh"):
        raise InvalidAnswer("the summary is not in the language of what it sums up")
    return summary
