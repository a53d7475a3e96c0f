"""Messages -> summaries of dialogs and of days, one at a time; their vectors follow."""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from typing import Final
from uuid import UUID

from prefmem_pg.db.session import Database
from prefmem_pg.db.summaries import DueSummary
from prefmem_pg.domain.ids import new_id
from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.preferences import Sensitivity
from prefmem_pg.domain.summaries import SUMMARY_SCOPES, Summary, SummaryReport
from prefmem_pg.domain.text import detect_language
from prefmem_pg.errors import BudgetExceeded, ConfigurationError, PrefmemError, described
from prefmem_pg.providers.offline.sentences import sentences
from prefmem_pg.providers.protocols import Abstract, EmbeddingModel, Passage, Summarizer
from prefmem_pg.providers.serving import serving
from prefmem_pg.steps.embed import embed_rows
from prefmem_pg.steps.screen import classify, redact

log = logging.getLogger(__name__)

USERS_A_PAGE: Final = 100
BATCH_TEXTS: Final = 128
MAX_SUMMARY_CHARACTERS: Final = 4_000
_WORST_FIRST: Final[tuple[Sensitivity, ...]] = ("identity", "finance", "health")


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """Whose conversations to summarize, and when they were held: ``since`` <= occurred_at < ``until``."""

    user_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None


def summarize(
    database: Database,
    summarizer: Summarizer,
    period: Period,
    *,
    on_summary: Callable[[SummaryReport], None] | None = None,
) -> SummaryReport:
    """Summarize every dialog and day that has a message in the period and has changed; return the counts.

    Each is a transaction of its own, so a kill costs one; a failure stays with its dialog and is tried by the next run.
    A wrong key and a spent budget are raised, and the rest is left to the next run; a user whose own budget is spent
    holds up nobody else.
    """
    total = SummaryReport()
    spent: BudgetExceeded | None = None
    for user_id in _users(database, period):
        total = total.plus(SummaryReport(users=1))
        try:
            for report in _summarize_user(database, summarizer, user_id, period):
                total = total.plus(report)
                if on_summary is not None:
                    on_summary(report)
        except BudgetExceeded as exc:
            if exc.user_id is None:
                raise
            spent = exc
    if spent is not None:
        raise spent
    return total


def embed_summaries(
    database: Database, embedder: EmbeddingModel, *, model_id: int, user_id: str | None = None
) -> SummaryReport:
    """Make the vectors of summaries that have none of the model yet; a failure is left to the next call. Idempotent."""
    report = SummaryReport()
    after: tuple[str, UUID] | None = None
    while True:
        with database.transaction(user_id=user_id) as repositories:
            rows = repositories.summaries.list_missing(
                model_id=model_id, user_id=user_id, after=after, limit=BATCH_TEXTS
            )
        if not rows:
            return report
        after = (rows[-1]["user_id"], rows[-1]["summary_id"])

        texts = [row["text"] for row in rows]
        names = [f"summary {row['summary_id']}" for row in rows]
        embedded, errors, is_down = embed_rows(embedder, rows, texts, names=names)
        for user, items in groupby(embedded, key=lambda item: str(item[0]["user_id"])):
            made = [(row["summary_id"], row["text"], vector) for row, vector in items]
            with database.transaction(user_id=user) as repositories:
                if repositories.preferences.hold_user(user) is not None:
                    repositories.summaries.add_vectors(user, made, model_id=model_id)
        report = report.plus(SummaryReport(embedded=len(embedded), failed=len(errors), errors=errors))
        if is_down:
            return report


def _users(database: Database, period: Period) -> Iterator[str]:
    after: str | None = None
    while True:
        with database.transaction(user_id=period.user_id) as repositories:
            users = repositories.summaries.list_users(
                user_id=period.user_id, since=period.since, until=period.until, after=after, limit=USERS_A_PAGE
            )
        yield from users
        if len(users) < USERS_A_PAGE:
            return
        after = users[-1]


def _summarize_user(
    database: Database, summarizer: Summarizer, user_id: str, period: Period
) -> Iterator[SummaryReport]:
    made_by = f"{summarizer.name}/{summarizer.version}"
    for scope in SUMMARY_SCOPES:
        with database.transaction(user_id=user_id) as repositories:
            all_due = repositories.summaries.list_due(
                user_id, scope, made_by=made_by, since=period.since, until=period.until
            )
        for due in all_due:
            yield _summarize_one(database, summarizer, user_id, due, made_by=made_by)


def _summarize_one(
    database: Database, summarizer: Summarizer, user_id: str, due: DueSummary, *, made_by: str
) -> SummaryReport:
    with database.transaction(user_id=user_id) as repositories:
        twin = repositories.summaries.find_made(user_id, due.input_hash)
        message_ids = repositories.summaries.list_message_ids(user_id, due)
        messages = repositories.messages.list_by_ids(user_id, message_ids)
        may_use_sensitive = repositories.preferences.may_use_sensitive(user_id)
        zone = repositories.messages.time_zones([user_id]).get(user_id, "UTC")

    told = tuple(messages) if may_use_sensitive else _without_sensitive(messages)
    passage = Passage(scope=due.scope, messages=told, language=_language(told), time_zone=zone)
    try:
        with serving(user_id, message_ids=[message.message_id for message in told]):
            abstract = Abstract(text=twin.text, message_ids=twin.message_ids) if twin else _ask(summarizer, passage)
    except (BudgetExceeded, ConfigurationError):
        raise  # would be so for every dialog
    except PrefmemError as exc:
        return _failure(user_id, due, described(exc))
    # A summarizer of the caller's own may raise anything: one bad dialog must not sink the others.
    except Exception as exc:
        log.exception("the summarizer failed", extra={"summarizer": made_by, "dialog_id": due.dialog_id})
        return _failure(user_id, due, described(exc))
    summary = _as_summary(user_id, due, messages, abstract)

    with database.transaction(user_id=user_id) as repositories:
        # Forgetting takes this lock too: a summary of what was forgotten meanwhile is not written.
        if repositories.preferences.lock_known_user(user_id) is None:
            return SummaryReport(skipped=1)
        now_there = repositories.summaries.list_message_ids(user_id, due)
        if repositories.summaries.input_hash(user_id, now_there, made_by=made_by) != due.input_hash:
            return SummaryReport(skipped=1)
        repositories.summaries.replace(summary, input_hash=due.input_hash)
    if not summary.text:
        return SummaryReport(empty=1)
    return SummaryReport(dialogs=1) if due.scope == "dialog" else SummaryReport(days=1)


def _ask(summarizer: Summarizer, passage: Passage) -> Abstract | None:
    """Ask the summarizer; what it says is checked as what anybody says, and its links are to this passage alone."""
    abstract = summarizer.summarize(passage) if passage.messages else None
    if abstract is None:
        return None
    known = {message.message_id for message in passage.messages}
    return Abstract(
        text=redact(abstract.text).strip()[:MAX_SUMMARY_CHARACTERS],
        message_ids=tuple(one for one in abstract.message_ids if one in known),
    )


def _without_sensitive(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return the messages without sentences on health, finance or identity, except those on safety."""
    kept = []
    for message in messages:
        private = [span for span in sentences(message.content) if _sensitivity(span.text) != "none"]
        if private:
            content = message.content
            for span in reversed(private):
                content = f"{content[: span.start]} {content[span.end :]}"
            message = replace(message, content=content.strip())
        if message.content:
            kept.append(message)
    return tuple(kept)


def _sensitivity(text: str) -> Sensitivity:
    sensitivity, is_safety = classify(text)
    return "none" if is_safety else sensitivity


def _as_summary(user_id: str, due: DueSummary, messages: Sequence[Message], abstract: Abstract | None) -> Summary:
    """Return the summary; one without text says that there was nothing to tell, so that it is not asked again."""
    text = abstract.text if abstract else ""
    found = {_sensitivity(span.text) for span in sentences(text)}
    return Summary(
        user_id=user_id,
        summary_id=new_id(),
        scope=due.scope,
        dialog_id=due.dialog_id,
        period_start=due.period_start,
        period_end=due.period_end,
        text=text,
        language=detect_language(text),
        sensitivity=next((one for one in _WORST_FIRST if one in found), "none"),
        message_ids=abstract.message_ids if abstract else (),
        counts={"messages": len(messages)},
        created_at=datetime.now(UTC),
    )


def _language(messages: Sequence[Message]) -> str:
    own = [message.content for message in messages if message.role == "user"]
    return detect_language("\n".join(own or [message.content for message in messages])[:4_000])


def _failure(user_id: str, due: DueSummary, error: str) -> SummaryReport:
    what = due.dialog_id or f"{due.period_start:%Y-%m-%d}"
    return SummaryReport(failed=1, errors={f"{user_id}/{what}": error})
