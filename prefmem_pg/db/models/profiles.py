"""Profile settings, the state of a session, and summaries."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    CheckConstraint,
    Computed,
    Index,
    LargeBinary,
    PrimaryKeyConstraint,
    Text,
    UniqueConstraint,
)
from sqlalchemy import text as sql_text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import REAL, Uuid

from prefmem_pg.db.models.base import (
    SEARCH_VECTOR_FUNCTION,
    Base,
    id_column,
    json_column,
    one_of,
    owned_by,
    owned_by_user,
    text_column,
    time_column,
    unit_interval,
    user_id_column,
)
from prefmem_pg.domain.preferences import SENSITIVITIES


class SessionStateRow(Base):
    __tablename__ = "session_state"
    __table_args__ = (
        PrimaryKeyConstraint("user_id", "session_id"),
        owned_by_user(),
        Index(None, "expires_at"),
        {"comment": "Working memory of a session; ends by itself"},
    )
    user_id: Mapped[str] = user_id_column()
    session_id: Mapped[str] = mapped_column(Text, comment="The sitting of the user")
    goals: Mapped[list[Any]] = json_column("What the user wants to reach in this session", default="'[]'::jsonb")
    recalled: Mapped[list[Any]] = json_column("Ids of preferences recalled already", default="'[]'::jsonb")
    updated_at: Mapped[datetime] = time_column("When it last changed", default_now=True)
    expires_at: Mapped[datetime] = time_column("When it ends")


class ProfileEntryRow(Base):
    __tablename__ = "profile_entries"
    __table_args__ = (
        PrimaryKeyConstraint("user_id", "layer", "key"),
        owned_by_user(),
        owned_by("preferences", "preference_id"),
        one_of("layer", ("explicit", "inferred")),
        unit_interval("confidence"),
        Index(None, "user_id", "preference_id"),
        {"comment": "The structured settings of a user, in layers"},
    )
    user_id: Mapped[str] = user_id_column()
    layer: Mapped[str] = mapped_column(Text, comment="explicit (said or set) or inferred (from behaviour)")
    key: Mapped[str] = mapped_column(Text, comment="Name of the setting, such as language or max_length")
    value: Mapped[Any] = mapped_column(JSONB, nullable=False, comment="Value of the setting")
    confidence: Mapped[float] = mapped_column(REAL, nullable=False, comment="How sure it is, 0 to 1")
    preference_id: Mapped[UUID | None] = mapped_column(Uuid, comment="The preference it came from; NULL: set directly")
    reason: Mapped[str] = text_column("Why it has this value, in words", default="")
    stated_at: Mapped[datetime] = time_column("When it was stated: an older write never replaces a newer one")
    updated_at: Mapped[datetime] = time_column("When it was stored", default_now=True)


class SummaryRow(Base):
    __tablename__ = "summaries"
    __table_args__ = (
        PrimaryKeyConstraint("user_id", "summary_id"),
        owned_by_user(),
        owned_by("dialogs", "dialog_id"),
        one_of("scope", ("dialog", "day")),
        one_of("sensitivity", SENSITIVITIES),
        CheckConstraint("(scope = 'dialog') = (dialog_id IS NOT NULL)", name="dialog"),
        CheckConstraint("period_end >= period_start", name="period"),
        UniqueConstraint("user_id", "scope", "period_start", "dialog_id", postgresql_nulls_not_distinct=True),
        Index(None, "user_id", "dialog_id"),
        {"comment": "Summaries of dialogs and days"},
    )
    user_id: Mapped[str] = user_id_column()
    summary_id: Mapped[UUID] = id_column("Id of the summary")
    scope: Mapped[str] = text_column("dialog or day")
    dialog_id: Mapped[str | None] = text_column("The dialog; NULL: the summary of a day", nullable=True)
    period_start: Mapped[datetime] = time_column("Start of what it covers")
    period_end: Mapped[datetime] = time_column("End of what it covers")
    text: Mapped[str] = text_column("The summary")
    language: Mapped[str] = text_column("Language by script", default="en")
    counts: Mapped[dict[str, Any]] = json_column("How many messages and preferences it covers")
    run_id: Mapped[UUID | None] = mapped_column(Uuid, comment="The run that wrote it; NULL: a direct call")
    created_at: Mapped[datetime] = time_column("When it was written", default_now=True)
    sensitivity: Mapped[str] = text_column(
        "The most private thing in it; found with consent unless none", default="none"
    )
    message_ids: Mapped[list[UUID]] = mapped_column(
        ARRAY(Uuid),
        nullable=False,
        server_default=sql_text("'{}'::uuid[]"),
        comment="The messages that it is drawn from, in its order",
    )
    input_hash: Mapped[bytes | None] = mapped_column(
        LargeBinary, comment="What it was made from and by what: equal means up to date; NULL: not known"
    )
    search_vector: Mapped[Any] = mapped_column(
        TSVECTOR,
        Computed(f"{SEARCH_VECTOR_FUNCTION}(text)", persisted=True),
        comment="Lexemes of the text: English stems and CJK bigrams",
    )
