"""The front door for reading by batches."""

from datetime import datetime

from prefmem_pg.domain.reports import BatchReport, ExtractionReport
from prefmem_pg.domain.text import check_id
from prefmem_pg.domain.times import aware_or_none
from prefmem_pg.memory.opening import Opening
from prefmem_pg.steps.collect_batches import collect_batches
from prefmem_pg.steps.extract import Scope
from prefmem_pg.steps.spending import as_one_run
from prefmem_pg.steps.submit_batches import submit_batches


class BatchedExtraction(Opening):
    """The part of PreferenceMemory that lets a provider read within hours, for less. Needs an extractor by Claude."""

    @as_one_run
    def submit_batches(
        self, *, user_id: str | None = None, since: datetime | None = None, until: datetime | None = None
    ) -> BatchReport:
        """Hand all unread messages in scope to the provider; return the counts. What is on its way is not sent again.

        A batch that would exceed a budget is cut to what there is room for, sent, and then BudgetExceeded is raised,
        whose ``submitted`` has the counts.
        Until collect_batches() has dealt with the answers, extract() leaves these messages alone.
        """
        reader = self._ready().batch_reader()
        scope = Scope(
            user_id=None if user_id is None else check_id("user_id", user_id),
            since=aware_or_none("since", since),
            until=aware_or_none("until", until),
        )
        return submit_batches(reader, scope)

    @as_one_run
    def collect_batches(self) -> ExtractionReport:
        """Decide what batches have brought that have ended by now, and delete them at the provider; return the counts.

        Call it again until nothing is on its way. What expired is unread again, and goes into the next batch. One
        process collects at a time; another one's call does nothing and says so in ``errors``.
        """
        return collect_batches(self._ready().batch_reader())
