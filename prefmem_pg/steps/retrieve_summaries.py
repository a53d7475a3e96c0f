"""Query -> summaries of dialogs and days, and from one of them to its messages."""

from datetime import UTC, datetime
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from prefmem_pg.db.rows import as_vector_text
from prefmem_pg.db.session import Database
from prefmem_pg.db.summaries import as_summary
from prefmem_pg.db.summary_search import search_summaries
from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.summaries import SummaryHit, SummaryScope
from prefmem_pg.errors import NotFound
from prefmem_pg.providers.bank import Bank
from prefmem_pg.steps.periods import find_periods
from prefmem_pg.steps.retrieve import Question

SUMMARY_BAR: Final = 0.3
"""Score from which recall() tells a summary; what has nothing to do with a question lies mostly below .25."""


def retrieve_summaries(
    database: Database,
    user_id: str,
    question: Question,
    bank: Bank,
    *,
    model_id: int,
    scope: SummaryScope | None,
    limit: int,
    now: datetime | None,
) -> list[SummaryHit]:
    """Return the user's summaries that answer a question, best first, ties by id."""
    at = now or datetime.now(UTC)
    with database.transaction(user_id=user_id) as repositories:
        zone = repositories.messages.time_zones([user_id]).get(user_id, "UTC")
        rows = search_summaries(
            repositories.session,
            user_id=user_id,
            model_id=model_id,
            query=question.text,
            vector=as_vector_text(question.raw),
            shipped_mean=as_vector_text(question.shipped_mean),
            statement_mean=as_vector_text(bank.statement_mean[question.language]),
            smoothing=as_vector_text(question.smoothing),
            language=question.language,
            scope=scope,
            periods=find_periods(question.text, at.astimezone(ZoneInfo(zone))),
            limit=limit,
        )
    return [
        SummaryHit(
            summary=as_summary(row),
            score=round(float(row["score"]), 6),
            semantic=None if row["semantic"] is None else round(float(row["semantic"]), 6),
            keyword=round(float(row["keyword"]), 6),
        )
        for row in rows
    ]


def read_messages(database: Database, user_id: str, summary_id: UUID) -> list[Message]:
    """Return the messages that a summary is drawn from, in order of time; NotFound when this user has none such."""
    with database.transaction(user_id=user_id) as repositories:
        summary = repositories.summaries.find(user_id, summary_id)
        if summary is None:
            raise NotFound(f"user {user_id} has no summary {summary_id}")
        return repositories.messages.list_by_ids(user_id, summary.message_ids)
