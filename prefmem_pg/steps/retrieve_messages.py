"""Query -> messages, ranked with what was said around them."""

from datetime import UTC, datetime
from functools import partial
from zoneinfo import ZoneInfo

from sqlalchemy import RowMapping

from prefmem_pg.db.filters import CompiledFilter
from prefmem_pg.db.hybrid_messages import search_messages
from prefmem_pg.db.rows import as_vector_text
from prefmem_pg.db.session import Database
from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.search import MessageHit
from prefmem_pg.domain.text import clean_text, detect_language
from prefmem_pg.providers.bank import Bank, bank_language
from prefmem_pg.providers.embedding import embed_query
from prefmem_pg.providers.protocols import EmbeddingModel
from prefmem_pg.steps.centring import smoothing
from prefmem_pg.steps.limits import MAX_QUERY_CHARACTERS
from prefmem_pg.steps.periods import find_periods
from prefmem_pg.steps.retrieve import Question


def prepare_message_question(query: str, embedder: EmbeddingModel, bank: Bank) -> Question:
    """Embed a question to messages; unlike one to preferences it keeps its form. No database."""
    text = clean_text(query)[:MAX_QUERY_CHARACTERS]
    language = detect_language(text)
    raw = embed_query(embedder, text)
    key = bank_language(language)
    return Question(text, key, raw, bank.question_mean[key], partial(smoothing, bank, raw, language))


def retrieve_messages(
    database: Database,
    user_id: str,
    question: Question,
    *,
    model_id: int,
    condition: CompiledFilter,
    limit: int,
    min_score: float,
    now: datetime | None,
) -> list[MessageHit]:
    """Return the user's messages that answer a question, best first, ties by id.

    Months and days that the question names are read against ``now`` (default: this moment) in the user's time zone.
    """
    at = now or datetime.now(UTC)
    with database.transaction(user_id=user_id) as repositories:
        zone = repositories.messages.time_zones([user_id]).get(user_id, "UTC")
        rows = search_messages(
            repositories.session,
            user_id=user_id,
            model_id=model_id,
            query=question.text,
            vector=as_vector_text(question.raw),
            shipped_mean=as_vector_text(question.shipped_mean),
            smoothing=as_vector_text(question.smoothing),
            language=question.language,
            condition=condition.condition,
            condition_values=condition.values,
            periods=find_periods(question.text, at.astimezone(ZoneInfo(zone))),
            limit=limit,
            min_score=min_score,
        )
        messages = repositories.messages.list_by_ids(user_id, [row["message_id"] for row in rows])
    by_id = {message.message_id: message for message in messages}
    return [_as_hit(by_id[row["message_id"]], row) for row in rows]


def _as_hit(message: Message, row: RowMapping) -> MessageHit:
    return MessageHit(
        message=message,
        score=round(float(row["score"]), 6),
        semantic=None if row["semantic"] is None else round(float(row["semantic"]), 6),
        keyword=round(float(row["keyword"]), 6),
        factors={name: round(float(row[name]), 6) for name in ("neighbours", "session", "speaker", "period")},
    )
