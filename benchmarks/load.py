"""Bulk load of preferences: remember_many in batches against COPY of the same kind of rows into the same tables."""

import time

from rich.console import Console
from rich.table import Table

from benchmarks.loading import connect, copy_preferences, copy_vectors
from benchmarks.search import KnownVectors
from benchmarks.server import benchmark_server
from benchmarks.synthetic import World
from prefmem_pg.memory import PreferenceMemory

BATCH = 200


def run(console: Console, *, preferences: int = 2_000) -> None:
    """Print rows a second of both ways: a user for each batch, vectors ready, no deduplication."""
    world = World()
    with benchmark_server() as server, connect(server.url()) as connection:
        users = [world.user(f"user-{number}", BATCH) for number in range(preferences // BATCH)]
        embedder = KnownVectors()
        for user in users:
            embedder.known |= dict(zip(user.statements, user.vectors, strict=True))
        # The first user of each way warms up: plans, and statistics for the checks of foreign keys.
        copy_preferences(connection, world.user("raw-first", BATCH))
        connection.commit()
        connection.execute("ANALYZE")
        connection.commit()
        copied = loaded = 0.0
        with PreferenceMemory.connect(server.url(), embedder=embedder) as memory:
            for user in users:
                raw = world.user(f"raw-{user.user_id}", BATCH)
                started = time.perf_counter()
                copy_preferences(connection, raw)
                copy_vectors(connection, raw, in_hnsw=False)
                connection.commit()
                copied += time.perf_counter() - started
                items = [{"statement": statement} for statement in user.statements]
                started = time.perf_counter()
                memory.remember_many(user.user_id, items, deduplicate=False)
                loaded += time.perf_counter() - started
    table = Table(title=f"load of {preferences:,} preferences, rows a second")
    for column in ("COPY", "remember_many", "COPY / remember_many"):
        table.add_column(column, justify="right")
    table.add_row(f"{preferences / copied:,.0f}", f"{preferences / loaded:,.0f}", f"{loaded / copied:.1f}")
    console.print(table)
