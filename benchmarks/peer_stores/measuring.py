"""What every peer is asked, in an environment of its own: store rows, then find one user's ten nearest. JSON out."""

import json
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

WARM_UP = 5


def measure(path: str, load: Callable[[Any], None], search: Callable[[Any, str], list[int]]) -> None:
    """Print the seconds of loading, and the milliseconds and the recall of searching.

    ``load`` is given the arrays of the file: users, statements, vectors and the other fields, a row each; ids are 0,
    1, … ``search`` is given a vector and a user, and returns the ids that it finds, at most ten.
    """
    data = np.load(path)
    started = time.perf_counter()
    load(data)
    seconds = time.perf_counter() - started
    times, shares = [], []
    for place, (vector, user, wanted) in enumerate(zip(data["asked"], data["askers"], data["nearest"], strict=True)):
        started = time.perf_counter()
        found = search(vector, str(user))
        if place >= WARM_UP:
            times.append((time.perf_counter() - started) * 1_000)
            shares.append(len(set(found) & set(wanted.tolist())) / len(wanted))
    told = {"seconds": seconds, "p50": statistics.median(times), "recall": statistics.fmean(shares)}
    print(json.dumps(told))


def fields(data: Any) -> list[dict[str, str]]:
    """Return what is stored beside each statement and its vector: the fields that our own load is given."""
    names = ("user_id", "topic", "language", "polarity", "entities")
    arrays = (data[name].tolist() for name in ("users", "topics", "languages", "polarities", "entities"))
    return [dict(zip(names, row, strict=True)) for row in zip(*arrays, strict=True)]
