"""From the settings to the wire: a memory whose vectors and ranking come from a provider."""

from collections.abc import Callable, Iterator
from decimal import Decimal

import pytest
from sqlalchemy import text

from prefmem_pg.db.local import LocalServer
from prefmem_pg.errors import BudgetExceeded, ConfigurationError, ProviderUnavailable
from prefmem_pg.memory import PreferenceMemory
from prefmem_pg.providers.bank import bank as bank_module
from prefmem_pg.settings import Settings
from prefmem_pg.testing import EmbeddingsStub, overloaded
from tests.databases import empty_database

KEY = "pa-very-secret-key-0123456789"
STATEMENTS = [
    "I prefer window seats",
    "我喜欢喝绿茶 🍵",
    "I like window cleaning robots",
    "不吃香菜",
    "I love tea houses",
]

Opened = Callable[..., PreferenceMemory]


@pytest.fixture(scope="module")
def stub() -> Iterator[EmbeddingsStub]:
    with EmbeddingsStub(dimensions=16) as started:
        yield started


@pytest.fixture(scope="module")
def url(server: LocalServer, stub: EmbeddingsStub) -> Iterator[str]:
    """A database that was set up for Voyage, with its bank made and a few preferences of Ana's."""
    with empty_database(server) as made:
        with PreferenceMemory.connect(made, settings=settings(stub, made, PREFMEM_EMBEDDER="voyage")) as memory:
            memory.upgrade()
            for statement in STATEMENTS:
                memory.remember("ana", statement)
        yield made


def settings(stub: EmbeddingsStub, url: str, **more: str) -> Settings:
    return Settings.from_env(
        {
            "PREFMEM_DATABASE_URL": url,
            "VOYAGE_API_KEY": KEY,
            "PREFMEM_VOYAGE_BASE_URL": f"{stub.url}/v1",
            "PREFMEM_VOYAGE_DIMENSIONS": "16",
            "PREFMEM_OPENAI_BASE_URL": f"{stub.url}/v1",
            "PREFMEM_OPENAI_EMBEDDING_MODEL": "nomic",
            "PREFMEM_OPENAI_EMBEDDING_DIMENSIONS": "16",
        }
        | more
    )


@pytest.fixture
def opened(url: str, stub: EmbeddingsStub) -> Iterator[Opened]:
    """Open the database with further settings; closed at the end."""
    memories = []

    def open_with(**more: str) -> PreferenceMemory:
        memories.append(PreferenceMemory.connect(url, settings=settings(stub, url, **more)))
        return memories[-1]

    yield open_with
    for memory in memories:
        memory.close()


def ask(memory: PreferenceMemory, statement: str) -> list[tuple]:
    with memory.database.engine.connect() as connection:
        return [tuple(row) for row in connection.execute(text(statement))]


def test_the_first_upgrade_takes_the_model_that_the_settings_name(opened: Opened) -> None:
    assert ask(opened(), "SELECT provider, name, dimensions FROM prefmem.embedding_models WHERE state = 'active'") == [
        ("voyage", "voyage-4", 16)
    ]


def test_auto_means_the_model_of_the_database_whatever_else_is_set(opened: Opened) -> None:
    for embedder in ("auto", "local", "openai"):
        memory = opened(PREFMEM_EMBEDDER=embedder)
        memory.upgrade()
        assert memory.search("ana", "我喜欢喝绿茶 🍵", limit=1)[0].preference.statement == "我喜欢喝绿茶 🍵"


def test_a_missing_key_for_the_databases_model_is_named(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("VOYAGE_API_KEY", "VOYAGE_API_KEY_PATH"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ConfigurationError, match="VOYAGE_API_KEY"):
        opened(VOYAGE_API_KEY="").search("ana", "tea")


def test_an_openai_endpoint_can_set_up_a_database(server: LocalServer, stub: EmbeddingsStub) -> None:
    with empty_database(server) as made:
        chosen = settings(stub, made, PREFMEM_EMBEDDER="openai", PREFMEM_RERANKER="none")
        with PreferenceMemory.connect(made, settings=chosen) as memory:
            memory.upgrade()
            memory.remember("ana", "我喜欢喝绿茶 🍵")
            assert memory.search("ana", "绿茶", limit=1)[0].explanation.semantic is not None
            assert ask(memory, "SELECT provider, name, dimensions FROM prefmem.embedding_models") == [
                ("openai", "nomic", 16)
            ]


def test_what_comes_with_a_model_is_embedded_once_for_a_database(
    opened: Opened, stub: EmbeddingsStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bank_module, "_BANKS", {})  # as in a new process
    before = len(stub.calls)
    opened().search("ana", "a question of its own, nr. 1")
    assert len(stub.calls) == before + 1


def test_stored_texts_and_questions_go_as_what_they_are(opened: Opened, stub: EmbeddingsStub) -> None:
    memory = opened()
    before = len(stub.calls)
    memory.remember("ana", "I collect stamps of the 1960s")
    memory.search("ana", "which stamps?", learn=False)
    memory.recall("ana", "which stamps?", learn=False)
    kinds = [(call["input_type"], call["input"]) for call in stub.calls[before:]]
    assert kinds == [("document", ["I collect stamps of the 1960s"]), ("query", ["which stamps?"])]


def test_messages_of_many_users_are_embedded_together_and_paid_apart(opened: Opened, stub: EmbeddingsStub) -> None:
    memory = opened()
    for user in ("bo", "小明"):
        memory.add_messages(user, [{"role": "user", "content": f"{user} 说你好 👋"}], dialog_id="d")
    before = len(stub.calls)
    report = memory.embed_missing()
    assert (report.messages, report.failed) == (2, 0)
    assert len(stub.calls) == before + 1
    shares = ask(
        memory,
        "SELECT user_id FROM prefmem.llm_calls WHERE call_id = (SELECT call_id FROM prefmem.llm_calls"
        " ORDER BY at DESC LIMIT 1) ORDER BY user_id",
    )
    assert shares == [("bo",), ("小明",)]


def test_the_ledger_agrees_with_what_the_provider_has_counted(opened: Opened, stub: EmbeddingsStub) -> None:
    memory = opened()
    both = "(SELECT call_id, input_tokens FROM prefmem.llm_calls UNION ALL SELECT call_id, input_tokens FROM"
    counted = f"SELECT count(DISTINCT call_id), sum(input_tokens) FROM {both} prefmem.llm_shared_calls) c"
    [(calls, tokens)] = ask(memory, counted)
    calls_before, tokens_before = len(stub.calls), stub.tokens
    memory.remember("ana", "我讨厌排队 😤")
    memory.search("ana", "queues?", rerank=True)
    memory.search("nobody knows me", "你好", rerank=True)
    [(more_calls, more_tokens)] = ask(memory, counted)
    assert more_calls - calls == len(stub.calls) - calls_before == 4
    assert more_tokens - tokens == stub.tokens - tokens_before


# Reranking


def test_a_reranker_orders_the_hits_and_each_says_its_relevance(opened: Opened) -> None:
    hits = opened().search("ana", "window seats", limit=2, rerank=True)
    assert [hit.preference.statement for hit in hits] == ["I prefer window seats", "I like window cleaning robots"]
    assert [hit.rerank_score for hit in hits] == [1.0, 0.5]
    assert all(hit.note is None for hit in hits)


def test_a_reranker_that_fails_keeps_the_order_and_says_so(opened: Opened, stub: EmbeddingsStub) -> None:
    memory = opened(PREFMEM_RETRIES="0")
    plain = memory.search("ana", "window seats", learn=False)
    stub.faults.append(overloaded())
    hits = memory.search("ana", "window seats", rerank=True, learn=False)
    assert [hit.preference for hit in hits] == [hit.preference for hit in plain]
    assert all("kept the order" in (hit.note or "") for hit in hits)


def test_no_reranker_is_said_too(opened: Opened, stub: EmbeddingsStub) -> None:
    memory = opened(PREFMEM_RERANKER="none")
    before = len(stub.calls)
    [hit, *_] = memory.search("ana", "window seats", rerank=True, learn=False)
    assert "no reranker" in (hit.note or "")
    assert [call for call in stub.calls[before:] if "documents" in call] == []


def test_the_embedded_database_sends_nothing_unless_it_was_chosen() -> None:
    from prefmem_pg.remote import choose_reranker

    given = Settings.from_env({"VOYAGE_API_KEY": KEY})
    assert choose_reranker(given, is_embedded=True, meter=None) is None
    assert choose_reranker(given, is_embedded=False, meter=None) is not None
    assert choose_reranker(Settings(), is_embedded=False, meter=None) is None


# Failures


def test_a_search_whose_question_cannot_be_embedded_is_an_error_and_not_an_empty_list(
    opened: Opened, stub: EmbeddingsStub
) -> None:
    memory = opened(PREFMEM_RETRIES="0")
    memory.search("ana", "warm up")
    stub.faults.append(overloaded())
    with pytest.raises(ProviderUnavailable):
        memory.search("ana", "某个新问题")


def test_a_preference_whose_vector_cannot_be_had_is_stored_and_embedded_later(
    opened: Opened, stub: EmbeddingsStub
) -> None:
    memory = opened(PREFMEM_RETRIES="0")
    memory.search("ana", "warm up")
    stub.faults.append(overloaded())
    assert memory.remember("later", "我每天跑步 🏃").action == "added"
    assert memory.embed_missing(user_id="later").preferences == 1


def test_embedding_stops_when_nobody_answers_instead_of_asking_for_each_text(
    opened: Opened, stub: EmbeddingsStub
) -> None:
    memory = opened(PREFMEM_RETRIES="1")
    memory.add_messages("many", [{"role": "user", "content": f"第 {n} 句"} for n in range(20)], dialog_id="d")
    stub.faults.extend([overloaded()] * 30)
    before = len(stub.calls)
    report = memory.embed_missing(user_id="many")
    assert (report.messages, report.failed) == (0, 3)
    assert len(stub.calls) == before + (1 + 3) * 2
    stub.faults.clear()
    assert memory.embed_missing(user_id="many").messages == 20


def test_a_spent_budget_leaves_the_work_for_later(opened: Opened, stub: EmbeddingsStub) -> None:
    opened().set_price("voyage", "voyage-4", input_usd=Decimal(1))
    memory = opened(PREFMEM_BUDGET_USER_USD="0")
    memory.add_messages("poor", [{"role": "user", "content": "我没有钱 💸"}], dialog_id="d")
    before = len(stub.calls)
    with pytest.raises(BudgetExceeded, match="PREFMEM_BUDGET_USER_USD"):
        memory.embed_missing(user_id="poor")
    assert memory.remember("poor", "I save money").action == "added"
    assert len(stub.calls) == before
    found = opened().embed_missing(user_id="poor")
    assert (found.messages, found.preferences) == (1, 1)


def test_a_recorded_search_is_replayed_without_a_key_or_a_provider(opened: Opened, stub: EmbeddingsStub) -> None:
    recorded = opened(PREFMEM_LLM_MODE="record").search("ana", "绿茶还是咖啡？", rerank=True, learn=False)
    before = len(stub.calls)
    replayed = opened(PREFMEM_LLM_MODE="replay", VOYAGE_API_KEY="", PREFMEM_RERANKER="voyage").search(
        "ana", "绿茶还是咖啡？", rerank=True, learn=False
    )
    assert [(hit.preference, hit.rerank_score) for hit in replayed] == [
        (hit.preference, hit.rerank_score) for hit in recorded
    ]
    assert len(stub.calls) == before


def test_prices_are_entered_and_listed(opened: Opened) -> None:
    memory = opened()
    entered = memory.set_price("claude", "some-model", input_usd=Decimal(3), output_usd=Decimal(15))
    assert entered in memory.prices()
