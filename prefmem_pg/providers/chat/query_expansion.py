"""A question -> what a user might have said that bears on it, by a chat model."""

from typing import Final

from prefmem_pg.domain.text import detect_language
from prefmem_pg.prompts import load, version_of
from prefmem_pg.providers.chat.asking import ask
from prefmem_pg.providers.chat.fencing import fence
from prefmem_pg.providers.chat.schemas import QUERIES
from prefmem_pg.providers.chat.shapes import texts
from prefmem_pg.providers.protocols import ChatModel, ChatRequest
from prefmem_pg.providers.retry import RetryPolicy

MOST: Final = 4
LONGEST: Final = 200
MAX_TOKENS: Final = 256


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
