"""Commands that measure: how good retrieval, extraction and deduplication are on labelled data."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Final

import typer

from prefmem_pg.cli.edge import at_edge
from prefmem_pg.cli.opening import open_memory, read_settings
from prefmem_pg.cli.options import AsJson
from prefmem_pg.cli.output import progress, warn, write_json, write_line, write_table

if TYPE_CHECKING:
    from prefmem_pg.domain.evaluations import Evaluation
    from prefmem_pg.evaluation.datasets import Dataset
    from prefmem_pg.providers.protocols import EmbeddingModel

Data = Annotated[
    str, typer.Option("--data", metavar="FILE", help="JSON lines; the format is recognised by its fields.")
]
Limit = Annotated[int | None, typer.Option("--limit-rows", min=1, metavar="N", help="Only the first N rows.")]
Store = Annotated[
    bool, typer.Option("--store-results/--no-store-results", help="Also store the results as rows in your database.")
]

_HELP: Final = "Measure retrieval, extraction or deduplication on labelled data; see docs/evaluation.md."


def retrieval(data: Data, limit_rows: Limit = None, store_results: Store = False, as_json: AsJson = False) -> None:
    """Ask questions and see at which rank their own preference comes back. Uses a fresh database, never yours.

    Reads PrefEval's explicit form, memories with questions ({id, kind, memory, query}), and LoCoMo.

    Example: prefmem eval retrieval --data questions.jsonl
    """
    from prefmem_pg.evaluation.conversations import evaluate_conversations
    from prefmem_pg.evaluation.datasets import read_dataset
    from prefmem_pg.evaluation.fresh import fresh_memory
    from prefmem_pg.evaluation.retrieval import count_searches, evaluate_retrieval

    _check_database(is_needed=store_results)
    dataset = read_dataset(data, limit=limit_rows)
    total = count_searches(dataset)
    measure = evaluate_conversations if dataset.format == "locomo" else evaluate_retrieval
    with fresh_memory(embedder=_embedder()) as memory, progress("searching", total=total) as bar:
        evaluation = measure(dataset, memory, on_progress=lambda done: bar.advance(bar.task_ids[0], done))
    _show(evaluation, store_results=store_results, as_json=as_json)


def extraction(
    data: Annotated[
        str,
        typer.Option("--data", metavar="FILE", help="JSON lines, or: samples (the labelled dialogs of the package)."),
    ],
    limit_rows: Limit = None,
    store_results: Store = False,
    as_json: AsJson = False,
) -> None:
    """See which turns the extractor finds a preference in, and how close it is to the labels. Needs no database.

    Reads PrefEval's three forms, and dialogs in the format of ingest with NAME.labels.jsonl beside NAME.jsonl.

    Example: prefmem eval extraction --data samples
    """
    from prefmem_pg.evaluation.extraction import evaluate_extraction
    from prefmem_pg.remote_chat import choose_extractor, choose_prefilter

    _check_database(is_needed=store_results)
    extractor, prefilter = choose_extractor(read_settings()), choose_prefilter()
    evaluation = _measure(
        data,
        limit_rows,
        "reading",
        lambda dataset, advance: evaluate_extraction(dataset, extractor, prefilter=prefilter, on_progress=advance),
    )
    _show(evaluation, store_results=store_results, as_json=as_json)


def dedup(data: Data, limit_rows: Limit = None, store_results: Store = False, as_json: AsJson = False) -> None:
    """See which pairs of statements the judge would merge, supersede or keep apart. Needs no database.

    Reads {id, lang, kind, a, b} with kind light, dup, contradict or different.

    Example: prefmem eval dedup --data pairs.jsonl --json
    """
    from prefmem_pg.evaluation.deduplication import evaluate_deduplication
    from prefmem_pg.providers.offline.judge import OfflineJudge

    _check_database(is_needed=store_results)
    judge, embedder = OfflineJudge(), _embedder()
    evaluation = _measure(
        data,
        limit_rows,
        "judging",
        lambda dataset, advance: evaluate_deduplication(dataset, judge, embedder, on_progress=advance),
    )
    _show(evaluation, store_results=store_results, as_json=as_json)


app = typer.Typer(name="eval", help=_HELP, no_args_is_help=True)
for _command in (retrieval, extraction, dedup):
    app.command()(at_edge(_command))


def _measure(
    data: str, limit: int | None, doing: str, measure: "Callable[[Dataset, Callable[[int], None]], Evaluation]"
) -> "Evaluation":
    from prefmem_pg.evaluation.datasets import read_dataset

    dataset = read_dataset(data, limit=limit)
    with progress(doing, total=len(dataset.rows)) as bar:
        return measure(dataset, lambda done: bar.advance(bar.task_ids[0], done))


def _check_database(*, is_needed: bool) -> None:
    """Open the database that the results go to, so that a wrong URL is told before minutes of work, not after."""
    if is_needed:
        with open_memory() as memory:
            memory.stats()


def _embedder() -> "EmbeddingModel":
    from prefmem_pg.providers.metering import Unmetered
    from prefmem_pg.wiring import first_model

    return first_model(read_settings(), (), Unmetered())


def _show(evaluation: "Evaluation", *, store_results: bool, as_json: bool) -> None:
    stored = _stored_id(evaluation) if store_results else None
    if as_json:
        write_json(
            {
                "task": evaluation.task,
                "dataset": evaluation.dataset,
                "configuration": evaluation.configuration,
                "metrics": evaluation.metrics,
                "notes": evaluation.notes,
                "evaluation_id": stored,
            }
        )
        return
    columns = list(dict.fromkeys(name for scores in evaluation.metrics.values() for name in scores))
    rows = [[group, *(scores.get(name) for name in columns)] for group, scores in evaluation.metrics.items()]
    write_table(["group", *columns], rows, title=f"{evaluation.task} on {evaluation.dataset}")
    for note in evaluation.notes:
        warn(note)
    if stored is not None:
        write_line(f"stored as evaluation {stored}")


def _stored_id(evaluation: "Evaluation") -> str:
    from prefmem_pg.evaluation.store_results import store_results

    with open_memory() as memory:
        return str(store_results(memory, evaluation))
