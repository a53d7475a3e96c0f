"""``prefmem doctor``: is everything in place, and if not, what to do."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from prefmem_pg.cli.answers import compare_answers
from prefmem_pg.cli.checks import (
    Check,
    check_database,
    check_extras,
    check_indexes,
    check_keys,
    check_privacy,
    check_python,
    check_work,
    needed_extras,
)
from prefmem_pg.cli.opening import open_as_it_is, read_settings
from prefmem_pg.cli.options import AsJson
from prefmem_pg.cli.output import counted, takes, write_json, write_line
from prefmem_pg.errors import PrefmemError
from prefmem_pg.settings import Settings

if TYPE_CHECKING:
    from prefmem_pg.memory import PreferenceMemory

_MARKS = {"ok": "✓", "note": "•", "wrong": "✗"}
_PLAIN_MARKS = {"ok": "ok", "note": "--", "wrong": "!!"}


def doctor(
    after_restore: Annotated[
        bool,
        typer.Option(
            "--after-restore", help="Also read every row and search for some: did all of it arrive, and is it found?"
        ),
    ] = False,
    write_answers: Annotated[
        Path | None,
        typer.Option("--write-answers", metavar="FILE", help="Before a backup: write what 200 searches find, and end."),
    ] = None,
    answers: Annotated[
        Path | None,
        typer.Option("--answers", metavar="FILE", help="After a restore: compare with what was written before."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check the installation, the settings and the database, and say what to do. Exits with 1 when something is wrong.

    ✓ is well, • is worth knowing, ✗ is wrong. Keys are named, never shown.

    Example: prefmem doctor --after-restore
    """
    if write_answers is not None:
        _write_answers(write_answers)
        return
    checks: list[Check] = []
    marks = _MARKS if takes("".join(_MARKS.values())) else _PLAIN_MARKS
    for check in examine_all(after_restore=after_restore, answers=answers):
        checks.append(check)
        if not as_json:
            advice = f"  ->  {check.advice}" if check.advice else ""
            write_line(f"{marks[check.state]} {check.name}: {check.found}{advice}")
    is_well = all(check.state != "wrong" for check in checks)
    if as_json:
        write_json({"ok": is_well, "checks": checks})
    if not is_well:
        raise typer.Exit(1)


def _write_answers(path: Path) -> None:
    from prefmem_pg.cli.answers import write_answers

    with open_as_it_is(read_settings()) as memory:
        write_line(f"{counted(write_answers(memory, path), 'answer')} written to {path}")


def examine_all(*, after_restore: bool = False, answers: Path | None = None) -> Iterator[Check]:
    """Check from the ground up; what stands on something broken is not looked at."""
    yield check_python()
    try:
        settings = read_settings()
    except PrefmemError as exc:
        yield Check("settings", "wrong", str(exc), "set it right or unset it")
        return
    yield Check("settings", "ok", _chosen(settings))
    yield from check_extras(needed_extras(settings))
    yield check_keys()
    try:
        with open_as_it_is(settings) as memory:
            yield from _examine_memory(memory, settings, after_restore=after_restore)
            if answers is not None:
                yield compare_answers(memory, answers)
    except PrefmemError as exc:
        yield Check("database", "wrong", str(exc), "see PREFMEM_DATABASE_URL and PREFMEM_HOME in: prefmem --help")


def _examine_memory(memory: "PreferenceMemory", settings: Settings, *, after_restore: bool) -> Iterator[Check]:
    from prefmem_pg.cli.restored import examine_restored
    from prefmem_pg.cli.tiredness import check_replica, examine_upkeep
    from prefmem_pg.db.health import examine, examine_replica
    from prefmem_pg.db.overview import count_missing_vectors
    from prefmem_pg.db.reindex import find_index_faults

    if settings.database_url is None:
        memory.upgrade()  # as every command does for the embedded database
    health = examine(memory.database.engine)
    yield Check("database", "ok", _where(settings))
    yield from check_database(health)
    if health.revision != health.revision_needed:
        return
    yield check_indexes(find_index_faults(memory.database.engine))
    if settings.read_url is not None:
        yield check_replica(examine_replica(settings.read_url))
    try:
        counts = memory.stats()
        with memory.database.transaction(user_id=None) as repositories:
            model = repositories.embeddings.get_active_model()
            missing = count_missing_vectors(repositories.session)
    except PrefmemError as exc:
        yield Check("embedding model", "wrong", str(exc))
        return
    yield Check("embedding model", "ok", f"{model.provider}/{model.name}, {model.dimensions} dimensions")
    yield check_privacy(settings, model.provider)
    yield from check_work(counts, missing)
    yield from examine_upkeep(memory)
    if after_restore:
        yield from examine_restored(memory)


def _where(settings: Settings) -> str:
    if settings.database_url is None:
        return f"the embedded one in {settings.home} answers"
    from prefmem_pg.db.engine import connection_arguments

    arguments = connection_arguments(settings.database_url)
    shown = {name: arguments[name] for name in ("host", "port", "dbname", "user") if arguments.get(name)}
    return f"{' '.join(f'{name}={value}' for name, value in shown.items()) or 'by the PG* variables'} answers"


def _chosen(settings: Settings) -> str:
    return f"extractor {settings.extractor}, embedder {settings.embedder}, reranker {settings.reranker}"
