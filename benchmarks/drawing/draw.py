"""draw.py RESULTS: a PNG beside the results for each benchmark in them; prints the paths."""

import json
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt

OURS, FLOOR, BAR = "#2563eb", "#94a3b8", "#dc2626"


def search(axes: Any, rows: list[dict[str, Any]]) -> None:
    rows = [row for row in rows if row["floor"]]
    labels = [f"{row['size']:,} of {row['total']:,}\n{row['what']}" for row in rows]
    axes.barh(labels, [row["search"] / row["floor"] for row in rows], color=OURS)
    axes.axvline(3, color=BAR, linestyle="--", label="the bar: 3")
    axes.set(title="search, p50 over the floor of the same run", xlabel="times the vector-only statement")
    axes.invert_yaxis()
    axes.legend()


def recall(axes: Any, rows: list[dict[str, Any]]) -> None:
    rows = [row for row in rows if row["shares"]]
    labels = [f"{row['size']:,} rows\nfilter: {row['filter'] or 'none'}" for row in rows]
    axes.barh(labels, [sum(row["shares"]) / len(row["shares"]) for row in rows], color=OURS, label="mean")
    axes.plot([min(row["shares"]) for row in rows], labels, "o", color=BAR, label="worst question")
    axes.set(title="recall@10 of the search against exact", xlim=(0, 1.02))
    axes.invert_yaxis()
    axes.legend(loc="lower left")


def load(axes: Any, rows: list[dict[str, Any]]) -> None:
    labels = ["fields given" if row["fields"] else "fields found by rules" for row in rows]
    axes.bar([place - 0.2 for place in range(len(rows))], [row["copy"] for row in rows], 0.4, color=FLOOR, label="COPY")
    axes.bar([place + 0.2 for place in range(len(rows))], [row["ours"] for row in rows], 0.4, color=OURS, label="ours")
    axes.set_xticks(range(len(rows)), labels)
    axes.set(title="preferences stored a second")
    axes.legend()


def peers(axes: Any, rows: list[dict[str, Any]]) -> None:
    for row in rows:
        axes.scatter(row["p50"], row["recall"], s=120, color=OURS if row is rows[0] else FLOOR)
        label = f"{row['store']}\n{row['per_second']:,.0f} stored/s"
        axes.annotate(label, (row["p50"], row["recall"]), (8, -4), textcoords="offset points", va="top")
    axes.set(title="the ten nearest of one user among a hundred", xlabel="p50 of a search, ms", ylabel="recall@10")
    axes.set(ylim=(0, 1.1), xlim=(0, 1.4 * max(row["p50"] for row in rows)))


path = Path(sys.argv[1])
for name, rows in json.loads(path.read_text(encoding="utf-8")).items():
    draw = globals().get(name)
    if draw is None or not rows:
        continue
    figure, axes = plt.subplots(figsize=(9, max(3.5, 0.55 * len(rows))), layout="constrained")
    draw(axes, rows)
    figure.savefig(path.with_name(f"{name}.png"), dpi=120)
    print(path.with_name(f"{name}.png"))
