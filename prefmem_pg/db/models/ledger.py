"""What the ledger keeps of nobody in particular: calls that serve no user."""

from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import Index, Integer, LargeBinary, Numeric, PrimaryKeyConstraint
from sqlalchemy import text as sql
from sqlalchemy.orm import Mapped, mapped_column

from prefmem_pg.db.models.base import Base, id_column, text_column, time_column


def _count_column(comment: str) -> Any:  # Any: see base.py
    return mapped_column(Integer, nullable=False, server_default=sql("0"), comment=comment)


class LlmSharedCallRow(Base):
    __tablename__ = "llm_shared_calls"
    __table_args__ = (
        PrimaryKeyConstraint("call_id"),
        Index(None, "at"),
        {"comment": "Provider calls that serve no stored user: what comes with a model, questions of strangers"},
    )
    call_id: Mapped[UUID] = id_column("Id of the call")
    purpose: Mapped[str] = text_column("What it was for: embed, rerank …")
    provider: Mapped[str] = text_column("Who was called")
    model: Mapped[str] = text_column("Model that was asked")
    prompt_version: Mapped[str | None] = text_column("Version of the prompt; NULL: none", nullable=True)
    request_hash: Mapped[bytes] = mapped_column(LargeBinary, nullable=False, comment="SHA-256 of the request")
    input_tokens: Mapped[int] = _count_column("Tokens sent and not read from a cache")
    output_tokens: Mapped[int] = _count_column("Tokens received")
    cache_read_tokens: Mapped[int] = _count_column("Tokens read from the provider's cache")
    cache_write_tokens: Mapped[int] = _count_column("Tokens written to the provider's cache")
    latency_ms: Mapped[int] = _count_column("How long it took, in milliseconds")
    outcome: Mapped[str] = text_column("running, ok, truncated, refused, invalid, unavailable …")
    cost_usd: Mapped[Decimal | None] = mapped_column(
        Numeric(18, 9), comment="What it cost; NULL: no price is known for the model"
    )
    at: Mapped[datetime] = time_column("When it was made", default_now=True)
