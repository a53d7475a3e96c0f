"""Many statements that are not compared -> rows, by COPY: what the user has not in these very words is new."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from typing import Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from prefmem_pg.db.bulk import STALE_ROWS, STALE_SHARE, BulkRepository, BulkRow, bulk_row, tables_of_preferences
from prefmem_pg.db.embeddings import StatsChange
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
from prefmem_pg.steps.plan import Plan
from prefmem_pg.steps.profile import derive
from prefmem_pg.steps.think import RULES
from prefmem_pg.steps.write import move_means

log = logging.getLogger(__name__)

COPIED_AT_ONCE: Final = 1_000
"""Rows a transaction: the user is locked for about half a second."""
EMBEDDED_AT_ONCE: Final = 256

Vector = NDArray[np.float32]
Behind = Mapping[int, Sequence[UUID]]
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
        one batch is written, ``candidates`` are read and embedded for the next.
        """
        stored = Stored()
        waiting: Future[Behind] | None = None
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="prefmem-bulk") as writer:
            for batch in _batches(candidates):
                made = self._think(user_id, batch, actor=actor)
                if waiting is not None:
                    keep_up(self.database, self.find_models, user_id, waiting.result())
                waiting = writer.submit(self._write, made, stored)
            if waiting is not None:
                keep_up(self.database, self.find_models, user_id, waiting.result())
        return stored

    def _think(self, user_id: str, batch: Sequence[tuple[int, Candidate]], *, actor: str) -> "_Batch":
        """Return what to write of a batch were all of it new. No database: it is done while another is written."""
        plan = Plan(user_id=user_id, actor=actor, run_id=None, now=datetime.now(UTC))
        made: dict[bytes, int] = {}
        rows: list[BulkRow] = []
        entries: list[list[ProfileEntry]] = []
        left = []
        vectors = self._embed(user_id, [candidate.statement for _, candidate in batch])
        for (place, candidate), vector in zip(batch, vectors, strict=True):
            digest = statement_hash(candidate.statement)
            if digest in made:
                left.append(place)
                continue
            made[digest] = place
            choice = _GUESS if needs_review(candidate) else _NEW
            plan.add(candidate, choice, vector, details={"judge": RULES.name, "compared": []})
            row = plan.inserts[plan.outcomes[-1].preference_id]
            rows.append(bulk_row(row, digest, plan.versions[-1], vector))
            entries.append(derive(row))
        return _Batch(plan=plan, made=made, rows=rows, entries=entries, left=left)

    def _write(self, batch: "_Batch", stored: "Stored") -> Behind:
        """Write what is new of a batch, in one transaction, under the user's lock; return what other models lack."""
        plan = batch.plan
        with self.database.transaction(user_id=plan.user_id) as repositories:
            bulk = BulkRepository(repositories.session)
            repositories.preferences.lock_user(plan.user_id)
            stored.check_user(repositories.preferences.read_state(plan.user_id), plan.user_id)
            known = bulk.find_known(plan.user_id, list(batch.made))
            new = [n for n, digest in enumerate(batch.made) if digest not in known]
            if new:
                self._write_new(repositories, bulk, batch, new)
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
        return plan.behind

    def _write_new(self, repositories: Repositories, bulk: BulkRepository, batch: "_Batch", new: Sequence[int]) -> None:
        plan, user_id = batch.plan, batch.plan.user_id
        rows = [plan.inserts[plan.outcomes[n].preference_id] for n in new]
        languages = {row.preference_id: row.language for row in rows}
        vectors = {pid: plan.vectors[pid] for pid in languages if pid in plan.vectors}
        stats: dict[str, StatsChange] = {}
        hubs = move_means(repositories, user_id, vectors, languages, stats, bank=self.bank(), model_id=self.model_id)
        lengths = bulk.add(user_id, [batch.rows[n] for n in new], hubs=hubs, model_id=self.model_id)
        for row in rows:
            if row.status == "activated":
                change = stats.setdefault(row.language, StatsChange())
                change.row_count += 1
                change.total_length += lengths[row.preference_id]
        at_work = repositories.embeddings.change_stats(
            user_id, stats, scope="preference", model_id=self.model_id, at=plan.now
        )
        plan.behind = {model: list(languages) for model in at_work - {self.model_id}}
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

    ``rows`` are as they are stored, ``entries`` what each sets in the profile, in the order of ``made``.
    """

    plan: Plan
    made: dict[bytes, int]
    rows: list[BulkRow]
    entries: list[list[ProfileEntry]]
    left: list[int]


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
    confidence, importance = (float(str(np.float32(value))) for value in (row.confidence, row.importance))
    if (confidence, importance) == (row.confidence, row.importance):
        return row
    return replace(row, confidence=confidence, importance=importance)
