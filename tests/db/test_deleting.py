"""Deleting preferences for good, on a real database."""

import pytest
from sqlalchemy import text

from prefmem_pg.domain.filters import SearchFilter
from prefmem_pg.errors import InvalidFilter, NotFound
from prefmem_pg.memory import PreferenceMemory


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("I prefer window seats on long flights", "I prefer aisle seats on long flights"),
        ("我坐飞机喜欢靠窗的座位", "我坐飞机喜欢靠过道的座位"),
    ],
    ids=["en", "zh"],
)
def test_a_deleted_preference_is_gone_from_the_journey_of_its_successor(
    memory: PreferenceMemory, user_id: str, before: str, now: str
) -> None:
    old = memory.remember(user_id, before).preference
    new = memory.remember(user_id, now)
    assert new.action == "superseded"
    assert before in new.preference.context

    memory.delete(user_id, old.preference_id)

    assert memory.get(user_id, new.preference.preference_id).context == ""
    assert memory.verify_erased(f"{user_id}-nobody", [before]).texts == {}
    assert memory.list_preferences(user_id).total == 1


def test_what_else_the_context_tells_stays_when_a_journey_goes(memory: PreferenceMemory, user_id: str) -> None:
    old = memory.remember(user_id, "I prefer window seats on long flights").preference
    new = memory.remember(user_id, "I prefer aisle seats on long flights", context="My knees hurt 膝盖疼.").preference

    memory.delete(user_id, old.preference_id)

    assert memory.get(user_id, new.preference_id).context == "My knees hurt 膝盖疼."


def test_a_deleted_preference_keeps_its_row_and_the_event_alone(memory: PreferenceMemory, user_id: str) -> None:
    preference = memory.remember(
        user_id, "I love green tea 绿茶 🍵", tags=["drinks"], metadata={"note": "绿茶"}, context="from Hangzhou"
    ).preference
    memory.embed_missing(user_id=user_id)

    deleted = memory.delete(user_id, preference.preference_id, actor="ana", reason="she asked")

    assert (deleted.status, deleted.statement, deleted.context) == ("deleted", None, "")
    assert (deleted.entities, deleted.tags, deleted.topic, deleted.metadata) == ((), (), None, {})
    versions = memory.history(user_id, preference.preference_id)
    assert [(v.event, v.state_before, v.state_after) for v in versions] == [("add", None, None), ("delete", None, None)]
    assert (versions[-1].actor, versions[-1].reason) == ("ana", "she asked")
    assert memory.search(user_id, "green tea") == []
    assert memory.delete(user_id, preference.preference_id) == deleted
    assert memory.remember(user_id, "I love green tea 绿茶 🍵").action == "added"
    with pytest.raises(NotFound):
        memory.delete(f"{user_id}-other", preference.preference_id)


def test_deleting_takes_a_vector_out_of_the_mean_exactly(memory: PreferenceMemory, user_id: str) -> None:
    memory.remember(user_id, "I love green tea")
    memory.remember(user_id, "My favourite city is Lisbon")
    with memory.database.transaction(user_id=user_id) as repositories:
        before = repositories.embeddings.read_memory_means(user_id, scope="preference", model_id=1)["en"]
    third = memory.remember(user_id, "I play the cello on Sundays").preference

    memory.delete(user_id, third.preference_id)

    with memory.database.transaction(user_id=user_id) as repositories:
        after = repositories.embeddings.read_memory_means(user_id, scope="preference", model_id=1)["en"]
        stats = repositories.session.execute(
            text(
                "SELECT sum(row_count) AS rows, sum(total_length) AS length FROM prefmem.user_stats"
                " WHERE user_id = :user_id AND scope = 'preference'"
            ),
            {"user_id": user_id},
        ).one()
        length = repositories.session.scalar(
            text("SELECT sum(frequency) FROM prefmem.preference_terms WHERE user_id = :user_id"), {"user_id": user_id}
        )
    assert after.count == before.count == 2
    # the vector is stored as half floats, so it comes out a little other than it went in
    assert abs(after.mean - before.mean).max() < 1e-4
    assert (stats.rows, stats.length) == (2, length)


def test_b73_an_empty_list_deletes_nothing(memory: PreferenceMemory, user_id: str) -> None:
    memory.remember(user_id, "I love green tea")
    memory.remember(user_id, "我喜欢乌龙茶")

    assert memory.delete_many(user_id, {"preference_id": {"in": []}}) == 0
    assert memory.delete_many(user_id, SearchFilter(ids=[])) == 0
    assert memory.delete_many(user_id, {"or": []}) == 0
    for nothing in (None, {}, SearchFilter()):
        with pytest.raises(InvalidFilter):
            memory.delete_many(user_id, nothing)
    assert memory.list_preferences(user_id).total == 2
    assert memory.delete_many(user_id, {"language": "zh"}) == 1
    assert memory.delete_many(user_id, {"preference_id": "*"}) == 1
    assert memory.list_preferences(user_id).total == 0
