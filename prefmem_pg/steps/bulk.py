"""Many statements that are not compared -> rows, by COPY: what the user has not in these very words is new."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from itertools import islice
from typing import Any, Final, Generic, TypeVar
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from prefmem_pg.db.bulk import STALE_ROWS, STALE_SHARE, BulkRepository, bulk_row, tables_of_preferences
from prefmem_pg.db.embeddings import StatsChange
from prefmem_pg.db.session import Database, Repositories
from prefmem_pg.db.users import UserState
from prefmem_pg.domain.ids import new_id
from prefmem_pg.domain.preferences import Candidate, Decision, Preference, Status
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
from prefmem_pg.steps.new_row import new_row
from prefmem_pg.steps.profile import derive
from prefmem_pg.steps.think import RULES

log = logging.getLogger(__name__)

COPIED_AT_ONCE: Final = 1_000
"""Rows a transaction: the user is locked for about a third of a second."""
EMBEDDED_AT_ONCE: Final = 256

Vector = NDArray[np.float32]
Made = TypeVar("Made")
Got = TypeVar("Got")
Hubs = dict[UUID, tuple[float, float]]
_NO_HUBS: Final = (0.0, 0.0)
_DETAILS: Final = {"judge": RULES.name, "compared": []}
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
        with ThreadPoolExecutor(max_workers=1, thread_name_prefix="prefmem-bulk") as server:
            ready: _Batch | None = None
            try:
                for batch in _batches(candidates):
                    vectors = self._embed(user_id, [candidate.statement for _, candidate in batch])
                    think = partial(_think, user_id, batch, vectors, actor=actor)
                    last, ready = ready, None
                    ready = think() if last is None else self._write(last, stored, _Beside(server, think))
            finally:  # what was made ready is written also when nothing more can be read
                if ready is not None:
                    self._write(ready, stored)
        return stored

    def _write(self, batch: "_Batch", stored: "Stored", meanwhile: "_Beside[Made] | None" = None) -> Made | None:
        """Write what is new of a batch, in one transaction, under the user's lock; return what ``meanwhile`` made."""
        user_id = batch.user_id
        made: Made | None = None
        with self.database.transaction(user_id=user_id) as repositories:
            bulk = BulkRepository(repositories.session)
            state = repositories.preferences.lock_user(user_id)
            stored.check_user(state, user_id)
            known = set() if state.is_new else bulk.find_known(user_id, list(batch.rows))
            new = [row for digest, row in batch.rows.items() if digest not in known]
            changes, hubs = self._move_means(repositories, user_id, new)
            bulk.stage((row.record, hubs.get(row.preference_id, _NO_HUBS)) for row in new)
            store = partial(bulk.store_staged, user_id, model_id=self.model_id, actor=batch.actor, details=_DETAILS)
            if meanwhile is None:
                lengths = store()
            else:
                lengths, made = meanwhile.run(store)
            at_work = self._count(repositories, batch, new, lengths, changes) if new else set()
            is_stale = stored.is_stale(len(new), bulk)
        stored.left += batch.left + [row.place for digest, row in batch.rows.items() if digest in known]
        stored.decisions |= {row.place: row.decision() for row in new}
        if is_stale:
            self.database.analyze(tables_of_preferences())
        keep_up(self.database, self.find_models, user_id, {model: list(lengths) for model in at_work})
        return made

    def _move_means(
        self, repositories: Repositories, user_id: str, rows: Sequence["_New"]
    ) -> tuple[dict[str, StatsChange], Hubs]:
        """Return the means that new rows lead to, by language, and by them the rows' hubness."""
        changes: dict[str, StatsChange] = {}
        hubs: Hubs = {}
        vectors: dict[str, dict[UUID, Vector]] = {}
        for row in rows:
            if row.vector is not None:
                vectors.setdefault(row.preference.language, {})[row.preference_id] = row.vector
        if not vectors:
            return changes, hubs
        known = repositories.embeddings.read_memory_means(user_id, scope="preference", model_id=self.model_id)
        for language, some in vectors.items():
            stacked = np.stack(list(some.values()))
            mean = next_mean(known.get(language), stacked.sum(axis=0), len(some), language=language, bank=self.bank())
            changes[language] = StatsChange(vector_count=len(some), memory_mean=mean)
            hubs |= dict(zip(some, both_hubs(stacked, mean, self.bank()), strict=True))
        return changes, hubs

    def _count(
        self,
        repositories: Repositories,
        batch: "_Batch",
        rows: Sequence["_New"],
        lengths: Mapping[UUID, int],
        changes: dict[str, StatsChange],
    ) -> set[int]:
        """Bring statistics and profile in step with rows that were stored; return further models that are at work."""
        for row in rows:
            if row.preference.status == "activated":
                change = changes.setdefault(row.preference.language, StatsChange())
                change.row_count += 1
                change.total_length += lengths[row.preference_id]
        at_work = repositories.embeddings.change_stats(
            batch.user_id, changes, scope="preference", model_id=self.model_id, at=batch.now
        )
        entries = [entry for row in rows for entry in row.entries]
        repositories.profiles.upsert(batch.user_id, newest(entries), at=batch.now)
        repositories.preferences.raise_revision(batch.user_id)
        return at_work - {self.model_id}

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
class _Beside(Generic[Made]):
    """What is done while the server works: the wait for it is in a thread, since two busy ones would wait in turn."""

    server: ThreadPoolExecutor
    make: Callable[[], Made]

    def run(self, store: Callable[[], Got]) -> tuple[Got, Made]:
        """Return what both give; nothing is raised before the server is done."""
        storing = self.server.submit(store)
        try:
            made = self.make()
        finally:
            wait([storing])
        return storing.result(), made


@dataclass(frozen=True, slots=True)
class _New:
    """A row to store: the place of its candidate, as COPY writes it, and what it sets in the profile."""

    place: int
    preference: Preference
    choice: Choice
    vector: Vector | None
    record: tuple[Any, ...]  # Any: what the driver writes
    entries: list[ProfileEntry]

    @property
    def preference_id(self) -> UUID:
        return self.preference.preference_id

    def decision(self) -> Decision:
        return Decision(action=self.choice.action, preference=_as_stored(self.preference), reason=self.choice.reason)


@dataclass(frozen=True, slots=True)
class _Batch:
    """Rows by their statement's hash, and the places of those said twice."""

    user_id: str
    actor: str
    now: datetime
    rows: dict[bytes, _New]
    left: list[int]


@dataclass(slots=True)
class Stored:
    """The decisions by the candidates' places, and the places of those that are not new.

    ``uncounted`` rows have come since the planner's statistics were made.
    """

    decisions: dict[int, Decision] = field(default_factory=dict)
    left: list[int] = field(default_factory=list)
    known_since: datetime | None = None
    uncounted: int = 0

    def check_user(self, state: UserState, user_id: str) -> None:
        """Raise NotFound when the user of this batch is another than that of the first: erased meanwhile."""
        if self.known_since not in (None, state.created_at):
            raise NotFound(f"user {user_id} was erased meanwhile; {len(self.decisions)} rows had been stored before")
        self.known_since = state.created_at

    def is_stale(self, new: int, bulk: BulkRepository) -> bool:
        """Count new rows; say whether the planner's statistics are to be made once they are committed."""
        self.uncounted += new
        if self.uncounted < STALE_ROWS or self.uncounted < STALE_ROWS + STALE_SHARE * bulk.count_estimated():
            return False
        self.uncounted = 0
        return True


def _think(
    user_id: str, batch: Sequence[tuple[int, Candidate]], vectors: Sequence[Vector | None], *, actor: str
) -> _Batch:
    """Return what to write of a batch were all of it new. No database and no model."""
    now = datetime.now(UTC)
    rows: dict[bytes, _New] = {}
    left = []
    for (place, candidate), vector in zip(batch, vectors, strict=True):
        digest = statement_hash(candidate.statement)
        if digest in rows:
            left.append(place)
            continue
        choice = _GUESS if needs_review(candidate) else _NEW
        status: Status = "activated" if choice is _NEW else "resolving"
        row = new_row(candidate, user_id=user_id, status=status, now=now, run_id=None)
        record = bulk_row(row, digest, new_id(), choice.reason, vector)
        rows[digest] = _New(place, row, choice, vector, record, derive(row))
    return _Batch(user_id, actor, now, rows, left)


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
