"""Changing the embedding model while searches and writes go on: fill, index, compare, switch, and clean up."""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from prefmem_pg.db.embedding_models import ModelRow
from prefmem_pg.db.model_changes import (
    changing_models,
    check_dimensions,
    clean,
    count_behind,
    count_missing,
    register,
    retire,
    seconds_since_switch,
    switch,
)
from prefmem_pg.db.reindex import build_model_indexes
from prefmem_pg.db.session import Database
from prefmem_pg.db.stats_sync import StatsSync
from prefmem_pg.db.upgrade import ModelSpec
from prefmem_pg.domain.reports import ReembedReport
from prefmem_pg.errors import ConfigurationError, Conflict
from prefmem_pg.providers.bank import pack_bank
from prefmem_pg.providers.protocols import EmbeddingModel
from prefmem_pg.steps.again import again
from prefmem_pg.steps.compare_models import compare_models
from prefmem_pg.steps.embed import WorkingModel, embed_missing
from prefmem_pg.steps.promote import promote_user
from prefmem_pg.steps.summarize import embed_summaries

log = logging.getLogger(__name__)

PASSES: Final = 10
"""How often what others write meanwhile is caught up with before the switch; a pass is as short as they are few."""
FEW: Final = 50
"""A pass that finds no more than so many has caught up: they were written while it ran."""
USERS_AT_ONCE: Final = 500
_PROBE: Final = ("I like green tea 🍵", "我喜欢绿茶")

OnProgress = Callable[[str, int, int | None], None]
"""Called with what is being done, how many texts or rows are done by now, and of how many, when that is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """How to change the model. ``texts_per_minute`` None: as fast as the model answers."""

    texts_per_minute: int | None = None
    switches: bool = True
    compares: bool = True
    allow_missing: int = 0
    on_progress: OnProgress | None = None

    def tell(self, stage: str, done: int = 0, total: int | None = None) -> None:
        if self.on_progress is not None:
            self.on_progress(stage, done, total)


def probe(embedder: EmbeddingModel) -> None:
    """Ask the model for two vectors; ConfigurationError when they are not what it says of itself."""
    check_dimensions(embedder.dimensions)
    vectors = np.asarray(embedder.embed_documents(_PROBE))
    name = f"{embedder.provider}/{embedder.name}"
    if vectors.shape != (len(_PROBE), embedder.dimensions):
        raise ConfigurationError(
            f"{name} was to return vectors of {embedder.dimensions} dimensions and returned {vectors.shape[-1]};"
            " nothing was changed"
        )
    lengths = np.linalg.norm(vectors, axis=1)
    if not np.allclose(lengths, 1, atol=0.01):
        raise ConfigurationError(f"{name} returned vectors that are not of length 1; nothing was changed")


def reembed(
    database: Database, old: WorkingModel, embedder: EmbeddingModel, change: Change, *, sql_folder: Path
) -> tuple[ReembedReport, WorkingModel]:
    """Change the active model from ``old`` to ``embedder``; return what was done and the new model with its number.

    Stopped at any point, it goes on where it was when called again. Raises Conflict when somebody else is at it, when
    a third model would be at work, or when rows cannot be embedded (more than ``allow_missing``).
    """
    with changing_models(database.engine):
        probe(embedder)
        change.tell("bank")
        spec = ModelSpec(name=embedder.name, provider=embedder.provider, dimensions=embedder.dimensions)
        row = register(database.engine, spec, folder=sql_folder, bank=pack_bank(embedder))
        new = WorkingModel(row.model_id, embedder)
        report = ReembedReport(provider=row.provider, model=row.name, dimensions=row.dimensions)
        if row.state == "active":
            return replace(report, is_active=True), new
        filled = _fill(database, new, change)
        report = _counted(report, filled)
        if filled.failed > change.allow_missing and _behind(database, old, new) > change.allow_missing:
            return report, new
        _index(database, old, new, change)
        report = _counted(report, _catch_up(database, new))
        if change.compares:
            change.tell("compare")
            report = replace(report, comparison=compare_models(database, old, new))
        if not change.switches:
            return report, new
        change.tell("switch")
        report = _counted(report, _catch_up(database, new))
        _sync(database, old, new)
        behind = _behind(database, old, new)
        if behind > max(change.allow_missing, FEW):
            raise Conflict(f"{behind:,} rows have no vector of {row.name} yet; run it again, it goes on where it was")
        switch(database.engine, to=new.model_id)
        return replace(_counted(report, _catch_up(database, new)), is_active=True), new


def retire_models(
    database: Database, *, sql_folder: Path, grace_seconds: float, on_progress: OnProgress | None = None
) -> list[ModelRow]:
    """Let go of every model but the active one, and delete its rows; return the retired ones. Resumable, idempotent.

    It waits until the active model has been so for ``grace_seconds``: by then every process has looked it up.
    """
    with changing_models(database.engine):
        time.sleep(max(0.0, grace_seconds - seconds_since_switch(database.engine)))
        models = retire(database.engine, folder=sql_folder)
        deleted = 0
        for model in models:
            for number in clean(database.engine, model_id=model.model_id):
                deleted += number
                if on_progress is not None:
                    on_progress("clean", deleted, None)
        return models


@dataclass(frozen=True, slots=True, kw_only=True)
class _Embedded:
    """How many vectors were made, and what failed at last."""

    preferences: int = 0
    messages: int = 0
    summaries: int = 0
    failed: int = 0
    errors: Mapping[str, str] = field(default_factory=dict)

    def plus(self, later: "_Embedded") -> "_Embedded":
        return _Embedded(
            preferences=self.preferences + later.preferences,
            messages=self.messages + later.messages,
            summaries=self.summaries + later.summaries,
            failed=later.failed,
            errors=later.errors,
        )


def _fill(database: Database, new: WorkingModel, change: Change) -> _Embedded:
    total = count_missing(database.engine, model_id=new.model_id)
    pace = _Pace(change.texts_per_minute)
    done = 0
    change.tell("embed", 0, total)

    def on_batch(texts: int) -> None:
        nonlocal done
        done += texts
        change.tell("embed", done, total)
        pace.wait(done)

    return _embed_all(database, new, on_batch)


def _embed_all(database: Database, new: WorkingModel, on_batch: Callable[[int], None] | None = None) -> _Embedded:
    """Embed whatever has no vector of the model: preferences, messages and summaries."""
    found = embed_missing(database, new.embedder, new.bank, model_id=new.model_id, on_batch=on_batch)
    told = embed_summaries(database, new.embedder, model_id=new.model_id)
    if on_batch is not None and told.embedded:
        on_batch(told.embedded)
    return _Embedded(
        preferences=found.preferences,
        messages=found.messages,
        summaries=told.embedded,
        failed=found.failed + told.failed,
        errors={**found.errors, **told.errors},
    )


class _Pace:
    """Waits so that no more than so many texts a minute go out."""

    def __init__(self, texts_per_minute: int | None) -> None:
        self._per_second = texts_per_minute / 60 if texts_per_minute else None
        self._began = time.monotonic()

    def wait(self, done: int) -> None:
        if self._per_second is not None:
            time.sleep(max(0.0, self._began + done / self._per_second - time.monotonic()))


def _index(database: Database, old: WorkingModel, new: WorkingModel, change: Change) -> None:
    change.tell("index")
    build_model_indexes(
        database.engine,
        model_id=new.model_id,
        dimensions=new.embedder.dimensions,
        on_index=lambda name: change.tell("index"),
    )
    _sync(database, old, new)


def _sync(database: Database, old: WorkingModel, new: WorkingModel) -> None:
    """Bring counts, and who is searched by the index, into step with the old model."""
    after: str | None = None
    while True:
        with database.transaction(user_id=None) as repositories:
            users = StatsSync(repositories.session, old=old.model_id, new=new.model_id).list_different(
                after=after, limit=USERS_AT_ONCE
            )
        if not users:
            break
        after = users[-1]
        for user_id in users:
            again(partial(_copy_stats, database, old, new, user_id))
    with database.transaction(user_id=None) as repositories:
        large = StatsSync(repositories.session, old=old.model_id, new=new.model_id).list_large()
    for user_id in large:
        again(partial(promote_user, database, user_id, model_id=new.model_id))


def _copy_stats(database: Database, old: WorkingModel, new: WorkingModel, user_id: str) -> None:
    with database.transaction(user_id=user_id) as repositories:
        if repositories.preferences.lock_known_user(user_id) is not None:
            sync = StatsSync(repositories.session, old=old.model_id, new=new.model_id)
            sync.copy(user_id, at=datetime.now(UTC))


def _catch_up(database: Database, new: WorkingModel) -> _Embedded:
    """Embed what was written meanwhile by processes that could not make the new model's vectors themselves."""
    total = _Embedded()
    for _ in range(PASSES):
        found = _embed_all(database, new)
        total = total.plus(found)
        if found.preferences + found.messages + found.summaries <= FEW:
            break
    return total


def _behind(database: Database, old: WorkingModel, new: WorkingModel) -> int:
    return count_behind(database.engine, old=old.model_id, new=new.model_id)


def _counted(report: ReembedReport, embedded: _Embedded) -> ReembedReport:
    return replace(
        report,
        preferences=report.preferences + embedded.preferences,
        messages=report.messages + embedded.messages,
        summaries=report.summaries + embedded.summaries,
        failed=embedded.failed,
        errors=dict(embedded.errors),
    )
