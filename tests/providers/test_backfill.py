"""A backfill through random faults and kills: each dialog is read once and paid once, and can be replayed for nothing.

Two dozen dialogs in the suite; PREFMEM_TEST_DIALOGS=500 takes more, and has the client time out as well.
"""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import text

from prefmem_pg.db.session import Database
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.settings import ClaudeSettings, Settings, Spending
from prefmem_pg.testing import MessagesStub
from tests.conftest import count
from tests.processes import start
from tests.providers.reader import Faulty

DIALOGS: Final = int(os.environ.get("PREFMEM_TEST_DIALOGS", "24"))
DIALOGS_A_USER: Final = 10
KILLS: Final = 2
WORKERS: Final = 2
IS_LONG: Final = DIALOGS > 60
FAULTS: Final = 0.1 if IS_LONG else 0.2
SAID_A_DIALOG: Final = 6 if IS_LONG else 2
TIMEOUT_SECONDS: Final = 10 if IS_LONG else 60

ENGLISH: Final = (
    *("oat milk in coffee ☕", "jazz concerts", "window seats on trains", "hiking alone", "crossword puzzles"),
    *("linen shirts", "silent films", "sourdough bread 🍞", "chess by mail", "botanical gardens"),
    *("woodworking", "paperback novels", "swimming in lakes", "Vietnamese noodles", "vintage cameras 📷"),
    *("knitting socks", "thunderstorms", "open source software", "pottery classes", "long bicycle tours 🚲"),
    *("dark chocolate", "stargazing", "folk dancing", "fountain pens", "board games"),
    *("sailing", "black cats 🐈", "morning yoga", "podcasts on history", "lavender soap"),
)
CHINESE: Final = (
    *("靠窗的座位", "川菜 🌶", "周末去爬山", "喝乌龙茶 🍵", "古典音乐"),
    *("纸质书", "养多肉植物", "夜跑", "拼图游戏", "看纪录片"),
    *("毛笔书法", "骑自行车上班", "手工皂", "榴莲", "蓝色的衣服"),
    *("去海边露营 🏕", "下围棋", "早睡早起", "吃豆腐脑", "学西班牙语"),
    *("逛博物馆", "弹吉他 🎸", "钓鱼", "自己做寿司", "猫咖"),
    *("打羽毛球", "看京剧", "收集邮票", "泡温泉", "科幻小说"),
)
BACKFILL: Final = """
from prefmem_pg.memory import PreferenceMemory
with PreferenceMemory.from_env() as memory:
    memory.extract()
"""
LEFT: Final = (
    "SELECT (SELECT count(*) FROM prefmem.messages WHERE read_by_run_id IS NULL)"
    " + (SELECT count(*) FROM prefmem.candidates)"
)
PREFERENCES: Final = """
SELECT p.user_id, p.statement, p.kind, p.polarity, p.language, p.topic, p.status, p.mention_count, p.confidence,
  p.dialog_id, e.message_id, e.start_offset, e.end_offset, e.quote
FROM prefmem.preferences p
JOIN prefmem.preference_evidence e USING (user_id, preference_id)
ORDER BY p.user_id, p.statement, e.message_id, e.start_offset
"""
WIPE: Final = """
UPDATE prefmem.messages SET read_by_run_id = NULL;
DELETE FROM prefmem.preference_terms;
DELETE FROM prefmem.preferences;
DELETE FROM prefmem.extraction_runs;
"""


def says(dialog: int) -> list[str]:
    """Return what is said in a dialog: likings that no other dialog of the user holds, and a word that tells nothing.

    The last one names the dialog, so that readings of two dialogs are told apart.
    """
    each = SAID_A_DIALOG // 2
    first = dialog // users() * each
    english, chinese = ENGLISH[first : first + each], CHINESE[first : first + each]
    likings = [f"I like {one}." for one in english] + [f"我喜欢{one}。" for one in chinese]
    return [*likings, f"Talk to you later, dialog {dialog} 👋"]


def users() -> int:
    return -(-DIALOGS // DIALOGS_A_USER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Backfilled:
    """A database after the backfill, and the model that was asked."""

    database: Database
    database_url: str
    model: Faulty
    requests: int


@pytest.fixture(scope="module")
def backfilled(database: Database, database_url: str, embedder: LocalEmbedder) -> Iterator[Backfilled]:
    memory = PreferenceMemory(database, embedder=embedder)
    for dialog in range(DIALOGS):
        said = [{"role": "user", "content": content} for content in says(dialog)]
        memory.add_messages(f"u-{dialog % users()}", said, dialog_id=f"d-{dialog}")
    model = Faulty(FAULTS, hang_seconds=TIMEOUT_SECONDS * 1.2 if IS_LONG else 0.3)
    with MessagesStub(model) as stub:
        environ = {
            "PREFMEM_DATABASE_URL": database_url,
            "PREFMEM_EXTRACTOR": "claude",
            "ANTHROPIC_API_KEY": "sk-ant-test",
            "ANTHROPIC_BASE_URL": stub.url,
            "PREFMEM_EXTRACT_WORKERS": str(WORKERS),
            "PREFMEM_TIMEOUT_SECONDS": str(TIMEOUT_SECONDS),
            "PREFMEM_LLM_MODE": "record",
        }
        extract_and_kill(database, environ)
        yield Backfilled(database=database, database_url=database_url, model=model, requests=len(stub.requests))


def extract_and_kill(database: Database, environ: dict[str, str]) -> None:
    """Extract in a process of its own, killed some way into its work, until nothing is unread and nothing waits."""
    total = count(database, LEFT)
    for run in range(20):
        process = start(BACKFILL, **environ)
        if run < KILLS:
            left = total * (KILLS - run) // (KILLS + 1)
            while process.returncode is None and count(database, LEFT) > left:
                time.sleep(0.02)
            process.kill()
        process.communicate(timeout=1_800)
        if run >= KILLS and count(database, LEFT) == 0:
            return
    raise AssertionError("something is left")


def stored(database: Database, statement: str) -> list[tuple[Any, ...]]:
    with database.transaction(user_id=None) as repositories:
        return [tuple(row) for row in repositories.session.execute(text(statement))]


def test_a_backfill_that_is_killed_twice_reads_each_dialog_once(backfilled: Backfilled) -> None:
    database, said = backfilled.database, DIALOGS * SAID_A_DIALOG
    assert count(database, "SELECT count(DISTINCT message_id) FROM prefmem.preference_evidence") == said
    assert count(database, "SELECT count(*) FROM prefmem.preference_evidence") == said
    assert count(database, "SELECT count(*) FROM prefmem.preferences WHERE status = 'activated'") == said
    assert count(database, "SELECT sum(mention_count) FROM prefmem.preferences") == said
    done = "SELECT {} FROM prefmem.extraction_runs WHERE state = 'done'"
    assert count(database, done.format("count(DISTINCT dialog_id)")) == DIALOGS
    assert count(database, done.format("sum((counts->>'candidates')::int)")) == said
    assert count(database, "SELECT count(*) FROM prefmem.extraction_runs WHERE state <> 'done'") == 0


def test_a_backfill_that_is_killed_twice_pays_each_chunk_once(backfilled: Backfilled) -> None:
    model = backfilled.model
    extractions = sum(times for shown, times in model.readings.items() if shown)
    if report := os.environ.get("PREFMEM_TEST_REPORT"):
        Path(report).write_text(f"{DIALOGS} dialogs, {extractions} extractions, faults {dict(model.faults)}\n")
    assert len(model.faults) >= 4
    assert extractions <= 1.05 * DIALOGS + KILLS * WORKERS


def test_the_ledger_counts_what_the_provider_counts(backfilled: Backfilled) -> None:
    database, model = backfilled.database, backfilled.model
    outcomes = dict(stored(database, "SELECT outcome, count(*) FROM prefmem.llm_calls GROUP BY outcome"))
    in_flight = outcomes.pop("running", 0)
    assert in_flight <= KILLS * WORKERS
    assert 0 <= backfilled.requests - sum(outcomes.values()) <= in_flight
    answered = sum(model.readings.values())
    assert answered - in_flight <= outcomes["ok"] <= answered
    for outcome, fault in (("truncated", "cut"), ("invalid", "invalid")):
        assert model.faults[fault] - in_flight <= outcomes.get(outcome, 0) <= model.faults[fault]


def test_a_replay_of_the_backfill_gives_the_same_rows_for_nothing(
    backfilled: Backfilled, embedder: LocalEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = backfilled.database
    before, calls = stored(database, PREFERENCES), count(database, "SELECT count(*) FROM prefmem.llm_calls")
    with database.engine.begin() as connection:
        for statement in filter(str.strip, WIPE.split(";")):
            connection.exec_driver_sql(statement)
    assert stored(database, PREFERENCES) == []

    def refuse(*_: object) -> None:
        raise AssertionError("a socket was opened")

    # The database is reached by libpq's own sockets.
    monkeypatch.setattr("socket.socket.connect", refuse)
    settings = Settings(
        database_url=backfilled.database_url,
        extractor="claude",
        claude=ClaudeSettings(base_url="http://127.0.0.1:9"),
        spending=Spending(mode="replay"),
        extract_workers=WORKERS,
    )
    with PreferenceMemory(database, settings=settings, embedder=embedder, on_close=lambda: None) as memory:
        report = memory.extract()
    assert (report.failed, report.parked, report.waiting, report.errors) == (0, 0, 0, {})
    assert stored(database, PREFERENCES) == before
    assert count(database, "SELECT count(*) FROM prefmem.llm_calls") == calls
