"""What belongs to no user: settings, tombstones of erased users, and evaluations."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKeyConstraint, LargeBinary, PrimaryKeyConstraint, Text, UniqueConstraint
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import Uuid

from prefmem_pg.db.models.base import SCHEMA, Base, id_column, json_column, one_of, text_column, time_column


class SettingRow(Base):
    __tablename__ = "settings"
    __table_args__ = (
        PrimaryKeyConstraint("name"),
        {"comment": "Facts about this database (keys of tombstones, hashes of views); no user data"},
    )
    name: Mapped[str] = mapped_column(Text, comment="Name of the setting")
    value: Mapped[Any] = mapped_column(JSONB, nullable=False, comment="Its value")


class ErasureRow(Base):
    __tablename__ = "erasures"
    __table_args__ = (
        PrimaryKeyConstraint("erasure_id"),
        UniqueConstraint("scope", "subject_hmac"),
        one_of("scope", ("user", "message")),
        {"comment": "Tombstones of what was erased on request; ingestion refuses what they match"},
    )
    erasure_id: Mapped[UUID] = id_column("Id of the erasure")
    scope: Mapped[str] = text_column("user or message")
    subject_hmac: Mapped[bytes] = mapped_column(
        LargeBinary,
        nullable=False,
        comment="HMAC of the user id, or of user, source and external id, under a key kept in settings",
    )
    counts: Mapped[dict[str, Any]] = json_column("How many rows of each table went")
    at: Mapped[datetime] = time_column("When it was erased", default_now=True)


class EvaluationRunRow(Base):
    __tablename__ = "evaluation_runs"
    __table_args__ = (
        PrimaryKeyConstraint("evaluation_id"),
        one_of("task", ("retrieval", "extraction", "dedup")),
        {"comment": "Evaluations: a dataset measured under a configuration"},
    )
    evaluation_id: Mapped[UUID] = id_column("Id of the evaluation")
    task: Mapped[str] = text_column("retrieval, extraction or dedup")
    dataset: Mapped[str] = text_column("Name of the dataset")
    configuration: Mapped[dict[str, Any]] = json_column("Models, weights and versions that were measured")
    metrics: Mapped[dict[str, Any]] = json_column("Metric name to value")
    started_at: Mapped[datetime] = time_column("When it started", default_now=True)
    finished_at: Mapped[datetime | None] = time_column("When it ended; NULL: it has not", nullable=True)


class EvaluationResultRow(Base):
    __tablename__ = "evaluation_results"
    __table_args__ = (
        PrimaryKeyConstraint("evaluation_id", "question_id"),
        ForeignKeyConstraint(["evaluation_id"], [f"{SCHEMA}.evaluation_runs.evaluation_id"], ondelete="CASCADE"),
        {"comment": "Results of an evaluation, question by question"},
    )
    evaluation_id: Mapped[UUID] = mapped_column(Uuid, comment="The evaluation")
    question_id: Mapped[str] = mapped_column(Text, comment="Id of the question in the dataset")
    category: Mapped[str] = text_column("Kind or language that the question belongs to", default="")
    outcome: Mapped[dict[str, Any]] = json_column("Rank of the right answer, or what was found and expected")
