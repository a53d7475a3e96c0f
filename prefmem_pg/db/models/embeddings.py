"""Embedding models, the vectors of preferences, messages and summaries, and the statistics that ranking needs."""

from datetime import datetime
from typing import Any
from uuid import UUID

from pgvector.sqlalchemy import HALFVEC, VECTOR
from sqlalchemy import (
    REAL,
    BigInteger,
    Boolean,
    CheckConstraint,
    Float,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    SmallInteger,
    Text,
    UniqueConstraint,
    false,
    text,
    true,
)
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import Uuid

from prefmem_pg.db.models.base import (
    SCHEMA,
    Base,
    one_of,
    owned_by,
    owned_by_user,
    text_column,
    time_column,
    user_id_column,
)


class EmbeddingModelRow(Base):
    __tablename__ = "embedding_models"
    __table_args__ = (
        PrimaryKeyConstraint("model_id"),
        UniqueConstraint("provider", "name", "dimensions"),
        one_of("state", ("building", "active", "retired")),
        CheckConstraint("dimensions BETWEEN 1 AND 4000", name="dimensions"),
        Index("ux_embedding_models_active", "state", unique=True, postgresql_where=text("state = 'active'")),
        {"comment": "Embedding models; several may live side by side, one is active"},
    )
    model_id: Mapped[int] = mapped_column(SmallInteger, autoincrement=False, comment="Small number of the model")
    name: Mapped[str] = text_column("Name of the model at its provider")
    provider: Mapped[str] = text_column("local, voyage or openai")
    dimensions: Mapped[int] = mapped_column(Integer, nullable=False, comment="Length of its vectors, at most 4000")
    state: Mapped[str] = text_column(
        "building (kept up to date beside the active one: on its way in, or out), active (searched by) or retired"
    )
    created_at: Mapped[datetime] = time_column("When it was registered", default_now=True)
    activated_at: Mapped[datetime | None] = time_column(
        "When searches last began to use it; NULL: never since it was last built", nullable=True
    )
    bank: Mapped[bytes | None] = mapped_column(
        LargeBinary,
        nullable=True,
        comment="What questions and statements look like to it; NULL: the package brings it along",
    )


def _owner_column(what: str) -> Any:
    return mapped_column(Uuid, comment=f"The {what} that was embedded")


def _model_column() -> Any:
    return mapped_column(SmallInteger, comment="The embedding model")


def _model_key() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["model_id"], [f"{SCHEMA}.embedding_models.model_id"])


def _vector_column() -> Any:
    return mapped_column(HALFVEC, nullable=False, comment="The raw vector of length 1; centred at query time")


def _hub_column(language: str) -> Any:
    return mapped_column(
        REAL,
        nullable=False,
        server_default=text("0"),
        comment=f"Hubness: how near it lies to everything that is asked ({language}); taken off its score",
    )


def _language_column() -> Any:
    return text_column("Copy: language by script; chooses the mean to subtract")


def _in_hnsw_column() -> Any:
    return mapped_column(
        Boolean, nullable=False, server_default=false(), comment="True: the row is in the model's HNSW index"
    )


class PreferenceEmbeddingRow(Base):
    __tablename__ = "preference_embeddings"
    __table_args__ = (
        PrimaryKeyConstraint("user_id", "preference_id", "model_id"),
        owned_by("preferences", "preference_id"),
        _model_key(),
        {"comment": "Vectors of preferences, one a model, with copies of what ranking needs without a join"},
    )
    user_id: Mapped[str] = user_id_column()
    preference_id: Mapped[UUID] = _owner_column("preference")
    model_id: Mapped[int] = _model_column()
    embedding: Mapped[Any] = _vector_column()
    language: Mapped[str] = _language_column()
    kind: Mapped[str] = text_column("Copy: kind of the preference")
    is_active: Mapped[bool] = mapped_column(
        Boolean, nullable=False, server_default=true(), comment="Copy: status is activated"
    )
    needs_consent: Mapped[bool] = mapped_column(
        Boolean, nullable=False, server_default=false(), comment="Copy: sensitive and not a safety preference"
    )
    hub_en: Mapped[float] = _hub_column("English")
    hub_zh: Mapped[float] = _hub_column("Chinese")
    in_hnsw: Mapped[bool] = _in_hnsw_column()
    created_at: Mapped[datetime] = time_column("When it was embedded", default_now=True)


class MessageEmbeddingRow(Base):
    __tablename__ = "message_embeddings"
    __table_args__ = (
        PrimaryKeyConstraint("user_id", "message_id", "model_id"),
        owned_by("messages", "message_id"),
        _model_key(),
        {"comment": "Vectors of messages, one a model; the speaker and the time are part of the embedded text"},
    )
    user_id: Mapped[str] = user_id_column()
    message_id: Mapped[UUID] = _owner_column("message")
    model_id: Mapped[int] = _model_column()
    embedding: Mapped[Any] = _vector_column()
    language: Mapped[str] = _language_column()
    in_hnsw: Mapped[bool] = _in_hnsw_column()
    created_at: Mapped[datetime] = time_column("When it was embedded", default_now=True)


class SummaryEmbeddingRow(Base):
    __tablename__ = "summary_embeddings"
    __table_args__ = (
        PrimaryKeyConstraint("user_id", "summary_id", "model_id"),
        owned_by("summaries", "summary_id"),
        _model_key(),
        {"comment": "Vectors of summaries, one a model"},
    )
    user_id: Mapped[str] = user_id_column()
    summary_id: Mapped[UUID] = _owner_column("summary")
    model_id: Mapped[int] = _model_column()
    embedding: Mapped[Any] = _vector_column()
    language: Mapped[str] = _language_column()
    in_hnsw: Mapped[bool] = _in_hnsw_column()
    created_at: Mapped[datetime] = time_column("When it was embedded", default_now=True)


class UserStatsRow(Base):
    __tablename__ = "user_stats"
    __table_args__ = (
        PrimaryKeyConstraint("user_id", "scope", "model_id", "language"),
        owned_by_user(),
        _model_key(),
        one_of("scope", ("preference", "message")),
        {"comment": "Running statistics of a user that ranking reads by key; they may lag behind the rows"},
    )
    user_id: Mapped[str] = user_id_column()
    scope: Mapped[str] = mapped_column(Text, comment="preference or message")
    model_id: Mapped[int] = _model_column()
    language: Mapped[str] = mapped_column(Text, comment="Language by script of the memories (or of the questions)")
    row_count: Mapped[int] = mapped_column(
        BigInteger, nullable=False, server_default=text("0"), comment="How many rows are searched"
    )
    total_length: Mapped[int] = mapped_column(
        BigInteger, nullable=False, server_default=text("0"), comment="Sum of their lengths in lexemes"
    )
    vector_count: Mapped[int] = mapped_column(
        BigInteger, nullable=False, server_default=text("0"), comment="How many vectors memory_mean stands for"
    )
    memory_mean: Mapped[Any] = mapped_column(
        VECTOR,
        nullable=True,
        comment="Mean of the memories' vectors, drawn to the shipped mean by ten; NULL: none embedded yet",
    )
    question_count: Mapped[float] = mapped_column(
        Float, nullable=False, server_default=text("0"), comment="Decayed number of questions behind question_mean"
    )
    question_mean: Mapped[Any] = mapped_column(
        VECTOR,
        nullable=True,
        comment="Decayed mean of the questions' vectors, drawn to the shipped mean by ten; NULL: none asked yet",
    )
    in_hnsw: Mapped[bool] = mapped_column(
        Boolean, nullable=False, server_default=false(), comment="True: every row of the user is in the HNSW index"
    )
    updated_at: Mapped[datetime] = time_column("When it was last brought up to date", default_now=True)
