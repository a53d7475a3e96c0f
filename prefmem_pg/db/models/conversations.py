"""Users, their dialogs and messages, and the postings of messages."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Computed,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Text,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.dialects.postgresql import TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import Uuid

from prefmem_pg.db.models.base import (
    SEARCH_VECTOR_FUNCTION,
    Base,
    id_column,
    metadata_column,
    one_of,
    owned_by,
    owned_by_user,
    text_column,
    time_column,
    user_id_column,
)
from prefmem_pg.domain.messages import ROLES
from prefmem_pg.domain.text import MAX_ID_CHARACTERS


class UserRow(Base):
    __tablename__ = "users"
    __table_args__ = (
        PrimaryKeyConstraint("user_id"),
        CheckConstraint(f"length(user_id) BETWEEN 1 AND {MAX_ID_CHARACTERS}", name="user_id"),
        {"comment": "The users whose preferences are remembered; deleting one deletes all that is theirs"},
    )
    user_id: Mapped[str] = user_id_column()
    created_at: Mapped[datetime] = time_column("When the user was first seen", default_now=True)
    locale: Mapped[str | None] = text_column("Preferred locale, such as zh-CN; NULL: not known", nullable=True)
    time_zone: Mapped[str] = text_column("IANA time zone that decides what a day is", default="UTC")
    may_use_sensitive: Mapped[bool] = mapped_column(
        Boolean,
        nullable=False,
        server_default=false(),
        comment="The user's consent that health, finance and identity preferences are recalled",
    )
    revision: Mapped[int] = mapped_column(
        BigInteger, nullable=False, server_default=text("0"), comment="Raised by every decision on a preference"
    )
    metadata_: Mapped[dict[str, Any]] = metadata_column()


class DialogRow(Base):
    __tablename__ = "dialogs"
    __table_args__ = (
        PrimaryKeyConstraint("user_id", "dialog_id"),
        owned_by_user(),
        Index(None, "user_id", "session_id"),
        {"comment": "Dialogs: ordered groups of messages"},
    )
    user_id: Mapped[str] = user_id_column()
    dialog_id: Mapped[str] = mapped_column(Text, comment="The caller's id, or default:<session or day>")
    session_id: Mapped[str | None] = text_column("The sitting that the dialog belongs to; NULL: none", nullable=True)
    source: Mapped[str] = text_column("Where the dialog came from: api, or an importer's name", default="api")
    started_at: Mapped[datetime | None] = time_column("Time of the first message; NULL: no message yet", nullable=True)
    ended_at: Mapped[datetime | None] = time_column("Time of the last message; NULL: no message yet", nullable=True)
    agent_id: Mapped[str | None] = text_column("The agent that took part; NULL: not given", nullable=True)
    mem_cube_id: Mapped[str | None] = text_column("The caller's memory container; NULL: not given", nullable=True)
    title: Mapped[str | None] = text_column("Title of the dialog; NULL: none", nullable=True)
    metadata_: Mapped[dict[str, Any]] = metadata_column()


class MessageRow(Base):
    __tablename__ = "messages"
    __table_args__ = (
        PrimaryKeyConstraint("user_id", "message_id"),
        owned_by("dialogs", "dialog_id"),
        UniqueConstraint("user_id", "source", "external_id"),
        one_of("role", ROLES),
        CheckConstraint("content <> ''", name="content"),
        Index(None, "user_id", "dialog_id", "occurred_at", "message_id"),
        Index(
            "ix_messages_unread",
            "user_id",
            "dialog_id",
            "occurred_at",
            postgresql_where=text("read_by_run_id IS NULL"),
        ),
        {"comment": "Messages: one turn said by someone, secrets already replaced"},
    )
    user_id: Mapped[str] = user_id_column()
    message_id: Mapped[UUID] = id_column("Id of the message; a UUID of version 7, so ids of one load are in order")
    dialog_id: Mapped[str] = text_column("The dialog that the message belongs to")
    role: Mapped[str] = text_column("user, assistant, other (a person who is not the user), system or tool")
    author: Mapped[str | None] = text_column("Name of the speaker; NULL: not given", nullable=True)
    content: Mapped[str] = text_column("What was said; secrets stand as [secret:KIND]")
    occurred_at: Mapped[datetime] = time_column("When it was said")
    occurred_at_is_assumed: Mapped[bool] = mapped_column(
        Boolean,
        nullable=False,
        server_default=false(),
        comment="True when no time was given and the time of ingestion stands in its place",
    )
    ingested_at: Mapped[datetime] = time_column("When it was stored", default_now=True)
    source: Mapped[str] = text_column("Where it came from: api, or an importer's name", default="api")
    external_id: Mapped[str] = text_column("The caller's id, or a hash of the message: makes ingesting again free")
    read_by_run_id: Mapped[UUID | None] = mapped_column(
        Uuid, comment="The extraction run that covered it as new; NULL: unread"
    )
    metadata_: Mapped[dict[str, Any]] = metadata_column()
    search_vector: Mapped[Any] = mapped_column(
        TSVECTOR,
        Computed(f"{SEARCH_VECTOR_FUNCTION}(content)", persisted=True),
        comment="Lexemes of the content: English stems and CJK bigrams",
    )


class MessageTermRow(Base):
    __tablename__ = "message_terms"
    __table_args__ = (
        PrimaryKeyConstraint("user_id", "lexeme", "message_id", postgresql_include=["frequency", "length"]),
        owned_by_user(),
        {"comment": "Postings of messages for keyword ranking (BM25)"},
    )
    user_id: Mapped[str] = user_id_column()
    lexeme: Mapped[str] = mapped_column(Text, comment="An English stem or a CJK bigram")
    message_id: Mapped[UUID] = mapped_column(Uuid, comment="The message that holds the lexeme")
    frequency: Mapped[int] = mapped_column(Integer, nullable=False, comment="How often the message holds the lexeme")
    length: Mapped[int] = mapped_column(Integer, nullable=False, comment="How many lexemes the message has in all")
