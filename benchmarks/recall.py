"""How many of the exact ten nearest a search through the HNSW index finds, for users with very many rows."""

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table

from benchmarks.charts import Rows
from benchmarks.loading import connect, load_users
from benchmarks.search import FILTERS, KnownVectors, mean_share, shares_found
from benchmarks.server import benchmark_server
from benchmarks.synthetic import World
from prefmem_pg.db.session import EF_SEARCH
from prefmem_pg.memory import PreferenceMemory


def run(console: Console, *, sizes: Iterable[int] = (50_000, 100_000), questions: int = 50) -> Rows:
    """Print a table with the mean and with the worst question: a good mean can hide a question that finds nothing."""
    rows: Rows = []
    table = Table(title=f"recall@10 through the HNSW index; ef_search {EF_SEARCH}")
    for column in ("rows of the user", "filter", "recall@10", "worst question", "ways"):
        table.add_column(column, justify="right")
    for size in sizes:
        world = World()
        user = world.user("large", size)
        with benchmark_server() as server:
            with connect(server.url()) as connection:
                load_users(connection, [user], large_from=size)
            embedder = KnownVectors()
            with PreferenceMemory.connect(server.url(), embedder=embedder) as memory:
                for topic in FILTERS:
                    asked = [world.question(user) for _ in range(questions)]
                    embedder.known.update(asked)
                    shares, ways = shares_found(memory, user, asked, topic)
                    worst = f"{min(shares):.1f}" if shares else ""
                    table.add_row(f"{size:,}", topic or "none", mean_share(shares), worst, ", ".join(sorted(ways)))
                    rows.append({"size": size, "filter": topic, "shares": shares, "ways": sorted(ways)})
    console.print(table)
    return rows
