"""A process killed at any instant of a walk of operations leaves a store that agrees with itself."""

import os
import random
import signal
import time

from prefmem_pg.db.session import Database
from prefmem_pg.memory import PreferenceMemory
from tests.conftest import count
from tests.processes import start

WALK = """
    import random, sys
    from prefmem_pg.errors import PrefmemError
    from prefmem_pg.memory import PreferenceMemory
    url, user, seed = sys.argv[1:]
    chance = random.Random(seed)
    things = ["tea", "rain 🌧️", "窗边的座位", "aisle seats", "window seats", "爬山", "meat", "cola", "short answers"]
    ways = ["I love {}", "I hate {}", "我喜欢{}", "我不喜欢{}", "I prefer {}", "I never had {} before {n}"]
    with PreferenceMemory.connect(url) as memory:
        memory.search(user, "warm up")
        print("ready", flush=True)
        input()
        for n in range(10_000):
            rows = memory.list_preferences(user, filter={"status": {"ne": "deleted"}}).items
            row = chance.choice(rows) if rows else None
            statement = chance.choice(ways).format(chance.choice(things), n=n)
            what = chance.randrange(10)
            try:
                if what < 4 or row is None:
                    kind = chance.choice(["explicit", "implicit"])
                    done = memory.remember(user, statement, kind=kind).preference.preference_id
                elif what == 4:
                    done = len(memory.add_messages(user, [{"role": "user", "content": statement}]))
                    memory.extract(user_id=user)
                elif what == 5:
                    done = memory.update(user, row.preference_id, statement=statement).preference_id
                elif what == 6:
                    act = chance.choice([memory.archive, memory.restore, memory.delete])
                    done = act(user, row.preference_id).preference_id
                elif what == 7:
                    version = chance.choice(memory.history(user, row.preference_id))
                    done = memory.undo(user, version.version_id)[0].preference_id
                elif what == 8:
                    done = memory.deduplicate(user_id=user).merged
                else:
                    messages = memory.list_messages(user).items
                    done = memory.forget_messages(user, [m.message_id for m in messages[:1]]).scope
            except PrefmemError as exc:
                done = type(exc).__name__
            print("done", done, flush=True)
"""

# Each counts what must not be there; :u is the user.
BROKEN = {
    "rows whose last version tells another state": """
        SELECT count(*) FROM prefmem.preferences p
        LEFT JOIN prefmem.preference_versions v USING (user_id, preference_id, version)
        WHERE p.user_id = :u AND p.status <> 'deleted' AND (v.state_after IS NULL
          OR v.state_after ->> 'statement' <> p.statement OR v.state_after ->> 'status' <> p.status)""",
    "rows with a gap in their versions": """
        SELECT count(*) FROM (
          SELECT p.preference_id FROM prefmem.preferences p
          JOIN prefmem.preference_versions v USING (user_id, preference_id)
          WHERE p.user_id = :u GROUP BY p.preference_id, p.version HAVING count(*) <> p.version) x""",
    "current rows without postings, or the other way round": """
        SELECT count(*) FROM prefmem.preferences p WHERE p.user_id = :u AND (p.status = 'activated') <> EXISTS (
          SELECT FROM prefmem.preference_terms t WHERE t.user_id = p.user_id AND t.preference_id = p.preference_id)""",
    "vectors whose copy of the status is wrong": """
        SELECT count(*) FROM prefmem.preferences p JOIN prefmem.preference_embeddings e USING (user_id, preference_id)
        WHERE p.user_id = :u AND (p.status = 'activated') <> e.is_active""",
    "statistics that count other rows than there are": """
        SELECT abs((SELECT coalesce(sum(row_count), 0) FROM prefmem.user_stats
            WHERE user_id = :u AND scope = 'preference')
          - (SELECT count(*) FROM prefmem.preferences WHERE user_id = :u AND status = 'activated'))""",
    "replaced rows that do not say by which": """
        SELECT count(*) FROM prefmem.preferences p
        LEFT JOIN prefmem.preferences w ON w.user_id = p.user_id AND w.preference_id = p.superseded_by
        WHERE p.user_id = :u AND p.status = 'superseded' AND w.preference_id IS NULL""",
    "evidence that is not in its message": """
        SELECT count(*) FROM prefmem.preference_evidence e JOIN prefmem.messages m USING (user_id, message_id)
        WHERE e.user_id = :u
          AND substr(m.content, e.start_offset + 1, e.end_offset - e.start_offset) <> e.quote""",
    "deleted rows with text left in their versions": """
        SELECT count(*) FROM prefmem.preferences p JOIN prefmem.preference_versions v USING (user_id, preference_id)
        WHERE p.user_id = :u AND p.status = 'deleted'
          AND coalesce(v.state_before ->> 'statement', v.state_after ->> 'statement') IS NOT NULL""",
}


def test_a_walk_that_is_killed_at_any_instant_leaves_a_store_that_agrees_with_itself(
    shared_memory: PreferenceMemory, database: Database, database_url: str, user_id: str
) -> None:
    chance = random.Random(20)
    walked = 0
    for turn in range(5):
        process = start(WALK, database_url, user_id, str(turn))
        assert process.stdout.readline().strip() == "ready"
        process.stdin.write("go\n")
        process.stdin.flush()
        for _ in range(8):
            assert process.stdout.readline().startswith("done")
        time.sleep(chance.uniform(0.1, 1.5))
        os.kill(process.pid, signal.SIGKILL)
        out, errors = process.communicate()
        walked += 8 + out.count("done")

        assert "Traceback" not in errors
        assert {name: count(database, query, u=user_id) for name, query in BROKEN.items()} == dict.fromkeys(BROKEN, 0)

    assert walked > 5 * 8
    shared_memory.deduplicate(user_id=user_id)
    before = shared_memory.list_preferences(user_id, page_size=200).items
    assert shared_memory.deduplicate(user_id=user_id).merged == 0
    assert shared_memory.list_preferences(user_id, page_size=200).items == before
