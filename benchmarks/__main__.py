"""python -m benchmarks [search|recall|ingest|load|reading|security]: speed against a floor in the same run."""

import argparse

from rich.console import Console

from benchmarks import ingest, load, reading, recall, row_security, search

ALL = ["search", "recall", "ingest", "load", "reading", "security"]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("what", nargs="*", choices=ALL, help="all of them unless named")
    parser.add_argument("--small", action="store_true", help="a tenth of the rows: to see that it runs")
    given = parser.parse_args()
    console = Console()
    wanted = given.what or ALL
    if "search" in wanted:
        search.run(console, totals=(10_000,) if given.small else (10_000, 200_000))
    if "recall" in wanted:
        recall.run(console, sizes=(5_000,) if given.small else (50_000, 100_000))
    if "ingest" in wanted:
        ingest.run(console, messages=10_000 if given.small else 100_000)
    if "load" in wanted:
        load.run(console, preferences=5_000 if given.small else 20_000)
    if "reading" in wanted:
        reading.run(console, messages=500 if given.small else 3_000)
    if "security" in wanted:
        row_security.run(console, total=6_000 if given.small else 10_000)


if __name__ == "__main__":
    main()
