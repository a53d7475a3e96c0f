"""A backfill over many days that is killed again and again ends as one that never was."""

import signal
import subprocess
import time
from datetime import timedelta

import psycopg

from prefmem_pg.db.local import LocalServer
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from tests.conftest import fresh_database
from tests.pipelines.conftest import noon, say
from tests.processes import start

DAYS = 30
BACKFILL = """
    import sys
    import dagster as dg
    from pipelines.assets import extracted_preferences
    from pipelines.resources import BudgetResource, DatabaseResource, MemoryResource, ProvidersResource
    memory = MemoryResource(
        database=DatabaseResource(url=sys.argv[1]),
        providers=ProvidersResource(extractor="offline"),
        budget=BudgetResource(),
    )
    result = dg.materialize(
        [extracted_preferences],
        resources={"memory": memory},
        instance=dg.DagsterInstance.ephemeral(),
        tags={"dagster/asset_partition_range_start": "2026-01-01", "dagster/asset_partition_range_end": "2026-01-30"},
    )
    assert result.success
"""
ENGLISH = ("green tea 🍵", "window seats", "jazz", "rye bread", "board games")
LIKED = (*ENGLISH, "早起跑步", "纸质书", "下雨天", "安静的酒店", "滑雪")
ROWS = """
SELECT p.user_id, p.statement, p.kind, p.polarity, p.topic, p.status, p.version,
  array_agg(DISTINCT e.quote) AS quotes, count(DISTINCT m.occurred_at) AS messages, min(m.occurred_at) AS first
FROM prefmem.preferences p
JOIN prefmem.preference_evidence e USING (user_id, preference_id)
JOIN prefmem.messages m USING (user_id, message_id)
GROUP BY p.user_id, p.preference_id
ORDER BY p.user_id, p.statement, p.status, first
"""


def fill(url: str, embedder: LocalEmbedder) -> None:
    with PreferenceMemory.connect(url, embedder=embedder) as memory:
        for user in ("ana", "小明"):
            for day in range(DAYS):
                thing = LIKED[day % len(LIKED)]
                said = [f"I love {thing}" if thing in ENGLISH else f"我喜欢{thing}", "What time is it?"]
                say(memory, user, said, at=noon("2026-01-01") + timedelta(days=day), dialog_id=f"d-{day}")


def ask(url: str, query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        return connection.execute(query).fetchall()


def read_messages(url: str) -> int:
    ((count,),) = ask(url, "SELECT count(*) FROM prefmem.messages WHERE read_by_run_id IS NOT NULL")
    assert isinstance(count, int)
    return count


def finish(process: "subprocess.Popen[str]") -> None:
    _, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors


def test_b23_a_killed_backfill_ends_as_one_that_never_was(server: LocalServer, embedder: LocalEmbedder) -> None:
    total = 2 * DAYS * 2
    with fresh_database(server) as killed, fresh_database(server) as calm:
        for url in (killed, calm):
            fill(url, embedder)
        uninterrupted = start(BACKFILL, calm)
        for share in (0.1, 0.4, 0.7):
            process = start(BACKFILL, killed)
            while process.poll() is None and read_messages(killed) < share * total:
                time.sleep(0.005)
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=600)
        finish(start(BACKFILL, killed))
        finish(uninterrupted)
        assert read_messages(killed) == read_messages(calm) == total
        assert ask(killed, ROWS) == ask(calm, ROWS)
        assert len(ask(calm, ROWS)) > len(LIKED)
        # Each stretch of messages was read with success once.
        (runs,) = ask(killed, "SELECT count(*), count(DISTINCT (user_id, input_hash)) FROM prefmem.extraction_runs")
        assert runs[0] == runs[1] == 2 * DAYS
