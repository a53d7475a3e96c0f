"""The summaries' part of the front door."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from prefmem_pg.domain.messages import Message
from prefmem_pg.domain.summaries import SUMMARY_SCOPES, SummaryHit, SummaryReport, SummaryScope
from prefmem_pg.domain.text import check_id
from prefmem_pg.domain.times import aware_or_none
from prefmem_pg.errors import InvalidInput
from prefmem_pg.memory.opening import Opening, as_uuid
from prefmem_pg.providers.serving import serving
from prefmem_pg.steps.limits import as_query, check_limit
from prefmem_pg.steps.retrieve_messages import prepare_message_question
from prefmem_pg.steps.retrieve_summaries import read_messages, retrieve_summaries
from prefmem_pg.steps.spending import as_one_run
from prefmem_pg.steps.summarize import Period, embed_summaries, summarize


class Summaries(Opening):
    """The part of PreferenceMemory that tells conversations in few words, and finds them again."""

    @as_one_run
    def summarize(
        self,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        user_id: str | None = None,
        on_summary: Callable[[SummaryReport], None] | None = None,
    ) -> SummaryReport:
        """Summarize the dialogs and the days that have a message in the period; return the counts.

        ``since`` <= occurred_at < ``until``; a dialog or day is told as a whole. A day is one of the user's time zone.
        Running it again reads nothing that has not changed. A dialog that fails is named in the report, and the rest
        goes on. Without the user's consent, what is sensitive is not told, except for safety.
        """
        parts = self._ready()
        period = Period(
            user_id=None if user_id is None else check_id("user_id", user_id),
            since=aware_or_none("since", since),
            until=aware_or_none("until", until),
        )
        report = summarize(self.database, parts.summarizer(), period, on_summary=on_summary)
        return report.plus(
            embed_summaries(self.database, parts.embedder, model_id=parts.model_id, user_id=period.user_id)
        )

    def search_summaries(
        self,
        user_id: str,
        query: str,
        *,
        limit: int = 10,
        scope: SummaryScope | None = None,
        now: datetime | None = None,
    ) -> list[SummaryHit]:
        """Return the user's summaries that answer a question, best first, ties by id.

        ``scope`` "dialog" or "day" takes one sort only. Periods that the question names count, read against ``now``.
        Summaries with something sensitive in them are found with the user's consent alone.
        """
        parts = self._ready()
        check_id("user_id", user_id)
        if scope is not None and scope not in SUMMARY_SCOPES:
            raise InvalidInput(f"scope is {scope!r}; it must be one of: {', '.join(SUMMARY_SCOPES)}")
        wanted, at = check_limit(limit), aware_or_none("now", now)
        bank = parts.bank()
        with serving(user_id, is_awaited=True):
            question = prepare_message_question(as_query(query), parts.embedder, bank)
        return retrieve_summaries(
            self.database,
            user_id,
            question,
            bank,
            model_id=parts.model_id,
            scope=scope,
            limit=wanted,
            now=at,
        )

    def summary_messages(self, user_id: str, summary_id: UUID | str) -> list[Message]:
        """Return the messages that a summary is drawn from, in order of time; NotFound when this user has none such."""
        self._ready()
        return read_messages(self.database, check_id("user_id", user_id), as_uuid(summary_id))
