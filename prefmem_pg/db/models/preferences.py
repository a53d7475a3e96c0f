"""Preferences with their versions, evidence, usage, postings, and candidates that wait."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    REAL,
    BigInteger,
    Boolean,
    CheckConstraint,
    Computed,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    Text,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB, TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import Uuid

from prefmem_pg.db.models.base import (
    SCHEMA,
    SEARCH_VECTOR_FUNCTION,
    Base,
    id_column,
    json_column,
    metadata_column,
    one_of,
    owned_by,
    owned_by_user,
    text_column,
    time_column,
    unit_interval,
    user_id_column,
)
from prefmem_pg.domain.preferences import EVENTS, KINDS, POLARITIES, SENSITIVITIES, STATUSES
from prefmem_pg.domain.text import MAX_STATEMENT_CHARACTERS


def _list_column(comment: str) -> Any:
    return mapped_column(ARRAY(Text), nullable=False, server_default=text("'{}'::text[]"), comment=comment)


class PreferenceRow(Base):
    __tablename__ = "preferences"
    __table_args__ = (
        PrimaryKeyConstraint("user_id", "preference_id"),
        owned_by_user(),
        ForeignKeyConstraint(
            ["user_id", "superseded_by"],
            [f"{SCHEMA}.preferences.user_id", f"{SCHEMA}.preferences.preference_id"],
        ),
        one_of("kind", KINDS),
        one_of("polarity", POLARITIES),
        one_of("sensitivity", SENSITIVITIES),
        one_of("status", STATUSES),
        unit_interval("confidence"),
        unit_interval("importance"),
        CheckConstraint(f"length(statement) BETWEEN 1 AND {MAX_STATEMENT_CHARACTERS}", name="statement"),
        CheckConstraint(
            "(status = 'deleted') = (statement IS NULL) AND (statement IS NULL) = (statement_hash IS NULL)",
            name="deleted_has_no_text",
        ),
        CheckConstraint("valid_to >= valid_from", name="valid_to"),
        CheckConstraint("version >= 1 AND mention_count >= 1", name="counts"),
        Index(
            "ux_preferences_activated_statement",
            "user_id",
            "statement_hash",
            unique=True,
            postgresql_where=text("status = 'activated'"),
        ),
        Index("ix_preferences_statement", "user_id", "statement_hash"),
        Index(None, "user_id", "superseded_by"),
        Index("ix_preferences_topic", "user_id", "topic", postgresql_where=text("status = 'activated'")),
        Index(
            "ix_preferences_entities",
            "user_id",
            "preference_id",
            postgresql_include=["entities"],
            postgresql_where=text("status = 'activated' AND cardinality(entities) > 0"),
        ),
        Index(
            "ix_preferences_ending",
            "user_id",
            "expires_at",
            postgresql_where=text("status = 'activated' AND expires_at IS NOT NULL"),
        ),
        Index("ix_preferences_listed", "user_id", "status", "created_at", "preference_id"),
        {"comment": "Preferences: one atomic, self-contained statement to know about the user each"},
    )
    user_id: Mapped[str] = user_id_column()
    preference_id: Mapped[UUID] = id_column("Id of the preference; it stays when the wording is updated")
    kind: Mapped[str] = text_column(
        "explicit (said), implicit (inferred), fact (circumstance), goal (wish or plan) or experience (what worked)"
    )
    statement: Mapped[str | None] = text_column("The preference in the user's words; NULL: deleted", nullable=True)
    statement_hash: Mapped[bytes | None] = mapped_column(
        LargeBinary, comment="SHA-256 of the statement after NFKC, case and space folding; NULL: deleted"
    )
    context: Mapped[str] = text_column(
        "Short summary that surrounds it: reason, journey, requests of a goal", default=""
    )
    polarity: Mapped[str] = text_column("positive, negative or neutral")
    topic: Mapped[str | None] = text_column("Topic id, such as food or travel; NULL: none found", nullable=True)
    entities: Mapped[list[str]] = _list_column("Names, brands and models that the statement mentions")
    tags: Mapped[list[str]] = _list_column("Free tags of the caller")
    language: Mapped[str] = text_column("Language of the statement by script: en, zh, ja or ko")
    confidence: Mapped[float] = mapped_column(REAL, nullable=False, comment="How sure it is, 0 to 1")
    importance: Mapped[float] = mapped_column(REAL, nullable=False, comment="How much it matters, 0 to 1")
    sensitivity: Mapped[str] = text_column(
        "none, health, finance or identity: the last three need consent", default="none"
    )
    is_safety: Mapped[bool] = mapped_column(
        Boolean, nullable=False, server_default=false(), comment="An allergy or the like: always recalled, never decays"
    )
    is_pinned: Mapped[bool] = mapped_column(
        Boolean, nullable=False, server_default=false(), comment="Kept by a person: never decays"
    )
    status: Mapped[str] = text_column("activated, resolving, rejected, archived, superseded or deleted")
    superseded_by: Mapped[UUID | None] = mapped_column(Uuid, comment="The preference that replaced it; NULL: none")
    mention_count: Mapped[int] = mapped_column(
        Integer, nullable=False, server_default=text("1"), comment="How many times the user has stated it"
    )
    valid_from: Mapped[datetime] = time_column("Since when it is true")
    valid_to: Mapped[datetime | None] = time_column("Until when it was true; NULL: still true", nullable=True)
    created_at: Mapped[datetime] = time_column("When it was stored")
    updated_at: Mapped[datetime] = time_column("When it last changed")
    expires_at: Mapped[datetime | None] = time_column("When it ends by itself; NULL: never", nullable=True)
    source: Mapped[str] = text_column("Where it came from: api, or an importer's name", default="api")
    dialog_id: Mapped[str | None] = text_column("The dialog that it came from; NULL: none", nullable=True)
    session_id: Mapped[str | None] = text_column("The session that it came from; NULL: none", nullable=True)
    agent_id: Mapped[str | None] = text_column("The agent that took part; NULL: not given", nullable=True)
    mem_cube_id: Mapped[str | None] = text_column("The caller's memory container; NULL: not given", nullable=True)
    version: Mapped[int] = mapped_column(
        Integer, nullable=False, server_default=text("1"), comment="Raised by every change; a stale one is a conflict"
    )
    run_id: Mapped[UUID | None] = mapped_column(Uuid, comment="The run that last wrote it; NULL: a direct call")
    metadata_: Mapped[dict[str, Any]] = metadata_column()
    search_vector: Mapped[Any] = mapped_column(
        TSVECTOR,
        Computed(f"{SEARCH_VECTOR_FUNCTION}(statement)", persisted=True),
        nullable=True,
        comment="Lexemes of the statement: English stems and CJK bigrams; NULL: deleted",
    )


class PreferenceVersionRow(Base):
    __tablename__ = "preference_versions"
    __table_args__ = (
        PrimaryKeyConstraint("user_id", "version_id"),
        owned_by("preferences", "preference_id"),
        one_of("event", EVENTS),
        Index(None, "user_id", "preference_id", "at"),
        Index(None, "user_id", "at"),
        {"comment": "Every change of every preference, with the whole state before and after"},
    )
    user_id: Mapped[str] = user_id_column()
    version_id: Mapped[UUID] = id_column("Id of the change")
    preference_id: Mapped[UUID] = mapped_column(Uuid, nullable=False, comment="The preference that changed")
    version: Mapped[int] = mapped_column(Integer, nullable=False, comment="Its version number after the change")
    event: Mapped[str] = text_column("What happened: " + ", ".join(EVENTS))
    state_before: Mapped[dict[str, Any] | None] = mapped_column(
        JSONB, comment="The whole row before; NULL: it did not exist, or was deleted on request"
    )
    state_after: Mapped[dict[str, Any] | None] = mapped_column(
        JSONB, comment="The whole row after; NULL: deleted on request"
    )
    actor: Mapped[str] = text_column("Who or what made the change")
    reason: Mapped[str] = text_column("Why, in words", default="")
    details: Mapped[dict[str, Any]] = json_column("Scores, judge and candidates behind the change, as JSON")
    run_id: Mapped[UUID | None] = mapped_column(Uuid, comment="The run that made the change; NULL: a direct call")
    at: Mapped[datetime] = time_column("When the change was stored")


class PreferenceEvidenceRow(Base):
    __tablename__ = "preference_evidence"
    __table_args__ = (
        PrimaryKeyConstraint("user_id", "preference_id", "message_id", "start_offset"),
        owned_by("preferences", "preference_id"),
        owned_by("messages", "message_id"),
        CheckConstraint("start_offset >= 0 AND end_offset - start_offset = length(quote)", name="offsets"),
        Index(None, "user_id", "message_id"),
        {"comment": "The message spans that support a preference"},
    )
    user_id: Mapped[str] = user_id_column()
    preference_id: Mapped[UUID] = mapped_column(Uuid, comment="The preference that is supported")
    message_id: Mapped[UUID] = mapped_column(Uuid, comment="The message that supports it")
    start_offset: Mapped[int] = mapped_column(Integer, comment="Where the quote starts in the message, in characters")
    end_offset: Mapped[int] = mapped_column(
        Integer, nullable=False, comment="Where it ends: one after the last character"
    )
    quote: Mapped[str] = text_column("The text at that place")
    run_id: Mapped[UUID | None] = mapped_column(Uuid, comment="The run that found it; NULL: a direct call")
    created_at: Mapped[datetime] = time_column("When it was stored", default_now=True)


class PreferenceUsageRow(Base):
    __tablename__ = "preference_usage"
    __table_args__ = (
        PrimaryKeyConstraint("user_id", "preference_id"),
        owned_by("preferences", "preference_id"),
        {"comment": "How often a preference was found; apart, so that reading never rewrites a preference"},
    )
    user_id: Mapped[str] = user_id_column()
    preference_id: Mapped[UUID] = mapped_column(Uuid, comment="The preference")
    access_count: Mapped[int] = mapped_column(
        BigInteger, nullable=False, server_default=text("0"), comment="How many searches returned it"
    )
    last_accessed_at: Mapped[datetime | None] = time_column(
        "When a search last returned it; NULL: never", nullable=True
    )


class PreferenceTermRow(Base):
    __tablename__ = "preference_terms"
    __table_args__ = (
        PrimaryKeyConstraint("user_id", "lexeme", "preference_id", postgresql_include=["frequency", "length"]),
        owned_by_user(),
        {"comment": "Postings of activated preferences for keyword ranking (BM25)"},
    )
    user_id: Mapped[str] = user_id_column()
    lexeme: Mapped[str] = mapped_column(Text, comment="An English stem or a CJK bigram")
    preference_id: Mapped[UUID] = mapped_column(Uuid, comment="The preference that holds the lexeme")
    frequency: Mapped[int] = mapped_column(Integer, nullable=False, comment="How often the statement holds the lexeme")
    length: Mapped[int] = mapped_column(Integer, nullable=False, comment="How many lexemes the statement has in all")


class CandidateRow(Base):
    __tablename__ = "candidates"
    __table_args__ = (
        PrimaryKeyConstraint("user_id", "candidate_id"),
        owned_by_user(),
        UniqueConstraint("user_id", "payload_hash"),
        one_of("state", ("waiting", "parked")),
        {"comment": "What was extracted and could not be decided yet"},
    )
    user_id: Mapped[str] = user_id_column()
    candidate_id: Mapped[UUID] = id_column("Id of the candidate")
    payload: Mapped[dict[str, Any]] = json_column("The candidate as JSON: statement, kind, evidence and the rest")
    payload_hash: Mapped[bytes] = mapped_column(
        LargeBinary, nullable=False, comment="SHA-256 of the payload: the same candidate waits once"
    )
    state: Mapped[str] = text_column("waiting (tried again by the next run) or parked (given up)", default="waiting")
    attempts: Mapped[int] = mapped_column(
        Integer, nullable=False, server_default=text("0"), comment="How many times deciding was tried"
    )
    error: Mapped[str | None] = text_column("Why the last attempt failed; NULL: not tried yet", nullable=True)
    run_id: Mapped[UUID | None] = mapped_column(Uuid, comment="The run that extracted it; NULL: a direct call")
    created_at: Mapped[datetime] = time_column("When it was extracted", default_now=True)
    updated_at: Mapped[datetime] = time_column("When it was last tried", default_now=True)
