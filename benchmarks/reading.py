"""Offline extraction of messages that hold nothing, against plain reading of the same file in the same run."""

import json
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.neutral import neutral_texts
from prefmem_pg.domain.ids import new_id
from prefmem_pg.domain.messages import Message
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.providers.offline.extractor import OfflineExtractor
from prefmem_pg.providers.protocols import Chunk, Vectors

ROUNDS = 3
CHUNK = 10
AT = datetime(2026, 3, 1, tzinfo=UTC)


class CountingEmbedder(LocalEmbedder):
    """The local embedder, counting the texts that it is asked for."""

    asked = 0

    def embed_queries(self, texts: list[str]) -> Vectors:  # type: ignore[override]  # the extractor gives lists
        self.asked += len(texts)
        return super().embed_queries(texts)


def run(console: Console, *, messages: int = 3_000) -> None:
    """Print messages a second of processor time, in rounds that take turns.

    Every round has messages of its own, so that no vector of one is known in the next.
    """
    embedder = CountingEmbedder()
    by_cues, by_model = OfflineExtractor(), OfflineExtractor(embedder=embedder)
    rates: dict[str, list[float]] = {"plain reading": [], "cues alone": [], "cues and model": []}
    found = dict.fromkeys(rates, 0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "messages.jsonl"
        _write(path, 100, seed=0)
        _extract(path, by_cues), _extract(path, by_model)  # load what is loaded on first use
        embedder.asked = 0
        for number in range(1, ROUNDS + 1):
            _write(path, messages, seed=number)
            for name, read in (
                ("plain reading", lambda: len(_read(path)) * 0),
                ("cues alone", lambda: _extract(path, by_cues)),
                ("cues and model", lambda: _extract(path, by_model)),
            ):
                count, seconds = _timed(read)
                found[name] += count
                rates[name].append(messages / seconds)
    table = Table(title=f"{ROUNDS} × {messages:,} messages that hold nothing, a second")
    for column in ("", "messages", "of plain reading", "candidates", "vectors a message"):
        table.add_column(column, justify="right" if column else "left")
    plain = statistics.median(rates["plain reading"])
    for name, values in rates.items():
        rate, vectors = statistics.median(values), embedder.asked / messages / ROUNDS
        shown = f"{vectors:.2f}" if name == "cues and model" else ""
        table.add_row(name, f"{rate:,.0f}", f"1/{plain / rate:,.0f}", str(found[name]), shown)
    console.print(table)


def _write(path: Path, number: int, *, seed: int) -> None:
    lines = (
        json.dumps({"user_id": "u-1", "role": "user", "content": text}, ensure_ascii=False)
        for text in neutral_texts(number, seed=seed)
    )
    path.write_text("\n".join(lines), encoding="utf-8")


def _read(path: Path) -> list[Message]:
    with path.open(encoding="utf-8") as lines:
        return [_message(json.loads(line)) for line in lines]


def _message(row: dict[str, str]) -> Message:
    return Message(
        user_id=row["user_id"],
        message_id=new_id(),
        dialog_id="d-1",
        role="user",
        content=row["content"],
        occurred_at=AT,
        ingested_at=AT,
        source="api",
        external_id="m",
    )


def _extract(path: Path, extractor: OfflineExtractor) -> int:
    """Return the number of candidates of the whole file, read in chunks as a run reads them."""
    told = _read(path)
    return sum(
        len(extractor.extract(Chunk(user_id="u-1", dialog_id="d-1", messages=tuple(told[start : start + CHUNK]))))
        for start in range(0, len(told), CHUNK)
    )


def _timed(read: Callable[[], int]) -> tuple[int, float]:
    started = time.process_time()
    count = read()
    return count, time.process_time() - started
