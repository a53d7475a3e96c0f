"""Messages through the front door against raw COPY of the same rows into the same table."""

import statistics
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import psycopg
from rich.console import Console
from rich.table import Table

from benchmarks.loading import connect
from benchmarks.search import KnownVectors
from benchmarks.server import benchmark_server
from benchmarks.synthetic import World
from prefmem_pg.domain.ids import new_id
from prefmem_pg.domain.messages import NewMessage
from prefmem_pg.memory import PreferenceMemory

USERS = 500
ROUNDS = 3
START = datetime(2026, 3, 1, tzinfo=UTC)
_COLUMNS = "user_id, message_id, dialog_id, role, content, occurred_at, ingested_at, source, external_id"


def run(console: Console, *, messages: int = 100_000) -> None:
    """Print rows a second of both ways, in rounds that take turns, and their ratio."""
    copied, ingested = [], []
    with (
        benchmark_server() as server,
        connect(server.url()) as connection,
        PreferenceMemory.connect(server.url(), embedder=KnownVectors()) as memory,
    ):
        for number in range(ROUNDS):
            given = list(_messages(World(seed=number), messages // ROUNDS, prefix=f"{number}"))
            copied.append(len(given) / _copy(connection, given))
            started = time.perf_counter()
            for _ in memory.ingest(given):
                pass
            ingested.append(len(given) / (time.perf_counter() - started))
    table = Table(title=f"ingest of {messages:,} messages, rows a second")
    for column in ("raw COPY", "ingest", "ratio"):
        table.add_column(column, justify="right")
    low, high = statistics.median(ingested), statistics.median(copied)
    table.add_row(f"{high:,.0f}", f"{low:,.0f}", f"{low / high:.2f}")
    console.print(table)


def _messages(world: World, number: int, *, prefix: str) -> Iterator[NewMessage]:
    for place in range(number):
        content = (
            " ".join(world.zipf_words(12)) if place % 5 else f"我今天想喝一杯咖啡 {place} 🙂 " + world.words[place % 99]
        )
        yield NewMessage(
            user_id=f"user-{prefix}-{place % USERS}",
            role="user" if place % 2 == 0 else "assistant",
            content=content,
            dialog_id=f"dialog-{place // 20_000}",
            occurred_at=START + timedelta(seconds=place),
            external_id=f"message-{prefix}-{place}",
        )


def _copy(connection: psycopg.Connection, given: list[NewMessage]) -> float:
    """Return the seconds of one COPY of other users' messages; users and dialogs are there before it."""
    users = sorted({message.user_id for message in given})
    dialogs = sorted({(message.user_id, message.dialog_id) for message in given})
    with connection.cursor() as cursor:
        cursor.executemany("INSERT INTO prefmem.users (user_id) VALUES (%s)", [(f"raw-{user}",) for user in users])
        statement = "INSERT INTO prefmem.dialogs (user_id, dialog_id, started_at, ended_at) VALUES (%s, %s, %s, %s)"
        cursor.executemany(statement, [(f"raw-{user}", dialog, START, START) for user, dialog in dialogs])
        connection.commit()
        started = time.perf_counter()
        with cursor.copy(f"COPY prefmem.messages ({_COLUMNS}) FROM STDIN") as copy:
            for m in given:
                at = m.occurred_at
                row = (f"raw-{m.user_id}", new_id(), m.dialog_id, m.role, m.content, at, at, "api", m.external_id)
                copy.write_row(row)
        connection.commit()
        return time.perf_counter() - started
