"""Many statements that are not compared -> rows, by COPY: what the user has not in these very words is new."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from itertools import islice
from typing import Any, Final, TypeVar
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from prefmem_pg.db.bulk import (
    STALE_ROWS,
    STALE_SHARE,
    BulkRepository,
    BulkRow,
    as_json,
    bulk_row,
    tables_of_preferences,
)
from prefmem_pg.db.embeddings import MemoryMean, StatsChange
from prefmem_pg.db.session import Database, Repositories
from prefmem_pg.db.users import UserState
from prefmem_pg.domain.preferences import Candidate, Decision, Preference
from prefmem_pg.domain.profile import ProfileEntry, newest
from prefmem_pg.domain.text import statement_hash
from prefmem_pg.errors import NotFound, ProviderError
from prefmem_pg.providers.bank import Bank
from prefmem_pg.providers.embedding import embed_documents
from prefmem_pg.providers.protocols import EmbeddingModel
from prefmem_pg.providers.serving import serving
from prefmem_pg.steps.choose import Choice, needs_review
from prefmem_pg.steps.embed import FindModels
from prefmem_pg.steps.keep_up import keep_up
from prefmem_pg.steps.means import both_hubs, next_mean
from prefmem_pg.steps.plan import Plan
from prefmem_pg.steps.profile import derive
from prefmem_pg.steps.think import RULES

log = logging.getLogger(__name__)

COPIED_AT_ONCE: Final = 1_000
"""Rows a transaction: the user is locked for about a third of a second."""
EMBEDDED_AT_ONCE: Final = 256

Vector = NDArray[np.float32]
Made = TypeVar("Made")
Totals = dict[str, tuple[Vector, int]]
"""The sum of the vectors of each language, and how many they are."""
Hubs = dict[UUID, tuple[float, float]]
_NEW: Final = Choice(action="added", reason="nothing like it was known")
_GUESS: Final = Choice(action="review", reason="implicit or not sure enough: a person decides")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bulk:
    """What storing in bulk needs. ``bank`` belongs to the embedder; ``find_models`` finds further models at work."""

    database: Database
    embedder: EmbeddingModel
    bank: Callable[[], Bank]
    model_id: int
    find_models: FindModels

    def store(self, user_id: str, candidates: Iterable[tuple[int, Candidate]], *, actor: str) -> "Stored":
        """Store what is new of one user's candidates, each with its place; say which are not: the caller decides those.

        A candidate is new when the user has no statement of the same words that is current, waits, was rejected or
        archived. A thousand are stored in a transaction each, with versions, postings, vectors and statistics, so
        that they are found at once; after a crash the batches before are there whole, and again changes nothing. While
        the server stores one batch, the next is made ready; it was read and embedded before.
        """
        stored = Stored()
        with self.database.transaction(user_id=user_id) as repositories:
            expected = repositories.embeddings.read_memory_means(user_id, scope="preference", model_id=self.model_id)
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="prefmem-bulk") as server:
            ready: _Batch | None = None
            try:
                for batch in _batches(candidates):
                    vectors = self._embed(user_id, [candidate.statement for _, candidate in batch])
                    think = partial(self._think, user_id, batch, vectors, expected, actor=actor)
                    last, ready = ready, None
                    ready = think() if last is None else self._write(last, stored, server, meanwhile=think)
            finally:  # what was made ready is written also when nothing more can be read
                if ready is not None:
                    self._write(ready, stored, server, meanwhile=lambda: None)
        return stored

    def _think(
        self,
        user_id: str,
        batch: Sequence[tuple[int, Candidate]],
        vectors: Sequence[Vector | None],
        expected: dict[str, MemoryMean],
        *,
        actor: str,
    ) -> "_Batch":
        """Return what to write of a batch were all of it new. No database and no model.

        ``expected`` are the means as the batches before will leave them; they are moved on by this one.
        """
        plan = Plan(user_id=user_id, actor=actor, run_id=None, now=datetime.now(UTC))
        made: dict[bytes, int] = {}
        rows: list[BulkRow] = []
        entries: list[list[ProfileEntry]] = []
        left = []
        details: dict[str, Any] = {"judge": RULES.name, "compared": []}
        written = as_json(details)
        for (place, candidate), vector in zip(batch, vectors, strict=True):
            digest = statement_hash(candidate.statement)
            if digest in made:
                left.append(place)
                continue
            made[digest] = place
            choice = _GUESS if needs_review(candidate) else _NEW
            plan.add(candidate, choice, vector, details=details)
            row = plan.inserts[plan.outcomes[-1].preference_id]
            rows.append(bulk_row(row, digest, plan.versions[-1], written, vector))
            entries.append(derive(row))
        totals, hubs = self._move_on(plan, expected)
        return _Batch(plan=plan, made=made, rows=rows, entries=entries, totals=totals, hubs=hubs, left=left)

    def _move_on(self, plan: Plan, expected: dict[str, MemoryMean]) -> tuple[Totals, Hubs]:
        """Return the sums of a batch's vectors and their hubness by the means that are expected."""
        totals: Totals = {}
        hubs: Hubs = {}
        for language in {row.language for row in plan.inserts.values()} if plan.vectors else ():
            ids = [pid for pid in plan.vectors if plan.inserts[pid].language == language]
            if not ids:
                continue
            stacked = np.stack([plan.vectors[pid] for pid in ids])
            total, old = stacked.sum(axis=0), expected.get(language)
            mean = next_mean(old, total, len(ids), language=language, bank=self.bank())
            expected[language] = MemoryMean(mean=mean, count=(old.count if old else 0) + len(ids))
            totals[language] = (total, len(ids))
            hubs |= dict(zip(ids, both_hubs(stacked, mean, self.bank()), strict=True))
        return totals, hubs

    def _write(
        self, batch: "_Batch", stored: "Stored", server: ThreadPoolExecutor, *, meanwhile: Callable[[], Made]
    ) -> Made:
        """Write what is new of a batch, in one transaction, under the user's lock; return what ``meanwhile`` made.

        One long statement does it: that alone is waited for in a thread, since two busy ones would wait for each other.
        """
        plan = batch.plan
        with self.database.transaction(user_id=plan.user_id) as repositories:
            bulk = BulkRepository(repositories.session)
            repositories.preferences.lock_user(plan.user_id)
            stored.check_user(repositories.preferences.read_state(plan.user_id), plan.user_id)
            known = bulk.find_known(plan.user_id, list(batch.made))
            new = [n for n, digest in enumerate(batch.made) if digest not in known]
            bulk.stage([batch.rows[n] for n in new], batch.hubs)
            lengths = server.submit(bulk.store_staged, plan.user_id, model_id=self.model_id)
            try:
                made = meanwhile()
            finally:
                wait([lengths])
            if new:
                self._count(repositories, batch, new, lengths.result())
            estimated = bulk.count_estimated()
        places = list(batch.made.values())
        stored.left += batch.left + [place for digest, place in batch.made.items() if digest in known]
        for n in new:
            outcome = plan.outcomes[n]
            row = _as_stored(plan.inserts[outcome.preference_id])
            stored.decisions[places[n]] = Decision(action=outcome.action, preference=row, reason=outcome.reason)
        stored.uncounted += len(new)
        if stored.uncounted >= STALE_ROWS + STALE_SHARE * estimated:
            self.database.analyze(tables_of_preferences())
            stored.uncounted = 0
        keep_up(self.database, self.find_models, plan.user_id, plan.behind)
        return made

    def _count(
        self, repositories: Repositories, batch: "_Batch", new: Sequence[int], lengths: Mapping[UUID, int]
    ) -> None:
        """Bring statistics and profile in step with the rows that were stored."""
        plan, user_id = batch.plan, batch.plan.user_id
        rows = [plan.inserts[plan.outcomes[n].preference_id] for n in new]
        stats: dict[str, StatsChange] = {}
        means = repositories.embeddings.read_memory_means(user_id, scope="preference", model_id=self.model_id)
        for language, (total, count) in batch.totals_of(rows).items():
            mean = next_mean(means.get(language), total, count, language=language, bank=self.bank())
            stats[language] = StatsChange(vector_count=count, memory_mean=mean)
        for row in rows:
            if row.status == "activated":
                change = stats.setdefault(row.language, StatsChange())
                change.row_count += 1
                change.total_length += lengths[row.preference_id]
        at_work = repositories.embeddings.change_stats(
            user_id, stats, scope="preference", model_id=self.model_id, at=plan.now
        )
        plan.behind = {model: list(lengths) for model in at_work - {self.model_id}}
        entries = [entry for n in new for entry in batch.entries[n]]
        repositories.profiles.upsert(user_id, newest(entries), at=plan.now)
        repositories.preferences.raise_revision(user_id)

    def _embed(self, user_id: str, texts: Sequence[str]) -> list[Vector | None]:
        """Return a vector for each text; None for those of a call that failed: embed_missing comes back to them."""
        vectors: list[Vector | None] = []
        for first in range(0, len(texts), EMBEDDED_AT_ONCE):
            some = list(texts[first : first + EMBEDDED_AT_ONCE])
            try:
                with serving(user_id):
                    self.bank()  # now: a model that has none shipped must not embed it while the lock is held
                    vectors += list(embed_documents(self.embedder, some))
            except ProviderError as exc:
                log.warning("stored without vectors, to be embedded later", extra={"error": type(exc).__name__})
                vectors += [None] * len(some)
        return vectors


@dataclass(frozen=True, slots=True)
class _Batch:
    """A plan of new rows, the place of each by its statement's hash, and the places of those said twice.

    ``rows`` are as they are stored, ``entries`` what each sets in the profile, in the order of ``made``. ``totals``
    are the sums of the vectors.
    """

    plan: Plan
    made: dict[bytes, int]
    rows: list[BulkRow]
    entries: list[list[ProfileEntry]]
    totals: Totals
    hubs: Hubs
    left: list[int]

    def totals_of(self, rows: Sequence[Preference]) -> Totals:
        """Return the sums of the vectors of some of the rows."""
        if len(rows) == len(self.rows):
            return self.totals
        totals: Totals = {}
        for row in rows:
            if (vector := self.plan.vectors.get(row.preference_id)) is not None:
                total, count = totals.get(row.language, (np.zeros_like(vector), 0))
                totals[row.language] = (total + vector, count + 1)
        return totals


@dataclass(slots=True)
class Stored:
    """The decisions by the candidates' places, and the places of those that are not new."""

    decisions: dict[int, Decision] = field(default_factory=dict)
    left: list[int] = field(default_factory=list)
    known_since: datetime | None = None
    uncounted: int = 0
    """Rows since the planner's statistics were made."""

    def check_user(self, state: UserState | None, user_id: str) -> None:
        """Raise NotFound when the user of this batch is another than that of the first: erased meanwhile."""
        since = state.created_at if state else None
        if self.known_since is not None and since != self.known_since:
            raise NotFound(f"user {user_id} was erased meanwhile; {len(self.decisions)} rows had been stored before")
        self.known_since = since


def _batches(candidates: Iterable[tuple[int, Candidate]]) -> Iterator[list[tuple[int, Candidate]]]:
    rest = iter(candidates)
    while batch := list(islice(rest, COPIED_AT_ONCE)):
        yield batch


def _as_stored(row: Preference) -> Preference:
    """Return the row as it is read back: fractions are kept in single precision."""
    confidence, importance = _single(row.confidence), _single(row.importance)
    if (confidence, importance) == (row.confidence, row.importance):
        return row
    return replace(row, confidence=confidence, importance=importance)


@lru_cache(maxsize=256)  # most rows of a load have the same few
def _single(value: float) -> float:
    return float(str(np.float32(value)))
