"""Faults that systems like this one had in searching, tried here: text, ids, timeouts, other processes."""

from collections.abc import Iterator

import psycopg
import pytest

from prefmem_pg.db.engine import make_engine
from prefmem_pg.db.session import Database
from prefmem_pg.errors import InvalidInput, StoreUnavailable
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder

HALF = "ok \ud83d 半个 emoji"
KEPT = "ok \N{REPLACEMENT CHARACTER} 半个 emoji"


@pytest.fixture
def elsewhere(database_url: str, embedder: LocalEmbedder) -> Iterator[PreferenceMemory]:
    """A memory with connections of its own, as another process has."""
    with PreferenceMemory(Database(make_engine(database_url)), embedder=embedder) as memory:
        yield memory


def found(memory: PreferenceMemory, user_id: str, query: str) -> list[str | None]:
    return [hit.preference.statement for hit in memory.search(user_id, query, learn=False)]


def test_b61_half_an_emoji_is_replaced_wherever_it_comes_in(memory: PreferenceMemory, user_id: str) -> None:
    memory.add_messages(user_id, [{"role": "user", "content": HALF, "metadata": {HALF: [HALF]}}])
    memory.remember(user_id, HALF, metadata={"note": HALF})

    assert found(memory, user_id, HALF) == [KEPT]
    assert [hit.message.content for hit in memory.search_messages(user_id, HALF, learn=False)] == [KEPT]
    assert memory.search(user_id, "x", filter={"metadata.note": HALF, "statement": HALF}, learn=False) != []
    assert memory.search_messages(user_id, "ok emoji", filter={"content": HALF}, learn=False) != []
    assert KEPT in memory.recall(user_id, HALF, learn=False).text


def test_b62_a_composed_and_a_decomposed_word_are_one(memory: PreferenceMemory, user_id: str) -> None:
    first = memory.remember(user_id, "I love this caf\u00e9 ☕ 咖啡")
    again = memory.remember(user_id, "I love this cafe\u0301 ☕ 咖啡")

    assert (first.action, again.action) == ("added", "duplicate")
    [hit] = memory.search(user_id, "cafe\u0301", learn=False)
    assert hit.explanation.keyword > 0
    assert memory.search(user_id, "x", filter={"statement": {"contains": "cafe\u0301"}}, learn=False) != []


@pytest.mark.parametrize(
    "near", ["ann@example.test", "ANN@EXAMPLE.TEST", "Ann@Example.tes", "Ann@Example%", "Ann_Example.test"]
)
def test_b63_ids_are_matched_exactly(memory: PreferenceMemory, near: str) -> None:
    memory.remember("Ann@Example.test", "我喜欢茶 and tea")

    assert found(memory, "Ann@Example.test", "tea 茶") == ["我喜欢茶 and tea"]
    assert found(memory, near, "tea 茶") == []
    with pytest.raises(InvalidInput):
        memory.search("Ann@Example.test ", "tea 茶")


@pytest.mark.parametrize("user", ["a:b-c%d_e", "用户-1", "o'brien\\", '"x"; --', "u" * 200])
def test_b67_any_user_id_can_be_searched(memory: PreferenceMemory, user: str) -> None:
    memory.remember(user, "我喜欢茶 and tea 🍵")

    assert found(memory, user, "don't like C:\\tmp & (") == ["我喜欢茶 and tea 🍵"]


def test_b90_what_was_written_under_a_new_session_is_found_by_it(memory: PreferenceMemory, user_id: str) -> None:
    memory.remember(user_id, "I like tea 茶", session_id="s-new", agent_id="bot 9", mem_cube_id="cube/1")

    for where in ({"session_id": "s-new"}, {"agent_id": "bot 9"}, {"mem_cube_id": "cube/1"}):
        assert [h.preference.statement for h in memory.search(user_id, "tea", filter=where)] == ["I like tea 茶"]
    assert memory.search(user_id, "tea", filter={"session_id": "s"}) == []


def test_b101_a_text_beyond_the_models_window_is_found_and_holds_up_no_other(
    memory: PreferenceMemory, user_id: str
) -> None:
    long = "We talked about the harbour. " * 7_000 + "茶" * 500
    texts = [long, "The dentist moved to Thursday 🦷", "我买了新耳机"]
    memory.add_messages(user_id, [{"role": "user", "content": text} for text in texts])

    report = memory.embed_missing(user_id=user_id)

    assert (report.messages, report.failed) == (3, 0)
    for query, text in (("harbour", long), ("牙医", texts[1]), ("headphones", texts[2])):
        hits = memory.search_messages(user_id, query, learn=False)
        assert hits[0].message.content == text
        assert len(hits) == 3


@pytest.mark.parametrize("words", ["harbour boats " * 10_000, "港口的船" * 5_000])
def test_b123_a_question_as_long_as_a_book_is_cut(memory: PreferenceMemory, user_id: str, words: str) -> None:
    memory.remember(user_id, "I like harbour boats 港口的船")

    assert found(memory, user_id, words) == ["I like harbour boats 港口的船"]
    assert memory.recall(user_id, words, learn=False).hits != ()


def test_b123_a_timeout_is_retryable_and_the_connection_goes_on(
    database_url: str, shared_memory: PreferenceMemory, embedder: LocalEmbedder, user_id: str
) -> None:
    shared_memory.remember(user_id, "I like tea 茶")
    impatient = f"{database_url}&options=-c%20statement_timeout%3D1000"
    with (
        PreferenceMemory(Database(make_engine(impatient)), embedder=embedder) as memory,
        psycopg.connect(database_url) as blocker,
    ):
        assert found(memory, user_id, "tea") == ["I like tea 茶"]
        blocker.execute("LOCK TABLE prefmem.preferences, prefmem.messages IN ACCESS EXCLUSIVE MODE")
        for ask in (memory.search, memory.search_messages):
            with pytest.raises(StoreUnavailable) as caught:
                ask(user_id, "tea 茶")
            assert caught.value.retryable
        blocker.rollback()

        assert found(memory, user_id, "tea") == ["I like tea 茶"]


def test_b126_a_preference_looks_the_same_wherever_it_comes_from(memory: PreferenceMemory, user_id: str) -> None:
    memory.remember(user_id, "I like tea 茶 🍵", metadata={"n": None, "a": [1, "二"]}, tags=["x"])

    [hit] = memory.search(user_id, "tea", learn=False)
    [listed] = memory.list_preferences(user_id).items

    assert hit.preference == listed == memory.get(user_id, listed.preference_id)


def test_b127_what_another_process_changed_is_found_at_once(
    shared_memory: PreferenceMemory, elsewhere: PreferenceMemory, user_id: str
) -> None:
    tea = shared_memory.remember(user_id, "I like green tea 绿茶").preference
    assert tea is not None
    assert found(elsewhere, user_id, "tea") == ["I like green tea 绿茶"]

    shared_memory.update(user_id, tea.preference_id, statement="I like black tea 红茶")
    assert found(elsewhere, user_id, "绿茶") == ["I like black tea 红茶"]
    [hit] = elsewhere.search(user_id, "红茶", learn=False)
    assert hit.explanation.keyword > 0

    shared_memory.archive(user_id, tea.preference_id)
    assert found(elsewhere, user_id, "tea") == []
