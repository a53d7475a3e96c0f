"""The searching part of the front door."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any
from uuid import UUID

from prefmem_pg.db.embeddings import Scope
from prefmem_pg.db.filters import compile_filter, compile_message_filter
from prefmem_pg.db.session import Database
from prefmem_pg.domain.search import MessageHit, SearchHit
from prefmem_pg.domain.text import check_id
from prefmem_pg.domain.times import aware_or_none
from prefmem_pg.errors import StoreUnavailable
from prefmem_pg.memory.opening import Opening
from prefmem_pg.memory.preferences import Filter
from prefmem_pg.providers.serving import serving
from prefmem_pg.steps.learn import Lesson, Lessons
from prefmem_pg.steps.limits import as_query, check_limit, check_score
from prefmem_pg.steps.reorder import check_diversity, diversify, pool_size, read_directions, rerank_hits
from prefmem_pg.steps.retrieve import Question, prepare_question, retrieve
from prefmem_pg.steps.retrieve_messages import prepare_message_question, retrieve_messages
from prefmem_pg.wiring import Parts


class Search(Opening):
    """The part of PreferenceMemory that finds preferences for a question."""

    def __init__(self, database: Database, **parts: Any) -> None:  # Any: the parts of Opening
        super().__init__(database, **parts)
        self._lessons = Lessons(database)

    def flush(self) -> None:
        """Write what searches have taught: how often preferences were found, and what questions are like.

        That waits for about a second, off the way of the searches, and is written by the next one, by every call that
        is no search, by ``close`` and at the process's normal exit.
        """
        self._ready()

    def close(self) -> None:
        """Write what searches have taught; close the connections (not the host's own engine's). May be called twice."""
        if not self._is_closed:
            self._lessons.flush()
        super().close()

    def _ready(self) -> Parts:
        parts = super()._ready()
        self._lessons.flush()
        return parts

    def search(
        self,
        user_id: str,
        query: str,
        *,
        filter: Filter | None = None,
        limit: int = 10,
        min_score: float | None = None,
        rerank: bool = False,
        diversity: float = 0.0,
        exact: bool = False,
        now: datetime | None = None,
        learn: bool = True,
    ) -> list[SearchHit]:
        """Return the user's preferences that answer a question, best first, ties by id, each with its explanation.

        ``limit`` hits whenever so many activated preferences pass the filter; only ``min_score`` (0..1) shortens the
        list. An unknown user has none. ``learn=False`` leaves usage counts and running means alone. ``exact=True``
        compares all of a large user's vectors instead of asking the index for the nearest.

        ``rerank=True`` gives the best fifty to the reranker, whose order counts; each hit then has a ``rerank_score``,
        or a ``note`` that says why the order of the search was kept. ``diversity`` above 0 (up to 1; .3 is a good
        start) also asks of each hit to be unlike those before it; scores stay what they are.
        """
        parts = super()._ready()
        check_id("user_id", user_id)
        least = check_score(parts.settings.search_threshold if min_score is None else min_score)
        wanted, condition, at = check_limit(limit), compile_filter(filter), aware_or_none("now", now)
        spread = check_diversity(diversity)
        find = partial(
            retrieve,
            condition=condition,
            limit=pool_size(wanted, is_reordered=rerank or spread > 0),
            min_score=least,
            now=at,
            exact=exact,
        )
        parts, question, hits = self._answers(parts, user_id, query, find)
        if rerank:
            with serving(user_id, is_awaited=True):
                hits = rerank_hits(hits, query, parts.reranker)
        if spread:
            directions = read_directions(self.database, user_id, hits, model_id=parts.model_id)
            hits = diversify(hits, directions, diversity=spread, limit=wanted)
        hits = hits[:wanted]
        if learn:
            self._learn(user_id, "preference", question, [hit.preference.preference_id for hit in hits], parts, at)
        return hits

    def _answers(
        self, parts: Parts, user_id: str, query: str, find: Callable[..., list[SearchHit]]
    ) -> tuple[Parts, Question, list[SearchHit]]:
        """Return the hits for a question, with the question and the parts that read it.

        The model may have been retired while this process slept; then the next one answers.
        """
        try:
            with serving(user_id, is_awaited=True):
                question = prepare_question(as_query(query), parts.embedder, parts.bank())
            return parts, question, find(self.database, user_id, question, model_id=parts.model_id)
        except StoreUnavailable:
            self._assembly.look_again()
            now_in_use = super()._ready()
            if now_in_use.model_id == parts.model_id:
                raise
            return self._answers(now_in_use, user_id, query, find)

    def search_messages(
        self,
        user_id: str,
        query: str,
        *,
        filter: Mapping[str, Any] | None = None,  # Any: a filter expression is JSON
        limit: int = 10,
        min_score: float = 0.0,
        now: datetime | None = None,
        learn: bool = True,
    ) -> list[MessageHit]:
        """Return the user's messages that answer a question, best first, ties by id.

        Words, meaning, neighbours in the dialog, and speakers and periods that the question names all count. Messages
        without a vector (see ``embed_missing``) are found by their words and by what stands beside them.
        Times ("last March", "上周") are counted from ``now`` in the user's time zone. ``learn=False`` leaves the
        running mean of the user's questions alone.
        """
        parts = super()._ready()
        check_id("user_id", user_id)
        least = check_score(min_score)
        wanted, condition, at = check_limit(limit), compile_message_filter(filter), aware_or_none("now", now)
        with serving(user_id, is_awaited=True):
            question = prepare_message_question(as_query(query), parts.embedder, parts.bank())
        hits = retrieve_messages(
            self.database,
            user_id,
            question,
            model_id=parts.model_id,
            condition=condition,
            limit=wanted,
            min_score=least,
            now=at,
        )
        if learn:
            self._learn(user_id, "message", question, [], parts, at)
        return hits

    def _learn(
        self,
        user_id: str,
        scope: Scope,
        question: Question,
        preference_ids: list[UUID],
        parts: Parts,
        at: datetime | None,
    ) -> None:
        asked_at = datetime.now(UTC)
        self._lessons.add(
            Lesson(
                user_id=user_id,
                scope=scope,
                question=question,
                preference_ids=preference_ids,
                model_id=parts.model_id,
                at=at or asked_at,
                asked_at=asked_at,
            )
        )

    def _parts_now(self) -> Parts:
        """Return the parts without writing what waits, as searches do."""
        return super()._ready()
