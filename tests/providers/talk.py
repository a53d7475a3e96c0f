"""Chunks and what models write of them, for the tests of the chat providers."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from prefmem_pg.domain.messages import Role
from prefmem_pg.domain.text import detect_language
from prefmem_pg.providers.claude import Claude
from prefmem_pg.providers.protocols import Chunk
from prefmem_pg.providers.retry import RetryPolicy
from prefmem_pg.testing import MessagesStub
from tests.conversation import messages_of

AT = datetime(2026, 5, 1, 10, tzinfo=UTC)
opened: list[Claude] = []
"""What a test has made, to be closed at its end."""
QUICK = RetryPolicy(retries=3, first_wait_seconds=0.001, longest_wait_seconds=0.01)


def chunk_of(*turns: tuple[Role, str], first_new: int = 0, user_id: str = "u") -> Chunk:
    """Return a chunk of (role, text)."""
    messages = messages_of(turns, user_id=user_id, at=AT)
    said = " ".join(message.content for message in messages if message.role == "user")
    return Chunk(user_id=user_id, dialog_id="d", messages=messages, first_new=first_new, language=detect_language(said))


def item(message: int, quote: str, statement: str | None = None, **fields: Any) -> dict[str, Any]:
    """Return one preference as a model writes it."""
    return {
        "message": message,
        "quote": quote,
        "statement": statement or quote,
        "kind": "explicit",
        "polarity": "positive",
        "topic": "other",
        "entities": [],
        "reason": "",
        "since": "",
        "certainty": "high",
        "importance": "medium",
        "sensitivity": "none",
        "is_safety": False,
        "more_signals": [],
        **fields,
    }


def found(*items: dict[str, Any]) -> dict[str, Sequence[dict[str, Any]]]:
    return {"preferences": items}


def claude_at(stub: MessagesStub, **settings: Any) -> Claude:
    """Return a Claude that talks to a stub through the true client."""
    claude = Claude("claude-test", **{"api_key": "sk-ant-test", "base_url": stub.url, **settings})
    opened.append(claude)
    return claude
