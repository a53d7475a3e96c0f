"""An analyst's page of charts, drawn in the terminal from the views of schema prefmem.

    python examples/analyst.py                                                # the sample conversations, embedded
    python examples/analyst.py "$(prefmem url --role analyst_text)"           # what you have stored

It reads as role prefmem_analyst_text and writes nothing. Every chart is one question of SQL: take what you need.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
from rich.console import Console
from rich.table import Table
from rich.text import Text

import prefmem_pg
from prefmem_pg import PreferenceMemory

# Some of the users of the samples: all of them take a minute to read.
SAMPLE_USERS = {"ana", "kenji", "mei", "lihua", "xiaomei", "yating"}
BAR_WIDTH = 40
ROWS_SHOWN = 12


class Question(NamedTuple):
    """A question and its SQL. The columns named in ``bars`` are drawn; a row's bars share one line."""

    title: str
    sql: str
    bars: tuple[str, ...] = ()


QUESTIONS = (
    Question(
        "What do users like (green) and dislike (red)?",
        """
        SELECT coalesce(topic, '(none)') AS topic, count(*) FILTER (WHERE polarity = 'positive') AS liked,
          count(*) FILTER (WHERE polarity = 'negative') AS disliked
        FROM prefmem.active_preferences
        GROUP BY topic
        ORDER BY count(*) DESC, topic
        """,
        ("liked", "disliked"),
    ),
    Question(
        "How many preferences are known of each user, by kind?",
        """
        SELECT user_id, string_agg(DISTINCT kind, ', ') AS kinds, count(*) AS preferences
        FROM prefmem.active_preferences
        GROUP BY user_id
        ORDER BY count(*) DESC, user_id
        """,
        ("preferences",),
    ),
    Question(
        "On how many messages does a preference rest?",
        """
        SELECT messages, count(*) AS preferences
        FROM (
          SELECT user_id, preference_id, count(DISTINCT message_id) AS messages
          FROM prefmem.evidence_trail
          WHERE status = 'activated'
          GROUP BY user_id, preference_id
        ) e
        GROUP BY messages
        ORDER BY messages
        """,
        ("preferences",),
    ),
    Question(
        "Who has changed their mind, and how?",
        """
        SELECT user_id, topic, statement_after AS before, superseded_by_statement AS now
        FROM prefmem.preference_changes
        WHERE event = 'supersede' AND superseded_by IS NOT NULL
        ORDER BY is_reversal DESC, at, version_id
        """,
    ),
    Question(
        "Which dialogs gave the most?",
        """
        SELECT user_id, dialog_id, user_message_count, preference_count AS preferences
        FROM prefmem.dialog_extraction
        ORDER BY preference_count DESC, user_id, dialog_id
        """,
        ("preferences",),
    ),
    Question(
        "How much can be found by meaning, by language?",
        """
        SELECT scope, coalesce(language, 'all') AS language, sum(row_count) AS amount,
          round(100.0 * sum(embedded_count) / sum(row_count)) AS percent
        FROM prefmem.embedding_coverage
        GROUP BY scope, language
        ORDER BY scope, language
        """,
        ("percent",),
    ),
)
COLOURS = ("green", "red", "blue")


def chart(columns: Sequence[str], rows: Sequence[Sequence[Any]], question: Question) -> Table:  # Any: cells of SQL
    """Return a table of the rows, with a bar at the end of each line when the question has some."""
    table = Table(title=question.title, title_justify="left", box=None, pad_edge=False)
    for name in columns:
        table.add_column(name, overflow="fold")
    places = [columns.index(name) for name in question.bars]
    longest = max((sum(float(row[place]) for place in places) for row in rows), default=0) or 1
    if places:
        table.add_column("")
    for row in rows[:ROWS_SHOWN]:
        cells = [Text("" if value is None else str(value)) for value in row]
        if places:
            cells.append(bar([float(row[place]) / longest for place in places]))
        table.add_row(*cells)
    return table


def bar(shares: Sequence[float]) -> Text:
    """Return one line of blocks: each share of the width in its colour."""
    line = Text()
    for share, colour in zip(shares, COLOURS, strict=False):
        line.append("█" * round(share * BAR_WIDTH), style=colour)
    return line


def draw(connection: psycopg.Connection, console: Console) -> None:
    connection.execute("SET ROLE prefmem_analyst_text")
    for question in QUESTIONS:
        cursor = connection.execute(question.sql)
        columns = [column.name for column in cursor.description or ()]
        console.print(chart(columns, cursor.fetchall(), question))
        console.print()


def load_samples(memory: PreferenceMemory) -> None:
    """Store and read sample conversations; doing it again changes nothing."""
    for path in sorted((Path(prefmem_pg.__file__).parent / "samples").glob("??.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            dialog = json.loads(line)
            if dialog["user_id"] in SAMPLE_USERS:
                memory.add_messages(
                    dialog["user_id"],
                    dialog["messages"],
                    dialog_id=dialog["dialog_id"],
                    session_id=dialog.get("session_id"),
                )
    memory.extract()


def main(arguments: Sequence[str]) -> None:
    console = Console()
    if arguments:
        with psycopg.connect(arguments[0], autocommit=True) as connection:
            draw(connection, console)
        return
    with PreferenceMemory.local(Path(".prefmem") / "analyst") as memory:
        load_samples(memory)
        pooled = memory.database.engine.raw_connection()
        try:
            assert isinstance(pooled.driver_connection, psycopg.Connection)
            draw(pooled.driver_connection, console)
        finally:
            pooled.close()


if __name__ == "__main__":
    main(sys.argv[1:])
