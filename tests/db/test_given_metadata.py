"""Metadata given with a statement that is known goes into its row; what brings nothing new changes nothing."""

from typing import Any

import pytest

from prefmem_pg.db.session import Database
from prefmem_pg.memory import PreferenceMemory
from tests.processes import together

AGAIN = [
    ("I prefer window seats", "I prefer window seats"),
    ("Prefers short answers", "Likes brief answers"),
    ("I have a dog named Rex", "I have a dog"),
    ("我喜欢靠窗的座位", "我喜欢靠窗的座位"),
    ("我喜欢靠窗的座位", "我爱坐靠窗的位子"),
    ("I prefer window seats", "我喜欢靠窗的座位"),
    ("我喜欢靠窗的座位", "I prefer window seats"),
]
SURVEY: dict[str, Any] = {"source": "survey", "year": 2026, "来源": "问卷"}


@pytest.mark.parametrize(("known", "again"), AGAIN)
def test_what_is_given_with_a_known_statement_is_found_by_it(
    memory: PreferenceMemory, user_id: str, known: str, again: str
) -> None:
    before = memory.remember(user_id, known, metadata={"source": "chat", "shop": 7}).preference

    decision = memory.remember(user_id, again, metadata=SURVEY)

    after = decision.preference
    assert (decision.action, after.preference_id, after.statement) == ("duplicate", before.preference_id, known)
    assert after.metadata == {"source": "survey", "shop": 7, "year": 2026, "来源": "问卷"}
    assert (after.version, after.mention_count) == (2, 2)
    [_, version] = memory.history(user_id, before.preference_id)
    assert (version.event, version.reason, version.actor) == ("update", "said again, with metadata", "api")
    assert version.state_before["metadata"] == {"source": "chat", "shop": 7}
    assert version.state_after["metadata"] == after.metadata
    found = memory.search(user_id, "window seat?", filter={"metadata.来源": "问卷", "metadata.year": {"gte": 2025}})
    assert [hit.preference.preference_id for hit in found] == [before.preference_id]


@pytest.mark.parametrize("given", [SURVEY, {"year": 2026.0}, {}, None])
@pytest.mark.parametrize("statement", ["I prefer window seats", "我喜欢靠窗的座位"])
def test_what_brings_nothing_new_makes_no_version(
    memory: PreferenceMemory, user_id: str, statement: str, given: dict[str, Any] | None
) -> None:
    memory.remember(user_id, statement, metadata=SURVEY)

    after = memory.remember(user_id, statement, metadata=given).preference

    assert (after.metadata, after.version, after.mention_count) == (SURVEY, 1, 2)
    assert len(memory.history(user_id, after.preference_id)) == 1


@pytest.mark.parametrize(
    ("known", "fuller"), [("I have a dog", "I have a dog named Rex"), ("我养了一只狗", "我养了一只叫豆豆的狗")]
)
def test_a_richer_wording_takes_its_metadata_along(
    memory: PreferenceMemory, user_id: str, known: str, fuller: str
) -> None:
    memory.remember(user_id, known, metadata={"source": "chat", "shop": 7})

    decision = memory.remember(user_id, fuller, metadata=SURVEY)

    assert (decision.action, decision.preference.version) == ("updated", 2)
    assert decision.preference.metadata == {"shop": 7, **SURVEY}


def test_what_comes_back_brings_its_metadata_in_the_same_version(memory: PreferenceMemory, user_id: str) -> None:
    row = memory.remember(user_id, "我喜欢靠窗的座位", metadata={"shop": 7}).preference
    memory.archive(user_id, row.preference_id)

    again = memory.remember(user_id, "我喜欢靠窗的座位", metadata=SURVEY).preference

    assert (again.status, again.version, again.metadata) == ("activated", 3, {"shop": 7, **SURVEY})


@pytest.mark.parametrize("statement", ["May like opera", "也许喜欢看歌剧 🎭"])
def test_what_waits_takes_metadata_and_waits_on(memory: PreferenceMemory, user_id: str, statement: str) -> None:
    waits = memory.remember(user_id, statement, confidence=0.3, metadata={"shop": 7}).preference

    decision = memory.remember(user_id, statement, confidence=0.3, metadata=SURVEY)

    after = memory.get(user_id, waits.preference_id)
    assert (decision.action, after.status, after.version) == ("review", "resolving", 2)
    assert after.metadata == {"shop": 7, **SURVEY}
    assert memory.history(user_id, waits.preference_id)[-1].reason == "said again, with metadata"


def test_what_was_rejected_is_left_alone(memory: PreferenceMemory, user_id: str) -> None:
    rejected = memory.remember(user_id, "也许喜欢看歌剧", kind="implicit").preference
    memory.reject(user_id, rejected.preference_id, actor="maria")
    rejected = memory.get(user_id, rejected.preference_id)

    memory.remember(user_id, "也许喜欢看歌剧", metadata=SURVEY)

    assert memory.get(user_id, rejected.preference_id) == rejected


def test_statements_of_one_call_put_their_metadata_together(memory: PreferenceMemory, user_id: str) -> None:
    items = [{"statement": "I love cola", "metadata": {"n": 1}}, {"statement": "i LOVE cola", "metadata": {"m": 2}}]

    decisions = memory.remember_many(user_id, items)

    assert [decision.action for decision in decisions] == ["added", "duplicate"]
    assert decisions[1].preference.metadata == {"n": 1, "m": 2}
    history = memory.history(user_id, decisions[1].preference.preference_id)
    assert [version.version for version in history] == [1, 2]


@pytest.mark.parametrize("rows", [1, 30])
def test_a_load_that_is_repeated_takes_back_no_edit(memory: PreferenceMemory, user_id: str, rows: int) -> None:
    items = [{"statement": f"Likes tea no. {n} 茶", "metadata": {"source": "load"}} for n in range(rows)]
    first = memory.remember_many(user_id, items, deduplicate=False)
    row = first[0].preference
    assert row is not None
    memory.update(user_id, row.preference_id, metadata={"source": "checked"}, actor="maria")

    memory.remember_many(user_id, items, deduplicate=False)

    now = memory.get(user_id, row.preference_id)
    assert (now.metadata, now.version) == ({"source": "checked"}, 2)


@pytest.mark.parametrize(
    ("known", "again", "version"),
    [
        ("I prefer window seats", "I prefer window seats", 1),
        ("我喜欢靠窗的座位", "我爱坐靠窗的位子", 1),
        ("I have a dog", "I have a dog named Rex", 2),
    ],
)
def test_more_than_a_row_may_hold_stays_out_and_the_decision_says_so(
    memory: PreferenceMemory, user_id: str, known: str, again: str, version: int
) -> None:
    many = {f"k{n}": n for n in range(80)}
    memory.remember(user_id, known, metadata=many)

    decision = memory.remember(user_id, again, metadata={f"other{n}": n for n in range(80)})

    after = decision.preference
    assert (after.metadata, after.version, after.mention_count) == (many, version, 2)
    assert "stays out: together metadata has 160 keys; at most 100 are allowed" in decision.reason


def test_what_was_merged_can_be_undone(memory: PreferenceMemory, user_id: str) -> None:
    row = memory.remember(user_id, "I prefer window seats", metadata={"source": "chat"}).preference
    memory.remember(user_id, "I prefer window seats", metadata=SURVEY)

    memory.undo(user_id, memory.history(user_id, row.preference_id)[-1].version_id)

    assert memory.get(user_id, row.preference_id).metadata == {"source": "chat"}


REMEMBER = """
    import os, sys
    from prefmem_pg.memory import PreferenceMemory
    url, user, statements = sys.argv[1], sys.argv[2], sys.argv[3:]
    with PreferenceMemory.connect(url) as memory:
        memory.search(user, "warm up")
        print("ready", flush=True)
        input()
        for n in range(4):
            memory.remember(user, statements[n % 2], metadata={f"{os.getpid()}-{n}": n})
"""


def test_what_several_processes_give_at_once_is_all_kept(
    database: Database, shared_memory: PreferenceMemory, database_url: str, user_id: str
) -> None:
    together(REMEMBER, database_url, user_id, "I enjoy hiking", "我喜欢泡温泉", processes=3)

    rows = shared_memory.list_preferences(user_id).items
    assert sorted(len(row.metadata) for row in rows) == [6, 6]
    for row in rows:
        versions = [version.version for version in shared_memory.history(user_id, row.preference_id)]
        assert versions == list(range(1, 7))
        assert (row.version, row.mention_count) == (6, 6)


def test_true_takes_the_place_of_one(memory: PreferenceMemory, user_id: str) -> None:
    memory.remember(user_id, "我喜欢喝绿茶 🍵", metadata={"flag": 1, "list": [0]})
    known = memory.remember(user_id, "我喜欢喝绿茶 🍵", metadata={"flag": True, "list": [False]}).preference
    assert known is not None
    assert known.metadata["flag"] is True
    assert known.metadata["list"] == [False]
    assert known.version == 2
