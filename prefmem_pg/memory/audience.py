"""The part of the front door that looks across users: for recommenders and analysts, never for one user's answer."""

from uuid import UUID

from prefmem_pg.db.filters import compile_filter
from prefmem_pg.domain.filter_conditions import names_column
from prefmem_pg.domain.filters import read_filter
from prefmem_pg.domain.search import UserHit
from prefmem_pg.domain.text import check_id
from prefmem_pg.memory.opening import Opening, as_uuid
from prefmem_pg.memory.preferences import Filter
from prefmem_pg.steps.audience import LIKELY_SCORE, check_per_user, find_holders, find_similar_users
from prefmem_pg.steps.limits import as_query, check_limit, check_score
from prefmem_pg.steps.retrieve import prepare_question


class Audience(Opening):
    """The part of PreferenceMemory that finds users by what they prefer."""

    def who_prefers(
        self,
        query: str,
        *,
        filter: Filter | None = None,
        limit: int = 100,
        per_user: int = 1,
        min_score: float = LIKELY_SCORE,
    ) -> list[UserHit]:
        """Return the users who prefer something, with the preference that says so, best first; reads every vector.

        Who dislikes it is left out unless the filter asks for a polarity. Sensitive preferences count only of users
        who have consented. Works as the pipeline: ConfigurationError for an application that may not be that.
        """
        parts = self._ready()
        wanted, most, least = check_limit(limit), check_per_user(per_user), check_score(min_score)
        condition = compile_filter(filter)
        if not names_column(read_filter(filter), "polarity"):
            condition = condition.and_also(compile_filter({"polarity": {"ne": "negative"}}, prefix="polarity"))
        question = prepare_question(as_query(query), parts.embedder, parts.bank())
        return find_holders(
            self.database,
            question,
            parts.bank(),
            model_id=parts.model_id,
            condition=condition,
            limit=wanted,
            per_user=most,
            min_score=least,
        )

    def similar_users(self, user_id: str, preference_id: UUID | str, *, limit: int = 10) -> list[UserHit]:
        """Return who else holds a preference like this one, nearest first, each user once; empty for an unknown one.

        The score is the cosine of the raw vectors, comparable within one embedding model only.
        """
        self._ready()
        key = as_uuid(preference_id)
        return find_similar_users(self.database, check_id("user_id", user_id), key, limit=check_limit(limit))
