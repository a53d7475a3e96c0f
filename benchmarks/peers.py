"""Two peers' stores beside ours, on the same rows in the same run: mem0's on pgvector, and an embedded Chroma.

Each runs in an environment of its own that uv makes: what they need does not mix with what the package needs.
"""

import json
import statistics
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from benchmarks.charts import Rows, run_apart
from benchmarks.load import known_items
from benchmarks.search import KnownVectors, clock
from benchmarks.server import benchmark_server
from benchmarks.synthetic import SyntheticUser, World
from prefmem_pg.memory import PreferenceMemory

USERS, A_USER, QUESTIONS, WARM_UP = 100, 200, 105, 5
"""Each user has a hundredth of the rows, so that a filter by user leaves few of what an index offers."""
LOADING_THREADS = 3
STORES = Path(__file__).parent / "peer_stores"
PEERS = {
    "mem0 on pgvector": ("mem0_store.py", ["mem0ai==2.2.1", "psycopg[binary,pool]", "numpy"]),
    "Chroma": ("chroma_store.py", ["chromadb==1.5.9"]),
}


def run(console: Console) -> Rows:
    """Print and return rows a second, milliseconds of a search for one user's ten nearest, and how many it finds."""
    world = World()
    users = [world.user(f"user-{number:03}", A_USER) for number in range(USERS)]
    with tempfile.TemporaryDirectory() as folder, benchmark_server() as server:
        path = Path(folder) / "data.npz"
        questions = [world.question(users[number % USERS]) for number in range(QUESTIONS)]
        np.savez(path, **_given(users, [vector for _, vector in questions]))
        rows = [{"store": "prefmem_pg", **_ours(server.url(), users, questions)}]
        for name, (script, packages) in PEERS.items():
            rows.append({"store": name, **_peer(STORES / script, packages, path, server.url())})
    table = Table(title=f"{USERS * A_USER:,} preferences of {USERS} users; the ten nearest of one user")
    for column in ("store", "rows stored a second", "ours / theirs", "search p50, ms", "recall@10"):
        table.add_column(column, justify="right")
    for row in rows:
        ratio = rows[0]["per_second"] / row["per_second"]
        found = f"{row['p50']:.2f}", f"{row['recall']:.3f}"
        table.add_row(row["store"], f"{row['per_second']:,.0f}", f"{ratio:.1f}", *found)
    console.print(table)
    return rows


def _given(users: list[SyntheticUser], asked: list[NDArray[np.float32]]) -> dict[str, Any]:
    nearest = [
        (np.argsort(-(users[n % USERS].vectors @ vector))[:10] + n % USERS * A_USER) for n, vector in enumerate(asked)
    ]
    return {
        "users": np.array([user.user_id for user in users for _ in user.ids]),
        "statements": np.array([statement for user in users for statement in user.statements]),
        "topics": np.array([topic for user in users for topic in user.topics]),
        "languages": np.array([language for user in users for language in user.languages]),
        "polarities": np.array(["positive" for user in users for _ in user.ids]),
        "entities": np.array([", ".join(names) for user in users for names in user.entities]),
        "vectors": np.concatenate([user.vectors for user in users]),
        "asked": np.stack(asked),
        "askers": np.array([users[n % USERS].user_id for n in range(len(asked))]),
        "nearest": np.stack(nearest),
    }


def _ours(url: str, users: list[SyntheticUser], questions: list[tuple[str, NDArray[np.float32]]]) -> dict[str, float]:
    embedder = KnownVectors()
    embedder.known = {s: v for user in users for s, v in zip(user.statements, user.vectors, strict=True)}
    embedder.known.update(questions)
    with PreferenceMemory.connect(url, embedder=embedder) as memory:
        given = [(user.user_id, known_items(user)) for user in users]
        started = time.perf_counter()
        with ThreadPoolExecutor(LOADING_THREADS) as pool:  # as Chroma, which has threads of its own
            list(pool.map(lambda one: memory.remember_many(*one, deduplicate=False), given))
        seconds = time.perf_counter() - started
        times, shares = [], []
        for number, (text, _) in enumerate(questions):
            user_id = users[number % USERS].user_id
            times.append(clock(lambda u=user_id, t=text: memory.search(u, t)))
            found, exact = (
                {hit.preference.preference_id for hit in memory.search(user_id, text, exact=is_exact, learn=False)}
                for is_exact in (False, True)
            )
            shares.append(len(found & exact) / len(exact))
    told = {"p50": statistics.median(times[WARM_UP:]), "recall": statistics.fmean(shares)}
    return {"per_second": USERS * A_USER / seconds, **told}


def _peer(script: Path, packages: list[str], data: Path, url: str) -> dict[str, float]:
    libpq = url.replace("postgresql+psycopg://", "postgresql://")
    told = json.loads(run_apart(packages, script, str(data), libpq).splitlines()[-1])
    return {"per_second": USERS * A_USER / told["seconds"], "p50": told["p50"], "recall": told["recall"]}
