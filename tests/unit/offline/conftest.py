"""What the tests of the offline extractor share: messages said at one fixed time."""

from collections.abc import Callable
from datetime import UTC, datetime
from uuid import UUID

import pytest

from prefmem_pg.domain.messages import Message, Role
from prefmem_pg.domain.preferences import Candidate
from prefmem_pg.providers.offline.extractor import OfflineExtractor
from prefmem_pg.providers.protocols import Chunk

SAID_AT = datetime(2024, 5, 10, 12, 0, tzinfo=UTC)  # a Friday

MakeMessage = Callable[..., Message]
Extract = Callable[..., list[Candidate]]


@pytest.fixture
def make_message() -> MakeMessage:
    def make(content: str, *, role: Role = "user", at: datetime = SAID_AT, number: int = 1) -> Message:
        return Message(
            user_id="u-1",
            message_id=UUID(int=number),
            dialog_id="d-1",
            session_id="s-1",
            role=role,
            content=content,
            occurred_at=at,
            ingested_at=at,
            source="api",
            external_id=f"m-{number}",
        )

    return make


@pytest.fixture
def extract(make_message: MakeMessage) -> Extract:
    """Extract from one user message said on Friday, 10 May 2024 at noon UTC."""

    def run(content: str, *, time_zone: str = "UTC", at: datetime = SAID_AT) -> list[Candidate]:
        message = make_message(content, at=at)
        chunk = Chunk(user_id="u-1", dialog_id="d-1", messages=(message,), time_zone=time_zone)
        return OfflineExtractor().extract(chunk)

    return run
