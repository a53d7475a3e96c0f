"""Bulk load of preferences: remember_many(deduplicate=False) against COPY of the same rows into the same tables."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import psycopg
from rich.console import Console
from rich.table import Table

from benchmarks.charts import Rows
from benchmarks.loading import connect
from benchmarks.search import KnownVectors
from benchmarks.server import benchmark_server
from benchmarks.synthetic import SyntheticUser, World
from prefmem_pg.memory import PreferenceMemory

A_USER = 5_000
TABLES = ("users", "preferences", "preference_versions", "preference_embeddings", "preference_terms", "user_stats")
_COLUMNS = """
SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
WHERE attrelid = CAST(%s AS regclass) AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
"""


def run(console: Console, *, preferences: int = 20_000) -> Rows:
    """Print rows a second of both ways. Vectors are ready; once the fields are given, once rules find them.

    The floor is what a program does that has every row ready in the binary form of COPY: what our own load has made,
    under other users' names, users first, in one transaction. Batches take turns.
    """
    world = World()
    rows: Rows = []
    table = Table(title=f"load of {preferences:,} preferences, rows a second; {A_USER:,} a user")
    for column in ("fields", "raw COPY", "remember_many", "raw COPY / ours"):
        table.add_column(column, justify="right")
    with benchmark_server() as server, connect(server.url()) as connection:
        embedder = KnownVectors()
        with PreferenceMemory.connect(server.url(), embedder=embedder) as memory:
            _load(memory, _known(embedder, world.user("first", A_USER)), fields=True)
            connection.execute("ANALYZE")
            connection.commit()
            for fields in (True, False):
                copied = loaded = 0.0
                for number in range(preferences // A_USER):
                    user = _known(embedder, world.user(f"{'given' if fields else 'found'}-{number}", A_USER))
                    started = time.perf_counter()
                    _load(memory, user, fields=fields)
                    loaded += time.perf_counter() - started
                    copied += _copy_again(connection, user.user_id)
                table.add_row(
                    "given" if fields else "found by rules",
                    f"{preferences / copied:,.0f}",
                    f"{preferences / loaded:,.0f}",
                    f"{loaded / copied:.2f}",
                )
                rows.append({"fields": fields, "copy": preferences / copied, "ours": preferences / loaded})
    console.print(table)
    return rows


def _known(embedder: KnownVectors, user: SyntheticUser) -> SyntheticUser:
    embedder.known = dict(zip(user.statements, user.vectors.astype(np.float32), strict=True))
    return user


def _load(memory: PreferenceMemory, user: SyntheticUser, *, fields: bool) -> None:
    items = known_items(user) if fields else [{"statement": statement} for statement in user.statements]
    decisions = memory.remember_many(user.user_id, items, deduplicate=False)
    assert {decision.action for decision in decisions} <= {"added", "review", "duplicate"}


def known_items(user: SyntheticUser) -> Sequence[dict[str, Any]]:
    """Return what a load is given that knows the fields."""
    names = ("statement", "topic", "entities", "language")
    columns = zip(user.statements, user.topics, user.entities, user.languages, strict=True)
    return [dict(zip(names, row, strict=True)) | {"polarity": "positive"} for row in columns]


def _copy_again(connection: psycopg.Connection, user_id: str) -> float:
    """Return the seconds of storing a user's rows once more under another name, of the same length."""
    blocks = {}
    for name in TABLES:
        columns = connection.execute(_COLUMNS, (f"prefmem.{name}",)).fetchone()
        assert columns is not None
        renamed = columns[0].replace("user_id", "'x' || substr(user_id, 2)", 1)
        query = f"SELECT {renamed} FROM prefmem.{name} WHERE user_id = '{user_id}'"
        with connection.cursor().copy(f"COPY ({query}) TO STDOUT (FORMAT binary)") as copy:
            blocks[name] = (columns[0], list(copy))
    connection.commit()
    started = time.perf_counter()
    for name, (columns, data) in blocks.items():
        with connection.cursor().copy(f"COPY prefmem.{name} ({columns}) FROM STDIN (FORMAT binary)") as copy:
            for block in data:
                copy.write(block)
    connection.commit()
    return time.perf_counter() - started
