"""All commands, by what they are about."""

import logging
from collections.abc import Callable
from typing import Annotated

import typer

from prefmem_pg.cli import (
    database,
    demo,
    doctor,
    evaluate,
    extract,
    ingest,
    lifecycle,
    preferences,
    privacy,
    reembed,
    reindex,
    spending,
    summaries,
    transfer,
    upkeep,
)
from prefmem_pg.cli.edge import at_edge
from prefmem_pg.cli.logs import log_to_stderr
from prefmem_pg.cli.output import write_line

# A paragraph a string: the help keeps line breaks as they are.
EPILOG = "\n\n".join(
    (
        "The database: PREFMEM_DATABASE_URL (anything that libpq accepts; searches go to PREFMEM_READ_URL, a replica,"
        " when that is set), or else an embedded PostgreSQL in"
        " PREFMEM_HOME (default ./.prefmem), which every command makes, starts and upgrades as needed.",
        "Who reads and ranks: PREFMEM_EXTRACTOR (auto, offline, claude, openai), PREFMEM_EMBEDDER (auto, local, voyage,"
        " openai), PREFMEM_RERANKER (auto, voyage, none), PREFMEM_DEDUP_MODE (fast, fine), PREFMEM_DEDUP_ACROSS_KINDS"
        " (on, off), PREFMEM_SEARCH_THRESHOLD (0 to 1). Keys: ANTHROPIC_API_KEY, VOYAGE_API_KEY, OPENAI_API_KEY.",
        "What it may cost: PREFMEM_BUDGET_RUN_USD, PREFMEM_BUDGET_DAY_USD, PREFMEM_BUDGET_USER_USD; PREFMEM_RETRIES;"
        " PREFMEM_LLM_MODE (live, record, replay). Models, addresses and limits: docs/spending.md.",
        "Exit codes: 0 done, 1 failed or something was wrong, 2 bad usage.",
    )
)

COMMANDS: dict[str, dict[str, Callable[..., None]]] = {
    "Start": {"demo": demo.demo, "doctor": doctor.doctor},
    "Messages": {"ingest": ingest.ingest, "extract": extract.extract, "summarize": summaries.summarize},
    "Preferences": {
        "remember": preferences.remember,
        "search": preferences.search,
        "recall": preferences.recall,
        "list": preferences.list_preferences,
        "history": preferences.history,
        "profile": preferences.profile,
    },
    "Corrections": {
        "update": lifecycle.update,
        "archive": lifecycle.archive,
        "restore": lifecycle.restore,
        "undo": lifecycle.undo,
        "review": lifecycle.review,
    },
    "Upkeep": {
        "deduplicate": upkeep.deduplicate,
        "consolidate": upkeep.consolidate,
        "retire": upkeep.retire,
        "embed": upkeep.embed,
        "reembed": reembed.reembed,
    },
    "Money": {"prices": spending.prices, "replay-diff": spending.replay_diff},
    "Privacy": {"consent": privacy.consent, "delete": privacy.delete, "forget": privacy.forget},
    "Database": {
        "upgrade": database.upgrade,
        "reindex": reindex.reindex,
        "stats": database.stats,
        "url": database.url,
        "psql": database.psql,
        "roles": database.roles,
        "dump": transfer.dump,
        "load": transfer.load,
    },
}

app = typer.Typer(
    name="prefmem",
    no_args_is_help=True,
    epilog=EPILOG,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for panel, commands in COMMANDS.items():
    for name, function in commands.items():
        app.command(name, rich_help_panel=panel)(at_edge(function))
app.add_typer(evaluate.app, rich_help_panel="Start")


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        import prefmem_pg

        write_line(f"prefmem-pg {prefmem_pg.__version__}")
        raise typer.Exit


@app.callback()
def prefmem(
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Log what happens to stderr.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """The long-term memory of what users prefer, kept in your own PostgreSQL."""
    log_to_stderr(logging.INFO if verbose else logging.WARNING)
