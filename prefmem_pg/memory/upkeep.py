"""The upkeep part of the front door."""

from collections.abc import Callable

from prefmem_pg.memory.opening import Opening
from prefmem_pg.steps.embed import EmbedReport, embed_missing


class Upkeep(Opening):
    """The part of PreferenceMemory that scheduled jobs call."""

    def embed_missing(
        self, *, user_id: str | None = None, on_batch: Callable[[int], None] | None = None
    ) -> EmbedReport:
        """Embed what has no vector of the active model yet, preferences and messages. Resumable, idempotent."""
        parts = self._ready()
        return embed_missing(
            self.database, parts.embedder, parts.bank, model_id=parts.model_id, user_id=user_id, on_batch=on_batch
        )

    def stats(self) -> dict[str, int]:
        """Return exact counts: users, messages, preferences by status, and work that waits or failed."""
        self._ready()
        with self.database.transaction(user_id=None) as repositories:
            return repositories.runs.counts()
