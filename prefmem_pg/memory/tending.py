"""The tending part of the front door: retiring, deduplicating and consolidating what is stored."""

from collections.abc import Callable
from datetime import UTC, datetime

from prefmem_pg.domain.reports import ConsolidationReport, DeduplicationReport, ProfilesReport, RetireReport
from prefmem_pg.domain.text import check_id
from prefmem_pg.domain.times import aware
from prefmem_pg.memory.opening import Opening
from prefmem_pg.steps.consolidate import consolidate, refresh_profiles
from prefmem_pg.steps.deduplicate import deduplicate
from prefmem_pg.steps.heat import Retirement as Retirement
from prefmem_pg.steps.retire import retire
from prefmem_pg.steps.spending import as_one_run


class Tending(Opening):
    """The part of PreferenceMemory that scheduled jobs call to keep what is stored small and current."""

    @as_one_run
    def deduplicate(
        self, *, user_id: str | None = None, on_user: Callable[[DeduplicationReport], None] | None = None
    ) -> DeduplicationReport:
        """Decide pairs of current preferences anew, by the rules that decide candidates; return the counts.

        Those that say the same become the richer one, with the evidence of both; of two that contradict each other
        the later one counts. Nothing is deleted, and undo() takes each back. Running it again changes nothing.
        """
        decider = self._ready().decider()
        checked = None if user_id is None else check_id("user_id", user_id)
        return deduplicate(decider, user_id=checked, on_user=on_user)

    @as_one_run
    def consolidate(
        self, *, user_id: str | None = None, on_user: Callable[[ConsolidationReport], None] | None = None
    ) -> ConsolidationReport:
        """Deduplicate, propose for review what the user does in several dialogs, and refresh the profile.

        A chat model that was chosen does it beside the rules. Running it again changes nothing.
        """
        parts = self._ready()
        checked = None if user_id is None else check_id("user_id", user_id)
        return consolidate(parts.decider(), user_id=checked, model=parts.consolidating(), on_user=on_user)

    def refresh_profiles(
        self, *, user_id: str | None = None, on_user: Callable[[ProfilesReport], None] | None = None
    ) -> ProfilesReport:
        """Bring the inferred settings of users in step with their preferences, as consolidate() does at its end."""
        self._ready()
        checked = None if user_id is None else check_id("user_id", user_id)
        return refresh_profiles(self.database, user_id=checked, on_user=on_user)

    def retire(
        self,
        *,
        user_id: str | None = None,
        rules: Retirement | None = None,
        now: datetime | None = None,
        on_user: Callable[[RetireReport], None] | None = None,
    ) -> RetireReport:
        """Archive what has expired, has gone cold, or is more than a user may have; return the counts.

        No preference is deleted: an archived one comes back when it is said again, or by restore(). Pinned and safety
        preferences never go cold. The state of sessions that have ended goes. Running it again changes nothing.
        """
        decider = self._ready().decider()
        at = datetime.now(UTC) if now is None else aware("now", now)
        checked = None if user_id is None else check_id("user_id", user_id)
        return retire(decider, rules or Retirement(), user_id=checked, now=at, on_user=on_user)
