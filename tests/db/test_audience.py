"""Across users: who prefers something, and who is like somebody. Only the pipeline sees it."""

import pytest

from prefmem_pg.db.engine import make_engine
from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.session import Database
from prefmem_pg.errors import InvalidInput, PrefmemError
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from tests.conftest import url_of
from tests.databases import database_of

STATEMENTS = {
    "ana": ["I love window seats on trains", "I always book a window seat when I fly", "I drink oat milk"],
    "ben": ["坐火车我只选靠窗的座位 🚄", "我喜欢喝燕麦奶"],
    "cleo": ["I hate window seats", "I collect vinyl records"],
    "dan": ["I have been diagnosed with diabetes", "I play the violin"],
}


@pytest.fixture(scope="module")
def people(shared_memory: PreferenceMemory) -> PreferenceMemory:
    for user, statements in STATEMENTS.items():
        shared_memory.remember_many(user, [{"statement": text} for text in statements], deduplicate=False)
    return shared_memory


def holders(memory: PreferenceMemory, query: str, **options: object) -> list[tuple[str, str]]:
    return [(hit.user_id, hit.statement) for hit in memory.who_prefers(query, **options)]  # type: ignore[arg-type]


@pytest.mark.parametrize("query", ["window seats", "靠窗的座位", "Who likes to sit at the window on a train? 🚄"])
def test_who_prefers_finds_users_in_either_language_each_once(people: PreferenceMemory, query: str) -> None:
    found = holders(people, query, limit=2)

    assert {user for user, _ in found} == {"ana", "ben"}
    assert all(0.5 <= hit.score <= 1 for hit in people.who_prefers(query))


def test_a_user_may_be_allowed_several_rows(people: PreferenceMemory) -> None:
    once, twice = holders(people, "window seat"), holders(people, "window seat", per_user=2)

    assert [user for user, _ in once].count("ana") == 1
    assert {text for user, text in twice if user == "ana"} >= set(STATEMENTS["ana"][:2])
    assert len(holders(people, "window seat", per_user=2, limit=1)) == 1


def test_who_dislikes_it_is_left_out_unless_asked_for(people: PreferenceMemory) -> None:
    assert "cleo" not in {user for user, _ in holders(people, "window seats", min_score=0)[:2]}
    assert ("cleo", "I hate window seats") not in holders(people, "window seats", per_user=5, min_score=0)
    assert holders(people, "window seats", filter={"polarity": "negative"}) == [("cleo", "I hate window seats")]


def test_a_sensitive_preference_needs_its_users_consent(people: PreferenceMemory) -> None:
    before = [user for user, _ in holders(people, "diabetes")]
    people.set_consent("dan", sensitive=True)
    after = [user for user, _ in holders(people, "diabetes")]
    people.set_consent("dan", sensitive=False)

    assert ("dan" in before, after[:1]) == (False, ["dan"])


def test_similar_users_hold_the_nearest_preferences(people: PreferenceMemory) -> None:
    seat = next(p for p in people.list_preferences("ana").items if p.statement == STATEMENTS["ana"][0])

    found = people.similar_users("ana", seat.preference_id, limit=2)

    assert {hit.user_id for hit in found} == {"ben", "cleo"}
    assert people.similar_users("ben", seat.preference_id) == []


@pytest.mark.parametrize(
    "wrong",
    [{"limit": 0}, {"limit": 10**6}, {"per_user": 0}, {"per_user": 1.5}, {"per_user": 101}, {"min_score": float("nan")},
     {"filter": {"liking": "x"}}, {"filter": "x"}],
)  # fmt: skip
def test_what_cannot_be_asked_is_refused(people: PreferenceMemory, wrong: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        people.who_prefers("tea 茶", **wrong)  # type: ignore[arg-type]


def test_an_application_cannot_look_across_users(
    people: PreferenceMemory, server: LocalServer, database_url: str, embedder: LocalEmbedder
) -> None:
    application = Database(make_engine(url_of(server, database_of(database_url), "app")))
    with PreferenceMemory(application, embedder=embedder) as memory, pytest.raises(PrefmemError):
        memory.who_prefers("window seats")
