"""Extraction runs, and the ledger of provider calls, prices and batches."""

from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import (
    Boolean,
    Index,
    Integer,
    LargeBinary,
    Numeric,
    PrimaryKeyConstraint,
    SmallInteger,
    Text,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import Uuid

from prefmem_pg.db.models.base import (
    Base,
    id_column,
    json_column,
    one_of,
    owned_by,
    owned_by_user,
    text_column,
    time_column,
    user_id_column,
)


def _count_column(comment: str) -> Any:
    return mapped_column(Integer, nullable=False, server_default=text("0"), comment=comment)


def _money_column(comment: str) -> Any:
    return mapped_column(Numeric(18, 9), comment=comment)


class ExtractionRunRow(Base):
    __tablename__ = "extraction_runs"
    __table_args__ = (
        PrimaryKeyConstraint("user_id", "run_id"),
        owned_by("dialogs", "dialog_id"),
        UniqueConstraint("user_id", "input_hash", "extractor_version", "pass"),
        one_of("state", ("running", "done", "failed", "parked")),
        Index(None, "user_id", "dialog_id"),
        Index("ix_extraction_runs_state", "state", "started_at", postgresql_where=text("state <> 'done'")),
        {"comment": "Executions of extraction: what was read, by what, with which result"},
    )
    user_id: Mapped[str] = user_id_column()
    run_id: Mapped[UUID] = id_column("Id of the run")
    dialog_id: Mapped[str] = text_column("The dialog that was read")
    input_hash: Mapped[bytes] = mapped_column(
        LargeBinary, nullable=False, comment="SHA-256 of the ids and texts of the messages that were read as new"
    )
    extractor: Mapped[str] = text_column("Name of the extractor")
    extractor_version: Mapped[str] = text_column("Name and version of the extractor")
    model: Mapped[str | None] = text_column("Model behind it; NULL: none", nullable=True)
    prompt_version: Mapped[str | None] = text_column("Version of the prompt; NULL: none", nullable=True)
    # "pass" is a keyword of Python
    pass_: Mapped[int] = mapped_column(
        "pass", SmallInteger, nullable=False, server_default=text("1"), comment="1, or higher when asked to read again"
    )
    state: Mapped[str] = text_column("running, done, failed (tried again) or parked (given up)")
    attempts: Mapped[int] = _count_column("How many times it was tried")
    counts: Mapped[dict[str, Any]] = json_column("Messages read, candidates found, and decisions by action")
    error: Mapped[str | None] = text_column("Why it failed; NULL: it did not", nullable=True)
    started_at: Mapped[datetime] = time_column("When it started", default_now=True)
    finished_at: Mapped[datetime | None] = time_column("When it ended; NULL: it has not", nullable=True)


class LlmCallRow(Base):
    __tablename__ = "llm_calls"
    __table_args__ = (
        PrimaryKeyConstraint("user_id", "call_id"),
        owned_by_user(),
        Index(None, "user_id", "request_hash"),
        Index(None, "at"),
        {"comment": "Ledger of provider calls: a call that serves several users has one row each with its share"},
    )
    user_id: Mapped[str] = user_id_column()
    call_id: Mapped[UUID] = id_column("Id of the call")
    purpose: Mapped[str] = text_column("What it was for: extract, judge, embed, rerank, consolidate, summarize …")
    provider: Mapped[str] = text_column("Who was called")
    model: Mapped[str] = text_column("Model that was asked")
    prompt_version: Mapped[str | None] = text_column("Version of the prompt; NULL: none", nullable=True)
    request_hash: Mapped[bytes] = mapped_column(LargeBinary, nullable=False, comment="SHA-256 of the request body")
    input_tokens: Mapped[int] = _count_column("Tokens sent and not read from a cache")
    output_tokens: Mapped[int] = _count_column("Tokens received")
    cache_read_tokens: Mapped[int] = _count_column("Tokens read from the provider's cache")
    cache_write_tokens: Mapped[int] = _count_column("Tokens written to the provider's cache")
    latency_ms: Mapped[int] = _count_column("How long it took, in milliseconds")
    outcome: Mapped[str] = text_column("running, ok, truncated, refused, invalid, unavailable …")
    cost_usd: Mapped[Decimal | None] = _money_column("What it cost; NULL: no price is known for the model")
    request: Mapped[Any] = mapped_column(
        JSONB, nullable=True, comment="The request, in record mode only; NULL: not recorded"
    )
    response: Mapped[Any] = mapped_column(
        JSONB, nullable=True, comment="The answer, in record mode only; NULL: not recorded"
    )
    run_id: Mapped[UUID | None] = mapped_column(Uuid, comment="The run that it served; NULL: a direct call")
    at: Mapped[datetime] = time_column("When it was made", default_now=True)
    is_batch: Mapped[bool] = mapped_column(
        Boolean, nullable=False, server_default=false(), comment="True: in a batch, which has a price of its own"
    )


class LlmPriceRow(Base):
    __tablename__ = "llm_prices"
    __table_args__ = (
        PrimaryKeyConstraint("provider", "model", "valid_from"),
        {"comment": "Prices of models by date, in US dollars for a million tokens"},
    )
    provider: Mapped[str] = mapped_column(Text, comment="Who sells it")
    model: Mapped[str] = mapped_column(Text, comment="Name of the model")
    valid_from: Mapped[datetime] = time_column("Since when the price holds")
    input_usd: Mapped[Decimal] = mapped_column(Numeric(12, 6), nullable=False, comment="A million input tokens")
    output_usd: Mapped[Decimal] = mapped_column(Numeric(12, 6), nullable=False, comment="A million output tokens")
    cache_read_usd: Mapped[Decimal | None] = mapped_column(
        Numeric(12, 6), comment="A million tokens read from the cache; NULL: as input"
    )
    cache_write_usd: Mapped[Decimal | None] = mapped_column(
        Numeric(12, 6), comment="A million tokens written to the cache; NULL: as input"
    )
    batch_factor: Mapped[Decimal] = mapped_column(
        Numeric(6, 4), nullable=False, server_default=text("1"), comment="What a batch costs of the normal price"
    )


class LlmBatchRow(Base):
    __tablename__ = "llm_batches"
    __table_args__ = (
        PrimaryKeyConstraint("batch_id"),
        one_of("state", ("submitting", "submitted", "ended", "collected", "failed")),
        {"comment": "Provider batches in flight; what belongs to users stands in llm_batch_items"},
    )
    batch_id: Mapped[UUID] = id_column("Id of the batch here")
    provider: Mapped[str] = text_column("Who runs it")
    provider_batch_id: Mapped[str | None] = text_column("Id at the provider; NULL: not accepted yet", nullable=True)
    purpose: Mapped[str] = text_column("What it is for")
    model: Mapped[str] = text_column("Model that is asked")
    state: Mapped[str] = text_column("submitting, submitted, ended, collected or failed")
    counts: Mapped[dict[str, Any]] = json_column("Items by outcome")
    error: Mapped[str | None] = text_column("Why it failed; NULL: it did not", nullable=True)
    created_at: Mapped[datetime] = time_column("When it was made", default_now=True)
    submitted_at: Mapped[datetime | None] = time_column("When the provider took it; NULL: not yet", nullable=True)
    ended_at: Mapped[datetime | None] = time_column("When it ended; NULL: not yet", nullable=True)
    prompt_version: Mapped[str | None] = text_column("Version of the prompt; NULL: none", nullable=True)


class LlmBatchItemRow(Base):
    __tablename__ = "llm_batch_items"
    __table_args__ = (
        PrimaryKeyConstraint("user_id", "item_id"),
        owned_by_user(),
        UniqueConstraint("user_id", "request_hash"),
        one_of("state", ("waiting", "succeeded", "errored", "expired", "canceled")),
        Index(None, "batch_id"),
        Index("ix_llm_batch_items_waiting", "user_id", postgresql_where=text("state = 'waiting'")),
        {"comment": "Items of provider batches: one request of one user each"},
    )
    user_id: Mapped[str] = user_id_column()
    item_id: Mapped[UUID] = id_column("Id of the item; sent as the provider's custom id")
    batch_id: Mapped[UUID] = mapped_column(Uuid, nullable=False, comment="The batch that it travels in")
    run_id: Mapped[UUID | None] = mapped_column(Uuid, comment="The run that it serves; NULL: none")
    request_hash: Mapped[bytes] = mapped_column(
        LargeBinary, nullable=False, comment="SHA-256 of the request: the same input is never submitted twice"
    )
    state: Mapped[str] = text_column("waiting, succeeded, errored, expired or canceled", default="waiting")
    error: Mapped[str | None] = text_column("Why it failed; NULL: it did not", nullable=True)
    created_at: Mapped[datetime] = time_column("When it was made", default_now=True)
    updated_at: Mapped[datetime] = time_column("When it last changed", default_now=True)
    message_ids: Mapped[list[UUID]] = mapped_column(
        ARRAY(Uuid),
        nullable=False,
        server_default=text("'{}'::uuid[]"),
        comment="The messages that the request shows, in its order",
    )
    first_new: Mapped[int] = _count_column("How many of them come first as context only")
