"""Deduplication measured: pairs of statements through the judge, by language and kind of pair."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Final, get_args

from prefmem_pg.domain.evaluations import Evaluation, Outcome
from prefmem_pg.domain.preferences import Relation
from prefmem_pg.errors import InvalidInput
from prefmem_pg.evaluation.datasets import Dataset
from prefmem_pg.evaluation.metrics import mean
from prefmem_pg.evaluation.records import StatementPair
from prefmem_pg.providers.protocols import Comparison, EmbeddingModel, Judge, Statement
from prefmem_pg.steps.candidates import as_candidate

RELATIONS: Final[tuple[Relation, ...]] = get_args(Relation)
MERGED: Final = frozenset({"same", "richer"})
"""What makes one row of two; of a contradiction or of two different things that loses a preference."""

BATCH_PAIRS: Final = 32


def evaluate_deduplication(
    dataset: Dataset, judge: Judge, embedder: EmbeddingModel, *, on_progress: Callable[[int], None] = lambda _: None
) -> Evaluation:
    """Ask the judge how each second statement stands to the first; no database. ``on_progress`` gets pairs done.

    A group is language/kind. ``merged`` is the share judged same or richer: right for light and dup, wrong for
    contradict and different; ``right`` is the share of the answers that the kind of pair calls for (contradict:
    changed, different: neither merged nor changed).
    """
    pairs = [row for row in dataset.rows if isinstance(row, StatementPair)]
    if not pairs:
        raise InvalidInput(f"{dataset.name} is {dataset.format}; deduplication is measured on statement_pairs")
    started_at = datetime.now(UTC)
    outcomes: list[Outcome] = []
    for first in range(0, len(pairs), BATCH_PAIRS):
        batch = pairs[first : first + BATCH_PAIRS]
        outcomes += _judge(batch, judge, embedder)
        on_progress(len(batch))
    return Evaluation(
        task="dedup",
        dataset=dataset.name,
        configuration={"judge": f"{judge.name} {judge.version}", "embedder": f"{embedder.provider}/{embedder.name}"},
        metrics=aggregate(outcomes),
        outcomes=tuple(outcomes),
        started_at=started_at,
        finished_at=datetime.now(UTC),
    )


def aggregate(outcomes: Sequence[Outcome]) -> dict[str, dict[str, float | int]]:
    """Return the counts of each relation with the shares merged and right, by language/kind and by all/kind."""
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[outcome.category].append(outcome)
        groups[f"all/{outcome.category.rpartition('/')[2]}"].append(outcome)
    return {name: _scores(name.rpartition("/")[2], group) for name, group in sorted(groups.items())}


def is_right(kind: str, relation: str) -> bool:
    """Say whether the relation is what this kind of pair calls for; "unsure" merges nothing, so it keeps apart."""
    if kind in ("light", "dup"):
        return relation in MERGED
    return relation == "changed" if kind == "contradict" else relation in ("different", "unsure")


def _scores(kind: str, outcomes: Sequence[Outcome]) -> dict[str, float | int]:
    relations = Counter(str(outcome.details["relation"]) for outcome in outcomes)
    return {
        "pairs": len(outcomes),
        **{relation: relations[relation] for relation in RELATIONS},
        "merged": mean([relation in MERGED for relation in relations.elements()]),
        "right": mean([is_right(kind, relation) for relation in relations.elements()]),
    }


def _judge(pairs: Sequence[StatementPair], judge: Judge, embedder: EmbeddingModel) -> list[Outcome]:
    existing = embedder.embed_documents([pair.existing for pair in pairs])
    candidates = embedder.embed_documents([pair.candidate for pair in pairs])
    cosines = [float(here @ there) for here, there in zip(existing, candidates, strict=True)]
    verdicts = judge.compare(
        [
            Comparison(candidate=_statement(pair.candidate), existing=_statement(pair.existing), similarity=cosine)
            for pair, cosine in zip(pairs, cosines, strict=True)
        ]
    )
    return [
        Outcome(
            question_id=pair.id,
            category=f"{pair.language}/{pair.kind}",
            details={"relation": verdict.relation, "certainty": verdict.certainty, "similarity": round(cosine, 4)},
        )
        for pair, verdict, cosine in zip(pairs, verdicts, cosines, strict=True)
    ]


def _statement(text: str) -> Statement:
    """Return what the judge would see of a statement given to remember()."""
    found = as_candidate({"statement": text}, now=datetime.now(UTC))
    return Statement(
        text=found.statement,
        kind=found.kind,
        polarity=found.polarity,
        language=found.language,
        topic=found.topic,
        entities=found.entities,
    )
