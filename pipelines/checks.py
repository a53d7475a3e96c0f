"""Asset checks: what goes red when extraction falls behind, quality drops or money runs out."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import dagster as dg
from pydantic import Field

from pipelines.assets import (
    deduplicated_preferences,
    evaluation_results,
    extracted_preferences,
    preference_embeddings,
)
from pipelines.reporting import told
from pipelines.resources import MemoryResource
from prefmem_pg.domain.reports import Indicators
from prefmem_pg.evaluation.probe import index_recall, sample_searches
from prefmem_pg.evaluation.stored import latest_metrics

REMEDIES: Final[Mapping[str, str]] = {
    "extraction_backlog": "is the daemon up? then start `extraction` for the days that the sensor names",
    "nothing_failed_or_parked": (
        "`select * from prefmem.extraction_runs where state = 'parked'` says why;"
        " after a remedy: `prefmem extract --again` for its user"
    ),
    "evidence_is_present": "a fault, or rows changed by hand: `prefmem doctor --after-restore`",
    "cost_is_within_budget": "`prefmem.llm_cost_daily`; work waits until tomorrow or a higher budget",
    "embedding_coverage": "start `preference_embeddings`; is the key of the embedder set?",
    "hnsw_recall": "`prefmem reindex --all`",
    "duplicate_rate": "start `deduplicated_preferences`; then look at `prefmem.related_preferences`",
    "quality_floor": "compare `prefmem.evaluation_runs`; go back to the extractor or prompt before",
}
"""What to do when a check is red: shown with it, and in the guide."""


class Floors(dg.ConfigurableResource):  # type: ignore[type-arg] # generic in name only
    """Where checks turn red."""

    unread_hours: float = Field(default=26, description="How long a message may wait to be read")
    embedded_share: float = Field(default=0.99, description="Of the current preferences, how many must have a vector")
    duplicate_share: float = Field(
        default=0.02, description="Of the current preferences, how many may be near-duplicates"
    )
    turns_f1: float = Field(default=0.85, description="F1 over turns of the last evaluation, per dataset and group")
    hnsw_recall: float = Field(
        default=0.9, description="Of the exact answers, how many the index of large users must find"
    )


@dg.asset_check(asset=extracted_preferences)
def extraction_backlog(memory: MemoryResource, floors: Floors) -> dg.AssetCheckResult:
    """No message waits longer than a night to be read."""
    found = _indicators(memory)
    waits = timedelta(0) if found.oldest_unread is None else datetime.now(UTC) - found.oldest_unread
    return _judged(
        "extraction_backlog",
        passed=waits <= timedelta(hours=floors.unread_hours),
        unread=found.unread,
        hours=round(waits.total_seconds() / 3600, 1),
    )


@dg.asset_check(asset=extracted_preferences)
def nothing_failed_or_parked(memory: MemoryResource) -> dg.AssetCheckResult:
    """No stretch of a dialog and no candidate was given up; what failed is tried again and only told."""
    found = _indicators(memory)
    parked = found.parked_runs + found.parked_candidates
    return _judged(
        "nothing_failed_or_parked",
        passed=parked == 0,
        failed_runs=found.failed_runs,
        parked_runs=found.parked_runs,
        waiting_candidates=found.waiting_candidates,
        parked_candidates=found.parked_candidates,
    )


@dg.asset_check(asset=extracted_preferences)
def evidence_is_present(memory: MemoryResource) -> dg.AssetCheckResult:
    """Every preference that was extracted names the words that it rests on."""
    found = _indicators(memory)
    return _judged("evidence_is_present", passed=found.without_evidence == 0, without=found.without_evidence)


@dg.asset_check(asset=extracted_preferences)
def cost_is_within_budget(memory: MemoryResource) -> dg.AssetCheckResult:
    """What providers cost today stays below the day's budget; without a budget it is only told."""
    found = _indicators(memory)
    with told():
        budget = memory.settings().spending.day_usd
    limit = {} if budget is None else {"budget_usd": float(budget)}
    passed = budget is None or found.cost_today_usd <= budget
    return _judged("cost_is_within_budget", passed=passed, cost_today_usd=float(found.cost_today_usd), **limit)


@dg.asset_check(asset=preference_embeddings)
def embedding_coverage(memory: MemoryResource, floors: Floors) -> dg.AssetCheckResult:
    """Nearly all preferences have a vector of the active model; the others are found by their words alone."""
    found = _indicators(memory)
    share = 1 - found.without_vector / found.activated if found.activated else 1.0
    return _judged(
        "embedding_coverage",
        passed=share >= floors.embedded_share,
        share=round(share, 4),
        without_vector=found.without_vector,
    )


@dg.asset_check(asset=preference_embeddings)
def hnsw_recall(memory: MemoryResource, floors: Floors) -> dg.AssetCheckResult:
    """The index of large users finds what comparing all of their vectors finds, over sampled searches."""
    with told(), memory.open() as opened:
        samples = sample_searches(opened)
    recall = index_recall(samples)
    return _judged("hnsw_recall", passed=recall >= floors.hnsw_recall, searches=len(samples), recall=round(recall, 4))


@dg.asset_check(asset=deduplicated_preferences)
def duplicate_rate(memory: MemoryResource, floors: Floors) -> dg.AssetCheckResult:
    """Few preferences say about the same as an older one of their user, over a sample of users."""
    found = _indicators(memory)
    share = found.near_duplicates / found.compared if found.compared else 0.0
    return _judged(
        "duplicate_rate", passed=share <= floors.duplicate_share, compared=found.compared, share=round(share, 4)
    )


@dg.asset_check(asset=evaluation_results)
def quality_floor(memory: MemoryResource, floors: Floors) -> dg.AssetCheckResult:
    """The last evaluation of each dataset finds the turns that hold a preference."""
    with told(), memory.open() as opened:
        measured = latest_metrics(opened, task="extraction")
    turns = {
        f"{dataset} {group}": float(scores["f1"])
        for dataset, groups in measured.items()
        for group, scores in groups.items()
        if group.endswith("turns") and "f1" in scores
    }
    # Nothing measured is no proof of quality.
    passed = bool(turns) and all(score >= floors.turns_f1 for score in turns.values())
    return _judged("quality_floor", passed=passed, **{name: round(score, 4) for name, score in turns.items()})


def _judged(check: str, *, passed: bool, **metadata: float) -> dg.AssetCheckResult:
    remedy = {} if passed else {"what to do": dg.MetadataValue.md(f"{REMEDIES[check]} (docs/pipelines.md)")}
    return dg.AssetCheckResult(passed=passed, metadata={**metadata, **remedy})


def _indicators(memory: MemoryResource) -> Indicators:
    with told(), memory.open() as opened:
        return opened.indicators()


CHECKS: Sequence[dg.AssetChecksDefinition] = (
    extraction_backlog,
    nothing_failed_or_parked,
    evidence_is_present,
    cost_is_within_budget,
    embedding_coverage,
    hnsw_recall,
    duplicate_rate,
    quality_floor,
)
