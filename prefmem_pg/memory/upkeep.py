"""The upkeep part of the front door."""

from collections.abc import Callable
from dataclasses import replace

from prefmem_pg.errors import InvalidInput
from prefmem_pg.memory.opening import Opening
from prefmem_pg.steps.count import recount
from prefmem_pg.steps.embed import EmbedReport, embed_missing
from prefmem_pg.steps.promote import PromotionReport, promote_large_users
from prefmem_pg.steps.spending import as_one_run
from prefmem_pg.steps.summarize import embed_summaries


class Upkeep(Opening):
    """The part of PreferenceMemory that scheduled jobs call."""

    @as_one_run
    def embed_missing(
        self, *, user_id: str | None = None, on_batch: Callable[[int], None] | None = None
    ) -> EmbedReport:
        """Embed what has no vector of the active model yet: preferences, messages, summaries. Resumable, idempotent."""
        parts = self._ready()
        report = embed_missing(
            self.database, parts.embedder, parts.bank, model_id=parts.model_id, user_id=user_id, on_batch=on_batch
        )
        told = embed_summaries(self.database, parts.embedder, model_id=parts.model_id, user_id=user_id)
        errors = {**report.errors, **told.errors}
        return replace(report, summaries=told.embedded, failed=report.failed + told.failed, errors=errors)

    def promote_large_users(
        self, *, threshold: int | None = None, on_batch: Callable[[int], None] | None = None
    ) -> PromotionReport:
        """Put the vectors of users with at least ``threshold`` preferences into the HNSW index; return the counts.

        By default from the setting, 20,000 rows: below, comparing all of a user's vectors is quicker and exact. Their
        later preferences go in by themselves. Some hundred rows a second; resumable, and running it again changes
        nothing. Let the server vacuum prefmem.preference_embeddings afterwards.
        """
        parts = self._ready()
        least = parts.settings.large_user_rows if threshold is None else threshold
        if isinstance(least, bool) or not isinstance(least, int) or least < 1:
            raise InvalidInput(f"threshold must be a whole number above 0, not {least!r}")
        return promote_large_users(self.database, model_id=parts.model_id, threshold=least, on_batch=on_batch)

    def recount(self, *, user_id: str | None = None, on_user: Callable[[int], None] | None = None) -> int:
        """Count anew what ranking reads of each user, or of one; return how many counts were wrong.

        Running it again changes nothing. Searches and writes go on; a user is locked for as long as counting takes.
        """
        self._ready()
        return recount(self.database, user_id=user_id, on_user=on_user)

    def stats(self) -> dict[str, int]:
        """Return exact counts: users, messages, preferences by status, and work that waits or failed."""
        self._ready()
        with self.database.transaction(user_id=None) as repositories:
            return repositories.runs.counts()
