"""Search with row-level security against the same search without it, interleaved."""

import statistics

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.loading import connect, load_users
from benchmarks.search import FILTERS, LARGE_FROM, MID, SMALL, KnownVectors, clock
from benchmarks.server import benchmark_server
from benchmarks.synthetic import World
from prefmem_pg.memory import PreferenceMemory

WARM_UP = 5
"""The first calls of a connection plan and load."""


def run(console: Console, *, total: int = 10_000, calls: int = 60) -> None:
    """Print the median of both and their ratio, for users of two sizes, with a filter and without one.

    Without it the transactions work as the owner of the tables, to whom no policy applies.
    """
    world = World()
    table = Table(title=f"search with / without row-level security, {total:,} preferences in all, ms")
    for column in ("rows of the user", "filter", "with p50", "without p50", "ratio"):
        table.add_column(column, justify="right")
    sizes = [SMALL, MID, *[SMALL] * ((total - MID) // SMALL)]
    users = [world.user(f"user-{number}", rows) for number, rows in enumerate(sizes)]
    with benchmark_server() as server, connect(server.url()) as connection:
        load_users(connection, users, large_from=LARGE_FROM)
        embedder = KnownVectors()
        with (
            PreferenceMemory.connect(server.url(), embedder=embedder) as guarded,
            PreferenceMemory.connect(server.url(), embedder=embedder, enforce_rls=False) as open_to_all,
        ):
            for user in users[:2]:
                for topic in FILTERS:
                    questions = dict(world.question(user) for _ in range(calls + WARM_UP))
                    embedder.known.update(questions)
                    ways = [
                        _milliseconds(memory, user.user_id, text, topic)
                        for text in questions
                        for memory in (guarded, open_to_all)
                    ]
                    both = np.array(ways).reshape(-1, 2)[WARM_UP:]
                    held, free = (statistics.median(column) for column in both.T.tolist())
                    table.add_row(
                        f"{len(user.ids):,}", topic or "none", f"{held:.2f}", f"{free:.2f}", f"{held / free:.2f}"
                    )
    console.print(table)


def _milliseconds(memory: PreferenceMemory, user_id: str, text: str, topic: str | None) -> float:
    return clock(lambda: memory.search(user_id, text, filter={"topic": topic} if topic else None, learn=False))
