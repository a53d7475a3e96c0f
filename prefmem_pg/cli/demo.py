"""``prefmem demo``: conversations in, preferences out, on an embedded database of its own."""

import hashlib
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

from prefmem_pg.cli.demo_questions import questions_from
from prefmem_pg.cli.extract import extract_all, extraction_line
from prefmem_pg.cli.faults import Faults
from prefmem_pg.cli.ingest import Counts, counts_line, ingest_file
from prefmem_pg.cli.output import write_line, write_raw, write_table
from prefmem_pg.cli.records import evidence_note
from prefmem_pg.cli.sources import Source, sources
from prefmem_pg.domain.preferences import Preference
from prefmem_pg.settings import Settings

if TYPE_CHECKING:
    from prefmem_pg.memory import PreferenceMemory

SAMPLES: Final = Path(__file__).resolve().parents[1] / "samples"

_USERS_SHOWN: Final = 3
_PREFERENCES_SHOWN: Final = 8
_HITS_SHOWN: Final = 3
_RECALL_TOKENS: Final = 400


class Question(NamedTuple):
    """What is asked about whom."""

    user_id: str
    text: str


SAMPLE_USERS: Final = ("ana", "kenji", "lihua")
SAMPLE_QUESTIONS: Final = (
    Question("ana", "Which seafood and sauces must be left out of her dinner?"),
    Question("ana", "她旅行时更喜欢坐火车还是飞机？"),
    Question("kenji", "How should code be written for him?"),
    Question("lihua", "他现在还吃辣吗？"),
    Question("lihua", "他喝咖啡有什么习惯？"),
)
SAMPLE_NEXT: Final = Question("ana", "checked bag or carry-on?")
"""Proposed at the end, for the reader to ask."""


def demo(
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="Your own JSON lines instead of the sample conversations.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh/--keep", help="Begin with an empty database.")] = False,
) -> None:
    """Show the whole way: messages in, preferences with their evidence out, searches in two languages, a recall.

    Always offline, on an embedded database in PREFMEM_HOME/demo (for a FILE in a folder of its own), so that no other
    data is touched. A second run finds everything stored and changes nothing.

    Example: prefmem demo my-chats.jsonl
    """
    from prefmem_pg.memory import PreferenceMemory

    home = demo_home(Settings.from_env().home, file)
    if fresh and home.exists():
        from prefmem_pg.db.local import remove_local

        remove_local(home)
    faults = Faults()
    names = [str(SAMPLES / "en.jsonl"), str(SAMPLES / "zh.jsonl")] if file is None else [file]
    with sources(names, reads_twice=False) as found, PreferenceMemory.local(home) as memory:
        write_line(f"An embedded PostgreSQL runs in {home}; all models run on this machine.\n")
        _fill(memory, found, faults)
        users = SAMPLE_USERS if file is None else _busiest(memory)
        listed = {user: _list(memory, user) for user in users}
        for user, (preferences, total) in listed.items():
            _show_preferences(memory, user, preferences, total)
        asked = SAMPLE_QUESTIONS if file is None else [Question(*pair) for pair in questions_from(listed)]
        for question in asked:
            _show_search(memory, question)
        if asked:
            _show_recall(memory, asked[0])
    _show_next(home, SAMPLE_NEXT if file is None else next(iter(asked), None))
    if faults.count:
        raise typer.Exit(1)


def demo_home(home: Path, file: str | None) -> Path:
    """Return the folder of the demo's database: one for the samples, one for each file of the user's."""
    if file is None:
        return home / "demo"
    # By the path, not the content: a file that has grown adds to what it has brought before.
    return home / f"demo-{hashlib.sha256(str(Path(file).resolve()).encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"


def _fill(memory: "PreferenceMemory", found: Sequence[Source], faults: Faults) -> None:
    counts = Counts()
    for source in found:
        ingest_file(memory, source, counts, faults)
    faults.summarize()
    write_line(f"Stored {counts_line(counts)}")
    write_line(f"Read {extraction_line(extract_all(memory))}\n")


def _busiest(memory: "PreferenceMemory") -> list[str]:
    from prefmem_pg.db.overview import list_users_with_most

    with memory.database.transaction(user_id=None) as repositories:
        return [user_id for user_id, _ in list_users_with_most(repositories.session, limit=_USERS_SHOWN)]


def _list(memory: "PreferenceMemory", user: str) -> tuple[list[Preference], int]:
    page = memory.list_preferences(user, page_size=50)
    return list(page.items), page.total


def _show_preferences(memory: "PreferenceMemory", user: str, preferences: Sequence[Preference], total: int) -> None:
    shown = sorted(preferences, key=lambda item: item.importance * item.confidence, reverse=True)[:_PREFERENCES_SHOWN]
    rows = [
        (
            item.statement,
            item.kind,
            item.polarity,
            item.topic,
            evidence_note(memory.evidence(user, item.preference_id), item.statement),
        )
        for item in shown
    ]
    title = f"{user}: the weightiest {len(shown)} of {total} preferences"
    write_table(("preference", "kind", "polarity", "topic", "said"), rows, title=title)


def _show_search(memory: "PreferenceMemory", question: Question) -> None:
    # Without learning, so that the next run shows the same.
    hits = memory.search(question.user_id, question.text, limit=_HITS_SHOWN, learn=False)
    rows = [
        (
            hit.score,
            hit.preference.statement,
            hit.preference.polarity,
            evidence_note(hit.evidence, hit.preference.statement),
        )
        for hit in hits
    ]
    write_table(("score", "preference", "polarity", "evidence"), rows, title=f"{question.user_id}: {question.text}")


def _show_recall(memory: "PreferenceMemory", question: Question) -> None:
    recalled = memory.recall(question.user_id, question.text, max_tokens=_RECALL_TOKENS)
    write_line(f"What goes into the prompt for {question.user_id}: {question.text}\n")
    write_raw(recalled.text)


def _show_next(home: Path, question: Question | None) -> None:
    command = f"PREFMEM_HOME={shlex.quote(str(home))} {_own_name()}"
    write_line("\nLook around in SQL, or go on with it:")
    write_line(f'  {command} psql -- -c "SELECT * FROM prefmem.active_preferences LIMIT 5"')
    write_line(f'  psql "$({command} url)"')
    if question is not None:
        write_line(f"  {command} search {shlex.quote(question.user_id)} {shlex.quote(question.text)} --explain")


def _own_name() -> str:
    """Return how to call this program again from here, be it on the PATH or not."""
    if Path(sys.argv[0]).name != "prefmem":
        return f"{shlex.quote(sys.executable)} -m prefmem_pg"
    return "prefmem" if shutil.which("prefmem") else shlex.quote(sys.argv[0])
