"""Candidates -> decisions in the store, by the optimistic scheme: read, think without a lock, then write under it."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from prefmem_pg.db.neighbours import Neighbour, Probe
from prefmem_pg.db.session import Database, Repositories
from prefmem_pg.db.users import UserState
from prefmem_pg.domain.preferences import Candidate, Decision, Preference
from prefmem_pg.domain.withdrawals import Reached, Withdrawal
from prefmem_pg.errors import (
    CallWithheld,
    Conflict,
    NotFound,
    ProviderError,
    ProviderUnavailable,
)
from prefmem_pg.providers.bank import Bank
from prefmem_pg.providers.embedding import embed_documents
from prefmem_pg.providers.offline.follow_ups import FollowUp
from prefmem_pg.providers.protocols import EmbeddingModel, Judge
from prefmem_pg.providers.serving import serving
from prefmem_pg.steps.embed import FindModels
from prefmem_pg.steps.goals import end_goals, enrich_goals, is_reached
from prefmem_pg.steps.keep_up import keep_up
from prefmem_pg.steps.plan import Outcome, Plan
from prefmem_pg.steps.think import NeedsModel, Verdicts, think
from prefmem_pg.steps.withdraw import Reach, find_reach, takes_back, withdraw
from prefmem_pg.steps.write import write_plan

log = logging.getLogger(__name__)

ROUNDS: Final = 3
"""How often a decision starts over because others have written meanwhile; then the candidates wait."""

Vector = NDArray[np.float32]
Claim = Callable[[Repositories, Sequence[Outcome]], bool]
"""Called under the user's lock, before anything is written; False: the work has been done by another, write nothing."""


@dataclass(frozen=True, slots=True)
class _Batch:
    """Candidates of one user that are decided together, with their vectors."""

    user_id: str
    actor: str
    run_id: UUID | None
    candidates: Sequence[Candidate]
    vectors: Sequence[Vector | None]
    withdrawals: Sequence[Withdrawal] = ()
    subject_vectors: Sequence[Vector | None] = ()
    follow_ups: Sequence[FollowUp] = ()
    reached: Sequence[Reached] = ()


@dataclass(frozen=True, slots=True)
class _Found:
    """What the store holds near the candidates of a batch, and what its withdrawals may mean."""

    neighbours: list[list[Neighbour]]
    reaches: list[Reach]
    goals: list[Preference]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decider:
    """What deciding needs. ``judge`` None: rules alone. ``bank`` belongs to the embedder.

    ``across_kinds=False`` compares rows of one kind only; ``compares=False`` only knows the very same statement.
    ``asks_of_several`` lets the judge compare a candidate with all that rules are unsure of, else with the nearest.
    ``find_models`` finds further models that are at work, see ``steps.keep_up``.
    """

    database: Database
    embedder: EmbeddingModel
    bank: Callable[[], Bank]
    model_id: int
    judge: Judge | None = None
    across_kinds: bool = True
    asks_of_several: bool = False
    compares: bool = True
    find_models: FindModels | None = None

    def decide(
        self,
        user_id: str,
        candidates: Sequence[Candidate],
        *,
        actor: str,
        run_id: UUID | None = None,
        claim: Claim | None = None,
        withdrawals: Sequence[Withdrawal] = (),
        follow_ups: Sequence[FollowUp] = (),
        reached: Sequence[Reached] = (),
    ) -> list[Decision] | None:
        """Decide candidates of one user and store the result in one transaction; return a decision for each.

        What ``withdrawals`` take back is archived in the same transaction, be it stored or among the candidates;
        ``follow_ups`` go into the stored goals that they name, and goals that were ``reached`` end.
        None means that ``claim`` said no, or that the user was erased while this was thinking, and that nothing was
        written; without a ``claim`` the latter is NotFound. Candidates that could not be decided (the judge
        failed, or others kept writing) are kept as waiting; their decisions have action ``review`` and no preference.
        """
        texts = [candidate.statement for candidate in candidates]
        subjects = [withdrawal.subject or withdrawal.quote for withdrawal in withdrawals]
        with serving(user_id, run_id=run_id, message_ids=_messages_of(candidates)):
            vectors = self._embed(texts + subjects)
        batch = _Batch(
            user_id,
            actor,
            run_id,
            candidates,
            vectors[: len(texts)],
            withdrawals,
            vectors[len(texts) :],
            follow_ups,
            reached,
        )
        try:
            return self._decide(batch, claim)
        except _Erased:
            if claim is None:
                raise
            log.info("the user was erased while a decision was in the making")
            return None

    def _decide(self, batch: _Batch, claim: Claim | None) -> list[Decision] | None:
        user_id = batch.user_id
        verdicts = Verdicts(self.judge, asks_of_several=self.asks_of_several)
        failure, counts = "others kept writing to this user's preferences", True
        first: UserState | None = None
        for _ in range(ROUNDS):
            with self.database.transaction(user_id=user_id) as repositories:
                state = repositories.preferences.read_state(user_id)
                first = first or state
                found = self._find(repositories, batch)

            try:
                with serving(
                    user_id,
                    run_id=batch.run_id,
                    message_ids=_messages_of(batch.candidates),
                    preference_ids=[n.preference.preference_id for near in found.neighbours for n in near],
                ):
                    plan = self._think(batch, found, verdicts, may_ask=True)
            except ProviderError as exc:
                log.warning(
                    "the judge failed", extra={"error": type(exc).__name__, "candidates": len(batch.candidates)}
                )
                # What was not sent, for want of a budget say, or not answered by anybody, is no failure of theirs.
                failure, counts = f"the judge failed: {exc}", not isinstance(exc, CallWithheld | ProviderUnavailable)
                break

            try:
                with self.database.transaction(user_id=user_id) as repositories:
                    now = _lock(repositories, user_id, first, may_be_new=claim is None)
                    if _revision(now) != _revision(state):
                        # Others have written: think again by rules and by what the judge has said already.
                        found = self._find(repositories, batch)
                        plan = self._think(batch, found, verdicts, may_ask=False)
                    if claim is not None and not claim(repositories, plan.outcomes):
                        return None
                    decisions = write_plan(repositories, plan, bank=self.bank, model_id=self.model_id)
                self.keep_up(plan)
                return decisions
            except (NeedsModel, Conflict) as exc:
                log.info("deciding starts over", extra={"cause": type(exc).__name__})
        return self._keep_waiting(batch, failure, first, claim, counts=counts)

    def keep_up(self, plan: Plan) -> None:
        """Make the vectors of a plan that was committed for further models that are at work, while one is changed."""
        if self.find_models is not None:
            keep_up(self.database, self.find_models, plan.user_id, plan.behind)

    def _think(self, batch: _Batch, found: _Found, verdicts: Verdicts, *, may_ask: bool) -> Plan:
        plan = _empty_plan(batch)
        enrich_goals(plan, found.goals, batch.follow_ups)
        think(
            plan,
            batch.candidates,
            batch.vectors,
            found.neighbours,
            verdicts,
            may_ask=may_ask,
            across_kinds=self.across_kinds,
            compares=self.compares,
        )
        withdraw(plan, batch.withdrawals, found.reaches)
        end_goals(plan, found.goals, batch.reached)
        return plan

    def _embed(self, texts: Sequence[str]) -> list[Vector | None]:
        """Return a vector for each text, or None for all when the embedder cannot answer now."""
        if not texts:
            return []
        try:
            self.bank()  # now: a model that has none shipped must not embed it while the lock is held
            return list(embed_documents(self.embedder, texts))
        except ProviderError as exc:
            log.warning("stored without vectors, to be embedded later", extra={"error": type(exc).__name__})
            return [None] * len(texts)

    def _find(self, repositories: Repositories, batch: _Batch) -> _Found:
        return _Found(
            self._neighbours(repositories, batch), self._reaches(repositories, batch), _goals(repositories, batch)
        )

    def _reaches(self, repositories: Repositories, batch: _Batch) -> list[Reach]:
        return [
            find_reach(repositories, batch.user_id, withdrawal, vector, model_id=self.model_id)
            for withdrawal, vector in zip(batch.withdrawals, batch.subject_vectors, strict=True)
        ]

    def _neighbours(self, repositories: Repositories, batch: _Batch) -> list[list[Neighbour]]:
        if not batch.candidates:
            return []
        probes = [
            Probe(
                statement=c.statement,
                kind=c.kind,
                # Without comparing, only the very same statement is looked for: by its hash.
                topic=c.topic if self.compares else None,
                entities=c.entities if self.compares else (),
                vector=v if self.compares else None,
                message_ids=tuple(span.message_id for span in c.evidence),
            )
            for c, v in zip(batch.candidates, batch.vectors, strict=True)
        ]
        return repositories.preferences.find_neighbours(batch.user_id, probes, model_id=self.model_id)

    def _keep_waiting(
        self, batch: _Batch, failure: str, first: UserState | None, claim: Claim | None, *, counts: bool
    ) -> list[Decision] | None:
        with self.database.transaction(user_id=batch.user_id) as repositories:
            _lock(repositories, batch.user_id, first, may_be_new=claim is None)
            if claim is not None and not claim(repositories, ()):
                return None
            # What is taken back needs no judge, and must not come back when its candidate is decided later.
            plan = _empty_plan(batch)
            goals = _goals(repositories, batch)
            enrich_goals(plan, goals, batch.follow_ups)
            withdraw(plan, batch.withdrawals, self._reaches(repositories, batch))
            end_goals(plan, goals, batch.reached)
            write_plan(repositories, plan, bank=self.bank, model_id=self.model_id)
            standing = [
                c
                for c in batch.candidates
                if not any(takes_back(w, c) for w in batch.withdrawals) and not is_reached(c, batch.reached)
            ]
            if standing:
                repositories.runs.add_waiting(
                    batch.user_id, standing, error=failure, run_id=batch.run_id, counts=counts
                )
        self.keep_up(plan)
        return [Decision(action="review", preference=None, reason=f"waits: {failure}") for _ in batch.candidates]


def _goals(repositories: Repositories, batch: _Batch) -> list[Preference]:
    return repositories.upkeep.list_goals(batch.user_id) if batch.follow_ups or batch.reached else []


def _messages_of(candidates: Sequence[Candidate]) -> list[UUID]:
    return list(dict.fromkeys(span.message_id for candidate in candidates for span in candidate.evidence))


def _empty_plan(batch: _Batch) -> Plan:
    return Plan(user_id=batch.user_id, actor=batch.actor, run_id=batch.run_id, now=datetime.now(UTC))


class _Erased(NotFound):
    """The user was erased since the decision began."""


def _lock(repositories: Repositories, user_id: str, first: UserState | None, *, may_be_new: bool) -> UserState | None:
    """Lock the user's row. It is made for one who was not known before and may be new; nobody erased is brought back.

    What was found in stored messages (``may_be_new`` False) belongs to a user who is there, or was.
    """
    if first is None and may_be_new:
        repositories.preferences.lock_user(user_id)
    now = repositories.preferences.lock_known_user(user_id)
    if now is None or (first is not None and now.created_at != first.created_at):
        raise _Erased(f"user {user_id} was erased meanwhile; nothing was written")
    return now


def _revision(state: UserState | None) -> int:
    return state.revision if state else 0
