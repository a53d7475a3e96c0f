"""The recalling part of the front door: what to put into a prompt."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from prefmem_pg.db.filters import compile_filter
from prefmem_pg.domain.profile import check_override
from prefmem_pg.domain.recall_template import RecallTemplate
from prefmem_pg.domain.search import ProfileValue, Recall, SearchHit
from prefmem_pg.domain.sessions import Session
from prefmem_pg.domain.summaries import SummaryHit
from prefmem_pg.domain.text import check_id
from prefmem_pg.domain.times import aware_or_none
from prefmem_pg.errors import InvalidInput
from prefmem_pg.memory.search import Search
from prefmem_pg.providers.serving import serving
from prefmem_pg.steps.limits import as_query, check_limit, check_score
from prefmem_pg.steps.profile import read_profile
from prefmem_pg.steps.recall import SAFETY_SHOWN, compose, safety_first, worth_showing
from prefmem_pg.steps.retrieve import prepare_question, retrieve_with_safety
from prefmem_pg.steps.retrieve_messages import prepare_message_question
from prefmem_pg.steps.retrieve_summaries import SUMMARY_BAR, retrieve_summaries
from prefmem_pg.steps.session import SESSION_SHOWN, Choice, choose, keep_session, read_session

RECALL_CANDIDATES: Final = 30
"""How many hits recall() looks at; the token budget decides how many of them are shown."""


class Recalling(Search):
    """The part of PreferenceMemory that puts together what an assistant should know before it answers."""

    def recall(
        self,
        user_id: str,
        query: str,
        *,
        session_id: str | None = None,
        session_override: Mapping[str, Any] | None = None,
        max_tokens: int = 800,
        proactive: bool = False,
        summaries: int = 0,
        template: RecallTemplate | None = None,
        now: datetime | None = None,
        learn: bool = True,
        repeat: bool = False,
    ) -> Recall:
        """Return the text to put into a prompt, at most ``max_tokens`` long by a safe estimate, and its hits.

        The preferences are fenced as data, one a line, each with its id so that an answer can cite it: the user's
        safety facts first, whatever is asked, then what answers the question; then come the profile's settings, those
        of ``session_override`` first of all, and as many ``summaries`` of dialogs as are asked for. ``template`` says
        it in other words than those of the question's language.

        With a ``session_id`` a short follow-up is searched with what it leaves unsaid (``.query``), what the user has
        just said counts, and what was shown before is shown again only when it matters; ``repeat`` shows it anyway.
        ``proactive`` puts in front what was not asked for and must be heard, each with its reason (``.raised``).
        """
        _check_budget(max_tokens)
        override = check_override(session_override)
        check_id("user_id", user_id)
        at, told = aware_or_none("now", now), check_limit(summaries) if summaries else 0
        with serving(user_id, is_awaited=True):  # whatever a model is asked here is asked for this user
            session = None if session_id is None else self._session(user_id, check_id("session_id", session_id), at)
            built = self._parts_now().query_builder().build(as_query(query), session.messages) if session else None
            asked = built.text if built else query
            found, safety = self._with_safety(user_id, asked, now=now, learn=learn)
            raised = self._raised(user_id, query, session, now=at) if proactive else []
            choice = self._choose(session, asked, safety_first(worth_showing(found), safety), repeat=repeat, now=at)
            recall = compose(
                _without(choice.shown, raised),
                self._settings(user_id, override),
                raised,
                query=query,
                max_tokens=max_tokens,
                template=template,
                session=session,
                summaries=self._summaries(user_id, asked, told, now=at),
            )
        if session is None:
            return replace(recall, details=choice.left_out())
        keep_session(self.database, session, recall, now=at)
        return replace(recall, query=built, turns=session.messages, details=choice.left_out())

    def _with_safety(
        self, user_id: str, query: str, *, now: datetime | None, learn: bool
    ) -> tuple[list[SearchHit], list[SearchHit]]:
        """Return what answers a question and the safety facts nearest to it: one question, one statement."""
        parts = self._parts_now()
        check_id("user_id", user_id)
        least, at = check_score(parts.settings.search_threshold), aware_or_none("now", now)
        question = prepare_question(as_query(query), parts.embedder, parts.bank())
        found, safety = retrieve_with_safety(
            self.database,
            user_id,
            question,
            model_id=parts.model_id,
            condition=compile_filter(None),
            limit=RECALL_CANDIDATES,
            min_score=least,
            now=at,
            safety_limit=SAFETY_SHOWN,
        )
        if learn:
            self._learn(user_id, "preference", question, [hit.preference.preference_id for hit in found], parts, at)
        return found, safety

    def _session(self, user_id: str, session_id: str, now: datetime | None) -> Session:
        self._parts_now()
        return read_session(self.database, user_id, session_id, now=now)

    def _choose(
        self, session: Session | None, query: str, hits: list[SearchHit], *, repeat: bool, now: datetime | None
    ) -> Choice:
        """Return what of the hits is shown: all of them where there is no session."""
        if session is None:
            return Choice(tuple(hits))
        return choose(session, self._with_own(session, query, hits, now=now), repeat=repeat)

    def _with_own(
        self, session: Session, query: str, hits: Sequence[SearchHit], *, now: datetime | None
    ) -> list[SearchHit]:
        """Return the hits with the session's own preferences behind the safety facts."""
        own_filter = {"session_id": session.session_id}
        own = self.search(session.user_id, query, filter=own_filter, limit=SESSION_SHOWN, now=now, learn=False)
        safety = [hit for hit in hits if hit.preference.is_safety]
        return list({hit.preference.preference_id: hit for hit in (*safety, *own, *hits)}.values())

    def _raised(self, user_id: str, message: str, session: Session | None, *, now: datetime | None) -> list[SearchHit]:
        """Return what must be raised for a message, as hits with their reasons; once in a session."""
        from prefmem_pg.steps.raise_unasked import raise_unasked  # its patterns take time to compile

        parts = self._parts_now()
        goals = [goal.text for goal in session.goals] if session else []
        found = raise_unasked(
            self.database, user_id, message, goals, embedder=parts.embedder, bank=parts.bank(), now=now
        )
        reasons = {
            one.preference_id: one.reason for one in found if not session or one.preference_id not in session.raised
        }
        if not reasons:
            return []
        ids = {"preference_id": {"in": [str(pid) for pid in reasons]}}
        # Its own bar was passed: the threshold of searches is about answers to what was asked.
        hits = self.search(user_id, message, filter=ids, limit=len(reasons), min_score=0, now=now, learn=False)
        by_id = {hit.preference.preference_id: hit for hit in hits}
        return [replace(by_id[pid], reason=reason) for pid, reason in reasons.items() if pid in by_id]

    def _settings(self, user_id: str, override: Mapping[str, Any]) -> list[ProfileValue]:  # Any: JSON
        profile = read_profile(self.database, user_id, override)
        return [value for value in profile.values if value.layer != "default"]

    def _summaries(self, user_id: str, query: str, limit: int, *, now: datetime | None) -> list[SummaryHit]:
        """Return the summaries of dialogs that a recall tells; none below the score that is near to chance."""
        if not limit:
            return []
        parts = self._parts_now()
        bank = parts.bank()
        question = prepare_message_question(query, parts.embedder, bank)
        hits = retrieve_summaries(
            self.database, user_id, question, bank, model_id=parts.model_id, scope="dialog", limit=limit, now=now
        )
        return [hit for hit in hits if hit.score >= SUMMARY_BAR]


def _check_budget(max_tokens: int) -> None:
    if isinstance(max_tokens, bool) or not isinstance(max_tokens, int) or max_tokens < 1:
        raise InvalidInput(f"max_tokens must be a whole number above 0, not {max_tokens!r}")


def _without(hits: Sequence[SearchHit], others: Sequence[SearchHit]) -> list[SearchHit]:
    known = {hit.preference.preference_id for hit in others}
    return [hit for hit in hits if hit.preference.preference_id not in known]
