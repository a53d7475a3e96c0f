"""Messages of a dialog for tests that need no database."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from prefmem_pg.domain.ids import new_id
from prefmem_pg.domain.messages import Message, Role

AT = datetime(2026, 5, 1, tzinfo=UTC)


def messages_of(turns: Iterable[tuple[Role, str]], *, user_id: str = "u", at: datetime = AT) -> tuple[Message, ...]:
    """Return (role, text) as the messages of one dialog, a minute apart."""
    return tuple(
        Message(
            user_id=user_id,
            message_id=new_id(),
            dialog_id="d",
            role=role,
            content=content,
            occurred_at=at + timedelta(minutes=place),
            ingested_at=at,
            source="api",
            external_id=str(place),
        )
        for place, (role, content) in enumerate(turns)
    )
