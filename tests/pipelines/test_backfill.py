"""A backfill over many days that is killed again and again ends as one that never was."""

import signal
import time
from datetime import timedelta
from multiprocessing.process import BaseProcess

import psycopg

from prefmem_pg.db.local import LocalServer
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from tests.conftest import fresh_database
from tests.pipelines.conftest import noon, say
from tests.pipelines.runs import start_backfill

DAYS = 30
FIRST_DAY, LAST_DAY = "2026-01-01", "2026-01-30"
ENGLISH = ("green tea 🍵", "window seats", "jazz", "rye bread", "board games")
LIKED = (*ENGLISH, "早起跑步", "纸质书", "火锅", "安静的酒店", "滑雪")
READ = "SELECT count(*) FROM prefmem.messages WHERE read_by_run_id IS NOT NULL"
ROWS = """
SELECT p.user_id, p.statement, p.kind, p.polarity, p.topic, p.status, p.version,
  array_agg(DISTINCT e.quote) AS quotes, count(DISTINCT m.occurred_at) AS messages, min(m.occurred_at) AS first
FROM prefmem.preferences p
JOIN prefmem.preference_evidence e USING (user_id, preference_id)
JOIN prefmem.messages m USING (user_id, message_id)
GROUP BY p.user_id, p.preference_id
ORDER BY p.user_id, p.statement, p.status, first
"""


def told_of(thing: str) -> str:
    return f"I love {thing}" if thing in ENGLISH else f"我喜欢{thing}"


def fill(url: str, embedder: LocalEmbedder) -> None:
    with PreferenceMemory.connect(url, embedder=embedder) as memory:
        for day in range(DAYS):
            thing = LIKED[day % len(LIKED)]
            said = [told_of(thing), "What time is it?"]
            at = noon(FIRST_DAY) + timedelta(days=day)
            say(memory, ("ana", "小明")[day % 2], said, at=at, dialog_id=f"d-{day}")


def ask(url: str, query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        return connection.execute(query).fetchall()


def read_messages(connection: psycopg.Connection) -> int:
    row = connection.execute(READ).fetchone()
    assert row is not None
    return int(row[0])


def finish(process: BaseProcess) -> None:
    process.join(timeout=600)
    assert process.exitcode == 0


def test_b23_a_killed_backfill_ends_as_one_that_never_was(server: LocalServer, embedder: LocalEmbedder) -> None:
    total = 2 * DAYS
    with fresh_database(server) as killed, fresh_database(server) as calm:
        for url in (killed, calm):
            fill(url, embedder)
        uninterrupted = start_backfill(calm, FIRST_DAY, LAST_DAY)
        with psycopg.connect(killed, autocommit=True) as watching:
            for share in (0.1, 0.4, 0.7):
                process = start_backfill(killed, FIRST_DAY, LAST_DAY)
                while process.is_alive() and read_messages(watching) < share * total:
                    time.sleep(0.005)
                process.kill()
                process.join(timeout=600)
                assert process.exitcode == -signal.SIGKILL
                assert share * total <= read_messages(watching) < total
        finish(start_backfill(killed, FIRST_DAY, LAST_DAY))
        finish(uninterrupted)
        assert ask(killed, READ) == ask(calm, READ) == [(total,)]
        rows = ask(calm, ROWS)
        assert ask(killed, ROWS) == rows
        assert len(rows) > len(ENGLISH)
        assert {row[0] for row in rows} == {"ana", "小明"}
        # Each stretch of messages was read with success once.
        (runs,) = ask(killed, "SELECT count(*), count(DISTINCT (user_id, input_hash)) FROM prefmem.extraction_runs")
        assert runs[0] == runs[1] == DAYS
