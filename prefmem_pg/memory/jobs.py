"""The front door for scheduled jobs: what is unread, and whether all keeps up."""

from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from prefmem_pg.db.indicators import list_unread_days, read_indicators, read_spent
from prefmem_pg.domain.reports import Indicators, Spent, UnreadDay
from prefmem_pg.domain.times import aware
from prefmem_pg.errors import InvalidInput
from prefmem_pg.memory.opening import Opening


class Jobs(Opening):
    """The part of PreferenceMemory that scheduled jobs call beside extracting and tending."""

    def unread_days(self, *, time_zone: str = "UTC") -> list[UnreadDay]:
        """Return the days (of an IANA time zone) with messages that no extraction has read, the earliest first.

        Messages on their way in a provider's batch are not among them.
        """
        try:
            ZoneInfo(time_zone)
        except (ZoneInfoNotFoundError, ValueError, TypeError) as exc:
            raise InvalidInput(f"time_zone must be a name such as Asia/Shanghai, not {time_zone!r}") from exc
        self._ready()
        with self.database.transaction(user_id=None) as repositories:
            days = list_unread_days(repositories.session, time_zone=time_zone)
        return [UnreadDay(day=day, messages=messages, newest=newest) for day, messages, newest in days]

    def indicators(self) -> Indicators:
        """Return what tells whether the store keeps up: backlog, failures, missing vectors and evidence, costs."""
        self._ready()
        with self.database.transaction(user_id=None) as repositories:
            return Indicators(**read_indicators(repositories.session))

    def spent(self, *, since: datetime) -> Spent:
        """Return what providers were asked and cost since a time, by all processes and for all users together."""
        moment = aware("since", since)
        self._ready()
        with self.database.transaction(user_id=None) as repositories:
            return Spent(**read_spent(repositories.session, since=moment))
