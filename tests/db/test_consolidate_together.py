"""Consolidation by several processes at once: the result of one."""

import json

from prefmem_pg.db.session import Database
from prefmem_pg.memory import PreferenceMemory
from tests.conftest import count
from tests.processes import together

CONSOLIDATE = """
    import dataclasses, json, sys, time
    from prefmem_pg.domain.preferences import Verdict
    from prefmem_pg.memory import PreferenceMemory
    from prefmem_pg.testing import ScriptedJudge

    def answer(comparison):
        time.sleep(0.05)  # long enough that each has read before the other writes
        return Verdict(relation="different", reason="told apart")

    with PreferenceMemory.connect(sys.argv[1], judge=ScriptedJudge(answer)) as memory:
        memory.search(sys.argv[2], "warm up")
        print("ready", flush=True)
        input()
        print(json.dumps(dataclasses.asdict(memory.consolidate(user_id=sys.argv[2]))))
"""
STATEMENTS = (
    "I'm a vegetarian",
    "I don't eat meat",
    "I never eat meat",
    "我喜欢喝绿茶",
    "I love green tea",
    "我爱喝绿茶",
    "I like the zorbel drink at the Quux bar",
    "I like the zorbel drinks of the Quux place",
    "I prefer window seats",
)


def _state(database: Database, user_id: str) -> dict[str, int]:
    rows = "SELECT count(*) FROM prefmem.preferences WHERE user_id = :u"
    return {
        "activated": count(database, f"{rows} AND status = 'activated'", u=user_id),
        "resolving": count(database, f"{rows} AND status = 'resolving'", u=user_id),
        "superseded": count(database, f"{rows} AND status = 'superseded'", u=user_id),
        "mentions": count(
            database,
            "SELECT sum(mention_count) FROM prefmem.preferences WHERE user_id = :u AND status = 'activated'",
            u=user_id,
        ),
        "versions": count(database, "SELECT count(*) FROM prefmem.preference_versions WHERE user_id = :u", u=user_id),
    }


def _prepare(memory: PreferenceMemory, user_id: str) -> None:
    memory.remember_many(user_id, [{"statement": text} for text in STATEMENTS], deduplicate=False)
    for place, said in enumerate(["短一点 😅", "太长了，简短一些"]):
        memory.add_messages(user_id, [{"role": "user", "content": said}], dialog_id=f"d-{place}")


def test_b07_two_consolidations_at_once_leave_what_one_leaves(
    shared_memory: PreferenceMemory, database: Database, database_url: str, user_id: str
) -> None:
    alone = f"{user_id}-alone"
    for user in (alone, user_id):
        _prepare(shared_memory, user)
    shared_memory.consolidate(user_id=alone)

    reports = [json.loads(output) for output in together(CONSOLIDATE, database_url, user_id)]

    assert all(report["failed"] == 0 for report in reports)
    shared_memory.consolidate(user_id=user_id)  # what one of the two has left to the next run
    assert _state(database, user_id) == _state(database, alone)
    assert _state(database, user_id)["resolving"] == 1
