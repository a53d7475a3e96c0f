"""Two processes that do the same thing at once leave the result of one."""

import json
import os
import signal
import time

from prefmem_pg.db.session import Database
from prefmem_pg.memory import PreferenceMemory
from tests.conftest import count
from tests.processes import start, together

SUBJECTS = (
    "green tea",
    "window seats",
    "hiking boots",
    "jazz concerts",
    "dark chocolate",
    "morning runs",
    "board games",
    "rye bread",
    "short emails",
    "wool socks",
    "train rides",
    "black coffee",
    "cold showers",
    "mystery novels",
    "street food",
    "quiet hotels",
    "oat milk",
    "paper maps",
    "tennis",
    "vinyl records",
    "cotton shirts",
    "spicy noodles",
    "city parks",
    "sailing",
    "pottery",
    "documentaries",
    "fountain pens",
    "night markets",
    "open offices",
    "video calls",
    "standing desks",
    "mountain huts",
    "goat cheese",
    "sour candy",
    "beach volleyball",
    "听播客",
    "泡温泉",
    "火锅",
    "爬山",
    "养猫",
    "看画展",
    "纸质书",
    "豆浆",
    "滑雪",
    "古典音乐",
    "摄影",
    "下围棋",
    "骑自行车",
    "安静的餐馆",
    "写日记",
)

REMEMBER = """
    import json, sys
    from prefmem_pg.memory import PreferenceMemory
    url, user, statements = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
    with PreferenceMemory.connect(url) as memory:
        memory.search(user, "warm up")
        print("ready", flush=True)
        input()
        print(json.dumps([memory.remember(user, statement).action for statement in statements]))
"""


def _statement(subject: str) -> str:
    return f"我喜欢{subject}" if not subject.isascii() else f"I enjoy {subject}"


def test_b01_fifty_statements_remembered_by_two_processes_are_fifty_rows(
    database: Database, database_url: str, user_id: str
) -> None:
    statements = [_statement(subject) for subject in SUBJECTS]

    outputs = together(REMEMBER, database_url, user_id, json.dumps(statements))

    actions = [json.loads(output) for output in outputs]
    assert len(statements) == 50
    assert all({a, b} == {"added", "duplicate"} for a, b in zip(*actions, strict=True))
    assert _rows(database, user_id) == 50
    mentions = "SELECT count(*) FROM prefmem.preferences WHERE user_id = :u AND mention_count = 2"
    assert count(database, mentions, u=user_id) == 50


def test_b05_many_processes_over_few_statements_never_deadlock(
    database: Database, database_url: str, user_id: str
) -> None:
    statements = [_statement(subject) for subject in SUBJECTS[:10]]

    together(REMEMBER, database_url, user_id, json.dumps(statements * 3), processes=4)

    assert _rows(database, user_id) == 10
    total = "SELECT sum(mention_count) FROM prefmem.preferences WHERE user_id = :u"
    assert count(database, total, u=user_id) == 10 * 3 * 4


EXTRACT = """
    import sys
    from prefmem_pg.memory import PreferenceMemory
    with PreferenceMemory.connect(sys.argv[1]) as memory:
        memory.search(sys.argv[2], "warm up")
        print("ready", flush=True)
        input()
        report = memory.extract(user_id=sys.argv[2])
        print(report.messages, report.skipped)
"""


def test_b21_two_extractions_at_once_read_every_message_once(
    shared_memory: PreferenceMemory, database: Database, database_url: str, user_id: str
) -> None:
    for number, subject in enumerate(SUBJECTS[:12]):
        shared_memory.add_messages(
            user_id, [{"role": "user", "content": _statement(subject)}], dialog_id=f"d-{number:02}"
        )

    outputs = together(EXTRACT, database_url, user_id)

    assert sum(int(output.split()[0]) for output in outputs) == 12
    assert _rows(database, user_id) == 12
    assert count(database, "SELECT max(mention_count) FROM prefmem.preferences WHERE user_id = :u", u=user_id) == 1


def test_b23_a_killed_extraction_goes_on_where_it_was(
    shared_memory: PreferenceMemory, database: Database, database_url: str, user_id: str
) -> None:
    for number in range(40):
        content = f"I really like the number {number} bus and I never take taxi {number}"
        shared_memory.add_messages(user_id, [{"role": "user", "content": content}], dialog_id=f"d-{number:02}")
    process = start(EXTRACT, database_url, user_id)
    process.stdout.readline()
    process.stdin.write("go\n")
    process.stdin.flush()
    unread = "SELECT count(*) FROM prefmem.messages WHERE user_id = :u AND read_by_run_id IS NULL"
    deadline = time.monotonic() + 300
    while count(database, unread, u=user_id) > 30 and time.monotonic() < deadline:
        time.sleep(0.01)

    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    left = count(database, unread, u=user_id)
    report = shared_memory.extract(user_id=user_id)

    assert report.messages == left > 0
    assert count(database, unread, u=user_id) == 0
    orphans = (
        "SELECT count(*) FROM prefmem.preferences p WHERE p.user_id = :u AND NOT EXISTS (SELECT FROM"
        " prefmem.preference_evidence e WHERE e.user_id = p.user_id AND e.preference_id = p.preference_id)"
    )
    assert count(database, orphans, u=user_id) == 0
    again = shared_memory.extract(user_id=user_id, again=True)
    assert again.added == 0


INGEST = """
    import sys
    from prefmem_pg.domain.messages import NewMessage
    from prefmem_pg.memory import PreferenceMemory
    from prefmem_pg.steps import ingest
    ingest.BATCH_MESSAGES = 50
    with PreferenceMemory.connect(sys.argv[1]) as memory:
        memory.stats()
        messages = [
            NewMessage(user_id=sys.argv[2], role="user", content=f"第 {n} message", dialog_id=f"d-{n % 5}")
            for n in range(3000)
        ]
        print("ready", flush=True)
        input()
        batches = ingest.ingest(memory.database, messages, user_id=None, source="api", model_id=1)
        print(sum(batch.result.added for batch in batches))
"""


def test_b03_two_ingestions_at_once_store_each_message_once(
    database: Database, database_url: str, user_id: str
) -> None:
    outputs = together(INGEST, database_url, user_id)

    assert sum(int(output) for output in outputs) == 3_000
    assert count(database, "SELECT count(*) FROM prefmem.messages WHERE user_id = :u", u=user_id) == 3_000


def test_a_killed_ingestion_is_completed_by_the_next(database: Database, database_url: str, user_id: str) -> None:
    process = start(INGEST, database_url, user_id)
    process.stdout.readline()
    process.stdin.write("go\n")
    process.stdin.flush()
    stored = "SELECT count(*) FROM prefmem.messages WHERE user_id = :u"
    deadline = time.monotonic() + 300
    while count(database, stored, u=user_id) < 500 and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    kept = count(database, stored, u=user_id)

    [output] = together(INGEST, database_url, user_id, processes=1)

    assert kept % 50 == 0
    assert int(output) == 3_000 - kept
    terms = "SELECT count(DISTINCT message_id) FROM prefmem.message_terms WHERE user_id = :u"
    assert count(database, terms, u=user_id) == 3_000


def _rows(database: Database, user_id: str) -> int:
    return count(
        database, "SELECT count(*) FROM prefmem.preferences WHERE user_id = :u AND status = 'activated'", u=user_id
    )
