"""Speed and recall against a floor in the same run, as tables; results.json and charts in .prefmem/bench.

BENCH=full (or --full) adds a million preferences and two peers' stores, which uv fetches from PyPI.
"""

import argparse
import os
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from benchmarks import ingest, load, peers, reading, recall, row_security, search
from benchmarks.charts import Rows, keep

ALL = ["search", "recall", "ingest", "load", "reading", "security"]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("what", nargs="*", choices=[*ALL, "peers"], help="all of them unless named; peers when full")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--small", action="store_true", help="a tenth of the rows: to see that it runs")
    size.add_argument("--full", action="store_true", default=os.environ.get("BENCH") == "full", help="see above")
    parser.add_argument("--out", type=Path, default=Path(".prefmem/bench"), help="the folder of results and charts")
    given = parser.parse_args()
    console = Console()
    results: dict[str, Rows] = {}
    for name in given.what or [*ALL, *(["peers"] if given.full else [])]:
        results[name] = _runs(console, small=given.small, full=given.full)[name]() or []
    for path in keep(given.out, {name: rows for name, rows in results.items() if rows}):
        console.print(str(path))


def _runs(console: Console, *, small: bool, full: bool) -> dict[str, Callable[[], Rows | None]]:
    totals = (10_000,) if small else (10_000, 200_000, 1_000_000) if full else (10_000, 200_000)
    return {
        "search": lambda: search.run(console, totals=totals),
        "recall": lambda: recall.run(console, sizes=(5_000,) if small else (50_000, 100_000)),
        "ingest": lambda: ingest.run(console, messages=10_000 if small else 100_000),
        "load": lambda: load.run(console, preferences=5_000 if small else 20_000),
        "reading": lambda: reading.run(console, messages=500 if small else 3_000),
        "security": lambda: row_security.run(console, total=6_000 if small else 10_000),
        "peers": lambda: peers.run(console),
    }


if __name__ == "__main__":
    main()
