"""The forgetting part of the front door."""

from collections.abc import Sequence
from uuid import UUID

from prefmem_pg.domain.erasures import Erasure, ErasureProof
from prefmem_pg.domain.filter_conditions import AllOf
from prefmem_pg.domain.filters import read_filter
from prefmem_pg.domain.preferences import Preference
from prefmem_pg.domain.text import check_id
from prefmem_pg.errors import InvalidFilter
from prefmem_pg.memory.opening import Opening, as_uuid
from prefmem_pg.memory.preferences import Filter
from prefmem_pg.steps.erase import (
    delete_matching,
    delete_preference,
    forget_messages,
    forget_user,
    sample_pieces,
    verify_erased,
)


class Privacy(Opening):
    """The part of PreferenceMemory that forgets, and proves it."""

    def forget(self, user_id: str, *, verify: bool = False) -> Erasure:
        """Erase everything of a user, in one transaction, and leave a tombstone. Cannot be undone; idempotent.

        Messages of the user are refused from now on unless they come with ``allow_erased``. ``verify`` adds the proof:
        it reads every table, before and after.
        """
        self._ready()
        return forget_user(self.database, check_id("user_id", user_id), verify=verify)

    def forget_messages(self, user_id: str, message_ids: Sequence[UUID | str]) -> Erasure:
        """Erase messages, the preferences that rest on them alone, and what tells of them. Idempotent, for good.

        Evidence, vectors, summaries, waiting candidates and session goals of theirs go as well. The same messages are
        refused from now on unless they come with ``allow_erased``.
        """
        self._ready()
        check_id("user_id", user_id)
        return forget_messages(self.database, user_id, [as_uuid(value) for value in message_ids])

    def delete(
        self, user_id: str, preference_id: UUID | str, *, actor: str = "api", reason: str = "deleted on request"
    ) -> Preference:
        """Delete a preference for good: its row stays, without anything that was said. Cannot be undone.

        NotFound when this user has none of that id. Deleting it again changes nothing. The messages stay.
        """
        self._ready()
        check_id("user_id", user_id)
        return delete_preference(self.database, user_id, as_uuid(preference_id), actor=actor, reason=reason)

    def delete_many(
        self, user_id: str, filter: Filter, *, actor: str = "api", reason: str = "deleted on request"
    ) -> int:
        """Delete for good the preferences that meet a filter, of any status unless it names one; return how many.

        A filter is required: ``None`` is InvalidFilter, an empty list in it matches nothing.
        """
        self._ready()
        check_id("user_id", user_id)
        if read_filter(filter) == AllOf(()):
            raise InvalidFilter('delete_many needs a filter; for all of them say {"preference_id": "*"}')
        return delete_matching(self.database, user_id, filter, actor=actor, reason=reason)

    def sample_text(self, user_id: str) -> tuple[str, ...]:
        """Return pieces of 12 characters that only this user's rows hold, for ``verify_erased`` after forgetting."""
        self._ready()
        return sample_pieces(self.database, check_id("user_id", user_id))

    def verify_erased(self, user_id: str, pieces: Sequence[str] = ()) -> ErasureProof:
        """Look in every table of the schema for rows of a user, and for pieces of their text taken before."""
        self._ready()
        return verify_erased(self.database, check_id("user_id", user_id), pieces)
